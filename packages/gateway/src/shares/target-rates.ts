import { BoundedMap, parseIp, type Rate } from '@vedette/contract';
import { ownTargets, prefixOf } from '@vedette/probes/host';
import { type EngineQuestion, EngineQueues } from './engine-queues.ts';
import type { GateRow } from './gate.ts';
import { registrableDomain } from './registrable-domain.ts';
import { SharedBuckets, type SharedBucketsOptions, type SharedRate } from './shared-buckets.ts';
import type { Target } from './targets.ts';

// Limits of all gateways together for one target, over all accounts; docs/target-rates.md defends each.
const CONTACTS = { perS: 20, burst: 200, share: 1 / 2 };
const CONTACTS_PREFIX = { perS: 100, burst: 1_000, share: 1 / 2 };
/** A request refused halfway is free although its first questions were asked, so one account gets a smaller share of these. */
const QUESTIONS = { perS: 50, burst: 1_200, share: 1 / 4 };
const QUESTIONS_SERVER = { perS: 500, burst: 1_000, share: 1 / 4 };
/** The questions to a zone that an account must have left before a request about it begins. */
const QUESTIONS_TO_BEGIN = 25;
/**
 * The questions that it must have left before the zone's own server is asked: reports can do without that answer, but not without the
 * resolver's.
 */
const QUESTIONS_TO_ASK_DIRECTLY = QUESTIONS.burst / 2;
/** Ports of one domain or address that one account may have contacted within an hour: a site has a few, a scan has hundreds. */
const PORTS = 20;
const PORTS_MS = 3_600_000;
const HOSTS_MAX = 50_000;
const NONE: readonly string[] = [];

/** A temporary refusal: the request would be too much for this domain, or for an address. */
export interface TargetRefusal {
  /** Empty for an address that the client did not name. */
  target: string;
  retryAfterS: number;
}

export interface TargetRatesOptions extends SharedBucketsOptions {
  /** VEDETTE_OWN_TARGETS. */
  spares: readonly string[];
  /** Zones of blacklist engines, which have rates of their own: as many as their terms allow. */
  zones?: ReadonlyMap<string, Rate>;
}

interface HostPort {
  host: string;
  port: number;
}

/** A number of tokens of the buckets of one target. */
interface Claim {
  buckets: SharedBuckets;
  key: string;
  count: number;
  /** The name in the refusal. */
  target: string;
}

/**
 * How much leaves for each target, over all accounts and operations: contacts (one job at one location, one connection of ours) per
 * registrable domain, address and prefix, and questions per zone and per server asked directly. Each request takes all it needs or nothing.
 */
export class TargetRates {
  readonly #isOwn: (target: string) => boolean;
  readonly #contacts: SharedBuckets;
  readonly #prefixes: SharedBuckets;
  readonly #questions: SharedBuckets;
  readonly #servers: SharedBuckets;
  readonly #engines: EngineQueues;
  readonly #clock: { now(): number };
  /** When an account first contacted each port of a domain or an address. */
  readonly #ports = new BoundedMap<string, Map<number, number>>(HOSTS_MAX);

  constructor(options: TargetRatesOptions) {
    this.#clock = options.clock;
    this.#isOwn = ownTargets(options.spares);
    this.#contacts = new SharedBuckets(options, CONTACTS);
    this.#prefixes = new SharedBuckets(options, CONTACTS_PREFIX);
    this.#questions = new SharedBuckets(options, QUESTIONS);
    this.#servers = new SharedBuckets(options, QUESTIONS_SERVER);
    this.#engines = new EngineQueues(options, options.zones);
  }

