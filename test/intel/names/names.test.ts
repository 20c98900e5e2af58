import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createNames, NameListBuilder, RanksBuilder } from '@vedette/intel/names';

const noPause = () => Promise.resolve();

async function listOf(list: string, entries: readonly string[]): Promise<Uint8Array> {
  const builder = new NameListBuilder(list);
  for (const entry of entries) builder.add(entry);
  return builder.build(noPause);
}

async function namesWith(lists: Record<string, readonly string[]>) {
  const names = createNames();
  for (const [list, entries] of Object.entries(lists)) names.setList(list, await listOf(list, entries));
  return names;
}

describe('the listings of a name', () => {
  it('are those of itself and of all above it, up to the registrable domain', async () => {
    const names = await namesWith({ maltrail: ['evil.test-firm.co.uk', 'bad.example.org'], 'cert-polska': ['example.org'] });
    expect(names.listings('www.bad.example.org')).toEqual([
      { list: 'maltrail', entry: 'bad.example.org' },
      { list: 'cert-polska', entry: 'example.org' },
    ]);
    expect(names.listings('test-firm.co.uk')).toEqual([]);
    expect(names.listings('worse.example.org')).toEqual([{ list: 'cert-polska', entry: 'example.org' }]);
    expect(names.listings('anexample.org')).toEqual([]);
  });

  it('name the nearest entry where several are listed, and lose none that another one covers', async () => {
    const names = await namesWith({ maltrail: ['example.org', 'a.example.org'] });
    expect(names.listings('b.a.example.org')).toEqual([{ list: 'maltrail', entry: 'a.example.org' }]);
    expect(names.listings('b.example.org')).toEqual([{ list: 'maltrail', entry: 'example.org' }]);
  });

  it.each(['github.io', 'blogspot.com', 'co.uk', 'com', 'hol.es'])(
    'never blame a tenant on its host, or the host on its tenants: %s',
    async (host) => {
      const names = await namesWith({ maltrail: [host, `evil.${host}`], 'dynamic-dns': ['hol.es'] });
      const accused = (name: string) => names.listings(name).filter(({ list }) => list === 'maltrail');
      expect(accused(`www.evil.${host}`)).toEqual([{ list: 'maltrail', entry: `evil.${host}` }]);
      expect(accused(`good.${host}`)).toEqual([]);
      expect(accused(host)).toEqual([]);
    },
  );

  it('say of tenants what kind of place they are in, also below a public suffix', async () => {
    const names = await namesWith({ 'free-hosting': ['github.io'], 'abused-tlds': ['zip', 'uk.com'] });
    expect(names.listings('someone.github.io')).toEqual([{ list: 'free-hosting', entry: 'github.io' }]);
    expect(names.listings('github.io')).toEqual([{ list: 'free-hosting', entry: 'github.io' }]);
    expect(names.listings('report.zip')).toEqual([{ list: 'abused-tlds', entry: 'zip' }]);
    expect(names.listings('zip.org')).toEqual([]);
  });

  it('take underscores, names of 253 octets and the root for what they are', async () => {
    const names = await namesWith({ maltrail: ['example.org'] });
    expect(names.listings('_dmarc.example.org')).toHaveLength(1);
    expect(names.listings(`${'a.'.repeat(121)}example.org`)).toHaveLength(1);
    expect(names.listings('')).toEqual([]);
  });
});

describe('a list', () => {
  it('is there from when it is set to when it is taken away', async () => {
    const names = createNames();
    expect(names.hasList('maltrail')).toBe(false);
    names.setList('maltrail', await listOf('maltrail', ['example.org']));
    expect(names.hasList('maltrail')).toBe(true);
    names.setList('maltrail', undefined);
    expect([names.hasList('maltrail'), names.listings('example.org')]).toEqual([false, []]);
  });

  it('takes names in any spelling, and none that is no name or everybody’s', () => {
    const builder = new NameListBuilder('maltrail');
    const taken = ['Example.ORG.', '*.evil.test.com', '.dot.example.net', 'müller.example', 'a_b.example.org'];
    const refused = ['192.0.2.1', '::1', 'github.io', 'co.uk', 'com', 'two words', '', 'http://example.org/', 'a'.repeat(64) + '.com'];
    expect(taken.map((entry) => builder.add(entry))).toEqual(taken.map(() => true));
    expect(refused.map((entry) => builder.add(entry))).toEqual(refused.map(() => false));
    expect(builder.rows).toBe(taken.length);
  });

  it('is refused when it is cut off, and what was there stays', async () => {
    const names = await namesWith({ maltrail: ['example.org'] });
    const whole = await listOf('maltrail', ['example.net', 'example.org']);
    expect(() => names.setList('maltrail', whole.subarray(0, -3))).toThrow(RangeError);
    expect(names.listings('example.org')).toHaveLength(1);
  });

  it('of 8,700 names finds each of them, and nothing beside', async () => {
    const read = (file: string) => readFileSync(new URL(`../../mail/email/${file}`, import.meta.url), 'utf8').split('\n');
    const builder = new NameListBuilder('maltrail');
    const entries = read('universities.txt').filter((line) => builder.add(line));
    expect(entries.length).toBeGreaterThan(8_700);
    const names = createNames();
    names.setList('maltrail', await builder.build(noPause));
    expect(entries.filter((name) => names.listings(name).every(({ entry }) => entry !== name))).toEqual([]);
    expect(entries.filter((name) => names.listings(`xq-${name}`).some(({ entry }) => entry === `xq-${name}`))).toEqual([]);
  });
});

describe('the ranking', () => {
  it('knows the places of registrable domains, the best one of each', async () => {
    const ranks = new RanksBuilder();
    const given: [string, number][] = [
      ['example.org', 7],
      ['example.com', 1_000_000],
      ['Example.org', 3],
      ['example.orgs.net', 5],
    ];
    expect(given.map(([name, rank]) => ranks.add(name, rank))).toEqual([true, true, true, true]);
    expect([ranks.add('com', 1), ranks.add('example.net', 0), ranks.add('example.net', Number.NaN)]).toEqual([false, false, false]);
    const names = createNames();
    expect(names.rank('example.org')).toBeUndefined();
    names.setRanks(await ranks.build(noPause));
    expect(['example.org', 'example.com', 'example.orgs.net', 'example.or'].map((name) => names.rank(name))).toEqual([
      3,
      1_000_000,
      5,
      undefined,
    ]);
    names.setRanks(undefined);
    expect(names.rank('example.org')).toBeUndefined();
  });
});
