import { type Clock, type DnsAnswer, ENDED, isAtOrUnder, ProbeFailure, recordsOf, type Resolver } from '@vedette/contract';
import type { ZoneServer } from './ask.ts';
import { isDenial, isListing } from './codes.ts';
import type { ZoneEngine } from './engine.ts';
import { questionName } from './questions.ts';

const HOUR_MS = 3_600_000;
/** When it is tried again after a first failure. */
const AGAIN_MS = 60_000;
/** When it is tried again after our own network failed. */
const OFFLINE_MS = 5_000;
const MAX_SERVERS = 3;
/** Name servers that are looked up to find so many. */
const MAX_NAMES = 6;

/** The kind of entries in a zone: addresses of a family, or names. */
export type Family = 4 | 6 | 0;

/** How a family of a zone is doing. `untried`: its first check is under way. */
export interface Health {
  state: 'untried' | 'good' | 'off';
  /** A sentence for operators; empty when all is well. */
  problem: string;
  /** The servers to ask: the best two of the zone's own, or the configured resolvers. */
  servers: readonly ZoneServer[];
}

export interface HealthOptions {
  resolver: Resolver;
  clock: Clock;
  /** Whether our resolvers and our network answer, asked anew; unset where that cannot be known. */
  isOnline?: (() => Promise<boolean>) | undefined;
  /** Told when a family is switched off, or works again. */
  onChange(engine: ZoneEngine, family: Family, health: Health): void;
}

interface FamilyHealth extends Health {
  failures: number;
}

/**
 * Whether a zone can be believed: what is always listed is, and what is never listed is not (RFC 5782 §5). A dead zone with a new owner
 * lists every address, and a zone that refuses us lists none. Tried at the start and every hour, again a minute after a failure; two
 * failures in a row switch a family off until it passes. These questions are the operator's own traffic and pass no gate.
 */
export class ZoneHealth {
  /** Ends with the first check, whatever came of it. */
  readonly tried: Promise<void>;
  readonly #engine: ZoneEngine;
  readonly #options: HealthOptions;
  readonly #families = new Map<Family, FamilyHealth>();
  readonly #suspected = new Set<Family>();
  readonly #stopped = new AbortController();
  #sleep = new AbortController();
  /** Whether the first check has ended. */
  isTried = false;
  #wasTried!: () => void;

