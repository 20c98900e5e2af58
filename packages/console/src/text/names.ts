/** Units by the end of a field's name (STYLE §7). */
const UNITS: readonly [end: RegExp, unit: string][] = [
  [/_ms$/, 'ms'],
  [/_bytes$/, 'B'],
  [/_days$|^days_|_days_/, 'days'],
  [/_months$|^months_/, 'months'],
  [/_years$|^years_/, 'years'],
  [/_hours$/, 'h'],
  [/_s$/, 's'],
  [/^percent_/, '%'],
  [/^(?:size|file_size|content_length)$/, 'B'],
  [/^(?:max_age|ttl|retry|refresh|expire|minttl)$/, 's'],
  [/^ms$/, 'ms'],
];
/** A TTL of a packet counts hops. */
const PACKETS = new Set(['icmp_requests', 'hops', 'answers']);
/** Times without a unit in their name: members of `rtt`. */
const TIMES = new Set(['min', 'avg', 'max', 'mdev']);

/** The unit of a number by its name and that of the object it is in; empty when neither tells. */
export const unitOf = (name: string, parent = ''): string =>
  parent === 'rtt' && TIMES.has(name)
    ? 'ms'
    : name === 'ttl' && PACKETS.has(parent)
      ? ''
      : (UNITS.find(([end]) => end.test(name))?.[1] ?? '');

/** Octets as people read them. */
export function sizeOf(bytes: number): string {
  const [unit, of] = (
    [
      ['MB', 1_000_000],
      ['kB', 1_000],
    ] as const
  ).find(([, least]) => bytes >= least) ?? ['B', 1];
  return `${of === 1 ? bytes : (bytes / of).toFixed(1)} ${unit}`;
}

const SHORT: Readonly<Record<string, string>> = Object.fromEntries(
  'EU VPN CSS CID EML PEM SAN SCT CRL SPKI ECH UDP XSS AEAD DH PTR IPs URLs IDs TLDs SCTs HELO STARTTLS WHOIS RDAP TTFB JavaScript IP ASN URL DNS TLS SSL HTTP HTTPS TTL RTT MX NS TXT SOA CAA AAAA SPF DKIM DMARC BIMI SVG VMC MTU TCP ICMP ISP SNI ALPN OCSP CSP HSTS DNSSEC RRSIG DNSKEY DS MD5 SHA256 HTML IOC ID TLD RIR UTC CNAME DANE IPv4 IPv6 PDF PNG JS'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Ends of names that are the unit of their number. `_bytes` stays in words: `html_files` is a number of files. */
const UNIT_AT_END = /_(?:ms|days|months|years|hours|s)$/;

/** A field's name as people read it: `is_tor_exit` is `Tor exit`, `rtt_ms` is `RTT`, `html_files_bytes` is `HTML files size`. */
export function titleOf(name: string): string {
  const fact = name
    .replace(/^(?:is|has)_(?=..)/, '')
    .replace(/(?<!size)_bytes$/, '_size')
    .replace(/_bytes$/, '');
  const bare =
    fact.length > 4
      ? fact
          .replace(UNIT_AT_END, '')
          .replace(/_in$/, '')
          .replace(/^percent_/, '')
      : fact;
  return inWords(bare);
}

/** A code as people read it, whole: `older_than_10_years` has no unit. */
export function inWords(code: string): string {
  const words = code.split(/[_\s]+/).filter(Boolean);
  const title = words.map((word) => SHORT[word.toLowerCase()] ?? word).join(' ');
  return title === '' ? code : title[0]!.toUpperCase() + title.slice(1);
}

/** Lists of a report with names of its fields, and what is said in place of these fields' values. */
const FIELD_LISTS: Readonly<Record<string, string>> = { not_checked: 'not checked', unknown: 'not known' };
const FIELD = /^[a-z]\w{0,99}(?:\.[a-z][\w-]{0,99}){0,3}$/;

/** An item of a list as people read it: `hsts.preloaded` in `not_checked` is `HSTS: Preloaded`. Items of other lists stay. */
export function itemInWords(list: string, item: unknown): unknown {
  if (!Object.hasOwn(FIELD_LISTS, list) || typeof item !== 'string' || !FIELD.test(item)) return item;
  return item
    .split('.')
    .map((part) => (part.includes('-') ? part : titleOf(part)))
    .join(': ');
}

/** Says what stands in place of a field's value; undefined where the value counts. */
export type Unjudged = (path: readonly string[], value: unknown) => string | undefined;

const saysNothing = (value: unknown): boolean =>
  value === false || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Reads the lists of a report. A name in them is that of a field, or a path, which stands for all below it. */
export function unjudgedIn(report: Readonly<Record<string, unknown>>): Unjudged {
  const words = new Map(
    Object.entries(FIELD_LISTS).flatMap(([list, word]) => {
      const names = report[list];
      return Array.isArray(names) ? (names as unknown[]).map((name): [unknown, string] => [name, word]) : [];
    }),
  );
  if (words.size === 0) return () => undefined;
  return (path, value) => {
    const word = [path.at(-1), ...path.map((_name, i) => path.slice(0, i + 1).join('.'))]
      .map((name) => words.get(name))
      .find((one) => one !== undefined);
    // Without the list of Tor's exits, an engine can still find one: that is a fact.
    return word === FIELD_LISTS['unknown'] && !saysNothing(value) ? undefined : word;
  };
}
