import { compareWords, type Range, readRange } from '@vedette/intel/networks';

/** A list's entry that stays, unlike what `readRange` overwrites. */
function kept(entry: string): Range {
  const range = readRange(entry)!;
  return { ...range, first: range.first.slice(), last: range.last.slice() };
}

/** Addresses that half of the world would miss: no list of attackers has one of these by right. */
const NEVER_LISTED = [
  '8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 198.41.0.4 192.5.5.241 193.0.14.129 199.7.83.42',
  '2001:4860:4860::8888 2606:4700:4700::1111 2620:fe::fe 2001:503:ba3e::2:30',
].flatMap((line) => line.split(' ').map(kept));

/** What nobody meets on the internet (RFC 6890, RFC 4291), and so is on no list of those that one meets there. */
const INNER = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 ' +
  '::/8 fc00::/7 fe80::/10 ff00::/8'
)
  .split(' ')
  .map(kept);

/** What is wrong with an entry of a list of addresses. */
interface Verdict {
  /** Far too many addresses at once. */
  isWide: boolean;
  /** Addresses that are not of the internet. */
  isInner: boolean;
  /** Has an address on it that no attacker has. */
  isCanary: boolean;
}

const meets = (a: Range, b: Range): boolean =>
  a.width === b.width && compareWords(a.first, 0, b.last, 0, a.width) <= 0 && compareWords(b.first, 0, a.last, 0, a.width) <= 0;

/** Judges what an entry of a list says. */
export const judgeRange = (range: Range): Verdict => ({
  isWide: isWide(range),
  isInner: INNER.some((inner) => meets(inner, range)),
  isCanary: NEVER_LISTED.some((address) => meets(address, range)),
});

/** Nobody has more than a /8, or a /16 of IPv6; more at once is a mistake, or somebody's wish to shut everybody out. */
function isWide({ width, first, last }: Range): boolean {
  const high = last[0]! - first[0]!;
  return width === 1 ? high >= 2 ** 24 : high * 2 ** 32 + (last[1]! - first[1]!) >= 2 ** 48;
}

/** Names that no list of harmful ones has by right, unless somebody has broken into it. */
export const NEVER_HARMFUL: ReadonlySet<string> = new Set(
  (
    'google.com gmail.com youtube.com facebook.com instagram.com whatsapp.com microsoft.com office.com live.com outlook.com apple.com icloud.com ' +
    'amazon.com wikipedia.org cloudflare.com github.com paypal.com netflix.com linkedin.com yahoo.com baidu.com mozilla.org debian.org ubuntu.com'
  ).split(' '),
);

/** Autonomous systems that no criminal has: the largest clouds, carriers and access providers. */
export const NEVER_CRIMINAL: ReadonlySet<number> = new Set([
  15_169, 13_335, 16_509, 14_618, 8_075, 32_934, 714, 20_940, 54_113, 3_320, 3_215, 7_018, 7_922, 701, 2_914, 1_299, 174, 3_356, 6_939,
  4_134, 4_837, 16_276, 24_940,
]);

/** Who announces the addresses that everybody knows: a table that says otherwise is not one of the internet. */
export const WELL_KNOWN_ORIGINS: readonly (readonly [address: string, asn: number])[] = [
  ['8.8.8.8', 15_169],
  ['1.1.1.1', 13_335],
];

/** Telephones of firms and offices that many call, in E.164 without the plus: Apple, Google, Microsoft, FedEx, UPS, the White House, the BBC, the HMRC. */
export const NEVER_DISPOSABLE_NUMBERS: ReadonlySet<string> = new Set(
  '18002752273 16502530000 14258828080 18004633339 18007425877 12024561414 442087438000 443002003300'.split(' '),
);
