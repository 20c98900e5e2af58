import { parseIp } from '@vedette/contract';
import type { Answer } from 'dns-packet';
import { type Asked, response, startServer } from '../../probes/dns/scripted-server.ts';

/** How a zone behaves. `good` ones list the test entries of RFC 5782 §5 and what they are told to, by address or name. */
export type FakeZone =
  | { listed?: Record<string, readonly string[]>; ttl?: number; negativeTtl?: number }
  /** NXDOMAIN for all, the test entry included. */
  | 'dead'
  /** Somebody bought it: 127.0.0.2 for all. */
  | 'wildcarded'
  /** It lists all but what is never listed, by which zones are tried. */
  | 'sparing'
  /** A resolver in between leads NXDOMAIN to its portal. */
  | 'lying'
  /** What Spamhaus says to public resolvers: 127.255.255.254 for all. */
  | 'refusing'
  | 'REFUSED'
  | 'SERVFAIL'
  /** No packet comes back. */
  | 'silent'
  /** Good, and answers when `release` is called. */
  | 'slow'
  /** Somebody bought it, and its answer about what is never listed is held back until then. */
  | 'slow-to-deny';

export interface FakeDnsbl {
  address: string;
  port: number;
  /** By name; a test may change them as it goes. */
  zones: Map<string, FakeZone>;
  /** Every question, as `name TYPE`. */
  asked: string[];
  /** Lets go what slow zones hold back. */
  release(): void;
  close(): Promise<void>;
}

interface FakeDnsblOptions {
  zones: Record<string, FakeZone>;
  /** Name servers of zones, as addresses: without them a zone has none that can be found. */
  servers?: Record<string, readonly string[]>;
  address?: string;
  port?: number;
  /** What names outside the zones hold. */
  others?(name: string, type: string): Answer[] | undefined;
}

const NXDOMAIN = 3;
const RCODES = { SERVFAIL: 2, REFUSED: 5 };

/** DNSBLs on a real socket, UDP and TCP: a resolver for all of its zones, and a name server for each. */
export async function startFakeDnsbl({ zones: given, servers = {}, address, port, others }: FakeDnsblOptions): Promise<FakeDnsbl> {
  const zones = new Map(Object.entries(given));
  const asked: string[] = [];
  const held: (() => void)[] = [];

  const answer = ({ query, question, reply }: Asked): void => {
    const name = question.name.toLowerCase();
    asked.push(`${name} ${question.type}`);
    const known = infrastructure(name, question.type, servers) ?? others?.(name, question.type);
    if (known) return reply(response(query, { answers: known }));
    // The longest, so that one zone may be within another.
    const zone = [...zones.keys()].filter((zone) => name === zone || name.endsWith(`.${zone}`)).sort((a, b) => b.length - a.length)[0];
    if (zone === undefined) return reply(response(query, { rcode: NXDOMAIN }));
    const behaviour = zones.get(zone)!;
    if (behaviour === 'silent') return;
    const message = response(query, question.type === 'A' ? said(name, zone, behaviour) : nothing(zone, behaviour));
    const isHeld = behaviour === 'slow' || (behaviour === 'slow-to-deny' && NEVER_LISTED.some((entry) => name === `${entry}.${zone}`));
    if (isHeld) held.push(() => reply(message));
    else reply(message);
  };

  const server = await startServer(answer, { ...(address !== undefined && { address }), ...(port !== undefined && { port }) });
  return {
    ...server.endpoint,
    zones,
    asked,
    release: () => held.splice(0).forEach((send) => send()),
    close: () => server.stop(),
  };
}

function said(name: string, zone: string, behaviour: FakeZone): Parameters<typeof response>[1] {
  const a = (data: string, ttl = 300): Answer => ({ type: 'A', name, data, ttl });
  if (behaviour === 'sparing' && !NEVER_LISTED.some((entry) => name === `${entry}.${zone}`)) return { answers: [a('127.0.0.2')] };
  if (behaviour === 'wildcarded' || behaviour === 'slow-to-deny') return { answers: [a('127.0.0.2')] };
  if (behaviour === 'lying') return { answers: [a('198.51.100.80')] };
  if (behaviour === 'refusing') return { answers: [a('127.255.255.254')] };
  if (behaviour === 'REFUSED' || behaviour === 'SERVFAIL') return { rcode: RCODES[behaviour] };
  const { listed = {}, ttl = 300 } = typeof behaviour === 'string' ? {} : behaviour;
  const subject = name.slice(0, -zone.length - 1);
  const entries = new Map(Object.entries(listed).map(([key, codes]) => [labelsOf(key), codes]));
  for (const key of behaviour === 'dead' ? [] : TEST_ENTRIES) if (!entries.has(key)) entries.set(key, ['127.0.0.2']);
  const codes = entries.get(subject);
  return codes ? { answers: codes.map((code) => a(code, ttl)) } : { ...nothing(zone, behaviour), rcode: NXDOMAIN };
}

/** A denial, as a server with the zone gives it (RFC 2308). */
function nothing(zone: string, behaviour: FakeZone): { authorities: Answer[] } {
  const minimum = typeof behaviour === 'string' ? 300 : (behaviour.negativeTtl ?? 300);
  const soa = { mname: 'ns', rname: 'host', serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum };
  return { authorities: [{ type: 'SOA', name: zone, ttl: minimum, data: soa }] };
}

function infrastructure(name: string, type: string, servers: Record<string, readonly string[]>): Answer[] | undefined {
  if (type === 'NS' && servers[name]) return servers[name].map((_, i) => ({ type: 'NS', name, data: `ns${i}.${name}`, ttl: 300 }));
  const [, nth, zone] = /^ns(\d)\.(.*)$/.exec(name) ?? [];
  const address = servers[zone ?? '']?.[Number(nth)];
  return type === 'A' && address !== undefined ? [{ type: 'A', name, data: address, ttl: 300 }] : undefined;
}

/** The labels by which a subject stands in a zone. */
function labelsOf(subject: string): string {
  const ip = parseIp(subject);
  if (!ip) return subject;
  const size = ip.version === 4 ? 4 : 32;
  const base = ip.version === 4 ? 10 : 16;
  const bits = BigInt(ip.version === 4 ? 8 : 4);
  return Array.from({ length: size }, (_, i) => ((ip.value >> (bits * BigInt(i))) & ((1n << bits) - 1n)).toString(base)).join('.');
}

const TEST_ENTRIES = ['127.0.0.2', '::ffff:7f00:2', 'test'].map(labelsOf);
const NEVER_LISTED = ['127.0.0.1', '::ffff:7f00:1', 'invalid'].map(labelsOf);
