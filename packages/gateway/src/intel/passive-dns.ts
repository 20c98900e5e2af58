import {
  ApiError,
  type AddressPolicy,
  BoundedMap,
  type Clock,
  type DnsAnswer,
  parseHost,
  type PassiveDns,
  recordsOf,
  type Resolver,
} from '@vedette/contract';
import type { AdminRoute, PassiveDnsStore, Sighting } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import { type Static, Type } from 'typebox';
import { registrableDomain } from '../shares/registrable-domain.ts';

const WRITE_EVERY_MS = 5_000;
/** Rows of one write. The owner of each is asked for an opt-out before: 20 a second at most, whatever is asked. */
const MAX_BATCH = 100;
/** Sightings that wait; beyond them new ones are lost, and seen again. */
const MAX_WAITING = 5_000;
/** Pairs that are remembered: who alone has asked about each, or when it was noted. */
const REMEMBERED = 50_000;
/** Writes that a sighting waits for its owner's answer: one that comes late is there at the next. */
const MAX_TRIES = 3;
const DAY_MS = 86_400_000;
const DAY_S = 86_400;

export interface SightingRules {
  policy: AddressPolicy;
  isInnerName(name: string): boolean;
}

/** A name at an address as it is kept; undefined for what is inner, no host's name, or at no public IPv4 address. */
export function sightingOf(name: string, address: string, seen: number, { policy, isInnerName }: SightingRules): Sighting | undefined {
  const host = parseHost(name);
  if (host?.kind !== 'name' || !host.host.includes('.') || isInnerName(host.host)) return undefined;
  const ip = parseHost(address);
  if (ip?.kind !== 'ipv4' || ip.host !== address || !policy.judge(address).allowed) return undefined;
  return { address, name: host.host, domain: registrableDomain(host.host), seen };
}

export interface SightingLogDeps extends SightingRules {
  store: Pick<PassiveDnsStore, 'note'>;
  /** Whether the owner of the name agrees, who may have opted out. Undefined: the owner's zone has not answered. */
  mayBeKept(name: string): Promise<boolean | undefined>;
  clock: Clock;
  /** Epoch ms. */
  today(): number;
  log: Log;
}

/** An account that is the only one that has asked about a pair so far, or when the pair was noted, epoch ms. */
type Remembered = { account: string } | { noted: number };

interface Waiting {
  sighting: Sighting;
  /** Writes at which its owner had not answered. */
  tries: number;
}

/**
 * Tells the database what the DNS said to us, every few seconds and off the way of any request. A name at an address is noted when a second account
 * asks about it: until then it is remembered in memory alone, so that no database and no other account learns what one account asks about.
 */
export class SightingLog {
  readonly #deps: SightingLogDeps;
  readonly #pairs = new BoundedMap<string, Remembered>(REMEMBERED);
  readonly #stop = new AbortController();
  readonly #writing: Promise<void>;
  #waiting: Waiting[] = [];
  #complained = false;

  constructor(deps: SightingLogDeps) {
    this.#deps = deps;
    this.#writing = this.#writeOnAndOn();
  }

