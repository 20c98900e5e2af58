import { parseIp } from '@vedette/contract';
import { checkHost, spfSource, walkSpf } from '@vedette/mail/spf';
import { describe, expect, it } from 'vitest';
import { fakeResolver, unlimited } from '../../intel/fake-resolver.ts';
import { exchanges, hosts, IP, ROWS, spf } from './rfc7208.ts';

const client = parseIp(IP)!;
const signal = new AbortController().signal;

describe('check_host(), RFC 7208', () => {
  it.each(ROWS)('§$rule: $result', async ({ zone, result, ip = IP, domain = 'a.test', ...identities }) => {
    const verdict = await checkHost({ ip: parseIp(ip)!, domain, ...identities }, { resolver: unlimited(fakeResolver(zone)), signal });
    expect(verdict).toEqual({ result, reason: expect.stringMatching(/./) });
  });
});

describe('how check_host() asks', () => {
  it('needs include depth + 1 round trips', async () => {
    const zone = {
      'a.test': spf('v=spf1 include:b.test include:c.test include:d.test -all'),
      'b.test': spf('v=spf1 include:e.test ~all'),
      'c.test': spf('v=spf1 ip4:198.51.100.0/24 ~all'),
      'd.test': spf('v=spf1 include:f.test ~all'),
      'e.test': spf('v=spf1 ip4:203.0.113.0/24 ~all'),
      'f.test': spf('v=spf1 ip4:192.0.2.0/24 ~all'),
    };
    const resolver = fakeResolver(zone);
    expect(await checkHost({ ip: client, domain: 'a.test' }, { resolver: unlimited(resolver), signal })).toEqual({
      result: 'pass',
      reason: 'include:d.test of a.test',
    });
    expect(resolver.rounds).toBe(3);
    expect(resolver.queries).toHaveLength(6);
  });

  it('asks each question once, and stops at its limits', async () => {
    const mx = Array.from({ length: 12 }, (_, i) => `mx:d${i}.test`).join(' ');
    const zone = {
      'a.test': spf(`v=spf1 ${mx} -all`),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`d${i}.test`, { MX: exchanges(10) }])),
      ...hosts(10, () => '198.51.100.1'),
    };
    const resolver = fakeResolver(zone);
    expect(await checkHost({ ip: client, domain: 'a.test' }, { resolver: unlimited(resolver), signal })).toEqual({
      result: 'permerror',
      reason: 'more than 10 terms ask the DNS (RFC 7208 §4.6.4)',
    });
    expect(resolver.queries).toHaveLength(1 + 10 + 10);
  });

  it('shares the policies that a walk fetches', async () => {
    const zone = { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 ip4:198.51.100.0/24 ~all') };
    const resolver = fakeResolver(zone);
    const ports = { resolver: unlimited(resolver), signal };
    const source = spfSource(ports);
    const [verdict] = await Promise.all([checkHost({ ip: client, domain: 'a.test' }, ports, source), walkSpf('a.test', ports, source)]);
    expect(verdict.result).toBe('fail');
    expect(resolver.queries).toEqual(['a.test TXT', 'b.test TXT']);
  });

  it('never asks for inner names', async () => {
    const resolver = fakeResolver({ 'a.test': spf('v=spf1 a:db.corp a:printer.local +all'), 'db.corp': { A: [IP] } });
    expect(await checkHost({ ip: client, domain: 'a.test' }, { resolver: unlimited(resolver), signal })).toEqual({
      result: 'pass',
      reason: '+all of a.test',
    });
    expect(resolver.queries).toEqual(['a.test TXT']);
  });

  it('ends with the reason of its signal', async () => {
    const gone = AbortSignal.abort(new Error('the client has gone'));
    await expect(checkHost({ ip: client, domain: 'a.test' }, { resolver: unlimited(fakeResolver({})), signal: gone })).rejects.toThrow(
      'the client has gone',
    );
  });
});
