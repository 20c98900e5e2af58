import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '@vedette/ledger';
import { startNatsServer } from '../../bus/nats-server.ts';
import { createAccount, openLedger, OPERATOR, sql } from '../../ledger/servers.ts';
import { type GatewayProcess, spawnGateway } from './gateway-process.ts';
import { startWitness, type Witness } from './witness.ts';

export interface Payer {
  accountId: string;
  apiKey: string;
}

/** Credits of the period spent and held, and the number of entries behind them. */
export interface Balance {
  spent: number;
  held: number;
  entries: number;
}

const UPKEEP_WITHIN_MS = 10_000;

/** What gateways share: a database, a bus and a DNS server that all outlive them. */
export interface MoneyWorld {
  databaseUrl: string;
  ledger: Ledger;
  witness: Witness;
  /** `port`: where it listens, as the successor of another does; else any. */
  startGateway(port?: number): Promise<GatewayProcess>;
  /** An account with so many credits a month, and a key of it. */
  payer(credits: number): Promise<Payer>;
  /** Which of the requests with these Idempotency-Keys the ledger has charged: key to id of the entry. */
  chargesOf(keys: readonly string[]): Promise<Map<string, string>>;
  balanceOf(accountId: string): Promise<Balance>;
  /** The balance once it is as it should be, or as it is when upkeep has had its time. */
  settledBalance(accountId: string, isSettled: (balance: Balance) => boolean): Promise<Balance>;
  /** Ends everything but the database. */
  stop(): Promise<void>;
}

export async function startMoneyWorld(databaseUrl: string): Promise<MoneyWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-money-'));
  const ledger = await openLedger(databaseUrl);
  const [nats, witness] = await Promise.all([startNatsServer(), startWitness()]);
  const gateways = new Set<GatewayProcess>();
  const balanceOf = async (accountId: string): Promise<Balance> => {
    const [balance] = await sql<Balance>(
      databaseUrl,
      `SELECT spent::float8 AS spent, held::float8 AS held, (SELECT count(*)::integer FROM entries WHERE account_id = $1) AS entries
        FROM accounts WHERE id = $1`,
      [accountId],
    );
    return balance!;
  };
  return {
    databaseUrl,
    ledger,
    witness,
    async startGateway(port = 0) {
      const gateway = await spawnGateway({
        VEDETTE_DATA_DIR: folder,
        VEDETTE_DATABASE_URL: databaseUrl,
        VEDETTE_NATS_URL: nats.url,
        VEDETTE_PORT: String(port),
        VEDETTE_BOOTSTRAP_KEY: 'a-key-of-ours',
        VEDETTE_ADMIN_TOKEN: 'an-admin-token-of-ours',
        VEDETTE_RESOLVERS: `${witness.endpoint.address}:${witness.endpoint.port}`,
        VEDETTE_LIMITS: 'off',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
      });
      gateways.add(gateway);
      return gateway;
    },
    async payer(credits) {
      const { id } = await createAccount(ledger, credits);
      const { key } = await ledger.admin.createKey(OPERATOR, { account: id, name: 'test' });
      return { accountId: id, apiKey: key };
    },
    async chargesOf(keys) {
      const rows = await sql<{ key: string; id: string }>(
        databaseUrl,
        `SELECT k.key, e.reservation_id::text AS id FROM idempotency_keys k JOIN entries e USING (account_id, reservation_id)
          WHERE k.key = ANY ($1::text[])`,
        [keys],
      );
      return new Map(rows.map(({ key, id }) => [key, id]));
    },
    balanceOf,
    async settledBalance(accountId, isSettled) {
      for (let waited = 0; ; waited += 100) {
        const balance = await balanceOf(accountId);
        if (isSettled(balance) || waited >= UPKEEP_WITHIN_MS) return balance;
        await sleep(100);
      }
    },
    async stop() {
      await Promise.all([...gateways].map((gateway) => gateway.kill()));
      await ledger.close();
      await Promise.all([nats.stop(), witness.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
