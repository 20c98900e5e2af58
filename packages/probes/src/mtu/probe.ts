import { defineProbe, Enum, parseHost, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { familiesOf, type Family, familyAsked, judgeHost, refuseProtected } from '../host/judge-host.ts';
import { searchMtu, type Tried } from './search.ts';

const REPORT_MS = 100;
const DNS_SHARE = 1 / 3;
const TTL = 64;
/** A silence counts after so many packets. */
const PACKETS_PER_SIZE = 2;
/** Wait for a first answer; later waits are a few round trips. */
const WAIT_MS = 1_000;
const WAIT_FLOOR_MS = 300;
const WAIT_ROUND_TRIPS = 4;
/** The most packets of one family: what is taken from the target's budget. */
const PACKETS_MAX = 32;

const MtuJob = Type.Object({ host: Type.String({ minLength: 1, maxLength: 1024 }) });

const Narrow = Type.Object(
  {
    ip_address: Type.String({ maxLength: 45, description: 'Router that takes no larger packets; empty for an inner address' }),
    mtu: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Largest packet that it passes on, in bytes' }),
  },
  { title: 'MtuRouter' },
);

export const MtuFamily = Type.Object(
  {
    ip_address: Type.String({ maxLength: 45, description: 'Address of the host; empty if it has none of this family' }),
    state: Enum(['', 'full', 'small', 'black_hole', 'silent', 'unsent'], {
      description:
        'Kind of path. full: as the interface sends. small: a router takes less. black_hole: larger packets vanish. silent: no answer. unsent: the location cannot ping. Empty without an address',
    }),
    path_mtu: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Largest IP packet that came back whole, in bytes, to within 8 for a black hole; 0 if none did',
    }),
    interface_mtu: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Largest packet of the location’s own interface; 0 if unknown',
    }),
    routers: Type.Array(Narrow, { maxItems: 16, description: 'Routers that said `too big`, from the near end on' }),
    packets_sent: Type.Integer({ minimum: 0, description: 'Number of packets sent' }),
    packets_received: Type.Integer({ minimum: 0, description: 'Number of echo replies received' }),
  },
  { title: 'MtuFamily' },
);
type MtuFamily = Static<typeof MtuFamily>;

const MtuResult = Type.Object({ ipv4: MtuFamily, ipv6: MtuFamily, elapsed_ms: Type.Integer({ minimum: 0 }) });

const NOTHING: MtuFamily = {
  ip_address: '',
  state: '',
  path_mtu: 0,
  interface_mtu: 0,
  routers: [],
  packets_sent: 0,
  packets_received: 0,
};

/**
 * The path MTU to a host over both families, by echoes that no router may cut. A family without an address, or that this machine has no socket for,
 * is empty. Throws icmp_timeout where no family was answered.
 */
export const mtu = defineProbe({
  kind: 'mtu',
  references: ['RFC 1191', 'RFC 8201', 'RFC 2923'],
  job: MtuJob,
  result: MtuResult,
  min_budget_ms: 3_000,
  slots: 8,
  needs: 'paths',
  family: familyAsked,
  contacted: ({ ipv4, ipv6 }) => [ipv4, ipv6].find(({ packets_sent }) => packets_sent > 0)?.ip_address ?? '',
  async run(job, ports) {
    const start = ports.clock.now();
    const endsAt = start + ports.budget_ms - REPORT_MS;
    if (!ports.icmp.paths) throw new ProbeFailure('unsupported', ports.icmp.name);
    const [ipv4, ipv6] = await Promise.all(([4, 6] as const).map((family) => measured(job.host, family, ports, endsAt)));
    const result = { ipv4: ipv4!.result, ipv6: ipv6!.result, elapsed_ms: Math.round(ports.clock.now() - start) };
    const failures = [ipv4!, ipv6!].flatMap(({ failure }) => failure ?? []);
    if (failures.length < 2) return result;
    // A family without an address says less than another failure.
    const failure = failures.find(({ code }) => code !== 'dns_no_address' && code !== 'unsupported') ?? failures[0]!;
    throw new ProbeFailure(failure.code, failure.seen, { cause: failure, partial: result });
  },
});

