import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../repo/pages.ts';
import { READ_IN_ORDER, Reader, sectionsOf } from './running.ts';

/** As somebody follows them who knows nothing else, from top to bottom. */
describe('docs/running.md and the pages after it, word by word', () => {
  const reader = new Reader();
  beforeAll(() => reader.open());
  afterAll(() => reader.close());

  it.each(READ_IN_ORDER.flatMap((page) => sectionsOf(read(page)).map((section) => ({ page, ...section }))))(
    '$page: $title',
    async ({ steps }) => {
      for (const step of steps) expect(await reader.follow(step)).toBe('');
    },
  );
});
