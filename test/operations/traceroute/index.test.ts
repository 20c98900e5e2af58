import { failure } from '@vedette/contract';
import { budgeted } from '@vedette/probes/dns';
import type { TraceResult } from '@vedette/probes/trace';
import { type Networks, NOWHERE } from '@vedette/intel/ports';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { operations } from '@vedette/operations';
import type { DistributedOperation } from '@vedette/operations/kit';
import { mailContext } from '../../intel/mail-context.ts';
import { read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { PLACES, replyFrom, reportOf } from '../measured.ts';
import { elseShut, SHUT } from '../shut.ts';

const traceroute = operations.find(({ name }) => name === 'traceroute') as DistributedOperation<any, any, any, any, any, any, any>;

const rtt = (ms: number) => ({ min: ms, avg: ms, max: ms, mdev: 0 });
const answer = (ip_address: string, ms: number, more: object = {}) => ({
  ip_address,
  kind: 'icmp' as const,
  type: 11,
  code: 0,
  packets_received: 3,
  rtt: rtt(ms),
  ttl: 64,
  flows: [0],
  labels: [],
  ...more,
});
const hop = (number: number, answers: ReturnType<typeof answer>[], more: object = {}) => ({
  hop: number,
  packets_sent: 3,
  packets_received: answers.length === 0 ? 0 : 3,
  answers_limited: false,
  rtt: answers[0]?.rtt ?? rtt(0),
  answers,
  ...more,
});
const LABEL = { label: 16_000, traffic_class: 0, bottom: true, ttl: 1 };
/** An inner hop, a router with a label, a silent one, and the target. */
const result: TraceResult = {
  ip_address: '192.0.2.10',
  reached: true,
  stopped_by: 'target',
  packets_sent: 40,
  packets_received: 37,
  hops: [
    hop(1, [answer('', 1)]),
    hop(2, [answer('198.51.100.2', 10, { labels: [LABEL] })]),
    hop(3, [], { answers_limited: true }),
    hop(4, [answer('192.0.2.10', 30, { kind: 'echo_reply', type: 0 })]),
  ],
  elapsed_ms: 470,
};
const NO_PLACE = { asn: '', isp: '', country_code: '', country_name: '', city_name: '' };
const PLACE = { country_code: 'DE', country_name: 'Germany', city_name: 'Frankfurt am Main' };

const networks: Networks = {
  ...SHUT.networks,
  origin: (address) => (address.startsWith('198.51.') ? { asn: 64_496, org: 'Example Carrier', route: '198.51.100.0/24' } : undefined),
  place: (address) => (address.startsWith('198.51.') ? { ...NOWHERE, ...PLACE } : NOWHERE),
};

/** Looks up the facts of a result as a gateway does, within the operation's budget. */
async function looked(of: TraceResult) {
  const { context, dns } = mailContext({
    '2.100.51.198.in-addr.arpa': { PTR: ['Core.example.test'] },
    '10.2.0.192.in-addr.arpa': 'TIMEOUT',
  });
  using resolver = budgeted(context.resolver, traceroute.dns!, context.clock);
  const facts = await traceroute.lookUp!(read(traceroute, { host: 'a.test' }), of, elseShut({ ...context, networks, resolver }));
  return { facts, queries: dns.queries };
}

it('asks for a trace of three rounds, quickly, and of more slowly, as routers answer six at once', () => {
  const job = { family: 0, protocol: 'icmp', port: 0, rounds: 3, max_hops: 30, flows: 1, interval_ms: 200, wait_ms: 1000 };
  expect(traceroute.job(read(traceroute, { host: 'A.Test.' }))).toEqual({ host: 'a.test', ...job });
  expect(traceroute.job(read(traceroute, { host: '2001:db8::1', rounds: 4, flows: 2, family: 6, max_hops: 8, protocol: 'tcp' }))).toEqual({
    host: '2001:db8::1',
    ...job,
    protocol: 'tcp',
    port: 443,
    rounds: 4,
    flows: 2,
    family: 6,
    max_hops: 8,
    interval_ms: 1000,
  });
});

it('counts a port that the client names as contacted, so that traces are no scan', () => {
  const connects = (request: object) => traceroute.connects!(read(traceroute, { host: 'a.test', ...request }));
  expect(connects({ protocol: 'tcp', port: 8443 })).toEqual({ port: 8443, times: 1 });
  expect(connects({ protocol: 'tcp' })).toBeUndefined();
  expect(traceroute.job(read(traceroute, { host: 'a.test', protocol: 'udp', port: 53 }))).toMatchObject({ port: 53 });
});

it('costs by the packets that may leave', () => {
  const cost = (request: object) =>
    typeof traceroute.cost === 'number' ? traceroute.cost : traceroute.cost.of(read(traceroute, { host: 'a.test', ...request }));
  expect([{}, { rounds: 1, max_hops: 10 }, { rounds: 16 }, { flows: 8 }].map(cost)).toEqual([10, 5, 36, 52]);
  expect(typeof traceroute.cost === 'object' && traceroute.cost.base).toBe(cost({}));
});

it.each([
  [{ rounds: 16, flows: 2 }, 'parameter_conflict'],
  [{ rounds: 17 }, 'invalid_parameter'],
  [{ flows: 0 }, 'invalid_parameter'],
  [{ max_hops: 31 }, 'invalid_parameter'],
  [{ family: 5 }, 'invalid_parameter'],
  [{ protocol: 'sctp' }, 'invalid_parameter'],
  [{ port: 80 }, 'parameter_conflict'],
  [{ host: '192.0.2.1', family: 6 }, 'parameter_conflict'],
])('refuses %j', (change, code) => {
  expect(() => read(traceroute, { host: 'a.test', ...(change as object) })).toThrow(expect.objectContaining({ code }));
});

it('reports each hop with the name, network and place of its addresses, and does not name inner ones', async () => {
  const query = read(traceroute, { host: 'A.Test' });
  const { facts, queries } = await looked(result);
  const entry = traceroute.entry(query, replyFrom('eu-fra', { result }), facts);
  expect(entry).toEqual({
    ...PLACES['eu-fra'],
    location: 'eu-fra',
    trace_output: {
      host: 'A.Test',
      ip_address: '192.0.2.10',
      reached: true,
      stopped_by: 'target',
      path_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      packets_sent: 40,
      packets_received: 37,
      hops: [
        {
          hop: 1,
          packets_sent: 3,
          packets_received: 3,
          percent_packet_loss: 0,
          answers_limited: false,
          rtt: rtt(1),
          answers: [
            {
              ip_address: '',
              is_inner: true,
              ip_hostname: '',
              ...NO_PLACE,
              answer: 'Time to live exceeded',
              icmp_type: 11,
              icmp_code: 0,
              packets_received: 3,
              rtt: rtt(1),
              ttl: 64,
              flows: [0],
              mpls_labels: [],
            },
          ],
        },
        expect.objectContaining({
          hop: 2,
          answers: [
            expect.objectContaining({
              ip_address: '198.51.100.2',
              is_inner: false,
              ip_hostname: 'core.example.test',
              asn: 'AS64496',
              isp: 'Example Carrier',
              ...PLACE,
              mpls_labels: [LABEL],
            }),
          ],
        }),
        expect.objectContaining({ hop: 3, percent_packet_loss: 100, answers_limited: true, answers: [], rtt: rtt(0) }),
        expect.objectContaining({ hop: 4, answers: [expect.objectContaining({ answer: 'Echo reply', ip_hostname: '' })] }),
      ],
      elapsed_ms: 470,
    },
    error: '',
  });
  expect(Value.Check(traceroute.entrySchema!, entry)).toBe(true);
  expect(queries.toSorted()).toEqual(['10.2.0.192.in-addr.arpa PTR', '2.100.51.198.in-addr.arpa PTR']);
});

it('reports as the example shows', async () => {
  await expectExample('traceroute', { host: 'a.test', locations: ['eu-fra'] }, async ({ host }) => {
    const query = read(traceroute, { host });
    const { facts } = await looked(result);
    const entry = traceroute.entry(query, replyFrom('eu-fra', { result }), facts);
    return traceroute.report(query, [entry], [], undefined);
  });
});

it('looks up 64 names at most, whatever an agent says', async () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    hop(
      index + 1,
      [1, 2, 3].map((flow) => answer(`198.51.${flow}.${index}`, 1)),
    ),
  );
  const { queries } = await looked({ ...result, hops: [...many, hop(30, [answer('not an address', 1)])] });
  expect(queries).toHaveLength(64);
});

