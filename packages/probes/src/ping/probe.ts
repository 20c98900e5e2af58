import {
  type AddressVerdict,
  defineProbe,
  type Echo,
  type EchoShape,
  type EchoStrays,
  ENDED,
  Enum,
  ProbeFailure,
  type ProbePorts,
  within,
} from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { familyAsked, Ipv6First } from '../host/judge-host.ts';
import { PING_MIN_BUDGET_MS, type PingPlan, planPing } from './budget.ts';
import { hostnameOf } from './hostname.ts';
import { PING_ASKED } from './options.ts';
import { Rtt, rttSummary, toMicroseconds } from './rtt.ts';
import { judgeTarget } from './target.ts';

const PingJob = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 1024 }),
  family: PING_ASKED.family,
  count: PING_ASKED.count,
  interval_ms: PING_ASKED.interval_ms,
  wait_ms: Type.Integer({ minimum: 10, maximum: 10_000 }),
  // Since 1.2.
  detail: Type.Optional(Type.Boolean({ description: 'The result is to have `detail`' })),
  payload_bytes: Type.Optional(PING_ASKED.payload_bytes),
  ttl: Type.Optional(PING_ASKED.ttl),
  dont_fragment: Type.Optional(PING_ASKED.dont_fragment),
  ipv6_first: Ipv6First,
});
type PingJob = Static<typeof PingJob>;

const Stray = (description: string) => Type.Integer({ minimum: 0, description: `${description}; absent if the engine cannot count these` });

/** The result of a series of echoes, as ping-test prints it. */
export const PingMeasured = Type.Object({
  ip_address: Type.String({ description: 'Address that the echo requests went to; empty if there was none' }),
  ip_hostname: Type.String({ description: 'Reverse DNS name; empty if absent' }),
  is_valid_ip: Type.Boolean({ description: 'An address was found' }),
  is_private_ip: Type.Boolean({ description: 'The address is private, shared or link-local' }),
  is_loopback_ip: Type.Boolean({ description: 'The address is a loopback address' }),
  is_reserved_ip: Type.Boolean({ description: 'The address has another special purpose' }),
  packets_sent: Type.Integer({
    minimum: 0,
    description: 'Number of echo requests sent; packets that the local system refused do not count',
  }),
  packets_received: Type.Integer({ minimum: 0, description: 'Number of echo replies received in time' }),
  percent_packet_loss: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 100,
    description: 'Percentage of lost packets; 100 if nothing could be sent',
  }),
  icmp_requests: Type.Array(
    Type.Object({
      bytes: Type.Integer({ description: 'Size of the ICMP message in bytes' }),
      icmp_seq: Type.Integer({ description: 'Sequence number from 1; lost echoes leave gaps' }),
      ttl: Type.Integer({ description: 'Hops left (TTL or hop limit); 0 if unknown' }),
      time_ms: Type.Number({ description: 'Round-trip time in ms' }),
    }),
    { description: 'Echo requests that received a reply' },
  ),
  rtt: Rtt,
  elapsed_ms: Type.Integer({ minimum: 0, description: 'Processing time at the location, in ms' }),
  packets_duplicate: Type.Optional(Stray('Duplicate replies to an echo')),
  packets_late: Type.Optional(
    Stray('Replies that arrived after the wait of their echo but during the measurement; their echoes count as lost'),
  ),
  packets_wrong: Type.Optional(Stray('Replies with a wrong payload, or with the right payload from another address')),
  engine: Type.Optional(Enum(['kernel', 'net-ping'], { description: 'Engine that sent the echo requests' })),
  overhead_ms: Type.Optional(
    Type.Number({ minimum: 0, description: 'Round-trip time of the engine to itself in ms, which is part of every measured time' }),
  ),
});

