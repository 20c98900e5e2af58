import {
  type AddressPolicy,
  type Clock,
  type DnsAnswer,
  type Endpoint,
  formatIp,
  parseIp,
  ProbeFailure,
  type QueryOptions,
  recordsOf,
  type Resolver,
} from '@vedette/contract';
import { AnswerCache } from './cache.ts';
import { formatEndpoint } from './endpoints.ts';
import type { Query } from '../wire/message.ts';
import { encodeName } from '../wire/name.ts';
import { typeCode } from '../wire/record-types.ts';
import { SharedRuns } from '../transport/shared-runs.ts';
import { UpstreamList } from '../transport/upstream-list.ts';
import { type OpenConnection, Upstream } from '../transport/upstream.ts';

export interface ResolverOptions {
  /** Asked in this order; one that does not answer goes behind those that do. */
  servers: readonly Endpoint[];
  /** Judges the `server` of a query; the configured servers are the operator's word. */
  policy: AddressPolicy;
  clock: Clock;
  /** Whether answers are kept as long as their TTLs allow. */
  cache: boolean;
  /** Told of each question to the configured servers that ended without an answer, but for those whose caller left before his time was up. */
  onUnanswered?: () => void;
  /** Set: the configured servers are asked over TCP alone, through what this opens. */
  connection?: OpenConnection;
}

const DNS_PORT = 53;
const MAX_ADDRESSES = 32;
const MAX_CNAMES = 17;
const CLOSED = 'the resolver was closed';

/** Our DNS engine: a stub resolver that says all it saw. `close` ends what is under way; the promises then reject. */
export function createResolver(options: ResolverOptions): Resolver & { close(): void } {
  const { servers, policy, clock, onUnanswered, connection } = options;
  if (servers.length === 0) throw new Error('a resolver needs a server to ask');
  const cache = options.cache ? new AnswerCache(clock) : undefined;
  const runs = new SharedRuns<DnsAnswer>();
  const configured = servers.map((endpoint) => new Upstream(endpoint, clock, () => undefined, connection));
  const configuredList = new UpstreamList(configured);
  /** Other servers, asked by name, as long as they have a socket open. */
  const others = new Map<string, Upstream>();
  const otherServer = (server: string): Upstream => {
    // Without the port: 53 is one that HTTP clients must not touch, and the one that DNS is served on.
    const { allowed, address } = policy.judge(server);
    if (!allowed) throw new ProbeFailure('blocked_private_address');
    const known = others.get(address);
    if (known) return known;
    const upstream = new Upstream({ address, port: DNS_PORT }, clock, () => others.delete(address));
    others.set(address, upstream);
    return upstream;
  };
  let [closed, unsharedQuestions] = [false, 0];
  const query = async (name: string, type: string, options: QueryOptions = {}): Promise<DnsAnswer> => {
    const {
      signal,
      gate,
      dnssec = false,
      checkingDisabled = false,
      fresh = false,
      cachedOnly = false,
      unshared = false,
      server,
      secret,
    } = options;
    signal?.throwIfAborted();
    if (closed) throw new ProbeFailure('cancelled', CLOSED);
    const question: Query = { ...encoded(name, type), recursionDesired: server === undefined, checkingDisabled, dnssec };
    const key = `${question.name.toString('latin1')} ${question.type} ${dnssec ? 'do' : ''}${checkingDisabled ? 'cd' : ''} ${server ?? ''}`;
    const run = unshared ? `${key} ${++unsharedQuestions}` : key;
    const known = fresh ? undefined : cache?.get(key);
    if (known) return known;
    if (cachedOnly) throw new ProbeFailure('dns_timeout', 'no server was asked');
    const list = server === undefined ? configuredList : new UpstreamList([otherServer(server)]);
    const held = server === undefined && cache?.holds(key);
    const pass = gate && !runs.has(run) ? await gate.question(without(secret, name), signal, server, held) : undefined;
    try {
      return await runs.join(run, signal, async (stop) => {
        const answer = await list.ask(question, stop);
        if (secret === undefined) cache?.put(key, type, answer);
        return answer;
      });
    } catch (error) {
      if (server === undefined && (error !== signal?.reason || isTimeout(error))) onUnanswered?.();
      throw error;
    } finally {
      pass?.();
    }
  };

  return {
    servers: servers.map(formatEndpoint),
    query,
    async addresses(host, family, { onAlias, ...options } = {}) {
      const literal = parseIp(host);
      if (literal?.version === family) return [formatIp(literal)];
      if (literal) throw new ProbeFailure('dns_no_address', `${host} is not an IPv${family} address`);
      const type = family === 4 ? 'A' : 'AAAA';
      const answer = await query(host, type, options);
      const owner = canonicalName(host, answer, onAlias); // first: whether what an alias leads to exists is not for everybody
      if (answer.rcode === 'NXDOMAIN') throw new ProbeFailure('dns_nxdomain', host);
      if (answer.rcode !== 'NOERROR') throw new ProbeFailure('dns_servfail', `${answer.rcode} for ${host}`);
      const found = recordsOf(answer, type).filter((record) => record.name === owner);
      if (found.length === 0) throw new ProbeFailure('dns_no_address', `no ${type} record for ${host}`);
      return found.slice(0, MAX_ADDRESSES).map((record) => record.data);
    },
    close() {
      closed = true;
      runs.stopAll(new ProbeFailure('cancelled', CLOSED));
      for (const upstream of [...configured, ...others.values()]) upstream.close();
    },
  };
}

function encoded(name: string, type: string): Pick<Query, 'name' | 'type'> {
  const code = typeCode(type);
  if (code === undefined) throw new TypeError(`not a record type: ${type}`);
  const wire = encodeName(name);
  if (!wire) throw new ProbeFailure('dns_nxdomain', `${name} is not a name that the DNS can hold`);
  return { name: wire, type: code };
}

const without = (secret: string | undefined, name: string): string => (secret === undefined ? name : name.replace(`${secret}.`, ''));

const isTimeout = (error: unknown): boolean => error instanceof ProbeFailure && error.code === 'dns_timeout';

/** Where the CNAME chain of an answer ends. */
function canonicalName(host: string, answer: DnsAnswer, onAlias?: (name: string) => void): string {
  const aliases = new Map(recordsOf(answer, 'CNAME').map((record) => [record.name, record.data]));
  let owner = host.toLowerCase().replace(/\.$/, '');
  for (let i = 0; i < MAX_CNAMES; i++) {
    const next = aliases.get(owner);
    if (next === undefined) break;
    onAlias?.(next);
    owner = next;
  }
  return owner;
}
