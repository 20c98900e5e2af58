import { openOps, sendJson, servingReadiness, type OpsListener, type OpsPages } from '@vedette/process/ops';
import { StartError } from '@vedette/process/start-error';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silent } from '../ledger/servers.ts';

let ready: boolean;
let pages: OpsPages;
let ops: OpsListener;
beforeEach(async () => {
  ready = true;
  let scrapes = 0;
  pages = {
    registry: { contentType: 'text/plain', metrics: async () => `scrapes_total ${scrapes}` },
    beforeScrape: () => void (scrapes += 1),
    readiness: () => ({ ready, body: { status: ready ? 'ready' : 'joining' } }),
    async further(request, response) {
      if (request.url !== '/more') return false;
      sendJson(response, 202, { method: request.method });
      return true;
    },
  };
  ops = await openOps({ host: '127.0.0.1', port: 0, setting: 'VEDETTE_OPS_PORT' }, pages, silent);
});
afterEach(() => ops.close());

const ask = async (path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${ops.address.port}${path}`, { method });
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return { status: response.status, text: await response.text() };
};

it.each([
  ['GET', '/healthz', 200, '{"status":"ok"}'],
  ['GET', '/readyz?verbose', 200, '{"status":"ready"}'],
  ['GET', '/nothing', 404, '{"error":"There is no such page","code":"unknown_operation"}'],
  ['POST', '/healthz', 405, '{"error":"Use GET","code":"method_not_allowed"}'],
  ['POST', '/more', 202, '{"method":"POST"}'],
])('answers %s %s with %i', async (method, path, status, text) => {
  expect(await ask(path, method)).toEqual({ status, text });
});

it('says with 503 that it is not ready', async () => {
  ready = false;
  expect(await ask('/readyz')).toEqual({ status: 503, text: '{"status":"joining"}' });
});

it('brings the metrics up to date before each scrape', async () => {
  await ask('/metrics');
  expect((await ask('/metrics')).text).toBe('scrapes_total 2');
});

it('names the setting of a port that is taken', async () => {
  const at = { host: '127.0.0.1', port: ops.address.port, setting: 'VEDETTE_OPS_PORT' };
  await expect(openOps(at, pages, silent)).rejects.toMatchObject({
    name: StartError.name,
    message: `port ${at.port} on 127.0.0.1 is taken; set VEDETTE_OPS_PORT to another one`,
  });
});

it.each([
  [true, 'ready', '', true, { status: 'ready' }],
  [true, 'degraded', '', true, { status: 'degraded' }],
  [true, 'draining', '', false, { status: 'draining' }],
  [false, 'ready', '', false, { status: 'bus_unavailable' }],
  [true, 'ready', 'no room', false, { status: 'ready', problem: 'no room' }],
])(
  'with the bus connected: %s, in the state %s and with the problem "%s" a process is ready: %s',
  (connected, state, problem, is, body) => {
    expect(servingReadiness({ connected: () => connected }, { state: () => state }, problem)).toEqual({ ready: is, body });
  },
);
