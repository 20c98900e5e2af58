import { type AddressVerdict, type Clock, defineProbe, parseIp, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { familyAsked } from '../host/judge-host.ts';
import { judgeTarget } from '../ping/target.ts';
import { hopsOf } from './hops.ts';
import { Path } from './path.ts';
import { sendRounds } from './rounds.ts';
import { TraceJob, TraceResult } from './schema.ts';

/** Ending so much before the budget leaves time to say what was measured. */
const REPORT_MS = 100;
/** A third of the budget at least is for the packets. */
const DNS_SHARE = 2 / 3;

/** The state so far: enough for a result, whenever the trace ends. */
interface TraceState {
  verdict: AddressVerdict | undefined;
  path: Path | undefined;
  /** The budget ended before the last round. */
  cutShort: boolean;
}

/**
 * The path to a target: packets that may take 1, 2, 3 … hops, and the routers that say so. Silent hops and silent targets are
 * results. A trace without any answer throws icmp_timeout or connect_timeout, or no_network where this machine did not send all of it.
 */
export const trace = defineProbe({
  kind: 'trace',
  references: ['RFC 792', 'RFC 4443', 'RFC 4884', 'RFC 4950'],
  job: TraceJob,
  result: TraceResult,
  min_budget_ms: 1_000,
  slots: 8,
  needs: 'paths',
  since: ({ ipv6_first }) => (ipv6_first ? '1.4' : undefined),
  family: familyAsked,
  contacted: ({ ip_address, packets_sent }) => (packets_sent > 0 ? ip_address : ''),
  async run(job, ports) {
    const start = ports.clock.now();
    const state: TraceState = { verdict: undefined, path: undefined, cutShort: false };
    const result = () => resultOf(state, ports, Math.round(ports.clock.now() - start));
    try {
      await measure(job, ports, state, start + ports.budget_ms - REPORT_MS);
      return result();
    } catch (error) {
      const failure = ports.signal.aborted ? abortFailure(ports.signal, job, state) : error;
      if (!failure) return result();
      if (!(failure instanceof ProbeFailure)) throw failure;
      throw new ProbeFailure(failure.code, failure.seen, { cause: error, partial: result() });
    }
  },
});

async function measure(job: TraceJob, ports: ProbePorts, state: TraceState, endsAt: number): Promise<void> {
  const { paths } = ports.icmp;
  if (!paths) throw new ProbeFailure('unsupported', ports.icmp.name);
  const verdict = await judged(job, ports, ports.clock);
  state.verdict = verdict;
  const { allowed } = job.port === 0 ? verdict : ports.dialler.policy.judge(verdict.address, job.port);
  if (!allowed)
    // Our own addresses are refused too, and they may be public ones.
    throw new ProbeFailure(verdict.class === 'public' ? 'blocked_policy' : 'blocked_private_address', job.host);
  ports.limits.trace(verdict.address, job.rounds * job.flows * job.max_hops, job.host);
  const since = ports.clock.now();
  const path = new Path(verdict.address, job);
  state.path = path;
  state.cutShort = !(await sendRounds(path, job, { paths, clock: ports.clock, signal: ports.signal, endsAt }));
  if (path.lastAnswered() === 0) throw silence(job, path);
  // Routers of our own network answer, too, where everything behind them is lost.
  const capability = `${job.protocol}${parseIp(verdict.address)!.version}` as const;
  if (!path.reached && (await ports.health?.doubt(capability, since)) === 'bad') throw silence(job, path);
}

const judged = (job: TraceJob, ports: ProbePorts, clock: Clock): Promise<AddressVerdict> => {
  const outOfTime = () => new ProbeFailure('dns_timeout', job.host);
  return within(clock, ports.budget_ms * DNS_SHARE, ports.signal, outOfTime, (limited) => judgeTarget(job.host, job, ports, limited));
};

/** Why no packet was answered. A machine that did not send all of them has no word on the target. */
function silence({ protocol }: TraceJob, path: Path): ProbeFailure {
  const unsent = new Set(path.packets.flatMap(({ outcome }) => outcome?.unsent ?? []));
  if (unsent.size > 0) return new ProbeFailure('no_network', [...unsent].join(', '));
  return new ProbeFailure(protocol === 'tcp' ? 'connect_timeout' : 'icmp_timeout', `${path.packets.length} sent to ${path.target}`);
}

/** Maps an aborted signal to the outcome of the trace. Undefined: the deadline passed, with answers to show. */
function abortFailure(signal: AbortSignal, job: TraceJob, state: TraceState): ProbeFailure | undefined {
  const reason: unknown = signal.reason;
  if (reason instanceof ProbeFailure) return reason;
  if (!(reason instanceof DOMException) || reason.name !== 'TimeoutError') return new ProbeFailure('cancelled', '', { cause: reason });
  if (!state.path) return new ProbeFailure('dns_timeout');
  state.cutShort = true;
  return state.path.lastAnswered() > 0 ? undefined : silence(job, state.path);
}

function resultOf({ verdict, path, cutShort }: TraceState, { dialler }: ProbePorts, elapsed_ms: number): TraceResult {
  const sent = path?.packets.filter(({ outcome }) => outcome?.unsent === undefined) ?? [];
  return {
    ip_address: verdict?.address ?? '',
    reached: path?.reached ?? false,
    stopped_by: path ? stoppedBy(path, cutShort) : '',
    packets_sent: sent.length,
    packets_received: sent.filter(({ outcome }) => outcome?.answer).length,
    // The policy refuses inner addresses, and our own.
    hops: path ? hopsOf(path, (address) => dialler.policy.judge(address).allowed) : [],
    elapsed_ms,
  };
}

function stoppedBy(path: Path, cutShort: boolean): TraceResult['stopped_by'] {
  const flows = new Set(path.packets.map(({ flow }) => flow));
  const ends = [...flows].map((flow) => path.end(flow)?.by);
  for (const by of ['target', 'unreachable', 'loop'] as const) if (ends.includes(by)) return by;
  if (cutShort) return 'deadline';
  return path.lastAnswered() === path.maxHops ? 'max_hops' : 'silence';
}
