import type { Ledger } from '@vedette/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRegistrations } from '../../packages/ledger/src/registrations/registrations.ts';
import { openStore, type Store } from '../../packages/ledger/src/store/store.ts';
import { createDatabase, openLedger, silent, sql, startServer, type TestServer } from './servers.ts';

let server: TestServer;
let url: string;
let one: Ledger;
let other: Ledger;
let store: Store;
beforeAll(async () => {
  server = await startServer('embedded');
  url = await createDatabase(server);
  [one, other] = await Promise.all([openLedger(url), openLedger(url)]);
  store = openStore(url, silent);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close(), store.close()]);
  await server.stop();
});
const DAY = { fresh_s: 86_400, kept_s: 30 * 86_400 };

it('what a registry said to one gateway is known to the others, as long as it counts', async () => {
  expect(await other.registrations.get('domain', 'a.com')).toBeUndefined();
  await one.registrations.put('domain', 'a.com', { registrar: 'Jemand & Söhne', nameservers: ['ns1'] }, DAY);
  const kept = { answer: { registrar: 'Jemand & Söhne', nameservers: ['ns1'] }, heard: expect.any(Date) as Date, fresh: true };
  expect(await other.registrations.get('domain', 'a.com')).toEqual(kept);
  expect(await other.registrations.get('autnum', 'a.com')).toBeUndefined();
  await other.registrations.put('domain', 'a.com', { registrar: 'B' }, { fresh_s: -1, kept_s: 60 });
  expect(await one.registrations.get('domain', 'a.com')).toMatchObject({ answer: { registrar: 'B' }, fresh: false });
  await other.registrations.put('domain', 'a.com', {}, { fresh_s: -2, kept_s: -1 });
  expect(await one.registrations.get('domain', 'a.com')).toBeUndefined();
});

it('two gateways may hear the same at once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? one : other).registrations.put('autnum', '3333', { i }, DAY)));
  expect(await sql(url, `SELECT count(*)::int AS n FROM registrations WHERE kind = 'autnum'`)).toEqual([{ n: 1 }]);
});

it('what is over goes, and the oldest of what is too much', async () => {
  await sql(url, 'DELETE FROM registrations');
  const registrations = createRegistrations(store, { rowsMax: 5 });
  for (let i = 0; i < 8; i++) await registrations.put('domain', `${i}.com`, {}, DAY);
  await registrations.put('domain', 'over.com', {}, { fresh_s: -2, kept_s: -1 });
  await registrations.expire();
  expect(await sql(url, 'SELECT name FROM registrations ORDER BY name')).toEqual(
    ['3', '4', '5', '6', '7'].map((i) => ({ name: `${i}.com` })),
  );
});

it('an answer of any size is none that we keep', async () => {
  const large = { registrar: crypto.getRandomValues(new Uint8Array(40_000)).toHex() };
  await expect(one.registrations.put('domain', 'large.com', large, DAY)).rejects.toThrow(/check constraint/);
});
