import type { Coverage } from '../../feeds/index.ts';
import { PUBLIC_RESOLVERS, ROOT_NAME_SERVERS } from '../../addresses/index.ts';
import { compareWords, type Range, readRange } from '../../networks/index.ts';

/** A list's entry that stays, unlike what `readRange` overwrites. */
function kept(entry: string): Range {
  const range = readRange(entry)!;
  return { ...range, first: range.first.slice(), last: range.last.slice() };
}

/** VPN providers' own: their resolvers may stand among their exits. */
const OF_VPN_PROVIDERS = new Set(['Mullvad DNS', 'Control D']);

/**
 * Addresses that many depend on and that do not attack: public resolvers, the root and the largest zones, the targets of the best known
 * domains, mail of the largest providers, resolvers of the largest carriers. We found none of these on any list of attackers, VPNs or
 * criminals (August 2026).
 */
const NEVER_LISTED = [
  ...[...PUBLIC_RESOLVERS].flatMap(([address, operator]) => (OF_VPN_PROVIDERS.has(operator) ? [] : [address])),
  ...ROOT_NAME_SERVERS.keys(),
  // com and net; the registries; IANA.
  ...'192.5.6.30 192.33.14.30 192.26.92.30 192.31.80.30 192.12.94.30 193.0.6.139 199.43.0.10 202.12.29.10 200.3.14.10 196.216.2.6 192.0.32.8'.split(
    ' ',
  ),
  // Sites of Google, Microsoft, Meta, Apple, GitHub and Wikimedia.
  ...'142.250.72.14 142.251.32.46 172.217.14.206 216.58.214.14 20.70.246.20 20.112.250.133 13.107.21.200 204.79.197.200 13.107.42.14'.split(
    ' ',
  ),
  ...'157.240.1.35 157.240.22.35 31.13.66.35 31.13.71.36 17.253.144.10 17.142.160.59 140.82.112.3 140.82.121.3 185.199.108.153'.split(' '),
  ...'208.80.154.224 208.80.153.224 91.198.174.192 2a00:1450:4009:80b::200e 2620:1ec:c11::200 2a03:2880:f10d:83:face:b00c:0:25de'.split(
    ' ',
  ),
  // Fronts of Cloudflare and Fastly.
  ...'104.16.132.229 104.16.133.229 172.67.1.1 151.101.1.69 151.101.65.69 199.232.1.1 2606:4700::6810:84e5 2a04:4e42::81'.split(' '),
  // Mail of Google, Microsoft, Apple and Amazon.
  ...'74.125.82.41 209.85.128.41 209.85.220.41 40.92.18.10 40.107.22.52 104.47.55.100 17.57.155.20 17.58.63.10 54.240.8.10'.split(' '),
  // Resolvers of Comcast, AT&T, Korea Telecom, Chunghwa and Baidu.
  ...'75.75.75.75 75.75.76.76 68.94.156.1 68.94.157.1 168.126.63.1 168.95.1.1 180.76.76.76'.split(' '),
];

/** Addresses that are not used on the internet (RFC 6890, RFC 4291), and so belong on no list. */
const INNER = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 ' +
  '::/8 fc00::/7 fe80::/10 ff00::/8'
)
  .split(' ')
  .map(kept);

const CARRIERS = ['2002::/16', '2001::/32'].map(kept);

/** Addresses that are announced, by the installed table of June 2026: 3.3 billion, and 296,000 networks of IPv6 as large as a /32. */
const ANNOUNCED: Coverage = { ipv4: 3.3e9, ipv6: 296_000 * 2 ** 96 };

/** Returns numbers of addresses as percentages of the announced space. */
export const coverageOf = ({ ipv4, ipv6 }: { ipv4: number; ipv6: number }): Coverage => ({
  ipv4: (100 * ipv4) / ANNOUNCED.ipv4,
  ipv6: (100 * ipv6) / ANNOUNCED.ipv6,
});

/** The faults of an entry in a list of addresses. */
interface Verdict {
  /** Far too many addresses at once. */
  isWide: boolean;
  /** Addresses that are not of the internet. */
  isInner: boolean;
  /** Has an address on it that no attacker has. */
  isCanary: boolean;
  /** Within 6to4 or Teredo, where addresses stand for IPv4 ones and are looked up as those: an entry there says nothing. */
  isCarrier: boolean;
}

const meets = (a: Range, b: Range): boolean =>
  a.width === b.width && compareWords(a.first, 0, b.last, 0, a.width) <= 0 && compareWords(b.first, 0, a.last, 0, a.width) <= 0;

const isWithin = (a: Range, b: Range): boolean =>
  a.width === b.width && compareWords(a.first, 0, b.first, 0, a.width) >= 0 && compareWords(a.last, 0, b.last, 0, a.width) <= 0;

/** Addresses of a family in order, one behind the other. */
const canaries = (width: Range['width']): Uint32Array =>
  Uint32Array.from(
    NEVER_LISTED.map(kept)
      .filter((address) => address.width === width)
      .sort((a, b) => compareWords(a.first, 0, b.first, 0, width))
      .flatMap(({ first }) => [...first.subarray(0, width)]),
  );
const CANARIES = { 1: canaries(1), 4: canaries(4) };

/** Whether one of them is in the range: the first that is not before it. */
function hasCanary({ width, first, last }: Range): boolean {
  const addresses = CANARIES[width];
  let [low, high] = [0, addresses.length / width];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareWords(addresses, middle * width, first, 0, width) < 0) low = middle + 1;
    else high = middle;
  }
  return low * width < addresses.length && compareWords(addresses, low * width, last, 0, width) <= 0;
}

/** Judges what an entry of a list says. */
export const judgeRange = (range: Range): Verdict => ({
  isWide: isWide(range),
  isInner: INNER.some((inner) => meets(inner, range)),
  isCanary: hasCanary(range),
  isCarrier: CARRIERS.some((carrier) => isWithin(range, carrier)),
});

/** No holder has more than a /8, or a /16 of IPv6; a larger entry is a mistake or sabotage. */
function isWide({ width, first, last }: Range): boolean {
  const high = last[0]! - first[0]!;
  return width === 1 ? high >= 2 ** 24 : high * 2 ** 32 + (last[1]! - first[1]!) >= 2 ** 48;
}
