import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ledger } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { createAdminHandler } from '../../packages/gateway/src/admin.ts';
import { createAdminGuard } from '../../packages/gateway/src/admin-guard.ts';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';
import { createDatabase, openLedger, silent, startServer } from '../ledger/servers.ts';

export const TOKEN = 'admin-token-of-the-test';

/** The gateway's admin API over a ledger on an embedded PostgreSQL, as operators' listeners serve it. */
export async function startAdminServer(): Promise<{ url: string; port: number; ledger: Ledger; stop(): Promise<void> }> {
  const postgres = await startServer('embedded');
  const ledger = await openLedger(await createDatabase(postgres));
  const admin = createAdminHandler({
    admin: ledger.admin,
    guard: createAdminGuard({ token: TOKEN, clock: systemClock, metrics: createMetrics(), log: silent }),
    operations: ['ping-test', 'dns-lookup', 'locations'],
    log: silent,
  });
  const server = createServer((request, response) => void admin(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ledger,
    async stop() {
      server.closeAllConnections();
      server.close();
      await ledger.close();
      await postgres.stop();
    },
  };
}
