import type { Clock, PassiveDns, Resolver } from '@vedette/contract';
import type { PassiveDnsStore } from '@vedette/ledger';
import type { Health } from '@vedette/probes/health';
import type { Log } from '@vedette/process/log';
import type { GatewayConfig } from '../config/config.ts';
import { OptOuts, UNGATED } from '@vedette/probes/host';
import { registrableDomain } from '../shares/registrable-domain.ts';
import { noting, SightingLog, type SightingRules, withoutOptedOut } from './passive-dns.ts';

/** Has what the DNS says to requests noted. */
export interface Sightings {
  /** The resolver of a request of the account. */
  heardBy(account: string, resolver: Resolver): Resolver;
}

interface OwnersDeps extends SightingRules {
  resolver: Resolver;
  health: Health;
  store: PassiveDnsStore;
  clock: Clock;
  log: Log;
}

const ENDLESS = { signal: new AbortController().signal };

/** Facts about the owners of names: owners who opted out, and, unless the operator switched that off, the addresses of other owners' names. */
export function openOwners(
  { settings }: GatewayConfig,
  { resolver, health, store, clock, log, ...rules }: OwnersDeps,
): { optOuts: OptOuts; passiveDns: PassiveDns; sightings: Sightings | undefined; close(): Promise<void> } {
  const optOuts = new OptOuts({
    resolver,
    clock,
    siteOf: registrableDomain,
    health,
    forget(name) {
      store.forget(name).catch((err: unknown) => log.warn({ err }, 'passive DNS still has names of an owner who opted out'));
    },
  });
  const passiveDns = withoutOptedOut(store, { knownOut: (name) => optOuts.knownOut(name) });
  if (settings.VEDETTE_PASSIVE_DNS !== 'on') return { optOuts, passiveDns, sightings: undefined, close: async () => undefined };
  // A zone that is silent has not agreed: its names are kept when it answers soon after, or when they are seen another day.
  const mayBeKept = async (name: string) => {
    const said = await optOuts.said(name, UNGATED, ENDLESS);
    return said === undefined ? undefined : said !== 'out';
  };
  const sightings = new SightingLog({ ...rules, store, mayBeKept, clock, today: Date.now, log });
  return {
    optOuts,
    passiveDns,
    sightings: {
      heardBy: (account, heard) =>
        noting(heard, (names, addresses) => {
          if (health.verdict('resolver') !== 'bad') sightings.note(account, names, addresses);
        }),
    },
    close: () => sightings.close(),
  };
}
