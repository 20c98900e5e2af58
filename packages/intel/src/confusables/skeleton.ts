import { readFileSync } from 'node:fs';

let prototypes: ReadonlyMap<string, string> | undefined;

/** Each confusable character's prototype (UTS 39 §4), read when first needed: a process that sees no such name keeps 2 MB. */
function table(): ReadonlyMap<string, string> {
  if (prototypes) return prototypes;
  const character = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));
  const text = readFileSync(new URL('./confusables.txt', import.meta.url), 'latin1');
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  prototypes = new Map(
    rows.flatMap((row) => {
      const [prototype = '', characters = ''] = row.split(':');
      const shown = prototype.split('+').map(character).join('');
      return characters.split(',').map((hex) => [character(hex), shown] as const);
    }),
  );
  return prototypes;
}

/**
 * Returns the skeleton of a text (UTS 39 §4, `skeleton`): two texts that look the same have the same one. It serves only for comparison
 * with another skeleton, and is not a spelling.
 */
export function skeleton(text: string): string {
  const shown = Array.from(text.normalize('NFD'), (character) => {
    if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return '';
    return table().get(character) ?? character;
  });
  return shown.join('').normalize('NFD');
}
