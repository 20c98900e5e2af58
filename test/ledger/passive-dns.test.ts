import type { Ledger, Sighting } from '@vedette/ledger';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, createDatabase, openLedger, OPERATOR, sql, startServer, type TestServer } from './servers.ts';

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const address = '192.0.2.7';

let server: TestServer;
let url: string;
let ledger: Ledger;
beforeAll(async () => {
  server = await startServer('embedded');
  url = await createDatabase(server);
  ledger = await openLedger(url, { passiveDns: { maxRows: 20_000, months: 13 } });
});
afterAll(async () => {
  await ledger.close();
  await server.stop();
});
beforeEach(() => sql(url, 'TRUNCATE passive_dns, passive_dns_imports; UPDATE passive_dns_size SET rows = 0'));

const at = (name: string, seen: number, domain = name.split('.').slice(-2).join('.')): Sighting => ({ address, name, domain, seen });
const many = (count: number, of: (n: number) => Sighting): Sighting[] => Array.from({ length: count }, (_, n) => of(n));
const names = async (page = 1) => (await ledger.passiveDns.namesAt(address, page)).map(({ name }) => name);
const seenAt = async (name: string) =>
  Math.floor(((await ledger.passiveDns.namesAt(address, 1)).find((row) => row.name === name)?.last_seen.getTime() ?? 0) / 1000);
const rows = async () => (await ledger.passiveDns.status()).rows;
const counted = async () => (await sql<{ count: number }>(url, 'SELECT count(*)::int AS count FROM passive_dns'))[0]!.count;
const importOf = (id: string) => ledger.passiveDns.beginImport(OPERATOR, { id, file: `${id}.json` });

it('forgets a name with all below it, at every address, and nothing beside', async () => {
  const elsewhere = (name: string): Sighting => ({ ...at(name, now), address: '198.51.100.7' });
  await ledger.passiveDns.note(['a.test', 'www.a.test', 'aa.test', 'a.test.org'].map((name) => at(name, now)));
  await ledger.passiveDns.note([elsewhere('mail.a.test')]);
  await ledger.passiveDns.forget('a.test');
  expect(await names()).toEqual(['a.test.org', 'aa.test']);
  expect([await rows(), await counted()]).toEqual([2, 2]);
});

