import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type Answer, folder, json, vedette } from './vedette.ts';

const ITEMS = ['+4930901820', '+4930901821', '+4930901822', '+4930901823'];
/** The output of a list, anew for each test. */
let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(folder, 'list-')), 'reports.ndjson');
});

/** Requests in their order: items and Idempotency-Key. */
interface Request {
  items: string[];
  key: string;
}

const line = (index: number, cost = 1) => ({ index, status: 200, cost, report: { number: ITEMS[index], valid: true, elapsed_ms: index } });
const lines = (...all: object[]) =>
  new Response(all.map((one) => `${JSON.stringify(one)}\n`).join(''), { headers: { 'content-type': 'application/x-ndjson' } });
/** An answer that ends after these lines: the connection broke off. */
const broken = lines;
const conflict = (headers: Record<string, string> = {}) => json({ error: 'x', code: 'idempotency_conflict' }, 409, headers);

/** The command on a list, against a gateway that gives these answers in turn, the last one again and again. */
async function run(answers: ((items: string[]) => Response)[], more: string[] = [], items = ITEMS) {
  const requests: Request[] = [];
  const answer: Answer = (_, body, headers) => {
    const { items: asked } = body as { items: string[] };
    requests.push({ items: asked, key: headers.get('idempotency-key')! });
    return (answers[requests.length - 1] ?? answers.at(-1)!)(asked);
  };
  const ended = await vedette(['phone', '--file', '-', '--resume', file, ...more], answer, { input: items.join('\n') });
  return { ...ended, requests };
}
const kept = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as { index: number; item: string; status: number; cost: number });
const whole = (items: string[]) => lines(...items.map((item) => ({ ...line(ITEMS.indexOf(item)), index: items.indexOf(item) })));

/** A command whose connection breaks off after two of four items, again and again. */
const interrupted = () => run([() => broken(line(0), line(1))]);

it('writes lines to a file, and says how many items remain after a break', async () => {
  const { code, out, told, requests } = await interrupted();
  expect([code, out]).toEqual([5, '']);
  expect(told).toContain('2 of 4 items: 2 reports, 0 errors, 2 credits\n2 items remain: the same command asks about them alone\n');
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  expect(kept().map(({ index, item }) => [index, item])).toEqual([
    [0, ITEMS[0]],
    [1, ITEMS[1]],
  ]);
});

it('sends the request that broke off again, with its key: what was charged is not charged twice, and no line comes twice', async () => {
  const { requests: before } = await interrupted();
  const { code, told, requests } = await run([() => lines(line(0, 0), line(1, 0), line(2, 0), line(3))]);
  expect(requests).toEqual([{ items: ITEMS, key: before[0]!.key }]);
  expect([code, told]).toEqual([0, `2 of 4 items have an answer in ${file}\n4 of 4 items: 4 reports, 0 errors, 1 credit now\n`]);
  expect(kept().map(({ index, cost }) => [index, cost])).toEqual([
    [0, 1],
    [1, 1],
    [2, 0],
    [3, 1],
  ]);
  expect(existsSync(`${file}.request`)).toBe(false);
  expect((await run([whole])).requests).toEqual([]);
});

