import type { AsRegistration, DomainRegistration, Registries, RegistryWays } from '../ports/index.ts';
import type { Clock } from '@vedette/contract';
import { inquireAutnum, unknownAutnum } from './autnum-inquiry.ts';
import { Bootstrap, type BootstrapOptions } from './rdap/bootstrap.ts';
import { inquireDomain, unknownDomain } from './domain-inquiry.ts';
import { Servers } from './servers.ts';
import { type Inquiry, SharedInquiries } from './shared-inquiries.ts';
import type { WhoisServer } from './whois/whois-domain.ts';
import { whoisReferrals } from './whois/whois-referrals.ts';
import type { RegistryWire } from './whois/wire.ts';

const [MINUTE_S, DAY_S] = [60, 86_400];
/** How long an answer counts as it is. A partial answer, or "not registered", may change soon. */
const FRESH_S = { whole: DAY_S, partial: 10 * MINUTE_S, unregistered: 10 * MINUTE_S };
/** The retention for times when no server answers, and for requests that read only the cache. */
const KEPT_S = 30 * DAY_S;

/** An answer that was kept. */
export interface KeptRegistration {
  answer: unknown;
  /** When it was heard. */
  heard: Date;
  /** Whether it still counts as it is. */
  fresh: boolean;
}

/** Where answers are kept, for all gateways. */
export interface RegistrationCache {
  get(kind: 'domain' | 'autnum', name: string): Promise<KeptRegistration | undefined>;
  put(kind: 'domain' | 'autnum', name: string, answer: object, times: { fresh_s: number; kept_s: number }): Promise<void>;
}

export interface RegistriesOptions extends Omit<BootstrapOptions, 'clock'> {
  clock: Clock;
  today(): Date;
  wire: RegistryWire;
  /** Where WHOIS referral starts. */
  whoisRoot: WhoisServer;
  /** How many gateways share the rates of servers. */
  gateways: () => number;
  /** VEDETTE_LIMITS. */
  limits: boolean;
  /** Undefined: nothing is kept (VEDETTE_CACHE=off). Its failures are told here, and it is done without. */
  cache: RegistrationCache | undefined;
  onCacheFailed(error: unknown): void;
}

/** Opens the registries: one for all requests, since what it shares is what it is for. */
export function createRegistries(options: RegistriesOptions): Registries {
  const deps = { ...options, servers: new Servers(options), bootstrap: new Bootstrap(options), whois: whoisReferrals(options.whoisRoot) };
  const domains = new Shared<DomainRegistration>('domain', options, unknownDomain);
  const autnums = new Shared<AsRegistration>('autnum', options, unknownAutnum);
  return {
    domain: (name, ways) => domains.ask(name, ways, (inquiry) => inquireDomain(name, deps, inquiry)),
    autonomousSystem: (asn, ways) => autnums.ask(String(asn), ways, (inquiry) => inquireAutnum(asn, deps, inquiry)),
  };
}

type Registration = DomainRegistration | AsRegistration;

/** Inquiries of one kind: out of the cache, or one for all who ask the same. */
class Shared<T extends Registration> {
  readonly #kind: 'domain' | 'autnum';
  readonly #options: RegistriesOptions;
  readonly #unknown: (why: string) => T;
  readonly #inquiries: SharedInquiries<T>;

  constructor(kind: 'domain' | 'autnum', options: RegistriesOptions, unknown: (why: string) => T) {
    this.#kind = kind;
    this.#options = options;
    this.#unknown = unknown;
    this.#inquiries = new SharedInquiries(options.clock);
  }

  async ask(name: string, ways: RegistryWays, inquire: (inquiry: Inquiry<T>) => Promise<T>): Promise<T> {
    const kept = await this.#kept(name);
    if (kept?.fresh) return kept.answer;
    if (ways.cachedOnly)
      return kept ? since(kept, 'no registry was asked') : this.#unknown('it is not in the cache, and no registry was asked');
    const heard = await this.#inquiries.join(name, ways, async (inquiry) => {
      const answer = await inquire(inquiry);
      await this.#keep(name, answer);
      return answer;
    });
    const answer = heard ?? this.#unknown(`no registry has answered within ${Math.round(ways.timeout_ms / 1_000)} s`);
    return answer.state === 'unknown' && kept ? since(kept, answer.problem) : answer;
  }

  async #kept(name: string): Promise<{ answer: T; heard: Date; fresh: boolean } | undefined> {
    try {
      const kept = await this.#options.cache?.get(this.#kind, name);
      // An answer that an earlier version kept may lack what this one tells.
      return kept && { ...kept, answer: { ...this.#unknown(''), ...(kept.answer as Partial<T>) } };
    } catch (error) {
      this.#options.onCacheFailed(error);
      return undefined;
    }
  }

  async #keep(name: string, answer: T): Promise<void> {
    if (answer.state === 'unknown') return;
    const fresh_s = answer.state === 'unregistered' ? FRESH_S.unregistered : answer.problem === '' ? FRESH_S.whole : FRESH_S.partial;
    const kept_s = answer.state === 'unregistered' ? fresh_s : KEPT_S;
    try {
      await this.#options.cache?.put(this.#kind, name, answer, { fresh_s, kept_s });
    } catch (error) {
      this.#options.onCacheFailed(error);
    }
  }
}

const since = <T extends Registration>({ answer, heard }: { answer: T; heard: Date }, why: string): T => ({
  ...answer,
  problem: [why, `this was heard on ${heard.toISOString().slice(0, 10)}`, answer.problem].filter((part) => part !== '').join('; '),
});
