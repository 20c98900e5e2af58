import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCidrs } from '@vedette/contract';
import { type Ledger, assertAllowed, generateKey } from '@vedette/ledger';
import { afterEach, describe, expect, it } from 'vitest';
import { hashSecret, parseKey } from '../../packages/ledger/src/keys/key-format.ts';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, sql, OPERATOR } from './servers.ts';
import { accountOf } from './account.ts';

/** The character after this one, which a slip of the finger might have made of it. */
const slip = (char: string): string => (char === 'a' ? 'b' : 'a');

describe('the form of a key', () => {
  const key = generateKey();

  it('is read back as it was made', () => {
    expect(parseKey(key.text)).toEqual(key);
    expect(key.text).toMatch(/^vdt_[a-z2-7]{16}_[a-z2-7]{38}$/);
  });

  it('tells every slip in every place', () => {
    for (let i = 0; i < key.text.length; i++)
      expect(parseKey(key.text.slice(0, i) + slip(key.text[i]!) + key.text.slice(i + 1)), `place ${i}`).toBeUndefined();
  });

  it('tells two neighbours that changed places', () => {
    const swapped = Array.from(
      { length: key.text.length - 1 },
      (_, i) => key.text.slice(0, i) + key.text[i + 1]! + key.text[i]! + key.text.slice(i + 2),
    );
    expect(swapped.filter((text) => text !== key.text && parseKey(text))).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['cut', key.text.slice(0, -1)],
    ['with a space after it', `${key.text} `],
    ['with a newline after it', `${key.text}\n`],
    ['upper case', key.text.toUpperCase()],
    ['another prefix', key.text.replace('vdt', 'vdx')],
    ['twice', key.text + key.text],
    ['SQL', `vdt_' OR 1=1 --`],
    ['beyond ASCII', key.text.replace('_', '＿')],
    ['a megabyte', 'v'.repeat(1_000_000)],
  ])('refuses a key that is %s', (_, text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateKey().id)).size).toBe(1_000);
  });

  it('is compared in constant time', async () => {
    const source = (name: string) => readFile(join(import.meta.dirname, '../../packages/ledger/src/keys', name), 'utf8');
    expect(await source('key-format.ts')).toMatch(/sameHash = .* => timingSafeEqual\(a, b\)/);
    expect(await source('authenticate.ts')).not.toMatch(/(secret_sha256|bootstrapHash)[^\n]*(===|equals)[^\n]*(hashSecret|secret)/);
  });
});

describe('what a key may do', () => {
  const account = accountOf('a');

  it('is anything from anywhere unless it is restricted', () => {
    expect(() => assertAllowed(account, 'ping-test', '203.0.113.9')).not.toThrow();
    const restricted = { ...account, allowedOperations: ['ping-test'], allowedCidrs: parseCidrs(['203.0.113.0/24', '2001:db8::/32']) };
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1'])
      expect(() => assertAllowed(restricted, 'ping-test', address)).not.toThrow();
    expect(() => assertAllowed(restricted, 'dns-lookup', '203.0.113.9')).toThrow(
      expect.objectContaining({ code: 'operation_not_allowed' }),
    );
    for (const address of ['198.51.100.1', '2002:cb00:7109::1', 'nonsense'])
      expect(() => assertAllowed(restricted, 'ping-test', address)).toThrow(expect.objectContaining({ code: 'source_not_allowed' }));
  });

  it('reads mapped networks as the IPv4 networks that they stand for, which let nobody in before', () => {
    const mapped = { ...account, allowedCidrs: parseCidrs(['::ffff:203.0.113.0/120']) };
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9']) expect(() => assertAllowed(mapped, 'ping-test', address)).not.toThrow();
    expect(() => assertAllowed(mapped, 'ping-test', '203.0.114.9')).toThrow(expect.objectContaining({ code: 'source_not_allowed' }));
  });
});