  /** Takes one question about a name, to `server` where it is asked directly; about the `promised` zones whether or not there is one left. */
  question(account: string, name: string, server?: string, promised: readonly string[] = NONE): TargetRefusal | undefined {
    if (this.#isOwn(name)) return undefined;
    const zone = registrableDomain(name);
    if (zone === '') return undefined;
    const counted = server !== undefined && !this.#isOwn(server) ? server : undefined;
    const engine = this.#engines.zoneOf(name);
    if (engine) return this.#engineQuestion(account, engine, counted);
    if (!promised.includes(zone)) {
      const refused = this.#questionRefusal(account, zone, server !== undefined, counted);
      if (refused) return refused;
    }
    this.#questions.take(account, zone, 1);
    if (counted !== undefined) this.#servers.take(account, counted, 1);
    return undefined;
  }

  /** Takes one question in the turn of another, whether or not one is left; `isItself`: it is that one, and was taken before unless it was sent. */
  due(question: EngineQuestion, isItself: boolean, account: string, server?: string): void {
    if (isItself && !question.isSent) question.isSent = true;
    else question.zone.buckets.take(account, question.zone.name, 1);
    if (server !== undefined && !this.#isOwn(server)) this.#servers.take(account, server, 1);
  }

  /** Has questions to engines wait for their turn: see `EngineQueues.take`. */
  queue(account: string, askers: ReadonlyMap<string, readonly string[]>, mostMs: number): ReturnType<EngineQueues['take']> {
    const counted = Array.from(askers, ([asker, names]) => [asker, names.filter((name) => !this.#isOwn(name))] as const);
    return this.#engines.take(account, new Map(counted), mostMs);
  }

  #engineQuestion(
    account: string,
    { name, buckets }: NonNullable<ReturnType<EngineQueues['zoneOf']>>,
    server: string | undefined,
  ): TargetRefusal | undefined {
    const serverMs = server === undefined ? 0 : this.#servers.waitMs(account, server, 1);
    const waitMs = Math.max(buckets.waitMs(account, name, 1), serverMs);
    if (waitMs > 0) return refusal(registrableDomain(name), waitMs);
    buckets.take(account, name, 1);
    if (server !== undefined) this.#servers.take(account, server, 1);
    return undefined;
  }

  #questionRefusal(account: string, zone: string, directly: boolean, server: string | undefined): TargetRefusal | undefined {
    const zoneMs = this.#questions.waitMs(account, zone, directly ? QUESTIONS_TO_ASK_DIRECTLY : 1);
    const serverMs = server === undefined ? 0 : this.#servers.waitMs(account, server, 1);
    if (zoneMs === 0 && serverMs === 0) return undefined;
    // Back when one question could be asked, it would be refused the next.
    return refusal(zone, Math.max(zoneMs, serverMs, this.#questions.waitMs(account, zone, QUESTIONS_TO_BEGIN)));
  }

  /**
   * Takes one connection of ours, to an address or to a name without any, and to the port where one is given: that is counted as contacted by the
   * account, unless the connection is refused.
   */
  connection(account: string, address: string, port?: number): TargetRefusal | undefined {
    const ports = port === undefined ? [] : [{ host: address, port }];
    const claims = parseIp(address) ? this.#addressClaims(address, 1, '') : this.#jobClaims({ kind: 'name', host: address }, 1, undefined);
    return this.#scanRefusal(account, ports) ?? this.#take(account, claims, ports);
  }

  /**
   * Takes what `jobs` jobs about the targets come to: `asks` questions each, or a contact; and a contact of each with the `further` hosts.
   * `peek`: nothing is taken.
   */
  jobs(
    account: string,
    targets: readonly Target[],
    jobs: number,
    asks: number | undefined,
    peek = false,
    further: readonly Target[] = [],
  ): TargetRefusal | undefined {
    const ports = targets.filter((target) => 'port' in target);
    const claims = [
      ...targets.flatMap((target) => this.#jobClaims(target, jobs, asks)),
      ...further.flatMap((target) => this.#jobClaims(target, jobs, undefined)),
    ];
    return this.#scanRefusal(account, ports) ?? (peek ? refused(account, claims) : this.#take(account, claims, ports));
  }

  /** Whether the account has itself used up what it may ask about the targets; then nothing needs to be reserved to see it refused. */
  spent(account: string, targets: readonly Target[]): TargetRefusal | undefined {
    for (const { kind, host } of targets) {
      if (kind !== 'name' || this.#isOwn(host)) continue;
      const zone = registrableDomain(host);
      const waitMs = this.#questions.ownWaitMs(account, zone, QUESTIONS_TO_BEGIN);
      if (waitMs > 0) return refusal(zone, waitMs);
    }
    return undefined;
  }

  /** Takes from all of the buckets and counts the ports, or neither. */
  #take(account: string, claims: readonly Claim[], ports: readonly HostPort[]): TargetRefusal | undefined {
    const refusedBy = refused(account, claims);
    if (refusedBy) return refusedBy;
    for (const { buckets, key, count } of claims) buckets.take(account, key, count);
    for (const { host, port } of ports)
      if (!this.#isOwn(host)) {
        const site = siteOf(host);
        const contacted = this.#portsOf(account, site);
        if (!contacted.has(port)) this.#ports.set(`${account} ${site}`, contacted.set(port, this.#clock.now()));
      }
    return undefined;
  }

  /** The refusal of an account that has contacted too many other ports of a host's domain, or of an address. */
  #scanRefusal(account: string, ports: readonly HostPort[]): TargetRefusal | undefined {
    for (const { host, port } of ports) {
      if (this.#isOwn(host)) continue;
      const site = siteOf(host);
      const contacted = this.#portsOf(account, site);
      if (!contacted.has(port) && contacted.size >= PORTS)
        return refusal(site, Math.min(...contacted.values()) + PORTS_MS - this.#clock.now());
    }
    return undefined;
  }

  /** Ports of the domain or address that the account has contacted within an hour, and when. */
  #portsOf(account: string, site: string): Map<number, number> {
    const contacted = this.#ports.get(`${account} ${site}`) ?? new Map<number, number>();
    const now = this.#clock.now();
    for (const [port, at] of contacted) if (now - at >= PORTS_MS) contacted.delete(port);
    return contacted;
  }

  #jobClaims({ kind, host }: Target, jobs: number, asks: number | undefined): Claim[] {
    if (this.#isOwn(host)) return [];
    if (kind !== 'name' && asks === undefined) return this.#addressClaims(host, jobs, host);
    const key = kind === 'name' ? registrableDomain(host) : host;
    return asks === undefined
      ? [{ buckets: this.#contacts, key, count: jobs, target: key }]
      : [{ buckets: this.#questions, key, count: jobs * asks, target: key }];
  }

  #addressClaims(address: string, count: number, target: string): Claim[] {
    if (this.#isOwn(address)) return [];
    return [
      { buckets: this.#contacts, key: address, count, target },
      { buckets: this.#prefixes, key: prefixOf(address), count, target },
    ];
  }
}

/** The registrable domain of a name, or the address: what ports are counted for, since a wildcard gives a scan as many names as it likes. */
const siteOf = (host: string): string => (parseIp(host) ? host : registrableDomain(host));

/** The refusal by the claim that has to wait longest; undefined when none has to. */
function refused(account: string, claims: readonly Claim[]): TargetRefusal | undefined {
  let longest: TargetRefusal | undefined;
  for (const { buckets, key, count, target } of claims) {
    const waitMs = buckets.waitMs(account, key, count);
    if (waitMs > 0 && waitMs > (longest?.retryAfterS ?? 0) * 1_000) longest = refusal(target, waitMs);
  }
  return longest;
}

const refusal = (target: string, waitMs: number): TargetRefusal => ({ target, retryAfterS: waitMs / 1_000 });

const worded = ({ perS, burst, share }: SharedRate): string => `${perS} a second, ${burst} at once; ${share * 100} % for one account`;

export const SPENT_RATES_GATE: GateRow = {
  name: 'Spent target rates',
  limits: 'requests about a target whose rates, as below, are used up',
  limit: `central operations need ${QUESTIONS_TO_BEGIN} questions left; others need their contacts`,
  codes: ['target_limited'],
  cause: 'target',
};

export const ZONE_RATE_GATE: GateRow = {
  name: 'Questions to a zone',
  limits: 'DNS questions about one zone, and to one server asked directly',
  limit: `zone: ${worded(QUESTIONS)}. Server: ${worded(QUESTIONS_SERVER)}. Engines: by their terms; requests wait for up to 5 s`,
  codes: ['target_limited'],
  cause: 'target',
  files: ['packages/operations/src/shared/names/blacklist-block.ts', 'packages/operations/src/shared/names/unheard.ts'],
};

export const CONTACT_RATE_GATE: GateRow = {
  name: 'Contacts with an address',
  limits: 'connections to one address and prefix, and ports of one site',
  limit: `address: ${worded(CONTACTS)}. Prefix: ${worded(CONTACTS_PREFIX)}. Ports: ${PORTS} an hour for one account`,
  codes: ['target_limited'],
  cause: 'target',
};

export const JOB_RATE_GATE: GateRow = {
  name: 'Jobs about a target',
  limits: 'jobs and pages about one domain, address or prefix',
  limit: 'each job counts as one contact, a page as several; a request gets all or none',
  codes: ['target_limited'],
  cause: 'target',
};
