import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { Ledger } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/config.ts';
import { joinFleet } from '../../packages/gateway/src/fleet.ts';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';
import { startNatsServer } from '../bus/nats-server.ts';

const ledger = {
  knownLocations: () => [],
  deniedNetworks: () => [],
  invalidations: { subscribe: () => () => undefined, publish: async () => undefined, apply: async () => undefined },
} as Partial<Ledger> as Ledger;

it('a gateway whose connection for beats is away is not connected: it heard no agent, and said that it was ready', async () => {
  const server = await startNatsServer();
  await server.start();
  const clients: Socket[] = [];
  let open = true;
  const proxy = createServer((client) => {
    client.on('error', () => undefined);
    if (!open) return void client.destroy();
    clients.push(client);
    const upstream = connect(server.port, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const opened = new AsyncDisposableStack();
  try {
    const config = readConfig({ VEDETTE_NATS_URL: `nats://127.0.0.1:${port}` });
    const log = pino({ level: 'silent' });
    const fleet = await joinFleet(config, { ledger, listeners: () => [], metrics: createMetrics(), clock: systemClock, log, opened });
    expect(fleet.connected()).toBe(true);
    open = false;
    clients[1]!.destroy();
    await expect.poll(fleet.connected, { timeout: 5_000 }).toBe(false);
    expect(fleet.bus.connected()).toBe(true);
    open = true;
    await expect.poll(fleet.connected, { timeout: 10_000 }).toBe(true);
  } finally {
    await opened.disposeAsync();
    proxy.close();
    await server.stop();
  }
});