const PingDetail = Type.Object({
  resolve_ms: Type.Number({ minimum: 0, description: 'Until the address was known, fractional' }),
  setup_ms: Type.Number({ minimum: 0, description: 'From there until the first echo was handed to the engine, fractional' }),
  reply_ttl: Type.Integer({ minimum: 0, maximum: 255, description: 'Hops left of the last reply; 0 when not known' }),
});

const PingResult = Type.Object({ ...PingMeasured.properties, detail: Type.Optional(PingDetail) });
type PingResult = Static<typeof PingResult>;

/** The state so far: enough for a result, whenever the measurement ends. */
interface PingState {
  verdict: AddressVerdict | undefined;
  hostname: string;
  echoes: Echo[];
  strays: EchoStrays;
  /** When the address was known, and when the first echo left, on the clock; undefined before. */
  resolvedAt: number | undefined;
  firstAt: number | undefined;
}

/**
 * ICMP echo from this vantage point: resolve, judge, then echoes by the clock. A lost echo is loss, never a time; no
 * reply at all throws icmp_timeout or icmp_unreachable, or no_network where this machine did not send it all, an address
 * that is not allowed blocked_…, each with what is known as `partial`.
 */
export const ping = defineProbe({
  kind: 'ping',
  references: ['RFC 792', 'RFC 4443'],
  job: PingJob,
  result: PingResult,
  min_budget_ms: PING_MIN_BUDGET_MS,
  slots: 64,
  needs: 'icmp',
  since: (job) => (job.ipv6_first ? '1.4' : shapeOf(job) === undefined ? undefined : '1.2'),
  family: familyAsked,
  contacted: ({ ip_address, packets_sent }) => (packets_sent > 0 ? ip_address : ''),
  async run(job, ports) {
    const start = ports.clock.now();
    const state: PingState = {
      verdict: undefined,
      hostname: '',
      echoes: [],
      strays: { duplicate: 0, late: 0, wrong: 0 },
      resolvedAt: undefined,
      firstAt: undefined,
    };
    const result = () => ({
      ...resultOf(state, ports, Math.round(ports.clock.now() - start)),
      ...(job.detail && { detail: detailOf(state, start, ports.clock.now()) }),
    });
    try {
      await measure(job, ports, state);
      return result();
    } catch (error) {
      const failure = ports.signal.aborted ? abortFailure(ports.signal, state) : error;
      if (!failure) return result();
      if (!(failure instanceof ProbeFailure)) throw failure;
      throw new ProbeFailure(failure.code, failure.seen, { cause: error, partial: result() });
    }
  },
});

async function measure(job: PingJob, ports: ProbePorts, state: PingState): Promise<void> {
  const shape = shapeOf(job);
  if (shape && !ports.icmp.shapesEchoes) throw new ProbeFailure('unsupported', ports.icmp.name);
  const plan = planPing(job, ports.budget_ms);
  const outOfTime = () => new ProbeFailure('dns_timeout', job.host);
  const verdict = await within(ports.clock, plan.dns_ms, ports.signal, outOfTime, (limited) => judgeTarget(job.host, job, ports, limited));
  state.verdict = verdict;
  state.resolvedAt = ports.clock.now();
  if (!verdict.allowed)
    // Our own addresses are refused too, and they may be public ones.
    throw new ProbeFailure(verdict.class === 'public' ? 'blocked_policy' : 'blocked_private_address', job.host);
  ports.limits.echoes(verdict.address, job.count, job.host);
  await collect(verdict.address, { ...plan, count: job.count, shape }, ports, state);
  if (state.echoes.every((echo) => !echo.reply)) throw silence(state);
}

