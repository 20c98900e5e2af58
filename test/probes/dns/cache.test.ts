import type { DnsAnswer } from '@vedette/contract';
import { expect, it } from 'vitest';
import { AnswerCache } from '../../../packages/probes/src/dns/engine/cache.ts';
import { systemClock } from '@vedette/probes/net';

const MiB = 1024 * 1024;
const answer = (octets: number): DnsAnswer => ({
  rcode: 'NOERROR',
  aa: false,
  ad: false,
  answers: [{ name: 'a.test', type: 'TXT', ttl: 300, rdata: new Uint8Array(octets), data: [] }],
  authorities: [],
  additionals: [],
  server: '192.0.2.53:53',
  rtt_ms: 1,
  tries: 1,
  transport: 'tcp',
  cached: false,
});

it('holds no more than 32 MiB; what was not used for longest goes first', () => {
  const cache = new AnswerCache(systemClock);
  for (let i = 0; i < 20; i++) {
    cache.put(`n${i}`, 'TXT', answer(MiB));
    cache.get('n0');
  }
  const kept = Array.from({ length: 20 }, (_, i) => i).filter((i) => cache.get(`n${i}`) !== undefined);
  expect(kept).toEqual([0, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

it('does not keep what is larger than itself', () => {
  const cache = new AnswerCache(systemClock);
  cache.put('small', 'TXT', answer(1));
  cache.put('huge', 'TXT', answer(11 * MiB));
  expect(cache.get('huge')).toBeUndefined();
  cache.put('small', 'TXT', answer(1));
  expect(cache.get('small')?.cached).toBe(true);
});
