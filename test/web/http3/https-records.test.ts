import { parseHost } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { readHttpsRecords } from '@vedette/web/http3';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const read = async (zone: FakeZone, port = 443, host = 'a.example') => {
  const resolver = fakeResolver(zone);
  const records = await readHttpsRecords(parseHost(host)!, port, { resolver: unlimited(resolver), signal: new AbortController().signal });
  return { ...records, queries: resolver.queries };
};
const record = (priority: number, target: string, params = '') => ({ priority, target, params });

describe('HTTPS records, RFC 9460', () => {
  it('names the endpoints by their priority; a dot is the owner', async () => {
    const { bindings, problem } = await read({
      'a.example': { HTTPS: [record(2, 'b.example', 'alpn="h3" port=8443'), record(1, '.', 'alpn="h3,h2" ipv4hint=192.0.2.1')] },
    });
    expect(problem).toBe('');
    expect(bindings).toEqual([
      { alpn: ['h3', 'h2'], host: 'a.example', port: 443, ech: false },
      { alpn: ['h3'], host: 'b.example', port: 8_443, ech: false },
    ]);
  });

  it('asks with the port in front where it is not 443 (§9.1)', async () => {
    const { bindings, queries } = await read({ '_8443._https.a.example': { HTTPS: [record(1, 'a.example', 'alpn="h3"')] } }, 8_443);
    expect(queries).toEqual(['_8443._https.a.example HTTPS']);
    expect(bindings).toEqual([{ alpn: ['h3'], host: 'a.example', port: 8_443, ech: false }]);
  });

  it('follows aliases, which put aside what stands beside them (§2.4)', async () => {
    const { bindings } = await read({
      'a.example': { HTTPS: [record(0, 'b.example'), record(1, '.', 'alpn="h2"')] },
      'b.example': { CNAME: ['c.example'] },
      'c.example': { HTTPS: [record(1, '.', 'alpn="h3"')] },
    });
    expect(bindings).toEqual([{ alpn: ['h3'], host: 'c.example', port: 443, ech: false }]);
  });

  it('gives up loops, and says so', async () => {
    const { bindings, problem, queries } = await read({
      'a.example': { HTTPS: [record(0, 'b.example')] },
      'b.example': { HTTPS: [record(0, 'a.example')] },
    });
    expect([bindings, queries.length]).toEqual([[], 2]);
    expect(problem).toContain('more than 4 aliases');
  });

  it('leads nowhere by an alias to the root', async () => {
    expect(await read({ 'a.example': { HTTPS: [record(0, '.')] } })).toMatchObject({
      bindings: [],
      problem: 'a.example HTTPS: the service does not exist (alias to the root)',
    });
  });

  it.each([
    ['alpn="h3" mandatory=alpn,port', 1],
    ['alpn="h3" mandatory=alpn,ech', 0],
    ['mandatory=key65000 key65000="x" alpn="h3"', 0],
  ])('%s: %i usable (§8)', async (params, usable) => {
    const { bindings } = await read({ 'a.example': { HTTPS: [record(1, '.', params)] } });
    expect(bindings).toHaveLength(usable);
  });

  it('undoes both escapings of an identifier (appendix A)', async () => {
    const { bindings } = await read({ 'a.example': { HTTPS: [record(1, '.', String.raw`alpn="f\\\\oo\\,bar,h2,\104\051"`)] } });
    expect(bindings[0]!.alpn).toEqual([String.raw`f\oo,bar`, 'h2', 'h3']);
  });

  it('has no identifiers without alpn, and no records for an address', async () => {
    expect((await read({ 'a.example': { HTTPS: [record(1, '.')] } })).bindings).toEqual([
      { alpn: [], host: 'a.example', port: 443, ech: false },
    ]);
    expect(await read({}, 443, '192.0.2.1')).toEqual({ bindings: [], problem: '', queries: [] });
  });

  it('says what the DNS did not answer', async () => {
    expect((await read({ 'a.example': 'SERVFAIL' })).problem).toContain('a.example HTTPS');
  });
});
