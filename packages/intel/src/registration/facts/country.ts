/** Names of countries in English, in lower case, to their codes; made when first asked. */
let codes: ReadonlyMap<string, string> | undefined;

/** Names that registries use beside those of CLDR. */
const OTHERS: Record<string, string> = {
  'united states of america': 'US',
  usa: 'US',
  'great britain': 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  uk: 'GB',
  'russian federation': 'RU',
  'korea, republic of': 'KR',
  'republic of korea': 'KR',
  'czech republic': 'CZ',
  turkey: 'TR',
  'viet nam': 'VN',
  'the netherlands': 'NL',
  'hong kong': 'HK',
  "people's republic of china": 'CN',
};

/** ISO 3166-1 alpha-2 of what a registry writes: a code, or a name in English. The text itself where it is neither. */
export function countryOf(text: string): string {
  if (/^[a-z]{2}$/i.test(text) && text.toLowerCase() !== 'uk') return text.toUpperCase();
  codes ??= readCodes();
  return codes.get(text.toLowerCase()) ?? /\(([A-Z]{2})\)$/.exec(text)?.[1] ?? text;
}

function readCodes(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const found = new Map<string, string>();
  for (const first of letters)
    for (const second of letters) {
      const name = names.of(first + second);
      if (name !== undefined) found.set(name.toLowerCase(), first + second);
    }
  for (const [name, code] of Object.entries(OTHERS)) found.set(name, code);
  return found;
}
