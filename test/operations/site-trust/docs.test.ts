import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { POPULAR_FLOOR, TRUST_CAPS, TRUST_MODIFIERS, UNHEARD_POINTS } from '@vedette/web/site';

const read = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');

it('docs/scores.md has every factor and every cap with its points', () => {
  const section = read('scores.md')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith('## Trust in a site'))!;
  const rows = Object.fromEntries(
    [...section.matchAll(/^\| `([a-z0-9_]+)` \| (-?\d+) \|/gm)].map(([, factor, points]) => [factor!, Number(points)]),
  );
  const caps = Object.fromEntries(Object.entries(TRUST_CAPS).map(([cap, points]) => [`cap_${cap}`, points]));
  expect(rows).toEqual({ ...TRUST_MODIFIERS, ...caps });
  expect(read('scores.md')).toContain(`at most 100 less ${UNHEARD_POINTS} points times their\nshare`);
  expect(section).toContain(`does not fall below ${POPULAR_FLOOR}`);
});
