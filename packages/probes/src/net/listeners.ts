import { lookup } from 'node:dns/promises';
import { classifyIp, type Clock, formatIp, type Listener, listOf, parseIp } from '@vedette/contract';
import { ownAddresses } from './own-addresses.ts';

/** The services that the operator runs for us, by the URLs in the settings. */
export interface Services {
  /** Several are separated by commas. */
  bus: string;
  /** Undefined: one of our own, which opens no port. */
  database?: string | undefined;
}

const NATS_PORT = 4222;
const POSTGRES_PORT = 5432;
/** How long a service that moved is not known at its new address. */
const INTERVAL_MS = 60_000;

/** Ports of our own on this machine: at any of its addresses, whichever they were bound to. */
export const ownListener = (ports: readonly number[]): Listener => ({ addresses: ownAddresses(), ports });

/**
 * Where the bus and the database listen. Names are resolved as the system does for those who connect to them, now and every minute; of
 * one that is not found the last addresses stay.
 */
export async function followServices(
  { bus, database }: Services,
  clock: Clock,
): Promise<{ listeners(): readonly Listener[]; stop(): void }> {
  const stopped = new AbortController();
  const hosts = [...listOf(bus).map((url) => hostOf(url, NATS_PORT)), hostOf(database, POSTGRES_PORT)].filter((host) => host !== undefined);
  const found = new Map<string, Listener>();
  const find = async ({ host, port }: { host: string; port: number }): Promise<void> => {
    const literal = parseIp(host);
    const addresses = literal ? [formatIp(literal)] : await addressesOf(host);
    if (addresses.length > 0) found.set(`${host} ${port}`, { addresses, ports: [port] });
  };
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await clock.sleep(INTERVAL_MS, stopped.signal).catch(() => undefined); // stopped
      if (stopped.signal.aborted) return;
      await Promise.all(hosts.map(find));
    }
  };
  await Promise.all(hosts.map(find));
  if (hosts.some(({ host }) => parseIp(host) === undefined)) void follow();
  return { listeners: () => found.values().map(onMachine).toArray(), stop: () => stopped.abort() };
}

/** A listener on this machine may be reached at any of its addresses. */
function onMachine({ addresses, ports }: Listener): Listener {
  const own = ownAddresses();
  const here = addresses.some((address) => own.includes(address) || classifyIp(parseIp(address)!) === 'loopback');
  return { addresses: here ? [...own, ...addresses] : addresses, ports };
}

/** The system's own view of a name, hosts file included; none where it has none. */
const addressesOf = async (host: string): Promise<string[]> => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/**
 * Undefined for a socket of the file system and for an invalid URL: connecting to it reports the error. PostgreSQL takes the host as a
 * parameter too.
 */
function hostOf(text = '', defaultPort: number): { host: string; port: number } | undefined {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`);
  if (!url) return undefined;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.searchParams.get('port') ?? (url.port === '' ? defaultPort : url.port));
  return host === '' || host.startsWith('/') ? undefined : { host, port };
}
