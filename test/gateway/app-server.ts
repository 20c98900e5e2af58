import { once } from 'node:events';
import { connect } from 'node:net';
import { ApiError } from '@vedette/contract';
import { central, type Operation } from '@vedette/operations/kit';
import type { Account, Ledger } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { pino } from 'pino';
import { Type } from 'typebox';
import { createApp } from '../../packages/gateway/src/http/app.ts';
import { listenAt } from '../../packages/gateway/src/http/http-server.ts';
import { createMetrics, type Metrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { SHUT } from '../operations/shut.ts';
import { type Given, partsOf } from './parts.ts';
import { accountOf } from '../ledger/account.ts';

/** The API over a real socket, with a ledger that knows the keys `key-of-<account>` and no money, and one operation. */
export interface AppServer extends AsyncDisposable {
  app: ReturnType<typeof createApp>;
  port: number;
  metrics: Metrics;
  /** What was logged. */
  log: Record<string, unknown>[];
  /** Requests of `hold` under way, and what lets them all be answered. */
  held(): number;
  letGo(): void;
  /** Writes octets; resolves to all that comes back until the connection closes, or for `ms`. */
  raw(octets: string | readonly string[], ms?: number): Promise<string>;
}

/** What `large` is answered with: more than the kernel keeps of it. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

export async function openApp({ operations, ...given }: Partial<Given> & { operations?: readonly Operation[] } = {}): Promise<AppServer> {
  let held = 0;
  const { promise: allowed, resolve: letGo } = Promise.withResolvers<void>();
  const echo = central({
    name: 'echo',
    subject: 'service',
    summary: 'Say the host again; `hold` waits until it may, `large` says much',
    cost: 1,
    deadline_ms: 20_000,
    request: Type.Object({ host: Type.String() }, { additionalProperties: false }),
    response: Type.Object({ host: Type.String() }),
    contactsTarget: false,
    examples: [{ host: 'example.org' }],
    read: ({ host }) => ({ host }),
    async run(query) {
      if (query.host === 'large') return { host: LARGE };
      if (query.host !== 'hold') return query;
      held++;
      await allowed.finally(() => held--);
      return query;
    },
  });
  const log: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const parts = partsOf({
    ledger: stubLedger(),
    metrics,
    log: pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
    ports: { ...SHUT, clock: systemClock },
    v1: true,
    rates: new TargetRates({ clock: systemClock, spares: [], gateways: () => 1 }),
    ...given,
  });
  const app = createApp(operations ?? [echo], parts);
  // For `localhost` Fastify would open a second server, whose connections are not counted, wherever that name has two addresses.
  const { port } = await listenAt(app, { host: 'localhost', port: 0 });
  return {
    app,
    port,
    metrics,
    log,
    held: () => held,
    letGo,
    async raw(octets, ms = 3_000) {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      for (const part of [octets].flat()) socket.write(part);
      const timer = setTimeout(() => socket.destroy(), ms);
      await once(socket, 'close');
      clearTimeout(timer);
      return text;
    },
    async [Symbol.asyncDispose]() {
      letGo();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** Ten bad keys block an address; nothing costs anything. */
export function stubLedger(): Ledger {
  const failures = new Map<string, number>();
  const known = new Map<string, { account: Account; suspended: boolean; until: number }>();
  const ledger: Partial<Ledger> = {
    recall: (text) => known.get(text),
    admit: ({ account }) => account,
    async authenticate(text) {
      const id = /^key-of-(\w+)$/.exec(text)?.[1];
      if (id === undefined) throw new ApiError(text.startsWith('guess-') ? 'key_unknown' : 'key_malformed');
      const account = accountOf(id, text, id);
      known.set(text, { account, suspended: false, until: Infinity });
      return account;
    },
    blockedFor: (address, source) => ((failures.get(address + source) ?? 0) >= 10 ? 3600 : 0),
    async recordInvalidKey(address, source) {
      failures.set(address + source, (failures.get(address + source) ?? 0) + 1);
    },
    isDenied: () => false,
    quota: () => ({ limit: 10, remaining: 10, reset: 0 }),
    reserve: async ({ account, operation, cost }) => ({ id: 'r', accountId: account.id, operation, cost }),
    settle: async () => {},
    keptAnswer: async () => undefined,
    release: async () => {},
  };
  return ledger as Ledger;
}

/** A POST of the one operation, as octets. */
export const post = (host: string, { key = 'key-of-a', headers = '', path = '/v2/echo' } = {}): string => {
  const body = JSON.stringify({ host });
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
};

/** Status lines of what came back. */
export const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
