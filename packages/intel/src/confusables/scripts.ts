/** UTS 39 §5.2, from the least to the most suspicious. */
export type RestrictionLevel =
  | 'ascii_only'
  | 'single_script'
  | 'highly_restrictive'
  | 'moderately_restrictive'
  | 'minimally_restrictive'
  | 'unrestricted';

/** The scripts in general use (UAX 31, table 5), and with them those of limited use: a name of one of these alone is ordinary. */
const RECOMMENDED = [
  'Arab',
  'Armn',
  'Beng',
  'Bopo',
  'Cyrl',
  'Deva',
  'Ethi',
  'Geor',
  'Grek',
  'Gujr',
  'Guru',
  'Hang',
  'Hani',
  'Hebr',
  'Hira',
  'Kana',
  'Knda',
  'Khmr',
  'Laoo',
  'Latn',
  'Mlym',
  'Mymr',
  'Orya',
  'Sinh',
  'Taml',
  'Telu',
  'Thaa',
  'Thai',
  'Tibt',
];
const LIMITED = ['Adlm', 'Bali', 'Cans', 'Cher', 'Java', 'Mong', 'Nkoo', 'Olck', 'Sund', 'Syrc', 'Tfng', 'Vaii', 'Yiii'];

/** Matches text that can be written in these scripts together. A character that several scripts share belongs to each (Script_Extensions). */
const written = (...scripts: string[]): RegExp =>
  new RegExp(`^[${['Zyyy', 'Zinh', ...scripts].map((script) => `\\p{scx=${script}}`).join('')}]*$`, 'u');

/** Japanese, Chinese with Bopomofo, Korean: the sets of scripts that count as one (UTS 39 §5.1). */
const EAST_ASIAN = [
  ['Hani', 'Hira', 'Kana'],
  ['Hani', 'Bopo'],
  ['Hani', 'Hang'],
];
const SINGLE = [...[...RECOMMENDED, ...LIMITED].map((script) => written(script)), ...EAST_ASIAN.map((scripts) => written(...scripts))];
const WITH_LATIN = EAST_ASIAN.map((scripts) => written('Latn', ...scripts));
/** Cyrillic and Greek have too many letters that look like Latin ones. */
const WITH_ONE_OTHER = RECOMMENDED.filter((script) => script !== 'Cyrl' && script !== 'Grek').map((script) => written('Latn', script));
const ANY_RECOMMENDED = written(...RECOMMENDED);

/** How freely a text mixes scripts (UTS 39 §5.2). */
export function restrictionLevel(text: string): RestrictionLevel {
  if (/^[\0-\x7f]*$/.test(text)) return 'ascii_only'; // oxlint-disable-line no-control-regex -- ASCII is meant
  if (SINGLE.some((script) => script.test(text))) return 'single_script';
  if (WITH_LATIN.some((scripts) => scripts.test(text))) return 'highly_restrictive';
  if (WITH_ONE_OTHER.some((scripts) => scripts.test(text))) return 'moderately_restrictive';
  return ANY_RECOMMENDED.test(text) ? 'minimally_restrictive' : 'unrestricted';
}
