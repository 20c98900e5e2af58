/** Units by the end of a field's name (STYLE §7). */
const UNITS: readonly [end: RegExp, unit: string][] = [
  [/_ms$/, 'ms'],
  [/_bytes$/, 'B'],
  [/_days$/, 'days'],
  [/_months$/, 'months'],
  [/_years$/, 'years'],
  [/_hours$/, 'h'],
  [/_s$/, 's'],
  [/^percent_/, '%'],
];
/** Times without a unit in their name: members of `rtt`. */
const TIMES = new Set(['min', 'avg', 'max', 'mdev']);

/** The unit of a number by its name and that of the object it is in; empty when neither tells. */
export const unitOf = (name: string, parent = ''): string =>
  parent === 'rtt' && TIMES.has(name) ? 'ms' : (UNITS.find(([end]) => end.test(name))?.[1] ?? '');

const SHORT: Readonly<Record<string, string>> = Object.fromEntries(
  'IP ASN URL DNS TLS SSL HTTP HTTPS TTL RTT MX NS TXT SOA CAA AAAA SPF DKIM DMARC BIMI SVG VMC MTU TCP ICMP ISP SNI ALPN OCSP CSP HSTS DNSSEC RRSIG DNSKEY DS MD5 SHA256 HTML IOC ID TLD RIR UTC CNAME DANE IPv4 IPv6 PDF PNG JS'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** A field's name as people read it: `is_tor_exit` is `Is tor exit`, `rtt_ms` is `RTT`. */
export function titleOf(name: string): string {
  const bare = UNITS.reduce((rest, [end]) => (rest.length > 4 ? rest.replace(end, '') : rest), name);
  const words = bare.split(/[_\s]+/).filter(Boolean);
  const title = words.map((word) => SHORT[word.toLowerCase()] ?? word).join(' ');
  return title === '' ? name : title[0]!.toUpperCase() + title.slice(1);
}
