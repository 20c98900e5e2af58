import { expect, it } from 'vitest';
import pino from 'pino';
import { busWarnings } from '../../packages/gateway/src/fleet/bus-events.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';

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
