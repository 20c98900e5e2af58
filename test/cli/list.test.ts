import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '@vedette/client/catalogue';
import { expect, it } from 'vitest';
import { type Answer, folder, json, vedette } from './vedette.ts';

const LIST = join(folder, 'numbers');
writeFileSync(LIST, '\ufeff# ours\r\n+4930901820\r\n\r\n  +1  \n');

/** A gateway that answers each item by its length: one that is too short has an error. The last item ends first. */
const bulk: Answer = (_, body) => {
  const { items } = body as { items: string[] };
  const lines = items.map((number, index) =>
    number.length > 3
      ? { index, status: 200, cost: 1, report: { number, valid: true, elapsed_ms: index } }
      : { index, status: 400, cost: 0, error: 'x\u202e', code: 'invalid_parameter', param: `items[${index}]` },
  );
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).toReversed();
  return new Response(text.join(''), { headers: { 'content-type': 'application/x-ndjson' } });
};
const OF = { operation: 'phone-validator' };
const linesOf = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { index: number; item: string; operation: string; status: number });

it.each([
  ['a file', LIST, ''],
  ['standard input', '-', '+4930901820\n+1'],
])('asks about a list in %s by one bulk request, and prints a line for each item', async (_, file, input) => {
  const { out, told, code, asked } = await vedette(['phone', '--file', file], bulk, { input });
  expect(asked).toEqual([
    { url: 'https://api.example.org/v2/phone-validator/bulk', key: 'vdt_test', body: { items: ['+4930901820', '+1'] } },
  ]);
  expect(linesOf(out)).toEqual([
    { index: 1, item: '+1', ...OF, status: 400, cost: 0, error: 'x\u202e', code: 'invalid_parameter', param: 'items[1]' },
    { index: 0, item: '+4930901820', ...OF, status: 200, cost: 1, report: { number: '+4930901820', valid: true, elapsed_ms: 0 } },
  ]);
  expect(out).not.toContain('\u202e');
  expect([told, code]).toEqual(['2 of 2 items: 1 reports, 1 errors, 1 credit\n', 6]);
});

it('sends the other parameters with each request, and more than 500 items in several ones, with positions in the whole list', async () => {
  const items = Array.from({ length: 1_001 }, (_, i) => `192.0.2.${i}`);
  const { out, told, code, asked } = await vedette(['ip', '--file', '-', '--disable-reverse-dns'], bulk, { input: items.join('\n') });
  expect(asked.map(({ body }) => (body as { items: string[] }).items.length)).toEqual([500, 500, 1]);
  expect(asked.map(({ body }) => (body as { disable_reverse_dns: boolean }).disable_reverse_dns)).toEqual([true, true, true]);
  const lines = linesOf(out);
  expect(lines.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(items.map((_, i) => i));
  expect(lines.every(({ index, item }) => item === items[index])).toBe(true);
  expect([told, code]).toEqual(['1001 of 1001 items: 1001 reports, 0 errors, 1001 credits\n', 0]);
});

it('keeps a request with long items within the limit of a body', async () => {
  const input = Array.from({ length: 300 }, (_, i) => `https://a.test/${'x'.repeat(1_000)}${i}`).join('\n');
  const { asked } = await vedette(['url', '--file', '-'], bulk, { input });
  expect(asked).toHaveLength(2);
  for (const { body } of asked) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(256 * 1024);
});

it('judges each report by the condition', async () => {
  const told = '2 of 2 items: 2 reports, 0 errors, 2 credits\n';
  const ask = (condition: string) => vedette(['phone', '--file', '-', '--fail-if', condition], bulk, { input: '+4930901820\n+4930901821' });
  expect(await ask('elapsed_ms == 1')).toMatchObject({ code: 1, told: `${told}--fail-if is true\n` });
  expect(await ask('elapsed_ms == 2')).toMatchObject({ code: 0, told });
});

it.each([
  ['neither an item nor a list', ['phone'], 2],
  ['an item and a list', ['phone', '+1', '--file', LIST], 2],
  ['a list again and again', ['phone', '--file', LIST, '--watch'], 2],
  ['an empty list', ['phone', '--file', '-'], 2],
  ['a list that is not there', ['phone', '--file', join(folder, 'none')], 2],
  ['an item by its flag and a list', ['tor', '--ip', '192.0.2.1', '--file', LIST], 2],
  ['a list for an operation that takes none', ['spf', '--file', LIST], 2],
])('asks nothing where there is %s', async (_, words, code) => {
  const refused = await vedette(words, bulk);
  expect([refused.code, refused.asked]).toEqual([code, []]);
});

it.each(catalogue.filter(({ bulk: of }) => of !== undefined).map(({ name }) => [name]))('%s takes a list', async (name) => {
  const { asked } = await vedette([name, '--file', LIST], bulk);
  expect(asked).toMatchObject([{ url: `https://api.example.org/v2/${name}/bulk`, body: { items: ['+4930901820', '+1'] } }]);
});

it('exits as for one item where the whole request is refused', async () => {
  const refused = await vedette(['phone', '--file', LIST], () => json({ error: 'Not enough credits', code: 'insufficient_credits' }, 402));
  expect([refused.code, refused.out]).toEqual([4, '']);
  expect(refused.told).toContain('0 of 2 items');
});
