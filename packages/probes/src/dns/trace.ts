import { type DnsAnswer, type DnsRecord, isAtOrUnder, ProbeFailure, type ProbePorts, recordsOf } from '@vedette/contract';
import { type Static, Type } from 'typebox';

const STEPS_MAX = 16;
/** Servers of one zone that are tried before it counts as silent. */
const SERVERS_MAX = 3;
const NAMES_MAX = 32;

const Step = Type.Object({
  zone: Type.String({ maxLength: 1024, description: 'Zone whose server was asked' }),
  server: Type.String({ maxLength: 1024, description: 'Host name of the server' }),
  address: Type.String({ maxLength: 45, description: 'Address that was asked; empty if the server has none' }),
  status: Type.String({ maxLength: 32, description: 'DNS response code; empty if the server did not answer' }),
  error: Type.String({ maxLength: 512, description: 'Reason why the server gave no answer; empty if it answered' }),
  authoritative: Type.Boolean({ description: 'The answer is authoritative (AA)' }),
  request_ms: Type.Number({ minimum: 0, description: 'Time of the question in ms' }),
  refers_to: Type.String({ maxLength: 1024, description: 'Zone that the server refers to; empty if it refers to none' }),
  name_servers: Type.Array(Type.String({ maxLength: 1024 }), {
    maxItems: NAMES_MAX,
    description: 'Name servers of that zone, as the server says',
  }),
  signed: Type.Boolean({ description: 'The referral has DS records' }),
});
type Step = Static<typeof Step>;

export const TraceSteps = Type.Array(Step, {
  maxItems: STEPS_MAX * SERVERS_MAX,
  description: 'Questions from the root down to the zone, in order; only with `options.trace`',
});

interface Candidate {
  name: string;
  /** Addresses that came along with the referral. */
  glue: readonly string[];
}

/**
 * Asks from the root down, without recursion, as dig +trace does: the root's servers come from the resolvers. Every step is told to `steps` as it
 * ends. Gives the last answer. Rejects with `ProbeFailure`: of the resolvers, or of the last server where all servers of a zone are silent.
 */
export async function traceDown(owner: string, type: string, steps: Step[], ports: ProbePorts, signal: AbortSignal): Promise<DnsAnswer> {
  const { resolver } = ports;
  const root = await resolver.query('.', 'NS', { signal });
  let zone = '.';
  let servers: readonly Candidate[] = candidatesOf(
    recordsOf(root, 'NS').map(({ data }) => data),
    root.additionals,
  );
  for (let step = 0; step < STEPS_MAX; step++) {
    const answer = await askZone(owner, type, { zone, servers }, steps, ports, signal);
    const next = referralOf(answer, zone, owner);
    if (!next) return answer;
    ({ zone, servers } = next);
  }
  throw new ProbeFailure('dns_servfail', `more than ${STEPS_MAX} referrals`);
}

/** The first answer of the zone's servers. */
async function askZone(
  owner: string,
  type: string,
  { zone, servers }: { zone: string; servers: readonly Candidate[] },
  steps: Step[],
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<DnsAnswer> {
  let failed = new ProbeFailure('dns_servfail', `no server of ${zone}`);
  for (const { name, glue } of servers.slice(0, SERVERS_MAX)) {
    const began = ports.clock.now();
    const step: Step = {
      zone,
      server: name,
      address: '',
      status: '',
      error: '',
      authoritative: false,
      request_ms: 0,
      refers_to: '',
      name_servers: [],
      signed: false,
    };
    steps.push(step);
    try {
      step.address = glue[0] ?? (await ports.resolver.addresses(name, 4, { signal }))[0]!;
      ports.limits.dns(owner, 1, { address: step.address, host: name });
      const answer = await ports.resolver.query(owner, type, { server: step.address, fresh: true, dnssec: true, signal });
      const next = referralOf(answer, zone, owner);
      Object.assign(step, {
        status: answer.rcode,
        authoritative: answer.aa,
        request_ms: answer.rtt_ms,
        ...(next && {
          refers_to: next.zone,
          name_servers: next.servers.map((server) => server.name).slice(0, NAMES_MAX),
          signed: answer.authorities.some((record) => record.type === 'DS'),
        }),
      } satisfies Partial<Step>);
      if (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN') return answer;
      failed = new ProbeFailure('dns_servfail', `${answer.rcode} from ${name}`);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProbeFailure)) throw error;
      failed = error;
      step.request_ms = ports.clock.now() - began;
    }
    step.error = failed.message.slice(0, 512);
  }
  throw failed;
}

/** A referral leads down, and not past the name: another would be a loop, or somebody else's zone. */
function referralOf(answer: DnsAnswer, zone: string, owner: string): { zone: string; servers: readonly Candidate[] } | undefined {
  if (answer.aa || answer.rcode !== 'NOERROR' || answer.answers.length > 0) return undefined;
  const below = recordsOf({ answers: answer.authorities }, 'NS').filter(({ name }) => isBelow(name, zone) && isIn(owner, name));
  const [first] = below;
  if (!first) return undefined;
  const names = below.filter(({ name }) => name === first.name).map(({ data }) => data);
  return { zone: first.name, servers: candidatesOf(names, answer.additionals) };
}

const isIn = (name: string, zone: string): boolean => zone === '.' || isAtOrUnder(name, zone);
const isBelow = (name: string, zone: string): boolean => name !== zone && isIn(name, zone);

const candidatesOf = (names: readonly string[], additionals: readonly DnsRecord[]): Candidate[] =>
  names.map((name) => ({
    name,
    glue: recordsOf({ answers: additionals.filter((record) => record.name === name) }, 'A').map(({ data }) => data),
  }));
