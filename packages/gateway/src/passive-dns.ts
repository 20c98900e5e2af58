import {
  ApiError,
  type AddressPolicy,
  BoundedMap,
  type Clock,
  type DnsAnswer,
  parseHost,
  recordsOf,
  type Resolver,
} from '@vedette/contract';
import type { AdminRoute, PassiveDnsStore, Sighting } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import { type Static, Type } from 'typebox';
import { registrableDomain } from './registrable-domain.ts';

const WRITE_EVERY_MS = 5_000;
/** Rows of one write: some 200 a second at most, whatever is asked. */
const MAX_BATCH = 1_000;
/** Sightings that wait; beyond them new ones are lost, and seen again. */
const MAX_WAITING = 5_000;
/** Pairs that were noted within a day are not noted again, as far as they are remembered. */
const REMEMBERED = 50_000;
const DAY_MS = 86_400_000;

export interface SightingRules {
  policy: Pick<AddressPolicy, 'judge'>;
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
  clock: Clock;
  /** Epoch ms. */
  today(): number;
  log: Pick<Log, 'warn'>;
}

/** Tells the database what the DNS said to us, every few seconds and off the way of any request. */
export class SightingLog {
  readonly #deps: SightingLogDeps;
  readonly #noted = new BoundedMap<string, number>(REMEMBERED);
  readonly #stop = new AbortController();
  readonly #writing: Promise<void>;
  #waiting: Sighting[] = [];
  #complained = false;

  constructor(deps: SightingLogDeps) {
    this.#deps = deps;
    this.#writing = this.#writeOnAndOn();
  }

  /** The names were seen at the addresses now. */
  note(names: Iterable<string>, addresses: readonly string[]): void {
    const { today } = this.#deps;
    const now = today();
    for (const name of names)
      for (const address of addresses) {
        const pair = `${address} ${name.toLowerCase()}`;
        if (this.#waiting.length >= MAX_WAITING || now - (this.#noted.get(pair) ?? -DAY_MS) < DAY_MS) continue;
        this.#noted.set(pair, now);
        const sighting = sightingOf(name, address, Math.floor(now / 1000), this.#deps);
        if (sighting) this.#waiting.push(sighting);
      }
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
      await this.#deps.store.note(batch);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#complained = false;
    } catch (err) {
      if (!this.#complained) this.#deps.log.warn({ err }, 'passive DNS cannot be written');
      this.#complained = true;
      // What the database refuses for a reason of its own it would refuse again.
      if (!(err instanceof ApiError)) this.#waiting = this.#waiting.slice(batch.length);
    }
  }
}

/**
 * A resolver whose answers are noted: the addresses of hosts, under each name of the chain that leads to them. What another server said that was asked by
 * its address is not: it may say of a name what it likes. `believed`: whether the configured servers are.
 */
export const noting = (resolver: Resolver, log: Pick<SightingLog, 'note'>, believed: () => boolean): Resolver => ({
  servers: resolver.servers,
  async query(name, type, options) {
    const answer = await resolver.query(name, type, options);
    if (type === 'A' && options?.server === undefined && believed()) log.note(namesOf(name, answer), addressesOf(answer));
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
    if (family === 4 && believed()) log.note(names, addresses);
    return addresses;
  },
});

const namesOf = (name: string, answer: DnsAnswer): Set<string> =>
  new Set([name.replace(/\.$/, ''), ...recordsOf(answer, 'CNAME').map(({ data }) => data)]);
const addressesOf = (answer: DnsAnswer): string[] => recordsOf(answer, 'A').map(({ data }) => data);

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

/** What /admin has for passive DNS. */
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
        throw new ApiError('invalid_parameter', 'names, addresses and seen are not of one length');
      const sightings = names.flatMap((name, n) => sightingOf(name, addresses[n]!, seen[n]!, rules) ?? []);
      return await store.addImported({ id: param, ...progress, unfit: names.length - sightings.length }, sightings);
    },
  },
];
