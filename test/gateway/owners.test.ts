import { createAddressPolicy } from '@vedette/probes/host';
import type { PassiveDnsStore, Sighting } from '@vedette/ledger';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/config/config.ts';
import { openOwners } from '../../packages/gateway/src/intel/owners.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';
import { silent } from '../ledger/servers.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';

const HOST = '93.184.215.14';
const NOTHING = { added: 0, updated: 0, refused: 0, expired: 0 };
const life = { signal: new AbortController().signal };
const open = { question: () => () => {}, connection: () => () => {} };

/** Owners' words by zone, a store that remembers in memory, and what was deleted from it. */
function setUp(zone: FakeZone, imported: readonly string[] = [], mode = 'on') {
  let kept = [...imported];
  const forgotten: string[] = [];
  const store: Partial<PassiveDnsStore> = {
    note: async (batch: readonly Sighting[]) => {
      kept.push(...batch.map(({ name }) => name));
      return NOTHING;
    },
    namesAt: async () => kept.map((name) => ({ name, last_seen: new Date(0) })),
    forget: async (owner) => {
      forgotten.push(owner);
      kept = kept.filter((name) => name !== owner && !name.endsWith(`.${owner}`));
    },
  };
  const resolver = fakeResolver(zone);
  const owners = openOwners(readConfig({ VEDETTE_PASSIVE_DNS: mode }), {
    resolver,
    health: fakeHealth(),
    policy: createAddressPolicy(),
    isInnerName: () => false,
    store: store as PassiveDnsStore,
    clock: {
      now: () => 0,
      sleep: (_ms, signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))),
    },
    log: silent,
  });
  const noteByTwo = async (...names: string[]) => {
    for (const account of ['a', 'b'])
      for (const name of names) await owners.sightings!.heardBy(account, fakeResolver({ [name]: { A: [HOST] } })).query(name, 'A');
    await owners.close();
  };
  return { ...owners, resolver, noteByTwo, forgotten, kept: () => kept };
}

it('keeps no name whose zone has not said that it may: a zone that was silent counted as one that agrees', async () => {
  const { noteByTwo, kept } = setUp({
    '_probe-optout.out.example': { TXT: ['v=optout1'] },
    '_probe-optout.silent.example': 'TIMEOUT',
    '_probe-optout.broken.example': 'SERVFAIL',
    '_probe-optout.hosts.example': { TXT: ['v=optout1; scope=hosts'] },
    '_probe-optout.www.hosts.example': 'TIMEOUT',
  });
  await noteByTwo(
    'www.out.example',
    'www.silent.example',
    'www.broken.example',
    'www.hosts.example',
    'ftp.hosts.example',
    'www.plain.example',
  );
  expect(kept()).toEqual(['ftp.hosts.example', 'www.plain.example']);
});

it('shows no imported name of an owner who is known to have opted out, and deletes it; no owner is asked for that', async () => {
  const zone = { '_probe-optout.out.example': { TXT: ['v=optout1'] } };
  const { optOuts, passiveDns, resolver, forgotten, kept } = setUp(zone, ['plain.example', 'www.out.example', 'unheard.example']);
  await optOuts.has('other.out.example', open, life);
  forgotten.length = 0;
  kept().push('ftp.out.example'); // by another import
  const asked = resolver.queries.length;
  expect((await passiveDns.namesAt(HOST, 1)).map(({ name }) => name)).toEqual(['plain.example', 'unheard.example']);
  expect([forgotten, resolver.queries.length]).toEqual([['out.example'], asked]);
});

it.each(['imports', 'off'])('nothing that accounts ask about is noted with VEDETTE_PASSIVE_DNS=%s', (mode) => {
  expect(setUp({}, [], mode).sightings).toBeUndefined();
});
