import { expect, it } from 'vitest';
import { readableLine } from '@vedette/process/log';

const line = (fields: object) => JSON.stringify({ level: 40, time: 1_795_331_900_390, pid: 1, hostname: 'h', name: 'gateway', ...fields });

it('on a terminal a line is for people', () => {
  expect(readableLine(line({ operation: 'ping-test', entries: { answered: 3, failed: 0 }, msg: 'request' }))).toBe(
    '07:18:20.390 warn gateway: request operation=ping-test entries={"answered":3,"failed":0}\n',
  );
});

it('what a stranger wrote moves no cursor and begins no line', () => {
  const hostile = '\u001b[2J\nready\u009b31m';
  expect(readableLine(line({ detail: hostile, msg: hostile }))).not.toMatch(/[\p{Cc}](?!$)/u);
});
