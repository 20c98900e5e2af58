import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../repo/pages.ts';
import { Reader, sectionsOf } from './running.ts';

/** docs/running.md as somebody follows it who knows nothing else, from top to bottom. */
describe('docs/running.md, word by word', () => {
  const reader = new Reader();
  beforeAll(() => reader.open());
  afterAll(() => reader.close());

  it.each(sectionsOf(read('docs/running.md')))('$title', async ({ steps }) => {
    for (const step of steps) expect(await reader.follow(step)).toBe('');
  });
});