  /** The account has seen the names at the addresses now. */
  note(account: string, names: Iterable<string>, addresses: readonly string[]): void {
    const now = this.#deps.today();
    for (const name of names)
      for (const address of addresses) {
        if (this.#waiting.length >= MAX_WAITING || !this.#isShared(`${address} ${name.toLowerCase()}`, account, now)) continue;
        // The day alone: the second would reveal when a client asked.
        const sighting = sightingOf(name, address, Math.floor(now / DAY_MS) * DAY_S, this.#deps);
        if (sighting) this.#waiting.push({ sighting, tries: 0 });
      }
  }

  /** Whether this is the second account that asks about a pair which was not noted within a day. */
  #isShared(pair: string, account: string, now: number): boolean {
    const known = this.#pairs.get(pair);
    if (known && ('noted' in known ? now - known.noted < DAY_MS : known.account === account)) return false;
    const shared = known !== undefined && 'account' in known;
    this.#pairs.set(pair, shared ? { noted: now } : { account });
    return shared;
  }

  /** Writes what waits, as far as the database takes it. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    await this.#write();
  }

  async #writeOnAndOn(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#deps.clock.sleep(WRITE_EVERY_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.#write();
    }
  }

  async #write(): Promise<void> {
    const batch = this.#waiting.slice(0, MAX_BATCH);
    if (batch.length === 0) return;
    try {
      const unanswered = await this.#note(batch);
      this.#waiting = [...this.#waiting.slice(batch.length), ...unanswered];
      this.#complained = false;
    } catch (err) {
      if (!this.#complained) this.#deps.log.warn({ err }, 'passive DNS cannot be written');
      this.#complained = true;
      // Rows that the database refuses for their content would be refused again.
      if (!(err instanceof ApiError)) this.#waiting = this.#waiting.slice(batch.length);
    }
  }

  /** Writes what may be kept. Resolves to what is to be tried again. */
  async #note(batch: readonly Waiting[]): Promise<Waiting[]> {
    const mayBeKept = await Promise.all(batch.map(({ sighting }) => this.#deps.mayBeKept(sighting.name)));
    const noted = batch.filter((_, n) => mayBeKept[n]).map(({ sighting }) => sighting);
    if (noted.length > 0) await this.#deps.store.note(noted);
    return batch
      .filter(({ tries }, n) => mayBeKept[n] === undefined && tries + 1 < MAX_TRIES)
      .map(({ sighting, tries }) => ({ sighting, tries: tries + 1 }));
  }
}

/**
 * A resolver for one request whose answers are noted: the addresses of hosts, under each name of the chain that leads to them. Answers of
 * another server that was asked by its address are not noted: it may claim anything about a name. `note` is given the names and the
 * addresses.
 */
export const noting = (resolver: Resolver, note: (names: Iterable<string>, addresses: readonly string[]) => void): Resolver => ({
  servers: resolver.servers,
  async query(name, type, options) {
    const answer = await resolver.query(name, type, options);
    if (type === 'A' && options?.server === undefined) note(namesOf(name, answer), addressesOf(answer));
    return answer;
  },
  async addresses(host, family, options) {
    const names = [host];
    const addresses = await resolver.addresses(host, family, {
      ...options,
      onAlias(name) {
        options?.onAlias?.(name);
        names.push(name);
      },
    });
    if (family === 4) note(names, addresses);
    return addresses;
  },
});

const namesOf = (name: string, answer: DnsAnswer): Set<string> =>
  new Set([name.replace(/\.$/, ''), ...recordsOf(answer, 'CNAME').map(({ data }) => data)]);
const addressesOf = (answer: DnsAnswer): string[] => recordsOf(answer, 'A').map(({ data }) => data);

const switchedOff = () => Promise.reject(new ApiError('switched_off', 'VEDETTE_PASSIVE_DNS is off'));

/** Passive DNS of an operator who wants none: nothing is told, and no file is taken. */
export const withoutPassiveDns = (store: PassiveDnsStore): PassiveDnsStore => ({
  ...store,
  namesAt: switchedOff,
  beginImport: switchedOff,
  addImported: switchedOff,
});

/** Passive DNS without the names of owners who are known to have opted out: imports, which ask no owner, may have brought them. They are deleted when they are read. */
export const withoutOptedOut = (store: PassiveDnsStore, { knownOut }: { knownOut(name: string): string | undefined }): PassiveDns => ({
  async namesAt(address, page) {
    const names = await store.namesAt(address, page);
    const owners = new Set(names.flatMap(({ name }) => knownOut(name) ?? []));
    if (owners.size === 0) return names;
    for (const owner of owners) await store.forget(owner);
    // Other names have moved up: a page that is not full is the last.
    return (await store.namesAt(address, page)).filter(({ name }) => knownOut(name) === undefined);
  },
});

/** SHA-256 of what tells a file from others. */
const ImportId = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Texts = Type.Array(Type.String({ maxLength: 255 }), { maxItems: 5_000 });
const Lines = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ImportBody = Type.Object({ id: ImportId, file: Type.String({ minLength: 1, maxLength: 255 }) }, { additionalProperties: false });
const RowsBody = Type.Object(
  {
    /** How many lines were done before, and are done now. */
    from: Lines,
    lines: Lines,
    /** Nothing comes after these. */
    done: Type.Boolean(),
    names: Texts,
    addresses: Texts,
    /** When each was last seen, epoch seconds. */
    seen: Type.Array(Type.Number({ minimum: 0, maximum: 1e11 }), { maxItems: 5_000 }),
  },
  { additionalProperties: false },
);

/** The handlers of /admin for passive DNS. */
export const passiveDnsRoutes = (store: PassiveDnsStore, rules: SightingRules): AdminRoute[] => [
  { method: 'GET', path: '/admin/passive-dns', param: Type.String({ maxLength: 0 }), handle: () => store.status() },
  {
    method: 'POST',
    path: '/admin/passive-dns/imports',
    param: Type.String({ maxLength: 0 }),
    body: ImportBody,
    handle: ({ input, by }) => store.beginImport(by, input as Static<typeof ImportBody>),
  },
  {
    method: 'POST',
    path: '/admin/passive-dns/imports/:id',
    param: ImportId,
    body: RowsBody,
    bodyBytes: 2_097_152,
    async handle({ param, input }) {
      const { names, addresses, seen, ...progress } = input as Static<typeof RowsBody>;
      if (names.length !== addresses.length || names.length !== seen.length)
        throw new ApiError('invalid_parameter', 'names, addresses and seen must have the same length');
      const sightings = names.flatMap((name, n) => sightingOf(name, addresses[n]!, seen[n]!, rules) ?? []);
      return await store.addImported({ id: param, ...progress, unfit: names.length - sightings.length }, sightings);
    },
  },
];
