import { createHash } from 'node:crypto';
import type { Hop } from './schema.ts';

const DIGITS = 16;

/**
 * The path in one value: of the addresses of each hop that answered, and its number. Two traces with the same one saw the same routers. Empty
 * without an answer.
 */
export function pathHash(hops: readonly Pick<Hop, 'hop' | 'answers'>[]): string {
  const lines = hops.flatMap(({ hop, answers }) =>
    answers.length === 0 ? [] : [`${hop} ${[...new Set(answers.map(({ ip_address }) => ip_address))].toSorted().join(' ')}`],
  );
  return lines.length === 0 ? '' : createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS);
}
