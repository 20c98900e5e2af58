import type { Admin } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { openOps } from '@vedette/process/ops';
import { afterEach, expect, it } from 'vitest';
import { createAdminHandler } from '../../packages/gateway/src/admin.ts';
import { createAdminGuard } from '../../packages/gateway/src/admin-guard.ts';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';

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
  } as Partial<Admin> as Admin;
  const pages = {
    registry: metrics.registry,
    readiness: () => Promise.reject(new Error('no disk')),
    beforeScrape() {},
    further: createAdminHandler({ admin, guard: createAdminGuard({ token, clock: systemClock, metrics, log }), operations: [], log }),
  };
  const { address, close } = await openOps({ host: '127.0.0.1', port: 0, setting: 'VEDETTE_OPS_PORT' }, pages, log);
  stops.push(close);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${address.port}${path}`, { headers: { ...headers, connection: 'close' } });
  return { get, defects };
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