  constructor(engine: ZoneEngine, options: HealthOptions) {
    this.#engine = engine;
    this.#options = options;
    for (const family of familiesOf(engine)) this.#families.set(family, { state: 'untried', problem: '', servers: [], failures: 0 });
    this.tried = new Promise((resolve) => {
      this.#wasTried = () => {
        this.isTried = true;
        resolve();
      };
    });
  }

  of(family: Family): Health {
    return this.#families.get(family)!;
  }

  families(): Iterable<[Family, Health]> {
    return this.#families;
  }

  start(): void {
    void this.#loop();
  }

  /** Tries the zone now, with bystanders, and switches it off where it lists them: in use it has listed every subject. */
  suspect(family: Family): void {
    this.#suspected.add(family);
    this.again();
  }

  /** Tries the zone now: it fails in use, and its servers may have moved. */
  again(): void {
    this.#sleep.abort(ENDED);
  }

  stop(): void {
    this.#stopped.abort(ENDED);
    this.again();
    this.#wasTried();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      let isOffline = false;
      for (const [family, health] of this.#families) {
        const checked = await this.#check(family);
        // A trial without a network says nothing of the zone.
        if (!('servers' in checked)) isOffline = (await this.#options.isOnline?.()) === false;
        if (signal.aborted) return;
        if (isOffline) break;
        this.#record(family, health, checked);
      }
      this.#wasTried();
      const hasFailedOnce = [...this.#families.values()].some(({ failures }) => failures === 1);
      this.#sleep = new AbortController();
      if (signal.aborted) return;
      const pause_ms = isOffline ? OFFLINE_MS : hasFailedOnce ? AGAIN_MS : HOUR_MS;
      await this.#options.clock.sleep(pause_ms, this.#sleep.signal).catch(() => undefined); // woken
    }
  }

  #record(family: Family, health: FamilyHealth, checked: Check): void {
    const before = health.state;
    if ('servers' in checked) {
      Object.assign(health, { state: 'good', problem: '', servers: checked.servers, failures: 0 });
      this.#suspected.delete(family);
    } else {
      health.failures += this.#suspected.has(family) ? 2 : 1;
      health.problem = checked.problem;
      // One that has never passed is not asked; one that has, goes on until it fails twice.
      if (health.failures > 1) health.state = 'off';
    }
    if ((before === 'off') !== (health.state === 'off')) this.#options.onChange(this.#engine, family, health);
  }

  /** The zone's own servers that pass, the quickest first; the configured resolvers where none does. */
  async #check(family: Family): Promise<Check> {
    const zone = zoneOf(this.#engine, family);
    const found = await serversOf(zone, this.#options.resolver, this.#stopped.signal);
    const direct = await Promise.all(found.map(async (server) => ({ server, ...(await this.#try(family, zone, server)) })));
    const passed = direct.filter(({ problem }) => problem === '').sort((a, b) => a.rtt_ms - b.rtt_ms);
    if (passed.length > 0) return { servers: passed.map(({ server }) => server).slice(0, 2) };
    const { problem } = await this.#try(family, zone, undefined);
    if (problem === '') return { servers: [undefined] };
    return { problem: direct[0]?.problem ?? problem };
  }

  async #try(family: Family, zone: string, server: ZoneServer): Promise<{ problem: string; rtt_ms: number }> {
    const { no_test = false } = this.#engine;
    const { listed, clean } = testNames(this.#engine, family);
    const ask = (key: string) => this.#ask(questionName(key, zone)!, server);
    const bystanders = this.#suspected.has(family) ? BYSTANDERS[family] : [];
    const [listedAnswer, cleanAnswer, ...others] = await Promise.all([
      no_test ? undefined : ask(listed),
      ask(clean),
      ...bystanders.map(ask),
    ]);
    const rtt_ms = typeof cleanAnswer === 'string' ? Infinity : cleanAnswer.rtt_ms;
    const listsAll = others.length > 0 && others.every((answer) => typeof answer === 'object' && isListing(answer));
    return {
      problem: problemOf(listedAnswer, cleanAnswer) || (listsAll ? `it lists every subject, ${bystanders.join(' and ')} too` : ''),
      rtt_ms,
    };
  }

  /** The answer, or a sentence. */
  async #ask(name: string, server: ZoneServer): Promise<DnsAnswer | string> {
    try {
      const { signal } = this.#stopped;
      return await this.#options.resolver.query(name, 'A', { signal, fresh: true, ...(server !== undefined && { server }) });
    } catch (error) {
      return error instanceof ProbeFailure ? error.message : 'stopped';
    }
  }
}

type Check = { servers: readonly ZoneServer[] } | { problem: string };

function problemOf(listedAnswer: DnsAnswer | string | undefined, cleanAnswer: DnsAnswer | string): string {
  if (typeof listedAnswer === 'string') return `its test entry: ${listedAnswer}`;
  if (typeof cleanAnswer === 'string') return `what it never lists: ${cleanAnswer}`;
  if (listedAnswer && !isListing(listedAnswer)) return `it does not list its own test entry (${shownAnswer(listedAnswer)})`;
  return isDenial(cleanAnswer) ? '' : `it lists what is never listed (${shownAnswer(cleanAnswer)})`;
}

/** The address of an answer, else its code. */
export const shownAnswer = (answer: DnsAnswer): string => recordsOf(answer, 'A')[0]?.data ?? answer.rcode;

export const familiesOf = ({ subject, families }: ZoneEngine): readonly Family[] => (subject === 'name' ? [0] : families);

export const zoneOf = ({ zone, zone6 }: ZoneEngine, family: Family): string => (family === 6 ? (zone6 ?? zone) : zone);

/** The test entries of a zone: one always listed, one never (RFC 5782 §5). */
export function testNames({ test }: ZoneEngine, family: Family): { listed: string; clean: string } {
  if (test) return test;
  if (family === 4) return { listed: '127.0.0.2', clean: '127.0.0.1' };
  // RFC 5782 §5 tries IPv6 with the IPv4-mapped forms of the same two.
  return family === 6 ? { listed: '0:0:0:0:0:ffff:7f00:2', clean: '0:0:0:0:0:ffff:7f00:1' } : { listed: 'test', clean: 'invalid' };
}

/** Subjects of which no zone has a reason to list both: the root servers a and c; IANA and the IETF. */
export const BYSTANDERS: Readonly<Record<Family, readonly string[]>> = {
  4: ['198.41.0.4', '192.33.4.12'],
  6: ['2001:503:ba3e::2:30', '2001:500:2::c'],
  0: ['iana.org', 'ietf.org'],
};

/** Addresses of some of the zone's own servers. A zone within another's has none of its own: its parent's serve it. */
export async function serversOf(zone: string, resolver: Resolver, signal: AbortSignal): Promise<string[]> {
  const names = await serverNames(zone, resolver, signal);
  const found: string[] = [];
  for (const name of names.slice(0, MAX_NAMES)) {
    if (found.length >= MAX_SERVERS) break;
    const [address] = await resolver.addresses(name, 4, { signal }).catch(() => []);
    if (address !== undefined && !found.includes(address)) found.push(address);
  }
  return found;
}

async function serverNames(zone: string, resolver: Resolver, signal: AbortSignal): Promise<string[]> {
  for (let name = zone; name.includes('.');) {
    const answer = await resolver.query(name, 'NS', { signal }).catch(() => undefined);
    if (answer?.rcode !== 'NOERROR') return [];
    const servers = recordsOf(answer, 'NS').map(({ data }) => data);
    if (servers.length > 0) return servers;
    const apex = answer.authorities.find(({ type }) => type === 'SOA')?.name;
    if (apex === undefined || apex.length >= name.length || !isAtOrUnder(name, apex)) return [];
    name = apex;
  }
  return [];
}
