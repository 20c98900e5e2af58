import { randomInt } from 'node:crypto';
import { defineProbe, parseHost, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { familiesOf, familyAsked, judgeHost, refuseProtected } from '../host/judge-host.ts';
import { tcpInfo } from '../net/handshake/tcp-info.ts';
import { abortFailure, allowedAddress } from '../net/dialler.ts';
import { type Target, tryPort } from './attempt.ts';
import { ScanJob, type ScannedPort, ScanResult, TRIES, WAIT_MS } from './job.ts';

/** Ending so much before the budget leaves time to say what was measured. */
const REPORT_MS = 100;
const DNS_SHARE = 1 / 4;
/** A late timer is caught up with: connections are so much nearer to each other at most, and never more in all. */
const CATCH_UP_MS = 10;
/** A first try ends after so many times the slowest answer of so many other ports. A state is told only after a second try, which waits for as long as it may. */
const FIRST_WAITS = { answers: 10, times: 5, least_ms: 300 } as const;

/**
 * The states of TCP ports, by connections at a steady pace in random order. Silent ports are tried once more, after all others. Whether a silence
 * is our own is asked of the witnesses: then it throws no_network, and the ports that were answered are in `partial`.
 */
export const scan = defineProbe({
  kind: 'scan',
  references: ['RFC 9293 §3.5'],
  job: ScanJob,
  result: ScanResult,
  min_budget_ms: 3_000,
  slots: 8,
  family: familyAsked,
  contacted: ({ ip_address }) => ip_address,
  async run(job, ports) {
    const started = ports.clock.now();
    const found: Found = {
      address: '',
      connections: 0,
      ports: job.ports.toSorted((a, b) => a - b).map((port) => ({ port, state: '', rtt_ms: 0, icmp: '', banner: '' })),
    };
    const result = (): ScanResult => ({
      ip_address: found.address,
      ports: found.ports.map((port) => ({ ...port })),
      connections: found.connections,
      elapsed_ms: Math.round(ports.clock.now() - started),
    });
    const budget = Math.max(0, ports.budget_ms - REPORT_MS);
    const late = () => new ProbeFailure('connect_timeout', `no end after ${Math.round(budget)} ms`);
    return await within(ports.clock, budget, ports.signal, late, async (signal) => {
      try {
        await scanAll(job, found, { ...ports, signal }, budget);
      } catch (error) {
        // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
        const failure = signal.aborted ? abortFailure(signal) : error;
        if (!(failure instanceof ProbeFailure)) throw failure;
        throw new ProbeFailure(failure.code, failure.seen, { cause: failure, partial: result() });
      }
      return result();
    });
  },
});

/** The findings so far. */
interface Found {
  address: string;
  connections: number;
  ports: ScannedPort[];
}

async function scanAll(job: ScanJob, found: Found, ports: ProbePorts, budget: number): Promise<void> {
  const { clock, dialler, limits, health } = ports;
  const { host, address } = await judged(job, ports, budget * DNS_SHARE);
  // All of them first: one of our own listeners among them ends the scan before it has begun.
  for (const port of job.ports) allowedAddress(dialler.policy, dialler.policy.judge(address, port, 'port'), `port ${port}`);
  limits.scan(address, TRIES * job.ports.length, host);
  found.address = address;
  const target: Omit<Target, 'wait_ms'> = { host, address, info: await tcpInfo() };
  const firstWaitMs = (): number => {
    const times = found.ports.filter(({ rtt_ms, icmp }) => rtt_ms > 0 && icmp === '').map(({ rtt_ms }) => rtt_ms);
    const { answers, times: factor, least_ms } = FIRST_WAITS;
    return times.length < answers ? WAIT_MS : Math.min(WAIT_MS, Math.max(least_ms, factor * Math.max(...times)));
  };

  const broken = new AbortController();
  const signal = AbortSignal.any([ports.signal, broken.signal]);
  const breaking = (error: unknown) => broken.abort(error);
  let nextAt = clock.now();
  let silentSince = nextAt;
  const banners: Promise<void>[] = [];
  const listens = (banner: Promise<void>) => {
    banner.catch(breaking);
    banners.push(banner);
  };
  let left = shuffled(found.ports);
  for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
    const answering: Promise<void>[] = [];
    for (const port of left) {
      await clock.sleep(Math.max(0, nextAt - clock.now()), signal);
      nextAt = Math.max(clock.now() - CATCH_UP_MS, nextAt) + job.interval_ms;
      silentSince = clock.now();
      found.connections++;
      const wait_ms = tries === 0 ? firstWaitMs() : WAIT_MS;
      const answer = tryPort(port, { ...target, wait_ms }, { ...ports, signal }, listens);
      answer.catch(breaking);
      answering.push(answer);
    }
    await Promise.all(answering);
    left = left.filter(({ state, icmp }) => state === 'filtered' && icmp === '');
  }
  await Promise.all(banners);
  if (left.length === 0) return;
  const capability = address.includes(':') ? 'tcp6' : 'tcp4';
  if ((await health?.doubt(capability, silentSince)) !== 'bad') return;
  for (const port of left) port.state = '';
  throw new ProbeFailure('no_network', capability);
}

/** The host, and the address that is scanned. Rejects with `ProbeFailure` dns_… and blocked_…. */
async function judged(job: ScanJob, ports: ProbePorts, ms: number): Promise<{ host: string; address: string }> {
  const parsed = parseHost(job.host);
  if (!parsed) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(parsed.host);
  const families = familiesOf(parsed).filter((family) => job.family === 0 || family === job.family);
  if (families.length === 0) throw new ProbeFailure('dns_no_address', `${parsed.host} is not an IPv${job.family} address`);
  const late = () => new ProbeFailure('dns_timeout', parsed.host);
  const verdict = await within(ports.clock, ms, ports.signal, late, (signal) =>
    judgeHost(parsed, ports, { families, signal, onAlias: refuseProtected }),
  );
  return { host: parsed.host, address: allowedAddress(ports.dialler.policy, verdict, parsed.host) };
}

/** A scan in the order of the ports looks like a worm's. */
function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
