import { refusing } from '@vedette/probes/dns';
import { describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';

const REFUSED = { code: 'blocked_policy', seen: 'db.corp.test' };
const REFUSED_ALIAS = { code: 'blocked_policy', seen: 'alias.test is an alias of an inner name' };
const setUp = () => {
  const dns = fakeResolver({
    'db.corp.test': { A: ['10.1.2.3'] },
    'alias.test': { CNAME: ['db.corp.test'] },
    'www.test': { CNAME: ['host.test'] },
    'host.test': { A: ['192.0.2.1'] },
  });
  const resolver = refusing(dns, (name) => name.endsWith('.corp.test'));
  return { dns, resolver };
};

describe('a resolver that refuses names', () => {
  it('does not ask for them', async () => {
    const { dns, resolver } = setUp();
    await expect(resolver.query('DB.corp.test.', 'A')).rejects.toMatchObject(REFUSED);
    await expect(resolver.addresses('DB.corp.test.', 4)).rejects.toMatchObject(REFUSED);
    expect(dns.queries).toEqual([]);
  });

  it('does not show what an alias leads to', async () => {
    await expect(setUp().resolver.query('alias.test', 'A')).rejects.toMatchObject(REFUSED_ALIAS);
  });

  it('does not show whether what an alias leads to exists', async () => {
    // NXDOMAIN for the one that does not was told before, and told the one from the other.
    const resolver = refusing(fakeResolver({ 'alias.test': { CNAME: ['gone.corp.test'] } }), (name) => name.endsWith('.corp.test'));
    await expect(resolver.query('alias.test', 'A')).rejects.toMatchObject(REFUSED_ALIAS);
    expect((await resolver.query('alias.test', 'CNAME')).answers).toHaveLength(1); // what its owner published
  });

  it('takes a name without a dot for an inner one, unless only the DNS is asked about it', async () => {
    const dns = fakeResolver({ printer: { A: ['10.1.2.3'] }, com: { NS: ['a.gtld-servers.net'] }, 'alias.test': { CNAME: ['printer'] } });
    const resolver = refusing(dns, () => false);
    await expect(resolver.addresses('printer', 4)).rejects.toMatchObject({ code: 'blocked_policy', seen: 'printer' });
    await expect(resolver.query('alias.test', 'A')).rejects.toMatchObject(REFUSED_ALIAS);
    await expect(resolver.query('com', 'NS')).resolves.toMatchObject({ rcode: 'NOERROR' });
    expect(dns.queries).toEqual(['alias.test A', 'com NS']);
  });

  it('tells of the aliases of a host, and refuses those', async () => {
    const { dns } = setUp();
    const aliased = {
      ...dns,
      addresses: (_host: string, _family: 4 | 6, options?: { onAlias?(name: string): void }) => (
        options?.onAlias?.('host.test'),
        Promise.resolve(['192.0.2.1'])
      ),
    };
    const seen: string[] = [];
    const onAlias = (name: string) => void seen.push(name);
    expect(await refusing(aliased, () => false).addresses('www.test', 4, { onAlias })).toEqual(['192.0.2.1']);
    expect(seen).toEqual(['host.test']);
    await expect(refusing(aliased, (name) => name === 'host.test').addresses('www.test', 4)).rejects.toMatchObject({
      code: 'blocked_policy',
    });
  });

  it('passes on the rest', async () => {
    const { resolver } = setUp();
    expect((await resolver.query('www.test', 'A')).answers.map(({ name }) => name)).toEqual(['www.test', 'host.test']);
    expect(await resolver.addresses('host.test', 4)).toEqual(['192.0.2.1']);
  });
});
