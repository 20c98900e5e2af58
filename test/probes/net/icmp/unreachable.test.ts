import { expect, it } from 'vitest';
import { unreachableText } from '../../../../packages/probes/src/net/icmp/unreachable.ts';

// RFC 792, RFC 4443; the codes of one type stand in the same table.
it.each([
  [4, 3, 1, 'Destination Host Unreachable'],
  [4, 3, 99, 'Dest Unreachable, Bad Code: 99'],
  [4, 11, 0, 'Time to live exceeded'],
  [4, 11, 1, 'Frag reassembly time exceeded'],
  [4, 12, 0, 'Parameter problem'],
  [4, 12, 2, 'Parameter problem'],
  [6, 1, 0, 'Destination unreachable: No route'],
  [6, 1, 99, 'Destination unreachable: Unknown code 99'],
  [6, 2, 0, 'Packet too big'],
  [6, 3, 0, 'Time exceeded: Hop limit'],
  [6, 3, 1, 'Time exceeded: Defragmentation failure'],
  [6, 4, 0, 'Parameter problem'],
  [6, 4, 2, 'Parameter problem'],
] as const)('ICMPv%i type %i code %i ends an echo: %s', (family, type, code, text) => {
  expect(unreachableText(family, type, code)).toBe(text);
});

it.each([
  { family: 4, type: 4, what: 'a source quench' },
  { family: 4, type: 5, what: 'a redirect' },
  { family: 4, type: 9, what: 'a router advertisement' },
  { family: 4, type: 13, what: 'a timestamp request' },
  { family: 6, type: 100, what: 'an experiment' },
  { family: 6, type: 134, what: 'a router advertisement' },
  { family: 6, type: 137, what: 'a redirect' },
] as const)('ICMPv$family type $type does not: $what', ({ family, type }) => {
  expect(unreachableText(family, type, 0)).toBeUndefined();
});