it('has the same hash for the same path, and another for another', () => {
  const hashOf = (hops: TraceResult['hops']) => {
    const report = reportOf(traceroute, { host: 'a.test' }, [replyFrom('eu-fra', { result: { ...result, hops } }) as never]);
    return (report as { locations: { trace_output: { path_hash: string } }[] }).locations[0]!.trace_output.path_hash;
  };
  const [one, two] = [answer('198.51.100.2', 10), answer('198.51.100.3', 10)];
  expect(hashOf([hop(2, [one, two])])).toBe(hashOf([hop(2, [two, answer('198.51.100.2', 99)])]));
  expect(hashOf([hop(2, [one])])).not.toBe(hashOf([hop(2, [two])]));
  expect(hashOf([hop(2, [one])])).not.toBe(hashOf([hop(3, [one])]));
  expect(hashOf([hop(1, [])])).toBe('');
});

it('keeps every field of a location that failed', () => {
  const silent: TraceResult = { ...result, reached: false, stopped_by: '', hops: [] };
  const [timeout, lost] = [failure('icmp_timeout'), failure('agent_lost')];
  const replies = [
    replyFrom('eu-fra', { result: { ...silent, packets_sent: 36 }, failure: timeout }),
    replyFrom('sat-1', { failure: lost }),
  ];
  const report = reportOf(traceroute, { host: 'a.test' }, replies as never);
  expect(report).toMatchObject({
    host: 'a.test',
    locations: [
      { trace_output: { ip_address: '192.0.2.10', packets_sent: 36, hops: [], stopped_by: '', path_hash: '' }, reason: 'icmp_timeout' },
      { trace_output: { host: 'a.test', ip_address: '', packets_sent: 0, hops: [], reached: false }, reason: 'agent_lost' },
    ],
  });
  expect(Value.Check(traceroute.response, report)).toBe(true);
});
