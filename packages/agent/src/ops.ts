import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Bus, Serving } from '@vedette/bus';
import type { Measuring } from './measuring.ts';
import type { AgentMetrics } from './metrics.ts';

export interface OpsOptions {
  host: string;
  port: number;
  bus: Bus;
  serving: Serving;
  icmp: Measuring['icmp'];
  metrics: AgentMetrics;
}

/** The operators' listener: /healthz (alive), /readyz (takes jobs), /metrics. Rejects when the port is taken. */
export async function startOps({ host, port, bus, serving, icmp, metrics }: OpsOptions): Promise<Server> {
  const pages: Record<string, (response: ServerResponse) => Promise<void> | void> = {
    '/healthz': (response) => send(response, 200, { status: 'ok' }),
    '/readyz': (response) => {
      const status = bus.connected() ? serving.state() : 'bus_unavailable';
      send(response, status === 'ready' || status === 'degraded' ? 200 : 503, { status });
    },
    '/metrics': async (response) => {
      refresh(metrics, { bus, serving, icmp });
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    },
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const page = pages[(request.url ?? '').split('?', 1)[0]!];
    if (page === undefined) return send(response, 404, { error: 'There is no such page' });
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, { error: 'Use GET' });
    Promise.resolve(page(response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function refresh(metrics: AgentMetrics, { bus, serving, icmp }: Pick<OpsOptions, 'bus' | 'serving' | 'icmp'>): void {
  metrics.natsConnected.set(bus.connected() ? 1 : 0);
  metrics.selfTestSuccess.set(serving.state() === 'degraded' ? 0 : 1);
  for (const [kind, slots] of Object.entries(serving.slots()))
    for (const [state, value] of Object.entries(slots)) metrics.slots.set({ kind, state }, value);
  metrics.icmpStrays.reset();
  for (const [family, strays] of icmp?.counters ?? [])
    for (const [kind, count] of Object.entries(strays)) metrics.icmpStrays.inc({ family, kind }, count);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
