import { readDisposable } from '@vedette/intel/email';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../../packages/feeds/src/formats.ts';

const noPause = () => Promise.resolve();
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const read = (text: string, format: 'lines' | 'json') => Array.fromAsync(entriesOf(Buffer.from(text), format, noPause));
/** More than is read at once, with characters of two bytes at every place. */
const NAMES = Array.from({ length: 2000 }, (_, i) => `${'ä'.repeat(i % 17)}${'b'.repeat(i % 3)}${i}.example`);

describe('the entries of a file', () => {
  it('are its lines without white space, blank lines and comments, however long', async () => {
    const text = NAMES.map((name, i) => ` \t${name} \r\n${i % 100 === 0 ? `\n# ${'c'.repeat(50 * i)}\n  // no.example\n` : ''}`).join('');
    expect(await read(`\ufeff${text}last.example`, 'lines')).toEqual([...NAMES, 'last.example']);
  });

  it('are the strings of a JSON array; what has an escape is given as it is written and takes nothing with it', async () => {
    expect(await read(`${JSON.stringify(NAMES, null, 1)}\n`, 'json')).toEqual(NAMES);
    expect(await read(JSON.stringify(NAMES.flatMap((name) => [name, 'a"b\\'])), 'json')).toEqual(
      NAMES.flatMap((name) => [name, String.raw`a\"b\\`]),
    );
  });

  it('are none in a line or a string that no name could fill', async () => {
    const [entry, after, ...more] = await read(`${'a'.repeat(20_000)}.example\nafter.example`, 'lines');
    expect([entry!.length > 253, after, more]).toEqual([true, 'after.example', []]);
    await expect(read(`["before.example", "${'a'.repeat(20_000)}.example"]`, 'json')).rejects.toMatchObject({ why: 'format' });
    await expect(read(`["before.example", "${'a'.repeat(20_000)}]`, 'json')).rejects.toMatchObject({ why: 'format' });
  });
});

describe('others work while a list is read', () => {
  const MEGABYTE = 1 << 20;
  /** Every 8 KB at the least. */
  const TURNS = MEGABYTE / 8192;
  it.each([
    ['blank lines', '\n'.repeat(MEGABYTE), 'lines', TURNS],
    ['white space alone', ' '.repeat(MEGABYTE), 'lines', TURNS],
    ['comments', '#\n'.repeat(MEGABYTE / 2), 'lines', TURNS],
    ['one long line', 'a.'.repeat(MEGABYTE / 2), 'lines', TURNS],
    ['one long string', `["${'a'.repeat(MEGABYTE)}"]`, 'json', 1],
    ['an array without strings', `[${' '.repeat(MEGABYTE)}]`, 'json', TURNS],
    ['names of many labels', Array.from({ length: MEGABYTE / 228 }, (_, i) => `${'a.'.repeat(110)}b${i}.test\n`).join(''), 'lines', TURNS],
    ['names that begin alike', Array.from({ length: 50_000 }, (_, i) => `aa${i}.test\n`).join(''), 'lines', 50_000 / 256],
  ] as const)('%s', async (_what, text, format, turnsMin) => {
    let turns = 0;
    let ended = false;
    const turn = (): void => {
      turns++;
      if (!ended) setImmediate(turn);
    };
    turn();
    const read = readDisposable(entriesOf(Buffer.from(text), format, pause), { curated: false }, pause);
    await read.catch(() => 'refused').finally(() => (ended = true));
    expect(turns).toBeGreaterThanOrEqual(turnsMin);
  });
});