/** The echoes, and beside them the reverse name, which may take a little longer than they do but not hold them up. */
async function collect(
  address: string,
  plan: PingPlan & { count: number; shape: EchoShape | undefined },
  ports: ProbePorts,
  state: PingState,
): Promise<void> {
  const { clock, signal, icmp, resolver } = ports;
  const enough = new AbortController();
  const hostname = hostnameOf(address, resolver, AbortSignal.any([signal, enough.signal]));
  hostname.catch(() => {}); // awaited below, unless the echoes fail first
  try {
    const { count, interval_ms, wait_ms, shape } = plan;
    const options = { count, interval_ms, wait_ms, signal, shape, strays: state.strays };
    state.firstAt = clock.now();
    for await (const echo of icmp.echoes(address, options)) state.echoes.push(echo);
    clock.sleep(plan.hostname_ms, enough.signal).then(
      () => enough.abort(ENDED),
      () => {}, // the name came before
    );
    state.hostname = await hostname;
  } finally {
    enough.abort(ENDED);
  }
}

/** Undefined where echoes are as always. */
function shapeOf({ payload_bytes, ttl, dont_fragment }: PingJob): EchoShape | undefined {
  return payload_bytes === undefined && ttl === undefined && !dont_fragment ? undefined : { payload_bytes, ttl, dont_fragment };
}

function detailOf({ echoes, resolvedAt, firstAt }: PingState, start: number, now: number): Static<typeof PingDetail> {
  const resolved = resolvedAt ?? now;
  return {
    resolve_ms: resolved - start,
    setup_ms: (firstAt ?? resolved) - resolved,
    reply_ttl: echoes.findLast(({ reply }) => reply)?.reply?.ttl ?? 0,
  };
}

/** Why no echo was answered. A machine that did not send all of them has no word on the target. */
function silence({ echoes, verdict }: PingState): ProbeFailure {
  const unsent = new Set(echoes.flatMap((echo) => echo.unsent ?? []));
  if (unsent.size > 0) return new ProbeFailure('no_network', [...unsent].join(', '));
  const refusals = new Set(echoes.flatMap(({ unreachable }) => unreachable ?? []));
  if (refusals.size > 0) return new ProbeFailure('icmp_unreachable', [...refusals].join(', '));
  return new ProbeFailure('icmp_timeout', `${echoes.length} sent to ${verdict?.address ?? ''}`);
}

/** Maps an aborted signal to the outcome of the measurement. Undefined: the deadline passed, with replies to show. */
function abortFailure(signal: AbortSignal, state: PingState): ProbeFailure | undefined {
  const reason: unknown = signal.reason;
  if (reason instanceof ProbeFailure) return reason;
  if (!(reason instanceof DOMException) || reason.name !== 'TimeoutError') return new ProbeFailure('cancelled', '', { cause: reason });
  if (!state.verdict) return new ProbeFailure('dns_timeout');
  return state.echoes.some(({ reply }) => reply) ? undefined : silence(state);
}

function resultOf({ verdict, hostname, echoes, strays }: PingState, { icmp }: ProbePorts, elapsed_ms: number): PingResult {
  const kind = verdict?.class;
  const icmp_requests = echoes.flatMap(({ icmp_seq, reply }) =>
    reply ? [{ bytes: reply.bytes, icmp_seq, ttl: reply.ttl, time_ms: toMicroseconds(reply.rtt_ms) }] : [],
  );
  const sent = echoes.filter(({ unsent }) => unsent === undefined).length;
  return {
    ip_address: verdict?.address ?? '',
    ip_hostname: hostname,
    is_valid_ip: verdict !== undefined,
    is_private_ip: kind === 'private' || kind === 'link_local',
    is_loopback_ip: kind === 'loopback',
    is_reserved_ip: kind === 'reserved',
    packets_sent: sent,
    packets_received: icmp_requests.length,
    percent_packet_loss: sent === 0 ? 100 : Math.round(((sent - icmp_requests.length) / sent) * 100),
    icmp_requests,
    rtt: rttSummary(icmp_requests.map(({ time_ms }) => time_ms)),
    elapsed_ms,
    ...(icmp.countsStrays && { packets_duplicate: strays.duplicate, packets_late: strays.late, packets_wrong: strays.wrong }),
    engine: icmp.name,
    overhead_ms: toMicroseconds(icmp.overhead_ms),
  };
}
