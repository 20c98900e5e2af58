import { ApiError } from '@vedette/contract';
import { expect, it } from 'vitest';
import { reverseIp } from '../../../packages/operations/src/reverse-ip/index.ts';
import { answer, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const asked: [string, number][] = [];
const seen = [
  { name: 'www.example.org', last_seen: new Date('2026-11-20T10:11:12.345Z') },
  { name: 'example.org', last_seen: new Date('2026-11-19T00:00:00Z') },
];
// Every other port is shut: nothing is asked.
const context = {
  ...SHUT,
  passiveDns: {
    async namesAt(address: string, page: number) {
      asked.push([address, page]);
      return page === 1 && address === '192.0.2.1' ? seen : [];
    },
  },
};

it('lists what was seen at an address, and when', async () => {
  expect(await answer(reverseIp, { ip: '192.0.2.1' }, context)).toEqual({
    ip: '192.0.2.1',
    page_num: 1,
    records_num: 2,
    domains: [
      { name: 'www.example.org', updated: '2026-11-20T10:11:12Z' },
      { name: 'example.org', updated: '2026-11-19T00:00:00Z' },
    ],
  });
});

it('is empty behind the last page, and where nobody has seen anything', async () => {
  asked.length = 0;
  expect(await answer(reverseIp, { ip: '192.0.2.1', page_num: 2 }, context)).toEqual({
    ip: '192.0.2.1',
    page_num: 2,
    records_num: 0,
    domains: [],
  });
  expect(await answer(reverseIp, { ip: '192.0.2.2' }, context)).toMatchObject({ records_num: 0, domains: [] });
  expect(asked).toEqual([
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
  ]);
});

it.each(['2001:db8::1', '::1', 'example.org', '192.0.2', '0xc0000201', '192.0.2.1/32', ''])('refuses %j', (ip) => {
  expect(() => read(reverseIp, { ip })).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'ip' }));
});

it('takes an IPv4-mapped address for the one that it stands for', () => {
  expect(read(reverseIp, { ip: '::ffff:192.0.2.1' })).toEqual({ address: '192.0.2.1', page: 1 });
});

it('says nothing of an address while the database is away', async () => {
  const away = { ...SHUT, passiveDns: { namesAt: () => Promise.reject(new ApiError('ledger_unavailable')) } };
  await expect(answer(reverseIp, { ip: '192.0.2.1' }, away)).rejects.toMatchObject({ code: 'ledger_unavailable' });
});

it('answers as the example shows', () =>
  expectExample('reverse-ip', { ip: '192.0.2.1' }, (request) => answer(reverseIp, request, context)));
