import { writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createNkey, natsServerConfig } from '@vedette/bus';
import type { Ledger } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { StartError } from '@vedette/process/start-error';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/config/config.ts';
import { busWarnings } from '../../packages/gateway/src/fleet/bus-events.ts';
import { joinFleet } from '../../packages/gateway/src/fleet/fleet.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { startNatsServer } from '../bus/nats-server.ts';

const ledger = {
  knownLocations: () => [],
  denied: { networks: () => [], names: () => [] },
  invalidations: { subscribe: () => () => undefined, publish: async () => undefined, apply: async () => undefined },
} as Partial<Ledger> as Ledger;

it('a gateway whose connection for beats is away is not connected, and says so: it heard no agent, and said that it was ready', async () => {
  const server = await startNatsServer();
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
    const told: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void told.push(JSON.parse(line) as Record<string, unknown>) });
    const fleet = await joinFleet(config, { ledger, listeners: () => [], metrics: createMetrics(), clock: systemClock, log, opened });
    expect(fleet.connected()).toBe(true);
    open = false;
    clients[1]!.destroy();
    await expect.poll(fleet.connected, { timeout: 5_000 }).toBe(false);
    expect(fleet.bus.connected()).toBe(true);
    open = true;
    await expect.poll(fleet.connected, { timeout: 10_000 }).toBe(true);
    expect(told.filter(({ carries }) => carries).map(({ carries, msg }) => [carries, msg])).toEqual([
      ['beats', 'the message bus cannot be reached'],
      ['beats', 'the message bus is back'],
    ]);
  } finally {
    await opened.disposeAsync();
    proxy.close();
    await server.stop();
  }
});

it("a gateway with an agent's key ends with a sentence: it went on for ever, and heard nobody", async () => {
  const agent = createNkey();
  const server = await startNatsServer((port) =>
    natsServerConfig({
      host: '127.0.0.1',
      port,
      gateways: [{ publicKey: createNkey().publicKey }],
      agents: [{ publicKey: agent.publicKey, location: 'eu-fra' }],
    }),
  );
  const keyFile = join(server.folder, 'agent.nkey');
  writeFileSync(keyFile, agent.seed);
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const opened = new AsyncDisposableStack();
  try {
    const config = readConfig({ VEDETTE_NATS_URL: server.url, VEDETTE_NATS_CREDS: keyFile });
    const fleet = await joinFleet(config, { ledger, listeners: () => [], metrics: createMetrics(), clock: systemClock, log, opened });
    const reason = await fleet.lost;
    expect(reason).toBeInstanceOf(StartError);
    expect(reason.message).toBe(
      `the key in ${keyFile} is no gateway's to the message bus: give VEDETTE_NATS_CREDS a gateway's file of those that \`vedette bus prepare\` wrote`,
    );
    // As agents say it.
    expect(lines.find(({ code }) => code !== 'server_outdated')).toMatchObject({
      msg: 'message bus',
      code: expect.stringMatching(/^forbidden_/) as string,
      detail: expect.any(String) as string,
    });
  } finally {
    await opened.disposeAsync();
    await server.stop();
  }
});

it('an old nats-server is named once for all connections, and is no error of the bus', async () => {
  const lines: string[] = [];
  const metrics = createMetrics();
  const warn = busWarnings(metrics, pino({}, { write: (line: string) => void lines.push(JSON.parse(line).detail as string) }));
  for (const detail of ['nats-server 2.9.10', 'nats-server 2.9.10', 'nats-server 2.10.27']) warn('server_outdated', detail);
  warn('protocol', 'lost');
  warn('protocol', 'lost');
  expect(lines).toEqual(['nats-server 2.9.10', 'nats-server 2.10.27', 'lost', 'lost']);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/^vedette_gateway_bus_outdated 1$/m);
  expect(text).toMatch(/^vedette_gateway_bus_errors_total 2$/m);
});
