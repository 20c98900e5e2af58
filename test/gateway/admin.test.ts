import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, adminRoutes } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { openOps } from '@vedette/process/ops';
import { afterEach, expect, it } from 'vitest';
import { createAdminHandler } from '../../packages/gateway/src/ops/admin.ts';
import { createAdminGuard } from '../../packages/gateway/src/ops/admin-guard.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The operators' listener over an admin whose plans cannot be read, and what it logs. */
async function listen(token: string) {
  const metrics = createMetrics();
  const defects: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void defects.push(fields) };
  const admin = {
    listPlans: () => Promise.reject(new Error('relation "plans" does not exist')),
    listDenied: async () => [],
    listActs: async () => [],
    listMeasurements: async () => [],
  } as Partial<Admin> as Admin;
  const pages = {
    registry: metrics.registry,
    readiness: () => Promise.reject(new Error('no disk')),
    beforeScrape() {},
    further: createAdminHandler({
      routes: adminRoutes(admin, []),
      guard: createAdminGuard({ token, clock: systemClock, metrics, log }),
      log,
    }),
  };
  const { address, close } = await openOps({ host: '127.0.0.1', port: 0, setting: 'VEDETTE_OPS_PORT' }, pages, log);
  stops.push(close);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${address.port}${path}`, { headers: { ...headers, connection: 'close' } });
  return { get, defects, port: address.port };
}

it.each([
  ['none', {}],
  ['an empty one', { authorization: 'Bearer ' }],
  ['another', { authorization: 'Bearer other' }],
  ['another scheme', { authorization: 'Basic token' }],
])('lets nobody in with %s, whatever the token is', async (_what, headers) => {
  for (const token of ['token', '']) {
    const { get } = await listen(token);
    expect((await get('/admin/deny', headers)).status).toBe(401);
  }
});

it('opens with the token', async () => {
  const { get } = await listen('token');
  const response = await get('/admin/deny', { authorization: 'Bearer token' });
  expect([response.status, await response.json()]).toEqual([200, []]);
});

it.each([
  ['/admin/plans', 'relation "plans" does not exist'],
  ['/readyz', 'no disk'],
])('keeps a defect at %s for the log, under the id that the client has', async (path, message) => {
  const { get, defects } = await listen('token');
  const response = await get(path, { authorization: 'Bearer token' });
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining(message)]);
  expect(defects).toEqual([
    expect.objectContaining({ request_id: response.headers.get('x-request-id'), err: expect.objectContaining({ message }) }),
  ]);
});

it('is no failure of the service where a client breaks its upload off: that was an error in the log', async () => {
  const { get, defects, port } = await listen('token');
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /admin/deny HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\nContent-Length: 1000\r\n\r\n{"ta');
  await sleep(100);
  socket.destroy();
  await sleep(100);
  await get('/admin/deny', { authorization: 'Bearer token' });
  expect(defects).toEqual([]);
});

it.each([
  [400, 'since=2026-13-45'],
  [400, 'since=2026-02-30'],
  [400, 'until=2026-01-01T25:00Z'],
  [400, 'until=2026-01-01T10:00%2B99:00'],
  [400, 'since=0000-01-01'],
  [200, 'since=2026-02-28&until=2028-02-29T23:59:59Z'],
  [200, 'since=2026-01-01T10:00%2B14:00'],
])('answers %s to a search with %s: an instant that there is not was a defect of ours', async (status, query) => {
  const { get } = await listen('token');
  for (const path of ['/admin/audit', '/admin/measurements'])
    expect((await get(`${path}?${query}`, { authorization: 'Bearer token' })).status).toBe(status);
});

it('refuses a NUL in what an act was done to', async () => {
  const { get } = await listen('token');
  expect((await get('/admin/audit?subject=%00', { authorization: 'Bearer token' })).status).toBe(400);
});
