import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen, type ListenAt } from './listen.ts';
import type { Log } from './log.ts';

/** The pages of a process for its operators. */
export interface OpsPages {
  /** Whether it can do its work, and what /readyz says of that. */
  readiness(): Readiness | Promise<Readiness>;
  /** Brings up to date the gauges that are read off, just before a scrape. */
  beforeScrape(): void | Promise<void>;
  registry: { readonly contentType: string; metrics(): Promise<string> };
  /** Answers pages of the process's own; resolves to false for others. */
  further?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

export interface Readiness {
  ready: boolean;
  body: object;
}

/** The readiness of a process that takes jobs from the bus. `problem`: why it cannot do them. */
export function servingReadiness(bus: { connected(): boolean }, serving: { state(): string }, problem = ''): Readiness {
  const status = bus.connected() ? serving.state() : 'bus_unavailable';
  const ready = (status === 'ready' || status === 'degraded') && problem === '';
  return { ready, body: { status, ...(problem !== '' && { problem }) } };
}

export interface OpsListener {
  address: AddressInfo;
  close(): void;
}

/** Opens the operators' listener: /healthz (alive), /readyz (able to serve), /metrics. Throws a `StartError` when it cannot listen. */
export async function openOps(at: ListenAt, pages: OpsPages, log: Log): Promise<OpsListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const id = crypto.randomUUID();
    response.setHeader('x-request-id', id);
    response.setHeader('x-content-type-options', 'nosniff');
    answer(pages, request, response).catch((err: unknown) => {
      log.error({ request_id: id, err }, 'the operators’ listener failed');
      if (!response.headersSent) sendJson(response, 500, { error: 'The service failed', code: 'internal' });
      else response.destroy();
    });
  });
  const address = await listen(server, at);
  return {
    address,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(pages: OpsPages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (await pages.further?.(request, response)) return;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendJson(response, 405, { error: 'Use GET', code: 'method_not_allowed' });
  }
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const { ready, body } = await pages.readiness();
    return sendJson(response, ready ? 200 : 503, body);
  }
  if (path === '/metrics') {
    await pages.beforeScrape();
    const text = await pages.registry.metrics();
    response.writeHead(200, { 'content-type': pages.registry.contentType }).end(text);
    return;
  }
  sendJson(response, 404, { error: 'There is no such page', code: 'unknown_operation' });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