describe('the names at an address', () => {
  it('come the last seen first, then by name', async () => {
    await ledger.passiveDns.note([at('b.test', now - 60), at('a.test', now - 60), at('c.test', now - 30), at('d.test', now - 90)]);
    expect(await ledger.passiveDns.namesAt(address, 1)).toEqual([
      { name: 'c.test', last_seen: new Date((now - 30) * 1000) },
      { name: 'a.test', last_seen: new Date((now - 60) * 1000) },
      { name: 'b.test', last_seen: new Date((now - 60) * 1000) },
      { name: 'd.test', last_seen: new Date((now - 90) * 1000) },
    ]);
    expect(await ledger.passiveDns.namesAt('192.0.2.8', 1)).toEqual([]);
  });

  it('come 500 to a page, each once, and none behind the last page that is read', async () => {
    await ledger.passiveDns.note(many(1_100, (n) => at(`n${n}.test`, now - (n % 7) * DAY)));
    const pages = await Promise.all([1, 2, 3, 4, 201].map((page) => names(page)));
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 100, 0, 0]);
    expect(new Set(pages.flat()).size).toBe(1_100);
  });

  it('are read from an index alone, the deepest page too', async () => {
    await ledger.passiveDns.note(many(10_000, (n) => at(`n${n}.test`, now - n)));
    await ledger.passiveDns.note(many(10_000, (n) => ({ ...at(`m${n}.test`, now - n), address: `198.51.100.${n % 250}` })));
    const explain = async () => {
      // A transaction that began before the rows were written keeps a page of the table from being all visible.
      await sql(url, 'VACUUM ANALYZE passive_dns');
      const plan = await sql<{ 'QUERY PLAN': string }>(
        url,
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT name, last_seen FROM passive_dns WHERE address = '${address}'
         ORDER BY last_seen DESC, name LIMIT 500 OFFSET 9500`,
      );
      return plan.map((line) => line['QUERY PLAN']).join('\n');
    };
    await expect.poll(explain, { timeout: 10_000 }).toMatch(/Heap Fetches: 0/);
    const text = await explain();
    expect(text).toMatch(/Index Only Scan using passive_dns_page .*\(actual rows=10000/);
    expect(text).not.toContain('Sort');
  });
});

describe('when a name was last seen', () => {
  it('is written once a day of what we see ourselves', async () => {
    const seen = now - 3 * DAY;
    expect(await ledger.passiveDns.note([at('a.test', seen)])).toEqual({ added: 1, updated: 0, refused: 0, expired: 0 });
    expect(await ledger.passiveDns.note([at('a.test', seen + DAY / 2)])).toEqual({ added: 0, updated: 0, refused: 0, expired: 0 });
    expect(await seenAt('a.test')).toBe(seen);
    expect(await ledger.passiveDns.note([at('a.test', seen + DAY + 60)])).toEqual({ added: 0, updated: 1, refused: 0, expired: 0 });
    expect(await seenAt('a.test')).toBe(seen + DAY + 60);
  });

  it('is the latest of what a file says, and of what we saw, in whatever order it comes', async () => {
    await importOf('one');
    const add = (from: number, sightings: Sighting[]) =>
      ledger.passiveDns.addImported({ id: 'one', from, lines: from + sightings.length, done: false, unfit: 0 }, sightings);
    await add(0, [at('a.test', now - 60), at('a.test', now - 30), at('a.test', now - 90)]);
    expect(await seenAt('a.test')).toBe(now - 30);
    expect(await add(3, [at('a.test', now - 300 * DAY)])).toEqual({ added: 0, updated: 0, refused: 0, expired: 0, unfit: 0 });
    expect(await seenAt('a.test')).toBe(now - 30);
    expect(await add(4, [at('a.test', now - 20)])).toMatchObject({ updated: 1 });
    expect(await seenAt('a.test')).toBe(now - 20);
  });

  it('is never in the future', async () => {
    await ledger.passiveDns.note([at('a.test', now + 400 * DAY)]);
    expect(Math.abs((await seenAt('a.test')) - now)).toBeLessThan(600);
  });
});

describe('what is kept', () => {
  it('is 200 names below one domain at an address, and the domain itself', async () => {
    const first = await ledger.passiveDns.note([...many(150, (n) => at(`h${n}.wild.test`, now)), at('not-wild.test', now)]);
    expect(first).toMatchObject({ added: 151, refused: 0 });
    // Those that are known take no room again.
    expect(
      await ledger.passiveDns.note([...many(150, (n) => at(`h${n}.wild.test`, now)), ...many(50, (n) => at(`i${n}.wild.test`, now))]),
    ).toMatchObject({ added: 50, refused: 0 });
    expect(await ledger.passiveDns.note([at('j.wild.test', now), at('wild.test', now), at('a.not-wild.test', now)])).toMatchObject({
      added: 2,
      refused: 1,
    });
    expect(await ledger.passiveDns.note([{ ...at('j.wild.test', now), address: '192.0.2.8' }])).toMatchObject({ added: 1 });
  });

  it('is bounded in one batch as well', async () => {
    expect(await ledger.passiveDns.note(many(500, (n) => at(`h${n}.wild.test`, now)))).toMatchObject({ added: 200, refused: 300 });
  });

  it('is what was seen within the months that are kept', async () => {
    expect(await ledger.passiveDns.note([at('old.test', now - 500 * DAY), at('new.test', now)])).toMatchObject({ added: 1, expired: 1 });
    await sql(url, `UPDATE passive_dns SET last_seen = now() - interval '14 months'`);
    await ledger.passiveDns.note([at('newer.test', now)]);
    await ledger.passiveDns.sweep();
    expect(await names()).toEqual(['newer.test']);
    expect(await rows()).toBe(1);
  });

  it('is not more than there is room for: the oldest make it', async () => {
    const batches = Array.from({ length: 11 }, (_, batch) => many(2_000, (n) => at(`n${batch}-${n}.test`, now - DAY * (20 - batch))));
    const written = [];
    for (const batch of batches) written.push(await ledger.passiveDns.note(batch));
    expect(written.reduce((sum, { added }) => sum + added, 0)).toBe(20_000);
    expect(written.at(-1)).toMatchObject({ added: 0, refused: 2_000 });
    await ledger.passiveDns.sweep();
    expect([await rows(), await counted()]).toEqual([19_800, 19_800]);
    expect(await sql(url, `SELECT count(*)::int AS left FROM passive_dns WHERE name LIKE 'n0-%'`)).toEqual([{ left: 1_800 }]);
    expect(await ledger.passiveDns.note([at('room.test', now)])).toMatchObject({ added: 1 });
  });

  it('is counted right while two gateways write and sweep', async () => {
    const other = await openLedger(url, { passiveDns: { maxRows: 20_000, months: 13 } });
    const batch = (from: number) => many(500, (n) => at(`n${from + n}.test`, now - 2 * DAY));
    await Promise.all(
      [0, 250, 500, 750].flatMap((from) => [
        ledger.passiveDns.note(batch(from)),
        other.passiveDns.note(batch(from)),
        other.passiveDns.sweep(),
      ]),
    );
    expect([await rows(), await counted()]).toEqual([1_250, 1_250]);
    await other.close();
  });
});

describe('an import', () => {
  it('goes on where it was, and never does the same lines twice', async () => {
    expect(await importOf('file')).toEqual({ lines: 0 });
    const add = (from: number, lines: number, done = false) =>
      ledger.passiveDns.addImported({ id: 'file', from, lines, done, unfit: 2 }, [at(`l${from}.test`, now)]);
    await add(0, 10);
    expect(await importOf('file')).toEqual({ lines: 10 });
    await expect(add(0, 10)).rejects.toMatchObject({ code: 'invalid_parameter' });
    await add(10, 20, true);
    await expect(add(20, 30)).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect((await ledger.passiveDns.status()).imports).toEqual([
      {
        id: 'file',
        file: 'file.json',
        lines: 20,
        last: { added: 1, updated: 0, refused: 0, expired: 0, unfit: 2 },
        began_at: expect.any(String),
        finished_at: expect.any(String),
      },
    ]);
    // One that has finished begins anew.
    expect(await importOf('file')).toEqual({ lines: 0 });
    expect(await names()).toEqual(['l0.test', 'l10.test']);
  });

  it('stands in the trail', async () => {
    await importOf('told');
    expect(await ledger.admin.listActs({ subject: 'told.json' })).toMatchObject([
      { act: 'passive_dns.import', detail: { id: 'told', from_line: 0 } },
    ]);
  });

  it('is told that nothing was written where the database is away', async () => {
    const closed = await openLedger(url);
    await closed.close();
    await expect(closed.passiveDns.namesAt(address, 1)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await expect(closed.passiveDns.note([at('a.test', now)])).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });
});

describe('is in nobody’s way', () => {
  /** Six pages at once, behind a lock that lets none through: how many wait for a connection when money has moved, and are read once it goes. */
  async function crowd(): Promise<{ waiting: number; read: number }> {
    const holder = new Client(url);
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE passive_dns IN ACCESS EXCLUSIVE MODE');
      const pages = Promise.allSettled(many(6, () => at('a.test', now)).map(() => names()));
      await ledger.settle(await ledger.reserve({ account: payer, cost: 1, operation: 'reverse-ip', deadlineMs: 10_000 }));
      const waiting = ledger.connections().find(({ pool, state }) => pool === 'archive' && state === 'waiting')!.count;
      await holder.query('ROLLBACK');
      return { waiting, read: (await pages).filter(({ status }) => status === 'fulfilled').length };
    } finally {
      await holder.end();
    }
  }
  let payer: { id: string };
  beforeAll(async () => {
    payer = await createAccount(ledger, 1_000);
  });

  it('who holds all of its connections does not keep money waiting', async () => {
    // Who waits for a connection gives up after a second, which a busy machine may take for all of this.
    await expect.poll(crowd, { timeout: 20_000 }).toEqual({ waiting: 3, read: 6 });
  });

  it('a name at an address of many is written without reading the others', async () => {
    const MANY = 3_000;
    await ledger.passiveDns.note(many(MANY, (n) => at(`n${n}.test`, now - 5 * DAY)));
    // Most addresses have one: who plans by the average takes this one for one of them.
    await sql(url, `INSERT INTO passive_dns SELECT '198.18.0.0'::inet + n, 'm' || n || '.test', now() FROM generate_series(1, 20000) AS n`);
    await sql(url, 'ANALYZE passive_dns');
    const reads = async () =>
      (
        await sql<{ scans: number; reads: number }>(
          url,
          `SELECT sum(idx_scan)::int AS scans, sum(idx_tup_read)::int AS reads FROM pg_stat_user_indexes WHERE relname = 'passive_dns'`,
        )
      )[0]!;
    const before = await reads();
    // A connection tells what it read when it is closed.
    const other = await openLedger(url);
    await other.passiveDns.note(many(100, (n) => at(`n${n}.test`, now)));
    await other.close();
    await expect.poll(async () => (await reads()).scans - before.scans, { timeout: 10_000 }).toBeGreaterThanOrEqual(100);
    expect((await reads()).reads - before.reads).toBeLessThan(MANY);
  });
});
