import type { Reply } from '@vedette/operations/kit';
import { expect, it } from 'vitest';
import { summarise } from '../../../packages/operations/src/dns-propagation/summary.ts';

const reply = (id: string, dns_type: string, rcode: string, records: unknown[]): Reply<never> =>
  ({ location: { id }, result: { answers: [{ dns_type, rcode, records, ttl: 60, server: '', tries: 1 }] } }) as unknown as Reply<never>;
const soa = (serial: number) => ({ mname: 'ns.test', serial });

it('groups the locations by answer, the largest group first, and says which one is authoritative', () => {
  const replies = [
    reply('a', 'A', 'NOERROR', ['192.0.2.1']),
    reply('b', 'A', 'NOERROR', ['192.0.2.2']),
    reply('c', 'A', 'NOERROR', ['192.0.2.2']),
    reply('d', 'A', 'SERVFAIL', []),
    { location: { id: 'e' } } as unknown as Reply<never>,
  ];
  const authoritative = { server: 'ns.test', address: '192.0.2.53', status: 'NOERROR', records: ['192.0.2.1'] };
  expect(summarise(['A'], replies, [{ dns_type: 'A', ...authoritative }])).toEqual([
    {
      dns_type: 'A',
      locations_answered: 3,
      agreeing_locations: 2,
      distinct_answers: 2,
      answers: [
        { status: 'NOERROR', records: ['192.0.2.2'], locations: ['b', 'c'], authoritative: false },
        { status: 'NOERROR', records: ['192.0.2.1'], locations: ['a'], authoritative: true },
      ],
      authoritative: [authoritative],
      authoritative_error: '',
    },
  ]);
});

it('sees a disagreement where the name does not exist for one and has no such records for the other', () => {
  const official = { dns_type: 'A' as const, server: 'ns.test', address: '192.0.2.53', status: 'NXDOMAIN', records: [] };
  const [summary] = summarise(['A'], [reply('a', 'A', 'NXDOMAIN', []), reply('b', 'A', 'NOERROR', [])], [official]);
  expect(summary).toMatchObject({
    locations_answered: 2,
    agreeing_locations: 1,
    distinct_answers: 2,
    answers: [
      { status: 'NXDOMAIN', records: [], locations: ['a'], authoritative: true },
      { status: 'NOERROR', records: [], locations: ['b'], authoritative: false },
    ],
  });
});

it.each([
  ['none answered', ['REFUSED', 'TIMEOUT', 'NOT_AUTHORITATIVE'], "None of the zone's own servers answered for it"],
  ['none could be read', ['UNREADABLE'], "None of the zone's own servers answered for it"],
  ['some were asked, and none answered', ['NOT_ASKED', 'TIMEOUT'], "None of the zone's own servers answered for it"],
  ['none was asked', ['NOT_ASKED', 'NOT_ASKED'], "None of the zone's own servers was asked: we do not contact their addresses"],
  ['one was not asked and one answered', ['NOT_ASKED', 'NOERROR'], ''],
  ['none is known', [], "The zone's own servers could not be found"],
  ['one answered', ['REFUSED', 'NXDOMAIN'], ''],
])("says so where of the zone's servers %s", (_what, statuses, error) => {
  const official = statuses.map((status) => ({ dns_type: 'A' as const, server: 'ns.test', address: '192.0.2.53', status, records: [] }));
  const [summary] = summarise(['A'], [reply('a', 'A', 'SERVFAIL', [])], official);
  expect(summary!.authoritative_error).toBe(error);
});

it.each([
  ['one serial', [7, 7], 0],
  ['a stale one', [2026112101, 2026112099], 2],
  ['across the end of the circle (RFC 1982)', [4294967290, 5], 11],
])('measures how far SOA serials are apart: %s', (_what, serials, spread) => {
  const replies = serials.map((serial, i) => reply(String(i), 'SOA', 'NOERROR', [soa(serial)]));
  expect(summarise(['SOA'], replies, [])[0]!.soa_serial_spread).toBe(spread);
});
