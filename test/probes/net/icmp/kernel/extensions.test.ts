import { expect, it } from 'vitest';
import { mplsLabels } from '../../../../../packages/probes/src/net/icmp/kernel/extensions.ts';

const labels = (hex: string) => {
  const bytes = Uint8Array.fromHex(hex);
  return mplsLabels(new DataView(bytes.buffer), 0, bytes.length);
};
/** As a router sent it: labels 16000 and 24017. */
const STACK = '2000be2b000c010103e8060105dd1101';

it('reads a stack of labels (RFC 4950 §3)', () => {
  expect(labels(STACK)).toEqual([
    { label: 16_000, traffic_class: 3, bottom: false, ttl: 1 },
    { label: 24_017, traffic_class: 0, bottom: true, ttl: 1 },
  ]);
});

it.each([
  { title: 'nothing', hex: '' },
  { title: 'padding', hex: '00000000000000000000000000000000' },
  { title: 'another version', hex: `1${STACK.slice(1)}` },
  { title: 'a wrong checksum', hex: `2000be2c${STACK.slice(8)}` },
  { title: 'an object that is longer than the rest', hex: '2000df9a00fc010103e80601' },
  { title: 'an object that is shorter than its header', hex: '2000dff40002010103e80601' },
  { title: 'an object of another class', hex: '2000d4f2000802010003e806' },
  { title: 'half a label', hex: '2000deef0006010103e80000' },
])('takes $title for no labels', ({ hex }) => {
  expect(labels(hex)).toEqual([]);
});
