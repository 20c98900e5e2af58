import { ApiError, isSpecialUseName } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import type { PassiveDnsStore, Sighting } from '@vedette/ledger';
import { expect, it } from 'vitest';
import { noting, sightingOf, SightingLog, withoutPassiveDns } from '../../packages/gateway/src/intel/passive-dns.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { silent } from '../ledger/servers.ts';

const rules = { policy: createAddressPolicy(), isInnerName: (name: string) => isSpecialUseName(name, ['corp.example.org']) };
const HOST = '93.184.215.14';
const NOTHING = { added: 0, updated: 0, refused: 0, expired: 0 };

/** A log whose writes happen when the test says so. */
function logged(
  note: (batch: readonly Sighting[]) => Promise<typeof NOTHING> = async () => NOTHING,
  mayBeKept: (name: string) => boolean | undefined = () => true,
) {
  const written: (readonly Sighting[])[] = [];
  let wake: (() => void) | undefined;
  let now = 1_700_000_000_000;
  const log = new SightingLog({
    ...rules,
    store: {
      note(batch) {
        written.push(batch);
        return note(batch);
      },
    },
    mayBeKept: async (name) => mayBeKept(name),
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          wake = resolve;
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    },
    today: () => now,
    log: silent,
  });
  return {
    log,
    /** Two accounts ask about the same: what makes it be noted. */
    noteByTwo(names: string[], addresses: string[]) {
      for (const account of ['a', 'b']) log.note(account, names, addresses);
    },
    written,
    async write() {
      wake?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    pass: (ms: number) => void (now += ms),
  };
}

it.each([
  ['WWW.Example.org.', HOST, { name: 'www.example.org', domain: 'example.org', address: HOST, seen: 7 }],
  ['a.b.example.co.uk', HOST, { name: 'a.b.example.co.uk', domain: 'example.co.uk', address: HOST, seen: 7 }],
  ['me.github.io', HOST, { name: 'me.github.io', domain: 'me.github.io', address: HOST, seen: 7 }],
  ['bücher.de', HOST, { name: 'xn--bcher-kva.de', domain: 'xn--bcher-kva.de', address: HOST, seen: 7 }],
  ['localhost', HOST, undefined],
  ['printer.corp.example.org', HOST, undefined],
  ['intranet', HOST, undefined],
  ['db.internal', HOST, undefined],
  [HOST, HOST, undefined],
  ['www.example.org', '127.0.0.2', undefined],
  ['www.example.org', '10.0.0.1', undefined],
  ['www.example.org', '2606:4700:4700::1111', undefined],
  ['www.example.org', '093.184.215.14', undefined],
  ['www.example.org', 'example.org', undefined],
  ['', HOST, undefined],
  ['a b.org', HOST, undefined],
])('%j at %s is kept as %j', (name, address, expected) => {
  expect(sightingOf(name, address, 7, rules)).toEqual(expected);
});

it('writes nothing that one account alone has asked about, however often: others could read it by reverse-ip', async () => {
  const { log, written, write, pass } = logged();
  for (let n = 0; n < 3; n++) {
    log.note('a', ['token-8f3a91.merger.example.org'], [HOST]);
    pass(86_400_000);
    await write();
  }
  expect(written).toEqual([]);
  log.note('b', ['token-8f3a91.merger.example.org'], ['93.184.215.15']); // at another address that one is alone, too
  await write();
  expect(written).toEqual([]);
  log.note('b', ['token-8f3a91.merger.example.org'], [HOST]);
  await write();
  expect(written.flat()).toMatchObject([{ name: 'token-8f3a91.merger.example.org', address: HOST }]);
  await log.close();
});

it('tells the day that a name was seen at, and not the second', async () => {
  const { written, noteByTwo, log } = logged();
  noteByTwo(['www.example.org'], [HOST]);
  await log.close();
  expect(written.flat().map(({ seen }) => new Date(seen * 1000).toISOString())).toEqual(['2023-11-14T00:00:00.000Z']);
});

it('leaves names out whose owner has opted out', async () => {
  const { written, noteByTwo, log } = logged(undefined, (name) => name !== 'www.example.org');
  noteByTwo(['www.example.org', 'www.example.net'], [HOST]);
  await log.close();
  expect(written.flat().map(({ name }) => name)).toEqual(['www.example.net']);
});

