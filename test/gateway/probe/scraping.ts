import type { AskOptions, LocationReply } from '@vedette/bus';
import { createAddressPolicy } from '@vedette/probes/host';
import { failure, type Reason } from '@vedette/contract';
import { readCatalogue } from '../../../packages/gateway/src/locations/locations.ts';
import { readProbeFile } from '../../../packages/gateway/src/probe-modules/module-file.ts';
import { openApp, stubLedger } from '../app-server.ts';
import type { Given } from '../parts.ts';

/** What one location says: a result, the reason of a failure, or both. */
export interface Told {
  result?: unknown;
  reason?: Reason;
  seen?: string;
  agent_state?: 'ready' | 'degraded';
}

/** A gateway with `/probe` over a real socket, whose locations say what they are told to. */
export interface Scraping extends AsyncDisposable {
  /** GET /probe with this behind the `?`. */
  scrape(query: string, headers?: Record<string, string>, method?: string): Promise<Scraped>;
  /** What the agents were asked for, in order. */
  asked: AskOptions[];
  /** What was reserved, settled and released, in order. */
  money: string[];
  port: number;
}

interface Scraped {
  status: number;
  /** What Prometheus shows of an answer that is not a 200. */
  statusText: string;
  headers: Headers;
  text: string;
}

const CATALOGUE = JSON.stringify({
  'eu-fra': { continent: 'EU', country: 'DE', city: 'Frankfurt', lat: 50.11, lon: 8.68 },
  'us-ash': { continent: 'NA', country: 'US', city: 'Ashburn', lat: 39.04, lon: -77.49 },
  'sg-sin': { continent: 'AS', country: 'SG', city: 'Singapore', lat: 1.35, lon: 103.82 },
});
export const KEY = { authorization: 'Bearer key-of-a' };

/** `told` by location: those that are not in it have no agent. */
export async function openProbe(
  told: Record<string, Told>,
  {
    file,
    unmetered = false,
    allowedOperations = ['probe'],
    before,
    ...options
  }: Partial<Given> & { file?: string; unmetered?: boolean; allowedOperations?: string[] | null; before?: () => Promise<void> } = {},
): Promise<Scraping> {
  const asked: AskOptions[] = [];
  const money: string[] = [];
  const ledger = stubLedger();
  const { authenticate, admit } = ledger;
  const mayDo = { allowedOperations, unmeteredProbe: unmetered };
  Object.assign(ledger, {
    authenticate: async (text: string) => ({ ...(await authenticate(text)), ...mayDo }),
    admit: (recalled: Parameters<typeof admit>[0]) => ({ ...admit(recalled), ...mayDo }),
    reserve: async (wanted: Parameters<typeof ledger.reserve>[0]) => {
      money.push(`reserve ${wanted.cost} for ${wanted.operation}`);
      return { id: 'r', accountId: wanted.account.id, operation: wanted.operation, cost: wanted.cost };
    },
    settle: async ({ cost }: { cost: number }) => void money.push(`settle ${cost}`),
    release: async ({ cost }: { cost: number }) => void money.push(`release ${cost}`),
  });
  const catalogue = readCatalogue(CATALOGUE);
  const server = await openApp({
    ledger,
    catalogue,
    known: { ids: [...catalogue.ids] },
    presence: { agents: () => [], isSimulated: () => false, route: () => ({ how: 'any' }) },
    policy: createAddressPolicy({ allowNets: ['192.0.2.0/24', '2001:db8::/32'] }),
    ...(file !== undefined && { probeModules: readProbeFile(file, '/nowhere/probe.yml') }),
    asker: {
      async ask(asking) {
        asked.push(asking);
        if (before) {
          for (const location of asking.locations) await asking.admit?.(location); // jobs have left
          await before();
        }
        const replies = asking.locations.map((location) => replyOf(location, told[location] ?? { reason: 'no_agent' }));
        for (const [index, reply] of replies.entries()) asking.onReply?.(reply, index);
        return replies;
      },
    },
    ...options,
  });
  return {
    asked,
    money,
    port: server.port,
    async scrape(query, headers = KEY, method = 'GET') {
      const response = await fetch(`http://127.0.0.1:${server.port}/probe?${query}`, { method, headers });
      return { status: response.status, statusText: response.statusText, headers: response.headers, text: await response.text() };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const replyOf = (location: string, { result, reason, seen, agent_state = 'ready' }: Told): LocationReply => ({
  location,
  agent: 'one',
  agent_state,
  simulated: false,
  ...(result !== undefined && { result }),
  ...(reason && { failure: failure(reason, seen) }),
});

/** The samples of a scrape: name and labels → value. */
export function samplesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
