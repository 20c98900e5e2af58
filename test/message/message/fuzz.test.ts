import { MessageFacts } from '@vedette/message/report';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { readMessage } from '@vedette/message/message';
import { HOSTILE_MESSAGES } from './hostile.ts';
import { typicalMessage } from './typical.ts';
import { runs } from '../../runs.ts';

/** `FUZZ_RUNS=20000 npm run unit -- test/message/message/fuzz.test.ts` tries more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? runs(1_000));
const SEEDS = [typicalMessage(6000), ...Object.values(HOSTILE_MESSAGES).map((make) => make(2000).subarray(0, 8000))];

/** Something that goes wrong with a message: what stands at a place is lost, is another's, stands there twice, or is other octets. */
const damage = fc.record({
  kind: fc.constantFrom('lost', 'other', 'twice', 'octets'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 200 }),
  from: fc.nat({ max: SEEDS.length - 1 }),
  octets: fc.uint8Array({ maxLength: 8 }),
});
const messages = fc.tuple(fc.nat({ max: SEEDS.length - 1 }), fc.array(damage, { maxLength: 6 })).map(([seed, damages]) => {
  let message = SEEDS[seed]!;
  for (const { kind, at, length, from, octets } of damages) {
    const place = Math.floor(at * message.length);
    const there = message.subarray(place, place + length);
    const other = SEEDS[from]!;
    const start = Math.floor(at * other.length);
    const put = { lost: [], other: [other.subarray(start, start + length)], twice: [there, there], octets: [octets] }[kind];
    message = Buffer.concat([message.subarray(0, place), ...put, message.subarray(place + there.length)]);
  }
  return message;
});

it('whatever is sent is read, and the report is one as the contract has it', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      expect(Value.Errors(MessageFacts, await readMessage(message))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it('is the same for the same octets', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      expect(await readMessage(message)).toEqual(await readMessage(Buffer.from(message)));
    }),
    { numRuns: RUNS / 10 },
  );
});