it.each([
  ['is gone', () => rmSync(`${file}.request`)],
  ['is older than the answers that a gateway keeps', () => setNote({ sentAt: Date.now() - 600_000 })],
  ['is of the future', () => setNote({ sentAt: Date.now() + 600_000 })],
  ['is of another request', () => setNote({ indexes: [0, 1, 2] })],
  ['is broken', () => writeFileSync(`${file}.request`, '{"key":')],
])('asks about the items without an answer alone, by a new key, where the note of the request %s', async (_what, change) => {
  const { requests: before } = await interrupted();
  change();
  const { code, requests } = await run([whole]);
  expect(requests).toEqual([{ items: ITEMS.slice(2), key: expect.any(String) }]);
  expect(requests[0]!.key).not.toBe(before[0]!.key);
  expect(code).toBe(0);
  expect(kept().map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

function setNote(more: object): void {
  const note = JSON.parse(readFileSync(`${file}.request`, 'utf8')) as object;
  writeFileSync(`${file}.request`, JSON.stringify({ ...note, ...more }));
}

it('waits while the request before still runs, and takes another key once nothing more can be had by its own', async () => {
  const { requests: before } = await interrupted();
  const stillRuns = () => conflict({ 'retry-after': '1' });
  const { code, told, requests } = await run([stillRuns, stillRuns, () => conflict(), whole]);
  expect(requests.map(({ items }) => items.length)).toEqual([4, 4, 4, 2]);
  expect(requests.map(({ key }) => key === before[0]!.key)).toEqual([true, true, true, false]);
  expect(told).toContain('the request before is still ending: waiting\n');
  expect(code).toBe(0);
});

it('pays nothing by another key while the request before still runs', async () => {
  await interrupted();
  const { code, requests } = await run([() => conflict({ 'retry-after': '1' })]);
  expect([code, new Set(requests.map(({ key }) => key)).size]).toEqual([3, 1]);
});

it('asks again where the service failed, and not where the item is wrong', async () => {
  const first = await run([
    () =>
      lines(
        line(0),
        { index: 1, status: 400, cost: 0, error: 'x', code: 'private_address' },
        { index: 2, status: 503, cost: 0, error: 'x', code: 'overloaded' },
        { index: 3, status: 429, cost: 0, error: 'x', code: 'target_limited' },
      ),
  ]);
  expect(first.code).toBe(6);
  expect(first.told).toContain('2 items remain');
  const second = await run([whole]);
  expect(second.requests.map(({ items }) => items)).toEqual([ITEMS.slice(2)]);
  expect([second.code, second.told]).toEqual([6, expect.stringContaining('4 of 4 items: 3 reports, 1 errors, 2 credits now\n')]);
});

it('judges the reports of before by the condition, too', async () => {
  await interrupted();
  rmSync(`${file}.request`);
  expect((await run([whole], ['--fail-if', 'elapsed_ms == 1'])).code).toBe(1);
  expect((await run([whole], ['--fail-if', 'elapsed_ms == 4'])).code).toBe(0);
});

it('goes on where the condition cannot be judged of a report, which is paid for, and ends with that error', async () => {
  const wrong = ['--fail-if', 'timestamp(number) > timestamp("2026-01-01T00:00:00Z")'];
  const first = await run([whole], wrong);
  expect([first.code, first.told]).toEqual([2, expect.stringContaining('vedette: --fail-if: ')]);
  expect(kept().map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(await run([whole], wrong)).toMatchObject({ code: 2, requests: [] });
  expect(await run([whole], ['--fail-if', 'elapsed_ms == 3 || timestamp(number) > timestamp("2026-01-01T00:00:00Z")'])).toMatchObject({
    code: 1,
    requests: [],
  });
  expect(await run([whole])).toMatchObject({ code: 0, requests: [] });
});

it('removes a line that was cut off, also within a letter', async () => {
  await interrupted();
  rmSync(`${file}.request`);
  const before = readFileSync(file);
  writeFileSync(file, Buffer.concat([before, Buffer.from('{"index":2,"status":200,"report":{"name":"ü').subarray(0, -1)]));
  expect((await run([whole])).code).toBe(0);
  expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
  expect(kept().map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

it('takes a list that has become longer', async () => {
  await run([whole], [], ITEMS.slice(0, 2));
  const { requests } = await run([whole]);
  expect(requests.map(({ items }) => items)).toEqual([ITEMS.slice(2)]);
});

it.each([
  ['a list of items', '+4930901820\n+4930901821\n', 'line 1 of .* is not the output of a list'],
  ['something without a line', 'Hello', 'line 1 of .* is not the output of a list'],
  ['another list', '{"index":0,"status":200,"cost":1,"item":"+1"}\n', 'is of another list: item 0 is \\+1 there'],
  ['a longer list', '{"index":9,"status":200,"cost":1,"item":"+1"}\n', 'is of another list: item 9'],
  ['another operation', `{"index":0,"status":200,"cost":1,"item":"${ITEMS[0]}","operation":"tor-test"}\n`, 'line 1 of .* is of tor-test'],
])('asks nothing and changes nothing where the file is of %s', async (_what, text, told) => {
  writeFileSync(file, text);
  const refused = await run([whole]);
  expect([refused.code, refused.requests]).toEqual([2, []]);
  expect(refused.told).toMatch(new RegExp(told));
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('asks nothing where the file cannot be written, or no list is given', async () => {
  file = '/dev/full';
  expect(await run([whole])).toMatchObject({ code: 2, requests: [], told: expect.stringContaining('is not a file') });
  file = join(folder, 'nowhere/reports.ndjson');
  expect(await run([whole])).toMatchObject({ code: 2, requests: [], told: expect.stringContaining('ENOENT') });
  expect(await vedette(['phone', '+4930901820', '--resume', file])).toMatchObject({ code: 2, asked: [] });
});
