import { type Claim, longestWait, takeAll } from './claims.ts';
import { type Clock, ProbeFailure, type Rate, type TargetLimits, TokenBuckets } from '@vedette/contract';
import { ownTargets, prefixOf } from './own-targets.ts';

export interface TargetLimitsOptions {
  clock: Pick<Clock, 'now'>;
  /** VEDETTE_LIMITS: nothing is limited when false. */
  enabled: boolean;
  /** VEDETTE_OWN_TARGETS: the operator's own names (with all below them) and CIDRs. */
  spares: readonly string[];
  /** Over HTTP; by default what probes may. */
  http?: HttpRates | undefined;
}

/** Limits of a target over HTTP: rates per second with their bursts, and connections at a time. */
export interface HttpRates {
  host: Rate;
  /** Many sites share an address, or a domain as `zoneOf` knows it. */
  shared: Rate;
  prefix: Rate;
  hostSlots: number;
  addressSlots: number;
}

// Limits of one location for one target over all accounts; docs/target-rates.md defends each.
const ECHOES = { perS: 20, burst: 20 };
const ECHOES_PREFIX = { perS: 100, burst: 100 };
const TRACE = { perS: 20, burst: 100 };
const TRACE_PREFIX = { perS: 50, burst: 200 };
const SCAN = { perS: 20, burst: 20 };
const SCAN_PREFIX = { perS: 50, burst: 50 };
const QUERIES = { perS: 50, burst: 50 };
const QUERIES_SERVER = { perS: 20, burst: 50 };
const PROBE_RATES: HttpRates = {
  host: { perS: 5, burst: 50 },
  shared: { perS: 20, burst: 100 },
  prefix: { perS: 100, burst: 200 },
  hostSlots: 5,
  addressSlots: 20,
};
/** A page opens six connections to a host, and many pages at a time have the same fonts and the same statistics. */
export const BROWSER_RATES: HttpRates = {
  host: { perS: 20, burst: 200 },
  shared: { perS: 50, burst: 500 },
  prefix: { perS: 200, burst: 1_000 },
  hostSlots: 50,
  addressSlots: 100,
};

/** Budgets per target at this location, over all keys. */
export function createTargetLimits({ clock, enabled, spares, http = PROBE_RATES }: TargetLimitsOptions): TargetLimits {
  if (!enabled) return { echoes() {}, trace() {}, scan() {}, http: () => () => {}, dns() {} };
  const isOwn = ownTargets(spares);
  const spared = (...targets: readonly (string | undefined)[]) => targets.some((target) => target !== undefined && isOwn(target));
  const echoes = new TokenBuckets(clock, ECHOES);
  const echoesPrefix = new TokenBuckets(clock, ECHOES_PREFIX);
  const trace = new TokenBuckets(clock, TRACE);
  const tracePrefix = new TokenBuckets(clock, TRACE_PREFIX);
  const scan = new TokenBuckets(clock, SCAN);
  const scanPrefix = new TokenBuckets(clock, SCAN_PREFIX);
  const queries = new TokenBuckets(clock, QUERIES);
  const queriesServer = new TokenBuckets(clock, QUERIES_SERVER);
  const httpHost = new TokenBuckets(clock, http.host);
  const httpShared = new TokenBuckets(clock, http.shared);
  const httpPrefix = new TokenBuckets(clock, http.prefix);
  const hostSlots = new Slots(http.hostSlots);
  const addressSlots = new Slots(http.addressSlots);
  return {
    echoes(address, count, host) {
      if (spared(address, host)) return;
      claim([
        { buckets: echoes, key: address, count },
        { buckets: echoesPrefix, key: prefixOf(address), count },
      ]);
    },
    trace(address, count, host) {
      if (spared(address, host)) return;
      claim([
        { buckets: trace, key: address, count },
        { buckets: tracePrefix, key: prefixOf(address), count },
      ]);
    },
    scan(address, count, host) {
      if (spared(address, host)) return;
      claim([
        { buckets: scan, key: address, count },
        { buckets: scanPrefix, key: prefixOf(address), count },
      ]);
    },
    http(address, host = address) {
      if (spared(address, host)) return () => {};
      if (!hostSlots.free(host) || !addressSlots.free(address)) throw new ProbeFailure('target_limited', host);
      claim([
        { buckets: httpHost, key: host, count: 1 },
        { buckets: httpShared, key: address, count: 1 },
        { buckets: httpPrefix, key: prefixOf(address), count: 1 },
        ...(host === address ? [] : [{ buckets: httpShared, key: zoneOf(host), count: 1 }]),
      ]);
      const releases = [hostSlots.hold(host), addressSlots.hold(address)];
      return () => releases.splice(0).forEach((release) => release());
    },
    dns(name, count, server) {
      const isServerSpared = server === undefined || spared(server.address, server.host);
      claim([
        ...(spared(name) ? [] : [{ buckets: queries, key: zoneOf(name), count }]),
        ...(isServerSpared ? [] : [{ buckets: queriesServer, key: server.address, count }]),
      ]);
    },
  };
}

/** Takes from all of the buckets or from none. */
function claim(claims: readonly Claim[]): void {
  const refused = longestWait(claims);
  if (refused) throw new ProbeFailure('target_limited', refused.claim.key);
  takeAll(claims);
}

/**
 * The domain whose budget a name's queries use: its last two labels, so that random labels below share one; three where two are a country's
 * registry. The whole Public Suffix List would cost an agent an eighth of its memory.
 */
export function zoneOf(name: string): string {
  const labels = name.toLowerCase().split('.');
  return labels.slice(REGISTRY.test(name) ? -3 : -2).join('.');
}
const REGISTRY = /\.(ac|co|com|edu|gob|gov|go|ne|net|nom|or|org)\.[a-z]{2}$/i;

/** Limits how many run at once by key. */
class Slots {
  readonly #held = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  free(key: string): boolean {
    return (this.#held.get(key) ?? 0) < this.#max;
  }

  /** Holds a slot; to be called once it is free. Gives it back when what it returns is called. */
  hold(key: string): () => void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    return () => {
      const left = this.#held.get(key)! - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
