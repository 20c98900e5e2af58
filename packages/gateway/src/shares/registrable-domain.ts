import { getDomain } from 'tldts';

// Names of the DNS are not hosts: `_dmarc` and whatever a stranger's macro makes are to be folded as well.
const AS_GIVEN = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };
/** Labels of the reverse name of a /24, and of a /48. */
const REVERSE_ZONES = [
  { under: '.in-addr.arpa', labels: 5 },
  { under: '.ip6.arpa', labels: 14 },
];

/**
 * The domain that is counted for a name: its registrable domain, so that random labels below it count as one; for a reverse name, the
 * network's zone. A public suffix answers for itself. The root is ''.
 */
export function registrableDomain(name: string): string {
  const plain = unescaped(name).toLowerCase().replace(/\.$/, '');
  const reverse = REVERSE_ZONES.find(({ under }) => plain.endsWith(under));
  if (reverse) return plain.split('.').slice(-reverse.labels).join('.');
  return getDomain(plain, AS_GIVEN) ?? plain;
}

/** `\111rg` is `org` (RFC 1035 §5.1). */
const unescaped = (name: string): string =>
  name.includes('\\') ? name.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('\\', '') : name;
