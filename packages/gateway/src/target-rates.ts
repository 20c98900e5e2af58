import { type Claim, type Clock, longestWait, ownTargets, prefixOf, type Rate, takeAll, TokenBuckets } from '@vedette/contract';
import { registrableDomain } from './registrable-domain.ts';
import type { Target } from './targets.ts';

// What all gateways together may do to one target, whoever asks them to; docs/target-rates.md defends each.
const CONTACTS = { perS: 20, burst: 200 };
const CONTACTS_PREFIX = { perS: 100, burst: 1_000 };
const QUESTIONS = { perS: 50, burst: 600 };
const QUESTIONS_SERVER = { perS: 500, burst: 1_000 };
/** The part of a target's refill that one account gets: who floods leaves the rest to the others. */
const ACCOUNT_SHARE = 1 / 2;
/** What an account must have left of a zone's questions for a request about it to begin. */
const QUESTIONS_TO_BEGIN = 25;

/** What is refused for now: it would be too much for this domain, or for an address. */
export interface TargetRefusal {
  /** Empty for an address that the client did not name. */
  target: string;
  retryAfterS: number;
}

export interface TargetRatesOptions {
  clock: Pick<Clock, 'now'>;
  /** VEDETTE_OWN_TARGETS. */
  spares: readonly string[];
  /** How many gateways share the rates: each lets its part through. */
  gateways: () => number;
}

/** A rate over all accounts, and beside it each account's share. */
class SharedBuckets {
  readonly #all: TokenBuckets;
  readonly #accounts: TokenBuckets;

  constructor({ clock, gateways }: TargetRatesOptions, rate: Rate) {
    this.#all = new TokenBuckets(clock, rate, gateways);
    this.#accounts = new TokenBuckets(clock, { ...rate, perS: rate.perS * ACCOUNT_SHARE }, gateways);
  }

  claims(account: string, key: string, count: number): Claim[] {
    return [{ buckets: this.#all, key, count }, this.share(account, key, count)];
  }

  share(account: string, key: string, count: number): Claim {
    return { buckets: this.#accounts, key: `${account} ${key}`, count };
  }
}

/**
 * How much leaves for each target, over all accounts and operations: contacts (one job at one location, one connection of ours) per
 * registrable domain, address and prefix, and questions per zone and per server asked directly. Each claim takes all it needs or nothing.
 */
export class TargetRates {
  readonly #isOwn: (target: string) => boolean;
  readonly #contacts: SharedBuckets;
  readonly #prefixes: SharedBuckets;
  readonly #questions: SharedBuckets;
  readonly #servers: SharedBuckets;

  constructor(options: TargetRatesOptions) {
    this.#isOwn = ownTargets(options.spares);
    this.#contacts = new SharedBuckets(options, CONTACTS);
    this.#prefixes = new SharedBuckets(options, CONTACTS_PREFIX);
    this.#questions = new SharedBuckets(options, QUESTIONS);
    this.#servers = new SharedBuckets(options, QUESTIONS_SERVER);
  }

  /** Takes one question about a name, to `server` where it is asked directly. `anyway`: whether or not there is one left. */
  question(account: string, name: string, server: string | undefined, anyway: boolean): TargetRefusal | undefined {
    if (this.#isOwn(name)) return undefined;
    const zone = registrableDomain(name);
    if (zone === '') return undefined;
    const claims = this.#questions.claims(account, zone, 1);
    if (server !== undefined && !this.#isOwn(server)) claims.push(...this.#servers.claims(account, server, 1));
    const refused = claimed(claims, zone, anyway);
    // Back when one question could be asked, it would be refused the next.
    return refused && (refusal(this.#questions.claims(account, zone, QUESTIONS_TO_BEGIN), zone) ?? refused);
  }

  /** Takes one connection of ours. */
  connection(account: string, address: string): TargetRefusal | undefined {
    return claimed(this.#addressClaims(account, address, 1), '');
  }

  /** Takes what `jobs` jobs about the targets come to: `asks` questions each, or a contact. `peek`: nothing is taken. */
  jobs(account: string, targets: readonly Target[], jobs: number, asks: number | undefined, peek = false): TargetRefusal | undefined {
    for (const { kind, host } of targets) {
      if (this.#isOwn(host)) continue;
      const domain = kind === 'name' ? registrableDomain(host) : host;
      const claims =
        asks !== undefined
          ? this.#questions.claims(account, domain, jobs * asks)
          : kind === 'name'
            ? this.#contacts.claims(account, domain, jobs)
            : this.#addressClaims(account, host, jobs);
      const refused = peek ? refusal(claims, domain) : claimed(claims, domain);
      if (refused) return refused;
    }
    return undefined;
  }

  /** Whether the account has itself used up what it may ask about the targets; then nothing needs to be reserved to see it refused. */
  spent(account: string, targets: readonly Target[]): TargetRefusal | undefined {
    for (const { kind, host } of targets) {
      if (kind !== 'name' || this.#isOwn(host)) continue;
      const zone = registrableDomain(host);
      const refused = refusal([this.#questions.share(account, zone, QUESTIONS_TO_BEGIN)], zone);
      if (refused) return refused;
    }
    return undefined;
  }

  #addressClaims(account: string, address: string, count: number): Claim[] {
    if (this.#isOwn(address)) return [];
    return [...this.#contacts.claims(account, address, count), ...this.#prefixes.claims(account, prefixOf(address), count)];
  }
}

function refusal(claims: readonly Claim[], target: string): TargetRefusal | undefined {
  const longest = longestWait(claims);
  return longest && { target, retryAfterS: longest.waitMs / 1_000 };
}

function claimed(claims: readonly Claim[], target: string, anyway = false): TargetRefusal | undefined {
  const refused = anyway ? undefined : refusal(claims, target);
  if (!refused) takeAll(claims);
  return refused;
}
