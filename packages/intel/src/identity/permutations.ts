/** How a name is got wrong, by hand or on purpose: the kinds that dnstwist knows. */
export type Slip =
  | 'addition'
  | 'bitsquatting'
  | 'homoglyph'
  | 'hyphenation'
  | 'insertion'
  | 'omission'
  | 'plural'
  | 'repetition'
  | 'replacement'
  | 'transposition'
  | 'vowel-swap';

/** Keys beside each key, on English and German keyboards. */
const BESIDE: Readonly<Record<string, string>> = {
  q: '12wa',
  w: '3esaq2',
  e: '4rdsw3',
  r: '5tfde4',
  t: '6ygfrz5',
  y: '7uhgt6xsa',
  u: '8ijhy7z',
  i: '9okju8',
  o: '0plki9',
  p: 'lo0',
  a: 'qwszy',
  s: 'edxzawy',
  d: 'rfcxse',
  f: 'tgvcdr',
  g: 'yhbvftz',
  h: 'ujnbgyz',
  j: 'ikmnhu',
  k: 'olmji',
  l: 'kop',
  z: 'asxtuhg',
  x: 'zsdcy',
  c: 'xdfv',
  v: 'cfgb',
  b: 'vghn',
  n: 'bhjm',
  m: 'njk',
};

/** Characters of ASCII that are read for others. */
const READ_FOR: Readonly<Record<string, readonly string[]>> = {
  a: ['4'],
  b: ['d', 'lb', '6'],
  c: ['e'],
  d: ['b', 'cl'],
  e: ['3', 'c'],
  g: ['q', '9'],
  h: ['lh'],
  i: ['1', 'l'],
  k: ['lc'],
  l: ['1', 'i'],
  m: ['n', 'nn', 'rn'],
  n: ['m', 'r'],
  o: ['0'],
  q: ['g'],
  s: ['5'],
  t: ['7'],
  u: ['v'],
  v: ['u'],
  w: ['vv'],
  z: ['2'],
};

const VOWELS = 'aeiou';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const A_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The forms of a name with one homoglyph. */
export const homoglyphsOf = (name: string): string[] =>
  Array.from(name).flatMap((letter, at) => (READ_FOR[letter] ?? []).map((other) => name.slice(0, at) + other + name.slice(at + 1)));

/** Yields the misspellings of a name by one slip, with the kind of slip. The name itself may be among it, and a text more than once. */
export function* permutations(name: string): Iterable<readonly [text: string, slip: Slip]> {
  for (const letter of `${LETTERS}0123456789`) yield [name + letter, 'addition'];
  for (let at = 0; at < name.length; at++) {
    const character = name[at]!;
    const [before, behind] = [name.slice(0, at), name.slice(at + 1)];
    for (let bit = 1; bit < 128; bit <<= 1) {
      const text = `${before}${String.fromCharCode(character.charCodeAt(0) ^ bit)}${behind}`;
      if (A_NAME.test(text)) yield [text, 'bitsquatting'];
    }
    for (const other of READ_FOR[character] ?? []) yield [before + other + behind, 'homoglyph'];
    for (const key of BESIDE[character] ?? '') {
      yield [before + key + behind, 'replacement'];
      yield [before + key + character + behind, 'insertion'];
      yield [before + character + key + behind, 'insertion'];
    }
    yield [before + behind, 'omission'];
    yield [before + character + character + behind, 'repetition'];
    if (at > 0) yield [`${before}-${character}${behind}`, 'hyphenation'];
    if (behind !== '') yield [before + behind[0]! + character + behind.slice(1), 'transposition'];
    if (VOWELS.includes(character)) for (const vowel of VOWELS) yield [before + vowel + behind, 'vowel-swap'];
  }
  yield [`${name}s`, 'plural'];
  yield [`${name}es`, 'plural'];
}