/** One family: what was found, or why nothing was. */
interface Measured {
  result: MtuFamily;
  failure?: ProbeFailure;
}

async function measured(host: string, family: Family, ports: ProbePorts, endsAt: number): Promise<Measured> {
  try {
    return await measure(host, family, ports, endsAt);
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof ProbeFailure)) throw error;
    return { result: NOTHING, failure: error };
  }
}

async function measure(host: string, family: Family, ports: ProbePorts, endsAt: number): Promise<Measured> {
  const address = await judged(host, family, ports);
  const since = ports.clock.now();
  ports.limits.trace(address, PACKETS_MAX, host);
  const count = { packets_sent: 0, packets_received: 0 };
  const sending: Sending = { address, endsAt, wait_ms: WAIT_MS, count };
  const { unsent, narrows, ...found } = await searchMtu(family, async (bytes) => {
    let tried: Tried = { silent: true };
    for (let packets = 0; packets < PACKETS_PER_SIZE && 'silent' in tried; packets++) tried = await tryOnce(bytes, sending, ports);
    return tried;
  });
  const { policy } = ports.dialler;
  const result = {
    ip_address: address,
    ...found,
    routers: narrows.map(({ ip_address, mtu: limit }) => ({ ip_address: policy.judge(ip_address).allowed ? ip_address : '', mtu: limit })),
    ...count,
  };
  if (found.state === 'unsent') return { result, failure: new ProbeFailure('no_network', unsent) };
  if (found.state !== 'silent') return { result };
  const failure = new ProbeFailure('icmp_timeout', `${count.packets_sent} sent to ${address}`);
  const isOurs = (await ports.health?.doubt(`icmp${family}`, since)) === 'bad';
  return { result: isOurs ? { ...result, state: 'unsent' } : result, failure };
}

async function judged(host: string, family: Family, ports: ProbePorts): Promise<string> {
  const parsed = parseHost(host);
  if (!parsed) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(parsed.host);
  if (!familiesOf(parsed).includes(family)) throw new ProbeFailure('dns_no_address', `${parsed.host} is not an IPv${family} address`);
  if (!(family === 4 ? ports.icmp.v4 : ports.icmp.v6)) throw new ProbeFailure('unsupported', `no ICMP socket for IPv${family}`);
  const outOfTime = () => new ProbeFailure('dns_timeout', host);
  const verdict = await within(ports.clock, ports.budget_ms * DNS_SHARE, ports.signal, outOfTime, (signal) =>
    judgeHost(parsed, ports, { families: [family], signal, onAlias: refuseProtected }),
  );
  if (verdict.allowed) return verdict.address;
  throw new ProbeFailure(verdict.class === 'public' ? 'blocked_policy' : 'blocked_private_address', host);
}

interface Sending {
  address: string;
  endsAt: number;
  wait_ms: number;
  count: { packets_sent: number; packets_received: number };
}

async function tryOnce(bytes: number, sending: Sending, { icmp, clock, signal }: ProbePorts): Promise<Tried> {
  const { address, count } = sending;
  const wait_ms = Math.min(sending.wait_ms, sending.endsAt - clock.now());
  if (wait_ms <= 0) return { silent: true };
  const packet = { protocol: 'icmp', port: 0, flow: 0, ttl: TTL, wait_ms, bytes } as const;
  const { outcome } = await icmp.paths!.send(address, packet, signal);
  const { answer, unsent, interface_mtu } = await outcome;
  if (interface_mtu !== undefined) return { tooBig: { mtu: interface_mtu, address: '' } };
  if (unsent !== undefined) return { unsent };
  count.packets_sent++;
  if (answer?.mtu !== undefined) return { tooBig: { mtu: answer.mtu, address: answer.address } };
  // Other ICMP errors do not answer the question of size.
  if (answer?.kind !== 'echo_reply') return { silent: true };
  count.packets_received++;
  sending.wait_ms = Math.min(WAIT_MS, Math.max(WAIT_FLOOR_MS, WAIT_ROUND_TRIPS * answer.rtt_ms));
  return { heard: true };
}