it('waits three writes for an owner whose zone is slow', async () => {
  const answers: Record<string, (boolean | undefined)[]> = {
    'slow.org': [undefined, undefined, true],
    'silent.org': [undefined, undefined, undefined, true],
  };
  const { log, written, write, noteByTwo } = logged(undefined, (name) => answers[name]!.shift());
  noteByTwo(['slow.org', 'silent.org'], [HOST]);
  for (let n = 0; n < 5; n++) await write();
  expect(written.map((batch) => batch.map(({ name }) => name))).toEqual([['slow.org']]);
  await log.close();
});

it('notes a pair once a day, and leaves its writing to later', async () => {
  const { log, written, write, pass, noteByTwo } = logged();
  noteByTwo(['www.example.org', 'cdn.example.net'], [HOST, '10.0.0.1']);
  noteByTwo(['WWW.example.org'], [HOST]);
  expect(written).toEqual([]);
  await write();
  expect(written.map((batch) => batch.map(({ name }) => name))).toEqual([['www.example.org', 'cdn.example.net']]);
  pass(86_399_000);
  noteByTwo(['www.example.org'], [HOST]);
  pass(2_000);
  noteByTwo(['www.example.org'], [HOST]);
  await write();
  expect(written.length).toBe(2);
  expect(written[1]).toEqual([{ name: 'www.example.org', domain: 'example.org', address: HOST, seen: 1_700_006_400 }]);
  await log.close();
});

it('keeps no more than so many, writes no more than so many at once, and goes on when the database is back', async () => {
  let away = true;
  const { log, written, write, noteByTwo } = logged(() =>
    away ? Promise.reject(new ApiError('ledger_unavailable')) : Promise.resolve(NOTHING),
  );
  for (let n = 0; n < 6_000; n++) noteByTwo([`n${n}.org`], [HOST]);
  await write();
  await write();
  expect(written.map((batch) => batch.length)).toEqual([100, 100]);
  expect(written[1]).toEqual(written[0]);
  away = false;
  for (let n = 0; n < 51; n++) await write();
  const stored = written.slice(2).flat();
  expect(stored.length).toBe(5_000);
  expect(new Set(stored.map(({ name }) => name)).size).toBe(5_000);
  await log.close();
});

it('drops what the database refuses for a reason of its own', async () => {
  const { log, written, write, noteByTwo } = logged(() => Promise.reject(new Error('wrong')));
  noteByTwo(['a.org'], [HOST]);
  await write();
  await write();
  expect(written.length).toBe(1);
  await log.close();
});

it('writes what waits when it is closed', async () => {
  const { log, written, noteByTwo } = logged();
  noteByTwo(['a.org'], [HOST]);
  await log.close();
  expect(written.length).toBe(1);
});

it('hears what the configured resolvers answer, each name on the way to an address, and nobody else', async () => {
  const heard: [string[], readonly string[]][] = [];
  const zone = { 'www.a.org': { CNAME: ['b.org'] }, 'b.org': { A: [HOST] }, 'c.org': { A: [HOST] } };
  const resolver = noting(fakeResolver(zone), (names, addresses) => void heard.push([[...names], addresses]));
  await resolver.query('b.org', 'A');
  await resolver.query('www.a.org', 'A');
  await resolver.addresses('c.org', 4);
  const known = heard.length;
  await resolver.query('b.org', 'TXT').catch(() => undefined);
  await resolver.query('b.org', 'A', { server: '192.0.2.53' });
  await resolver.addresses('c.org', 6).catch(() => undefined);
  expect(heard).toEqual([
    [['b.org'], [HOST]],
    [['www.a.org', 'b.org'], [HOST]],
    [['c.org'], [HOST]],
  ]);
  expect(heard.length).toBe(known);
});

it('is a free 503 where the operator wants none: nothing is told, and no file is taken', async () => {
  const asked: string[] = [];
  const store: Partial<PassiveDnsStore> = {
    namesAt: async () => (asked.push('namesAt'), []),
    beginImport: async () => (asked.push('beginImport'), { lines: 0 }),
    addImported: async () => (asked.push('addImported'), { ...NOTHING, unfit: 0 }),
  };
  const off = withoutPassiveDns(store as PassiveDnsStore);
  const refused = { code: 'switched_off', status: 503 };
  await expect(off.namesAt(HOST, 1)).rejects.toMatchObject(refused);
  await expect(off.beginImport({ actor: 'operator', address: '127.0.0.1' }, { id: '0', file: 'names.csv' })).rejects.toMatchObject(refused);
  await expect(off.addImported({ id: '0', from: 0, lines: 0, done: true, unfit: 0 }, [])).rejects.toMatchObject(refused);
  expect(asked).toEqual([]);
});
