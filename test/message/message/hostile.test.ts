import { type EmlLimit, MessageFacts } from '@vedette/message/report';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { readMessage } from '@vedette/message/message';
import { HOSTILE_MESSAGES } from './hostile.ts';

// What 5 MB of each cost is measured by `npm run test:slow`.
it.each(Object.keys(HOSTILE_MESSAGES))('is read, and its facts fit their schema: %s', async (name) => {
  expect(Value.Errors(MessageFacts, await readMessage(HOSTILE_MESSAGES[name]!(20_000)))).toEqual([]);
});

const LIMITS: readonly [name: string, bytes: number, limit: EmlLimit][] = [
  ['a million fields', 20_000, 'header_fields'],
  ['one field that never ends', 1_200_000, 'header_fields'],
  ['a million addresses, in To', 20_000, 'addresses'],
  ['empty parts', 20_000, 'parts'],
  ['ten thousand messages beside each other', 40_000, 'parts'],
  ['ten thousand nested multiparts', 20_000, 'depth'],
  ['nested multiparts of one boundary', 20_000, 'depth'],
  ['messages in messages', 2000, 'depth'],
  ['text of one letter', 1_200_000, 'text'],
  ['HTML of nested divs', 5_000_000, 'text'],
  ['ever other URLs', 100_000, 'indicators'],
];

it.each(LIMITS)('%s, %i bytes: what is over is told as %s', async (name, bytes, limit) => {
  const { limits_reached } = await readMessage(HOSTILE_MESSAGES[name]!(bytes));
  expect(limits_reached).toContain(limit);
});

it.each(LIMITS)('%s: a tenth of a percent of it reaches none', async (name, bytes) => {
  const { limits_reached } = await readMessage(HOSTILE_MESSAGES[name]!(Math.ceil(bytes / 1000)));
  expect(limits_reached).toEqual([]);
});
