import { isLoopback } from '@vedette/contract';
import type { GatewaySettings } from './config.ts';

/** Warnings for an operator who opens this gateway to a network. */
export function exposureWarnings(settings: GatewaySettings): string[] {
  const api = !isLoopback(settings.VEDETTE_HOST);
  const encrypted = settings.VEDETTE_TLS_CERT_FILE !== undefined || settings.VEDETTE_TRUSTED_PROXIES !== undefined;
  return [
    ...(api && settings.VEDETTE_CONTACT === undefined
      ? ['VEDETTE_CONTACT is not set: those whom we measure cannot find out whom to ask, or where to complain']
      : []),
    ...(api && !encrypted
      ? ['the API listens without TLS: set VEDETTE_TLS_CERT_FILE, or name the proxy that ends TLS in VEDETTE_TRUSTED_PROXIES']
      : []),
    ...(isLoopback(settings.VEDETTE_OPS_HOST)
      ? []
      : ['VEDETTE_OPS_HOST opens the operators’ listener to the network, without TLS: let nobody but your own machines reach it']),
  ];
}
