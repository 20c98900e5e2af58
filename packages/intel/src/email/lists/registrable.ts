import { parseHost } from '@vedette/contract';
import { parse } from 'tldts';

/** The name as lists have it, where one can look for it: no top-level domain, no address, nothing that a registry gives names under. */
export function registrable(name: string): string | undefined {
  const host = parseHost(name)?.host ?? '';
  return parse(host, { allowPrivateDomains: true, validateHostname: false }).domain ? host : undefined;
}
