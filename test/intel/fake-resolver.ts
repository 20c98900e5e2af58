import {
  type BudgetedResolver,
  type DnsAnswer,
  type DnsRecord,
  isSpecialUseName,
  ProbeFailure,
  type RecordData,
  type Rcode,
  type Resolver,
  type RecordType,
} from '@vedette/contract';
import { budgeted, refusing } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';

/** What one name holds. TXT is text (one character-string) or a list of character-strings; the other types as `RecordData` has them. */
export type FakeRecords = {
  [T in RecordType]?: FakeFailure | readonly (T extends 'TXT' ? RecordData['TXT'] | string | string[] : RecordData[T])[];
};
/** `'TIMEOUT'` rejects with dns_timeout; the others are answered. */
export type FakeFailure = 'SERVFAIL' | 'REFUSED' | 'TIMEOUT';
/** The whole DNS of a test: names in lower case without a trailing dot; `*.` names are wildcards (RFC 4592). */
export type FakeZone = Record<string, FakeRecords | FakeFailure>;

export interface FakeResolver extends Resolver {
  /** Every query that arrived, as `name TYPE`, in order. */
  readonly queries: string[];
  /** Round trips so far: queries that were in flight together count as one. */
  readonly rounds: number;
  /** The most queries that were in flight together. */
  readonly widest: number;
}

const CHAIN_MAX = 16;
const SERVER = '192.0.2.53:53';

/**
 * A resolver over an object, without a cache. CNAMEs are followed, an empty non-terminal is NODATA and a name that is not there NXDOMAIN.
 * Negative answers name the zone they are from by its SOA: every name with NS records is taken for the apex of one.
 * All queries of one turn of the event loop are answered together in the next, which is what a round trip is here.
 */
export function fakeResolver(zone: FakeZone): FakeResolver {
  const queries: string[] = [];
  const names = new Set(Object.keys(zone).flatMap(withAncestors));
  let rounds = 0;
  let widest = 0;
  let waiting: (() => void)[] = [];

  const roundTrip = () =>
    new Promise<void>((resolve) => {
      if (waiting.length === 0)
        setImmediate(() => {
          rounds++;
          widest = Math.max(widest, waiting.length);
          const released = waiting;
          waiting = [];
          for (const release of released) release();
        });
      waiting.push(resolve);
    });

  const find = (name: string): FakeRecords | FakeFailure | undefined => {
    if (names.has(name)) return zone[name] ?? {};
    const labels = name.split('.');
    const encloser = labels.findIndex((_, i) => i > 0 && names.has(labels.slice(i).join('.')));
    return zone[`*.${labels.slice(encloser === -1 ? labels.length : encloser).join('.')}`];
  };

  /** The SOA of the nearest zone, RFC 2308 §3. */
  const zoneOf = (name: string): DnsRecord[] => {
    const apex = withAncestors(name).find((ancestor) => typeof zone[ancestor] === 'object' && (zone[ancestor].NS ?? zone[ancestor].SOA));
    return apex === undefined ? [] : [record(apex, 'SOA', soaOf(zone[apex]))];
  };

  const resolver: FakeResolver = {
    servers: [SERVER],
    queries,
    get rounds() {
      return rounds;
    },
    get widest() {
      return widest;
    },
    async query(name, type, { signal, server, cachedOnly } = {}) {
      signal?.throwIfAborted();
      if (cachedOnly) throw new ProbeFailure('dns_timeout', name);
      queries.push(`${name} ${type}`);
      await roundTrip();
      signal?.throwIfAborted();
      const answers: DnsRecord[] = [];
      const aa = server !== undefined;
      let owner = name.toLowerCase();
      while (answers.length < CHAIN_MAX) {
        const found = find(owner);
        if (found === undefined) return answer('NXDOMAIN', answers, { aa, authorities: zoneOf(owner) });
        const records = typeof found === 'string' ? found : (found[type as RecordType] ?? []);
        if (records === 'TIMEOUT') throw new ProbeFailure('dns_timeout', owner);
        if (typeof records === 'string') return answer(records, answers, { aa });
        if (typeof found === 'object' && Array.isArray(found.CNAME) && type !== 'CNAME') {
          const target = (found.CNAME as string[])[0]!;
          answers.push(record(owner, 'CNAME', target));
          owner = target.toLowerCase();
          continue;
        }
        const own = records.map((data) => record(owner, type, data));
        const authorities = own.length === 0 ? zoneOf(owner) : [];
        if (type === 'SOA' && authorities[0]?.name === owner) return answer('NOERROR', [...answers, ...authorities], { aa });
        return answer('NOERROR', [...answers, ...own], { aa, authorities });
      }
      return answer('SERVFAIL', [], { aa });
    },
    async addresses(host, family, { onAlias, ...options } = {}) {
      const type = family === 4 ? 'A' : 'AAAA';
      const { rcode, answers } = await resolver.query(host, type, options);
      for (const { type: found, data } of answers) if (found === 'CNAME') onAlias?.(data);
      if (rcode === 'NXDOMAIN') throw new ProbeFailure('dns_nxdomain', host);
      if (rcode !== 'NOERROR') throw new ProbeFailure('dns_servfail', host);
      const addresses = answers.flatMap((found) => (found.type === type ? [found.data] : []));
      if (addresses.length === 0) throw new ProbeFailure('dns_no_address', host);
      return addresses;
    },
  };
  return resolver;
}

const withAncestors = (name: string): string[] => {
  const labels = name.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
};

const soaOf = (found: FakeRecords | FakeFailure | undefined): unknown =>
  (typeof found === 'object' && Array.isArray(found.SOA) && found.SOA[0]) || SOME_SOA;
const SOME_SOA: RecordData['SOA'] = { mname: 'ns', rname: 'host', serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: 300 };

const record = (name: string, type: string, data: unknown): DnsRecord =>
  ({ name, type, ttl: 300, rdata: new Uint8Array(), data: type === 'TXT' ? strings(data) : data }) as DnsRecord;

const strings = (data: unknown): unknown => [data].flat().map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));

const answer = (rcode: Rcode, answers: DnsRecord[], more: Partial<DnsAnswer>): DnsAnswer => ({
  rcode,
  aa: false,
  ad: false,
  answers,
  authorities: [],
  additionals: [],
  server: SERVER,
  rtt_ms: 1,
  tries: 1,
  transport: 'udp',
  cached: false,
  ...more,
});

/** A resolver as the gateway gives it to an operation, but for the end of its budget. */
export const unlimited = (resolver: Resolver): BudgetedResolver => budgeted(refusing(resolver, isSpecialUseName), {}, systemClock);
