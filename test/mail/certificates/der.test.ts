import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { oidOf, parseDer, stringOf } from '@vedette/mail/certificates';
import { runs } from '../../runs.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

it('reads what X.690 encodes', () => {
  const list = parseDer(hex('30 14 06 03 55 04 03  0c 02 c3 bc  1e 02 00 fc  16 01 fc  a0 02 05 00'))!;
  expect(list.children.map(({ universal, context }) => [universal, context])).toEqual([
    [6, undefined],
    [12, undefined],
    [30, undefined],
    [22, undefined],
    [-1, 0],
  ]);
  expect(oidOf(list.children[0])).toBe('2.5.4.3');
  expect(list.children.slice(1, 4).map((child) => stringOf(child))).toEqual(['ü', 'ü', 'ü']);
  expect(list.children[4]?.children[0]?.universal).toBe(5);
  expect(oidOf(list)).toBe('');
});

it.each([
  ['nothing', ''],
  ['a length beyond the end', '30 05 05 00'],
  ['a BMPString of one octet', '30 03 1e 01 41'],
  ['a UniversalString of one octet', '30 03 1c 01 41'],
  ['a GeneralizedTime of three zeros', '18 03 30 30 30'],
  ['more than 100 levels', '3080'.repeat(200)],
  ['too many values', `30 82 1f 40 ${'05 00'.repeat(4_000)}`],
])('takes %s for malformed', (_case, text) => {
  expect(parseDer(hex(text))).toBeUndefined();
});

it('reads any octets, or none of them', () => {
  const octets = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.constantFrom(0x30, 0x31, 0xa0, 0x1e, 0x1c, 0x0c, 6, 23, 24, 3, 9, 0, 1, 2, 4, 128, 255)),
  );
  fc.assert(
    fc.property(octets, (bytes) => {
      const value = parseDer(Uint8Array.from(bytes));
      expect(value?.encoded.length ?? 0).toBeLessThanOrEqual(bytes.length);
      oidOf(value);
    }),
    { numRuns: runs(5_000) },
  );
});
