import type { NewMeasurement } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, OPERATOR, sql } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function open(url: string, options: Parameters<typeof openLedger>[1] = {}) {
  const ledger = await openLedger(url, options);
  closers.push(() => ledger.close());
  return ledger;
}

const KEY = { allowed_cidrs: ['192.0.2.0/24'], name: 'web' };
const measurement = (more: Partial<NewMeasurement>): NewMeasurement => ({
  request_id: '019a0000-0000-7000-8000-000000000001',
  account: 'acme',
  key: 'k1',
  client: '198.51.100.9',
  operation: 'ping-test',
  target: 'example.org',
  address: null,
  locations: ['eu-fra', 'us-ash'],
  status: 200,
  age_ms: 0,
  ...more,
});

describeOnEveryEngine('the trail of what operators did', (database) => {
  it('has every act with who, what and from where, in the order done, and no secret', async () => {
    const ledger = await open(await database());
    const { admin } = ledger;
    await admin.setPlan(OPERATOR, 'basic', { monthly_credits: 100 });
    await admin.createAccount(OPERATOR, { id: 'acme', name: 'Acme', plan: 'basic' });
    await admin.setAccount(OPERATOR, 'acme', { reset_day: 15 });
    const key = await admin.createKey(OPERATOR, { account: 'acme', ...KEY });
    const successor = await admin.rotateKey(OPERATOR, key.id, { overlap_hours: 1 });
    await admin.revokeKey(OPERATOR, key.id);
    await admin.suspendAccount(OPERATOR, 'acme', { reason: 'complaint' });
    await admin.resumeAccount(OPERATOR, 'acme');
    await admin.deny(OPERATOR, { target: 'example.org', reason: 'asked by its owner' });
    await admin.allow(OPERATOR, 'example.org');
    await admin.clearLockout(OPERATOR, '192.0.2.7');

    const acts = await admin.listActs({});
    expect(acts.map(({ act, subject, detail }) => [act, subject, detail]).reverse()).toEqual([
      ['plan.set', 'basic', { monthly_credits: 100 }],
      ['account.create', 'acme', { id: 'acme', name: 'Acme', plan: 'basic' }],
      ['account.set', 'acme', { reset_day: 15 }],
      ['key.create', key.id, { account: 'acme', ...KEY }],
      ['key.rotate', key.id, { overlap_hours: 1, successor: successor.id }],
      ['key.revoke', key.id, {}],
      ['account.suspend', 'acme', { reason: 'complaint' }],
      ['account.resume', 'acme', {}],
      ['target.deny', 'example.org', { reason: 'asked by its owner' }],
      ['target.allow', 'example.org', { removed: true }],
      ['lockout.clear', '192.0.2.7', { cleared: false }],
    ]);
    for (const { actor, address, done_at } of acts)
      expect({ actor, address, done_at }).toEqual({ ...OPERATOR, done_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(JSON.stringify(acts)).not.toContain(key.key.slice(-30));
    expect((await admin.listActs({ subject: 'acme', limit: 2 })).map(({ act }) => act)).toEqual(['account.resume', 'account.suspend']);
    expect(await admin.listActs({ until: '2020-01-01' })).toEqual([]);
  });

  it('tells of nothing that was not done, and what is told was done', async () => {
    const url = await database();
    const { admin } = await open(url);
    await expect(admin.createAccount(OPERATOR, { name: 'Acme', plan: 'none' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(admin.revokeKey(OPERATOR, 'none')).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(await admin.listActs({})).toEqual([]);
    // An act that the trail cannot take is not done.
    await sql(url, 'ALTER TABLE admin_acts RENAME TO elsewhere');
    await expect(admin.setPlan(OPERATOR, 'basic', { monthly_credits: 100 })).rejects.toThrow('admin_acts');
    expect(await admin.listPlans()).toEqual([]);
  });

  it.each([`UPDATE admin_acts SET actor = 'nobody'`, 'DELETE FROM admin_acts', 'TRUNCATE admin_acts'])(
    'is never changed: %s fails',
    async (statement) => {
      const url = await database();
      const { admin } = await open(url);
      await admin.setPlan(OPERATOR, 'basic', { monthly_credits: 100 });
      await expect(sql(url, statement)).rejects.toThrow('admin_acts is append-only');
      expect(await admin.listActs({})).toHaveLength(1);
    },
  );
});

describeOnEveryEngine('the measurement log', (database) => {
  it('answers who asked for a target, by name, address or network, and when', async () => {
    const ledger = await open(await database());
    await ledger.addMeasurements([
      measurement({ target: 'www.example.org', address: '192.0.2.7', age_ms: 3_600_000 }),
      measurement({ target: 'example.org', account: 'other', status: 499 }),
      measurement({ target: 'notexample.org' }),
      measurement({ target: 'example.orgx' }),
      measurement({ target: '192.0.2.9', address: '192.0.2.9', locations: [] }),
      measurement({ target: '2001:db8::9', address: '2001:db8::9' }),
    ]);
    const targets = async (filter: Parameters<typeof ledger.admin.listMeasurements>[0]) =>
      (await ledger.admin.listMeasurements(filter)).map(({ target }) => target).sort();
    expect(await targets({ target: 'example.org' })).toEqual(['example.org']);
    expect(await targets({ target: 'EXAMPLE.org', subdomains: true })).toEqual(['example.org', 'www.example.org']);
    expect(await targets({ target: '192.0.2.7' })).toEqual(['www.example.org']);
    expect(await targets({ target: '192.0.2.0/24' })).toEqual(['192.0.2.9', 'www.example.org']);
    expect(await targets({ target: '2001:db8::/32' })).toEqual(['2001:db8::9']);
    expect(await targets({ account: 'other' })).toEqual(['example.org']);
    const halfAnHourAgo = new Date(Date.now() - 1_800_000).toISOString();
    expect(await targets({ until: halfAnHourAgo })).toEqual(['www.example.org']);
    expect(await targets({ since: halfAnHourAgo })).toHaveLength(5);
    expect(await targets({ limit: 2 })).toHaveLength(2);
    await expect(targets({ target: 'no host' })).rejects.toMatchObject({ code: 'invalid_parameter' });

    const [one] = await ledger.admin.listMeasurements({ target: '192.0.2.7' });
    expect(one).toEqual({
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      request_id: '019a0000-0000-7000-8000-000000000001',
      account: 'acme',
      key: 'k1',
      client: '198.51.100.9',
      operation: 'ping-test',
      target: 'www.example.org',
      address: '192.0.2.7',
      locations: ['eu-fra', 'us-ash'],
      status: 200,
    });
    expect(Date.now() - Date.parse(one!.started_at)).toBeCloseTo(3_600_000, -5);
  });

  it('finds a target by its index', async () => {
    const url = await database();
    await open(url);
    const plan = await sql<{ 'QUERY PLAN': string }>(
      url,
      `EXPLAIN SELECT * FROM measurements WHERE reverse(target) >= reverse('example.org') || '.' AND reverse(target) < reverse('example.org') || '/'`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index.*reverse/);
  });

  it('keeps a partition for each day, and drops those that are over, however many gateways do it', async () => {
    const url = await database();
    const partitions = async () =>
      (
        await sql<{ name: string }>(
          url,
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'measurements'::regclass ORDER BY 1`,
        )
      ).map(({ name }) => name);
    const day = (ahead: number) => {
      const date = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
      return { date, name: `measurements_${date.replaceAll('-', '')}` };
    };
    const first = await open(url, { auditDays: 3 });
    const fresh = [-1, 0, 1, 2].map((ahead) => day(ahead).name);
    expect(await partitions()).toEqual(fresh);
    for (const ahead of [-5, -4, -3])
      await sql(
        url,
        `CREATE TABLE ${day(ahead).name} PARTITION OF measurements FOR VALUES FROM ('${day(ahead).date}') TO ('${day(ahead + 1).date}')`,
      );
    await Promise.all([open(url, { auditDays: 3 }), open(url, { auditDays: 3 })]);
    expect(await partitions()).toEqual([day(-3).name, ...fresh]);
    // Whatever waited for days for the database has a place.
    await first.addMeasurements([measurement({ age_ms: 9 * 86_400_000 })]);
    expect(await first.admin.listMeasurements({})).toHaveLength(1);
    await open(url, { auditDays: 0 });
    expect(await partitions()).toEqual([]);
  });
});

describeOnEveryEngine('a suspended account', (database) => {
  it('is refused at every gateway at once, and served again when it is resumed', async () => {
    const url = await database();
    const [one, two] = [await open(url), await open(url)];
    one.invalidations.subscribe((invalidation) => void two.invalidations.apply(structuredClone(invalidation)));
    const account = await createAccount(one, 100);
    const { key } = await one.admin.createKey(OPERATOR, { account: account.id, name: 'test' });
    for (const ledger of [one, two]) await ledger.authenticate(key);
    const held = await one.reserve({ account, cost: 5, operation: 'ping-test', deadlineMs: 1_000 });

    expect(await one.admin.suspendAccount(OPERATOR, account.id, { reason: 'complaint' })).toMatchObject({
      suspended_at: expect.stringMatching(/Z$/),
      suspended_reason: 'complaint',
    });
    // The second time from memory: who is suspended and goes on asking costs no more than others.
    for (const ledger of [one, two, one, two])
      await expect(ledger.authenticate(key)).rejects.toMatchObject({ code: 'account_suspended', status: 403 });
    // What is under way ends as it would.
    await one.settle(held);

    expect(await two.admin.resumeAccount(OPERATOR, account.id)).toMatchObject({ suspended_at: null, suspended_reason: null });
    await two.authenticate(key);
    await expect(one.admin.suspendAccount(OPERATOR, 'nobody', {})).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describeOnEveryEngine('the last use of a key', (database) => {
  it('is known to the minute once the gateway has told it, and not before it was used', async () => {
    const url = await database();
    const ledger = await openLedger(url);
    const account = await createAccount(ledger, 100);
    const used = await ledger.admin.createKey(OPERATOR, { account: account.id, name: 'used' });
    await ledger.admin.createKey(OPERATOR, { account: account.id, name: 'unused' });
    await ledger.authenticate(used.key);
    await ledger.close();

    const keys = await (await open(url)).admin.listKeys();
    expect(Object.fromEntries(keys.map(({ name, last_used_at }) => [name, last_used_at]))).toEqual({
      used: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/),
      unused: null,
    });
  });
});
