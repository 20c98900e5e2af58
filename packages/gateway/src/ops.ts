import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '@vedette/ledger';
import type { Metrics } from './metrics.ts';

export interface OpsDeps {
  metrics: Metrics;
  log: Log;
  /** Why the gateway cannot serve; empty when it can. */
  notReady(): Promise<string[]>;
  /** Refreshes gauges that are read off, just before a scrape. */
  beforeScrape(): void;
  /** Answers `/admin/…`; resolves to false for paths that are not its own. */
  admin(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** The operators' listener: /healthz (alive), /readyz (able to serve), /metrics, /admin. */
export function createOpsServer({ metrics, log, notReady, beforeScrape, admin }: OpsDeps): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (await admin(request, response)) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendJson(response, 405, { error: 'Use GET', code: 'method_not_allowed' });
    }
    if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
    if (path === '/readyz') {
      const missing = await notReady();
      return sendJson(response, missing.length === 0 ? 200 : 503, { status: missing.length === 0 ? 'ready' : 'not ready', missing });
    }
    if (path === '/metrics') {
      beforeScrape();
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
      return;
    }
    sendJson(response, 404, { error: 'There is no such page', code: 'unknown_operation' });
  };
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const id = crypto.randomUUID();
    response.setHeader('x-request-id', id);
    answer(request, response).catch((err: unknown) => {
      log.error({ request_id: id, err }, 'the operators’ listener failed');
      if (!response.headersSent) sendJson(response, 500, { error: 'The service failed', code: 'internal' });
      else response.destroy();
    });
  });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