describeOnEveryEngine('keys', (database) => {
  const open: Ledger[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
  });
  const ledgerOn = async (url: string, bootstrap?: { key: string; monthlyCredits: number }): Promise<Ledger> => {
    const ledger = await openLedger(url, bootstrap && { bootstrap });
    open.push(ledger);
    return ledger;
  };
  const refusal = async (ledger: Ledger, key: string): Promise<string> => {
    try {
      await ledger.authenticate(key);
      return 'accepted';
    } catch (err) {
      return (err as { code: string }).code;
    }
  };

  it('open their account until they are revoked, and say why they do not', async () => {
    const ledger = await ledgerOn(await database());
    const { id } = await createAccount(ledger, 10);
    const { key, ...summary } = await ledger.admin.createKey(OPERATOR, {
      account: id,
      name: 'web',
      allowed_operations: ['ping-test'],
      allowed_cidrs: ['192.0.2.0/24'],
    });
    expect(await ledger.authenticate(key)).toMatchObject({
      id,
      keyId: summary.id,
      allowedOperations: ['ping-test'],
      allowedCidrs: parseCidrs(['192.0.2.0/24']),
    });
    expect(ledger.quota({ id })).toMatchObject({ limit: 10, remaining: 10 });
    expect(await ledger.admin.listKeys()).toEqual([summary]);
    expect(await refusal(ledger, generateKey().text)).toBe('key_unknown');
    expect(await refusal(ledger, key.slice(0, -1))).toBe('key_malformed');
    await ledger.admin.revokeKey(OPERATOR, summary.id);
    expect(await refusal(ledger, key)).toBe('key_revoked');
  });

  it('with a right id and a wrong secret are unknown, revoked or not', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const { id } = await createAccount(ledger, 10);
    const { key, id: keyId } = await ledger.admin.createKey(OPERATOR, { account: id, name: 'web' });
    await sql(url, 'UPDATE api_keys SET secret_sha256 = $1', [hashSecret(generateKey().secret)]);
    expect(await refusal(ledger, key)).toBe('key_unknown');
    await ledger.admin.revokeKey(OPERATOR, keyId);
    expect(await refusal(ledger, key)).toBe('key_unknown');
  });

  it('overlap while they are rotated', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const { id } = await createAccount(ledger, 10);
    const old = await ledger.admin.createKey(OPERATOR, { account: id, name: 'web', allowed_operations: ['ping-test'] });
    const fresh = await ledger.admin.rotateKey(OPERATOR, old.id, {});
    expect(fresh).toMatchObject({ account: id, name: 'web', rotated_from: old.id, allowed_operations: ['ping-test'], expires_at: null });
    expect([await refusal(ledger, old.key), await refusal(ledger, fresh.key)]).toEqual(['accepted', 'accepted']);
    const [{ hours }] = (await sql(
      url,
      `SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS hours FROM api_keys WHERE id = $1`,
      [old.id],
    )) as [{ hours: number }];
    expect(hours).toBeCloseTo(24, 1);
    await sql(url, `UPDATE api_keys SET expires_at = expires_at - interval '24 hours' WHERE id = $1`, [old.id]);
    await ledger.invalidations.apply({ kind: 'key', keyId: old.id });
    expect([await refusal(ledger, old.key), await refusal(ledger, fresh.key)]).toEqual(['key_expired', 'accepted']);
    await expect(ledger.admin.rotateKey(OPERATOR, old.id, {})).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('that expire have successors that live as long, however often they are rotated', async () => {
    const ledger = await ledgerOn(await database());
    const { id } = await createAccount(ledger, 10);
    const old = await ledger.admin.createKey(OPERATOR, { account: id, name: 'web', expires_in_days: 90 });
    const fresh = await ledger.admin.rotateKey(OPERATOR, old.id, { overlap_hours: 1 });
    const again = await ledger.admin.rotateKey(OPERATOR, old.id, { overlap_hours: 1 });
    for (const { created_at, expires_at } of [old, fresh, again]) {
      expect(Date.parse(expires_at!) - Date.parse(created_at)).toBe(90 * 86_400_000);
    }
  });

  it('are cached, and what one gateway revokes the others forget when they are told', async () => {
    const url = await database();
    const [one, two] = [await ledgerOn(url), await ledgerOn(url)];
    one.invalidations.subscribe((invalidation) => void two.invalidations.apply(structuredClone(invalidation)));
    const { id } = await createAccount(one, 10);
    const { key, id: keyId } = await one.admin.createKey(OPERATOR, { account: id, name: 'web' });
    expect(await refusal(two, key)).toBe('accepted');
    await sql(url, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [keyId]);
    expect(await refusal(two, key)).toBe('accepted'); // from the cache
    await one.admin.revokeKey(OPERATOR, keyId);
    expect(await refusal(two, key)).toBe('key_revoked');
  });

  it('leave the cache after 30 s, or when they expire', async () => {
    let now = 0;
    const url = await database();
    const ledger = await openLedger(url, {
      clock: {
        now: () => now,
        sleep: (_, signal) => new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
      },
    });
    open.push(ledger);
    const { id } = await createAccount(ledger, 10);
    const { key } = await ledger.admin.createKey(OPERATOR, { account: id, name: 'web' });
    await ledger.authenticate(key);
    await sql(url, 'UPDATE api_keys SET revoked_at = now()');
    now = 29_999;
    expect(await refusal(ledger, key)).toBe('accepted');
    now = 30_000;
    expect(await refusal(ledger, key)).toBe('key_revoked');
    const soon = await ledger.admin.createKey(OPERATOR, { account: id, name: 'soon' });
    await sql(url, `UPDATE api_keys SET expires_at = now() + interval '5 seconds' WHERE id = $1`, [soon.id]);
    expect(await refusal(ledger, soon.key)).toBe('accepted');
    await sql(url, `UPDATE api_keys SET expires_at = now() WHERE id = $1`, [soon.id]);
    now += 5_000;
    expect(await refusal(ledger, soon.key)).toBe('key_expired');
  });

  it('include the bootstrap key, of any form, whose account has its own credits', async () => {
    const url = await database();
    const bootstrap = { key: 'any 8 to 128 visible: !', monthlyCredits: 500 };
    const ledger = await ledgerOn(url, bootstrap);
    expect(await ledger.authenticate(bootstrap.key)).toEqual({
      id: 'bootstrap',
      keyId: 'bootstrap',
      name: 'bootstrap',
      allowedOperations: null,
      allowedCidrs: null,
      unmeteredProbe: true,
      portScan: true,
      brands: '',
    });
    expect(await refusal(ledger, 'any 8 to 128 visible: ?')).toBe('key_malformed');
    const later = await ledgerOn(url, { key: 'another-key', monthlyCredits: 700 });
    await later.authenticate('another-key');
    expect(later.quota({ id: 'bootstrap' })).toMatchObject({ limit: 700 });
    expect(await refusal(later, bootstrap.key)).toBe('key_malformed');
  });

  it('are stored as id and hash: no part of a secret is in the database', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const { id } = await createAccount(ledger, 10);
    const { key } = await ledger.admin.createKey(OPERATOR, { account: id, name: 'web' });
    const { secret } = parseKey(key)!;
    const [{ dump }] = (await sql(url, 'SELECT json_agg(k)::text AS dump FROM api_keys k')) as [{ dump: string }];
    expect(dump).toContain(hashSecret(secret).toString('hex'));
    expect(dump).not.toContain(secret.slice(0, 8));
  });
});
