// A server of the front bench, in a process of its own: node test/bench/front-server.ts raw|free|paid, or the name of an operation, with paid- before it.
// Tells its port, and its CPU time whenever asked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { central, type Operation } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { createLedger, startEmbeddedPostgres } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { pino } from 'pino';
import { Type } from 'typebox';
import { createApp } from '../../packages/gateway/src/http/app.ts';
import { createMeasurementLog } from '../../packages/gateway/src/request/measurement-log.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { SHUT } from '../operations/shut.ts';
import { addressData } from './address-data.ts';
import { partsOf } from '../gateway/parts.ts';

const [mode, dataDir, key] = process.argv.slice(2) as [string, string, string];

/** Work that is next to nothing, so that what is measured is the front. */
const echo = (cost: number) =>
  central({
    name: 'echo',
    subject: 'service',
    summary: 'Say the host again',
    cost,
    deadline_ms: 10_000,
    request: Type.Object(
      { host: Type.String({ minLength: 1 }), timeout: Type.Optional(Type.Integer({ minimum: 5, maximum: 30, default: 25 })) },
      { additionalProperties: false },
    ),
    response: Type.Object({ host: Type.String(), timeout: Type.Integer() }),
    examples: [{ host: 'example.org' }],
    read: ({ host, timeout }) => ({ host, timeout: timeout! }),
    run: async (query) => query,
  });

async function start(): Promise<number> {
  if (mode === 'raw') {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { host } = JSON.parse(Buffer.concat(chunks).toString()) as { host: string };
        const body = JSON.stringify({ host, timeout: 25, elapsed_ms: 0 });
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  const ledger = await createLedger({ url: postgres.url, clock: systemClock, log, bootstrap: { key, monthlyCredits: 1e12 } });
  const metrics = createMetrics();
  const cost = mode.startsWith('paid') ? 1 : 0;
  const known = operations.find(({ name }) => mode.endsWith(name));
  const operation: Operation = known ? { ...known, cost } : echo(cost);
  const data = operation.name === 'ip-reputation' ? await addressData() : { phones: { isDisposable: () => false } };
  const measurements = createMeasurementLog({ ledger, clock: systemClock, metrics, log });
  const parts = partsOf({
    ledger,
    metrics,
    measurements,
    log,
    ports: { ...SHUT, ...data, clock: systemClock },
    rates: new TargetRates({ clock: systemClock, spares: [], gateways: () => 1 }),
    docs: false,
    connectionLimits: { total: 10_000, perAddress: 10_000 },
  });
  const app = createApp([operation], parts);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const port = await start();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ userUs: user, cpuUs: user + system });
});
process.send!({ port });
