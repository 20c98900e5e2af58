import { hostParts } from '@vedette/intel/names';

/** What a redirect changes. All false where there is none. */
export interface RedirectInfo {
  http_to_https: boolean;
  https_to_http: boolean;
  non_www_to_www: boolean;
  www_to_non_www: boolean;
  /** It leads to another registrable domain. */
  external_redirect: boolean;
  /** Scheme, host and port are the same (RFC 6454 §5). */
  same_origin: boolean;
  cross_origin: boolean;
  same_scheme: boolean;
  same_domain: boolean;
  same_host: boolean;
  same_port: boolean;
}

export const NO_REDIRECT: Readonly<RedirectInfo> = {
  http_to_https: false,
  https_to_http: false,
  non_www_to_www: false,
  www_to_non_www: false,
  external_redirect: false,
  same_origin: false,
  cross_origin: false,
  same_scheme: false,
  same_domain: false,
  same_host: false,
  same_port: false,
};

/** Compares both ends of a redirect; both are http or https URLs. */
export function redirectInfo(from: string, to: string): RedirectInfo {
  const [a, b] = [new URL(from), new URL(to)];
  const [hostA, hostB] = [hostOf(a), hostOf(b)];
  const same_scheme = a.protocol === b.protocol;
  const same_host = hostA === hostB;
  const same_port = portOf(a) === portOf(b);
  const same_domain = rootOf(hostA) === rootOf(hostB);
  const same_origin = same_scheme && same_host && same_port;
  return {
    http_to_https: a.protocol === 'http:' && b.protocol === 'https:',
    https_to_http: a.protocol === 'https:' && b.protocol === 'http:',
    non_www_to_www: hostB === `www.${hostA}`,
    www_to_non_www: hostA === `www.${hostB}`,
    external_redirect: !same_domain,
    same_origin,
    cross_origin: !same_origin,
    same_scheme,
    same_domain,
    same_host,
    same_port,
  };
}

/** The root at the end of a name makes no other host of it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');
const portOf = ({ port, protocol }: URL): string => (port === '' ? (protocol === 'https:' ? '443' : '80') : port);

/** The registrable domain as reports tell it; the host itself where it has none: an address, or a public suffix. */
export const rootOf = (host: string): string => hostParts(host).root_domain || host;
