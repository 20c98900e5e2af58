import { type Clock, unlessAborted, within } from '@vedette/contract';
import { isObject } from './json.ts';
import { SHIPPED_BOOTSTRAP } from '../snapshot.ts';

const DAY_MS = 86_400_000;
/** A request waits so long for a file that we never had; from then on it is refreshed beside the requests. */
const FIRST_WAIT_MS = 5_000;
const RETRY_MS = 10_000;
const REFRESH_RETRY_MS = 600_000;

export type BootstrapFile = keyof typeof SHIPPED_BOOTSTRAP;

export interface BootstrapOptions {
  clock: Clock;
  /** Fetches one of IANA's files, as the operator's own traffic. */
  fetch(file: BootstrapFile): Promise<unknown>;
  /** Plain http counts too: where the operator has the bootstrap itself over it. */
  plain: boolean;
}

/** Servers that answer for a key, the best first, as base URLs with a slash at the end. */
interface Services {
  keys: readonly string[];
  urls: readonly string[];
}

/** Finds the RDAP servers of a resource (RFC 9224). Files are fetched when they are first needed, and once a day after that. */
export class Bootstrap {
  readonly #domains: BootstrapTable<ReadonlyMap<string, readonly string[]>>;
  readonly #numbers: BootstrapTable<readonly AutnumRange[]>;

  constructor(options: BootstrapOptions) {
    const services = (json: unknown) => servicesOf(json, options.plain);
    this.#domains = new BootstrapTable('dns.json', options, (json) => domainsOf(services(json)));
    this.#numbers = new BootstrapTable('asn.json', options, (json) => rangesOf(services(json)));
  }

  /** The servers of the longest suffix that has one; none where it is known that there are none. */
  async forDomain(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const { table } = await this.#domains.get(signal);
    const labels = name.split('.');
    for (let i = 0; i < labels.length; i++) {
      const urls = table.get(labels.slice(i).join('.'));
      if (urls) return urls;
    }
    return [];
  }

  /** `isWhole`: the file is IANA's, so a number without a server is unassigned. */
  async forAutnum(asn: number, signal: AbortSignal): Promise<{ urls: readonly string[]; isWhole: boolean }> {
    const { table, isShipped } = await this.#numbers.get(signal);
    const urls = table.find(({ first, last }) => asn >= first && asn <= last)?.urls ?? [];
    return { urls, isWhole: !isShipped };
  }
}

interface Loaded<T> {
  table: T;
  isShipped: boolean;
}

class BootstrapTable<T> {
  readonly #name: BootstrapFile;
  readonly #options: BootstrapOptions;
  readonly #read: (json: unknown) => T;
  #loaded: { table: T; at: number } | undefined;
  #loading: Promise<void> | undefined;
  #failedAt = -Infinity;
  readonly #shipped: T;

  constructor(name: BootstrapFile, options: BootstrapOptions, read: (json: unknown) => T) {
    this.#name = name;
    this.#options = options;
    this.#read = read;
    this.#shipped = read(SHIPPED_BOOTSTRAP[name]);
  }

  async get(signal: AbortSignal): Promise<Loaded<T>> {
    const { clock } = this.#options;
    const isDue = this.#loaded === undefined || clock.now() - this.#loaded.at > DAY_MS;
    const retryMs = this.#loaded === undefined ? RETRY_MS : REFRESH_RETRY_MS;
    if (isDue && clock.now() - this.#failedAt > retryMs) {
      this.#loading ??= this.#load();
      if (!this.#loaded) await this.#patiently(this.#loading, signal);
    }
    return this.#loaded ? { table: this.#loaded.table, isShipped: false } : { table: this.#shipped, isShipped: true };
  }

  async #patiently(loading: Promise<void>, signal: AbortSignal): Promise<void> {
    const tooLong = new Error(`no ${this.#name} in time`);
    await within(
      this.#options.clock,
      FIRST_WAIT_MS,
      signal,
      () => tooLong,
      (bound) => unlessAborted(bound, loading),
    ).catch((error: unknown) => {
      if (error !== tooLong) throw error;
    });
  }

  /** Never rejects: what is there stays. */
  async #load(): Promise<void> {
    try {
      const table = this.#read(await this.#options.fetch(this.#name));
      this.#loaded = { table, at: this.#options.clock.now() };
    } catch {
      this.#failedAt = this.#options.clock.now();
    } finally {
      this.#loading = undefined;
    }
  }
}

/** Throws if the file is not a bootstrap file: an error page must not replace the copy. */
function servicesOf(json: unknown, plain: boolean): Services[] {
  const list: unknown = isObject(json) ? json.services : undefined;
  if (!Array.isArray(list) || list.length === 0) throw new Error('not a bootstrap file (RFC 9224 §3)');
  return list.flatMap((service: unknown): Services[] => {
    const [keys, urls]: unknown[] = Array.isArray(service) ? service : [];
    const usable = texts(urls)
      .filter((url) => /^https:\/\//i.test(url) || (plain && /^http:\/\//i.test(url)))
      .sort((a, b) => Number(/^http:/i.test(a)) - Number(/^http:/i.test(b)))
      .map((url) => (url.endsWith('/') ? url : `${url}/`));
    return usable.length === 0 ? [] : [{ keys: texts(keys), urls: usable }];
  });
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []);

function domainsOf(services: readonly Services[]): Map<string, readonly string[]> {
  const byName = new Map<string, readonly string[]>();
  for (const { keys, urls } of services)
    for (const key of keys) {
      const url = `http://${key.replace(/^\.|\.$/g, '')}/`;
      if (URL.canParse(url)) byName.set(new URL(url).hostname, urls);
    }
  return byName;
}

interface AutnumRange {
  first: number;
  last: number;
  urls: readonly string[];
}

const rangesOf = (services: readonly Services[]): AutnumRange[] =>
  services.flatMap(({ keys, urls }) =>
    keys.flatMap((key) => {
      const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(key);
      return match ? [{ first: Number(match[1]), last: Number(match[2] ?? match[1]), urls }] : [];
    }),
  );
