import { failure } from '@vedette/contract';
import { operations } from '@vedette/operations';
import type { DistributedOperation } from '@vedette/operations/kit';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { read } from '../answer.ts';
import { replyFrom, reportOf } from '../measured.ts';

const mtuTest = operations.find(({ name }) => name === 'mtu-test') as DistributedOperation<any, any, any, any, any, any, any>;

const ipv4 = {
  ip_address: '192.0.2.10',
  state: 'small',
  path_mtu: 1_420,
  interface_mtu: 1_500,
  routers: [{ ip_address: '198.51.100.1', mtu: 1_420 }],
  packets_sent: 2,
  packets_received: 1,
};
const nothing = { ip_address: '', state: '', path_mtu: 0, interface_mtu: 0, routers: [], packets_sent: 0, packets_received: 0 };

it('asks each location for both families', () => {
  expect(mtuTest.job(read(mtuTest, { host: 'A.Test.' }))).toEqual({ host: 'a.test' });
});

it('reports what each location found, and every field of one that failed', () => {
  const lost = failure('agent_lost');
  const report = reportOf(mtuTest, { host: 'A.Test' }, [
    replyFrom('eu-fra', { result: { ipv4, ipv6: nothing, elapsed_ms: 120 } }),
    replyFrom('sat-1', { failure: lost }),
  ]);
  expect(report).toMatchObject({
    host: 'A.Test',
    locations: [
      { mtu_output: { host: 'A.Test', ipv4, ipv6: nothing, elapsed_ms: 120 }, error: '' },
      { mtu_output: { host: 'A.Test', ipv4: nothing, ipv6: nothing }, reason: 'agent_lost', error: lost.error },
    ],
  });
  expect(Value.Check(mtuTest.response, report)).toBe(true);
});
