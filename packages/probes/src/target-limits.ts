import {
  BoundedMap,
  type Cidr,
  cidrContains,
  type Clock,
  isAtOrUnder,
  parseCidr,
  parseIp,
  ProbeFailure,
  type TargetLimits,
} from '@vedette/contract';

export interface TargetLimitsOptions {
  clock: Pick<Clock, 'now'>;
  /** VEDETTE_LIMITS: nothing is limited when false. */
  enabled: boolean;
  /** VEDETTE_OWN_TARGETS: the operator's own names (with all below them) and CIDRs. */
  spares: readonly string[];
}

const ECHOES_PER_S = 20;
const QUERIES_PER_S = 50;
const HTTP_SLOTS = 5;
/** Targets remembered of each kind; the one used longest ago is forgotten first. */
const TARGETS_MAX = 10_000;

/** Budgets per target at this location, over all keys. A budget refills continuously and holds at most one second's worth. */
export function createTargetLimits({ clock, enabled, spares }: TargetLimitsOptions): TargetLimits {
  if (!enabled) return { echoes() {}, http: () => () => {}, dns() {} };
  const spared = isSpared(spares);
  const echoes = createBuckets(clock, ECHOES_PER_S);
  const queries = createBuckets(clock, QUERIES_PER_S);
  const slots = new Map<string, number>();
  return {
    echoes(address, count, host) {
      if (!spared(address) && !spared(host)) echoes.take(address, count);
    },
    http(address, host) {
      if (spared(address) || spared(host)) return () => {};
      const held = slots.get(address) ?? 0;
      if (held >= HTTP_SLOTS) throw new ProbeFailure('target_limited', address);
      slots.set(address, held + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        const left = slots.get(address)! - 1;
        if (left === 0) slots.delete(address);
        else slots.set(address, left);
      };
    },
    dns(name, count) {
      if (!spared(name)) queries.take(zoneOf(name), count);
    },
  };
}

/**
 * Who pays for a name's queries: its last two labels, so that random labels below do not each get a budget; three where two are a
 * country's registry. The whole Public Suffix List would cost an agent an eighth of its memory.
 */
function zoneOf(name: string): string {
  const labels = name.toLowerCase().split('.');
  return labels.slice(REGISTRY.test(name) ? -3 : -2).join('.');
}
const REGISTRY = /\.(ac|co|com|edu|gob|gov|go|ne|net|nom|or|org)\.[a-z]{2}$/i;

function isSpared(texts: readonly string[]) {
  const names: string[] = [];
  const cidrs: Cidr[] = [];
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr) cidrs.push(cidr);
    else names.push(text.toLowerCase());
  }
  return (target: string | undefined): boolean => {
    if (target === undefined) return false;
    const ip = parseIp(target);
    if (ip) return cidrs.some((cidr) => cidrContains(cidr, ip));
    const host = target.toLowerCase();
    return names.some((own) => isAtOrUnder(host, own));
  };
}

/** Token buckets of one second's worth. Only targets used within the last second have a state worth keeping. */
function createBuckets(clock: Pick<Clock, 'now'>, perSecond: number) {
  const buckets = new BoundedMap<string, { tokens: number; at: number }>(TARGETS_MAX);
  return {
    take(key: string, count: number): void {
      const now = clock.now();
      const bucket = buckets.get(key);
      const tokens = bucket ? Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond) : perSecond;
      if (tokens < count) throw new ProbeFailure('target_limited', key);
      buckets.set(key, { tokens: tokens - count, at: now });
    },
  };
}
