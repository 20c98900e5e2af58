import type { Clock } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http3Status } from '../../../packages/operations/src/http3-status/index.ts';
import { openHttp3 } from '../../../packages/probes/src/net/http3/client.ts';
import { createDialler, systemClock } from '@vedette/probes/net';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { answer } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { type FakeOrigins, silentAt, startFakeOrigins } from './fake-origins.ts';
import { healthOf } from '../../probes/health/health-of.ts';

const policy = createAddressPolicy({ allowNets: ['127.0.0.1/32', '::1/128'] });
let origins: FakeOrigins;
let http3: ReturnType<typeof openHttp3>;
beforeAll(async () => {
  origins = await startFakeOrigins();
  http3 = openHttp3({ policy, clock: systemClock, ca: [origins.root], health: healthOf([asWitness('good')], policy) });
});
afterAll(async () => {
  http3.close();
  await origins[Symbol.asyncDispose]();
});

const ZONE: FakeZone = {
  'h3.test': { A: ['127.0.0.1'] },
  'alt.h3.test': { A: ['127.0.0.1'] },
  'six.h3.test': { AAAA: ['::1'] },
  'inner.test': { A: ['127.0.0.9'] },
};

/** Four times as fast as the wall. */
const QUICK: Clock = { now: () => performance.now() * 4, sleep: (ms, signal) => systemClock.sleep(ms / 4, signal) };
const asWitness = (name: keyof FakeOrigins['ports']) => ({ address: '127.0.0.1', port: origins.ports[name] });

type Opened = Partial<typeof SHUT>;
const ask = (url: string, { zone = ZONE, ...opened }: Opened & { zone?: FakeZone } = {}) =>
  answer(
    http3Status,
    { url },
    {
      ...SHUT,
      resolver: fakeResolver(zone),
      dialler: createDialler({ policy }),
      http3,
      clock: systemClock,
      ca: [origins.root],
      signal: AbortSignal.timeout(15_000),
      remainingMs: () => 10_000,
      ...opened,
    },
  );
const at = (name: keyof FakeOrigins['ports'], path = '/', host = 'h3.test') => ask(`https://${host}:${origins.ports[name]}${path}`);

describe('an origin that speaks HTTP/3', () => {
  it('is answered over QUIC, with every header on its own', async () => {
    const report = await at('good');
    expect(report).toEqual({
      url: `https://h3.test:${origins.ports.good}/`,
      status_code: 200,
      status_message: 'OK',
      http3_supported: true,
      protocol: 'HTTP/3.0',
      response_headers: expect.objectContaining({ server: ['Caddy'], 'x-twice': ['one', 'two'] }),
      alpn_identifiers: ['h3'],
      debug_message: '',
      error: '',
      reason: '',
      udp: 'answered',
      redirect_url: '',
      advertised: [{ source: 'alt_svc', alpn: 'h3', host: 'h3.test', port: origins.ports.good, max_age: 2_592_000, persist: false }],
      attempts: [
        {
          host: 'h3.test',
          port: origins.ports.good,
          ip: '127.0.0.1',
          udp: 'answered',
          connected: true,
          status_code: 200,
          error: '',
          reason: '',
          addresses: [{ ip_address: '127.0.0.1', outcome: 'connected', began_ms: expect.any(Number), ms: expect.any(Number) }],
        },
      ],
    });
  });

  it('is reached over IPv6', async () => {
    const report = await at('good', '/', 'six.h3.test');
    expect([report.http3_supported, report.attempts[0]!.ip]).toEqual([true, '::1']);
  });

  it('is asked over https for an http URL, and a port stays', async () => {
    const { url, http3_supported } = await ask(`http://h3.test:${origins.ports.good}/`);
    expect([url, http3_supported]).toEqual([`http://h3.test:${origins.ports.good}/`, true]);
  });

  it('may be an address, whose certificate was checked over TCP', async () => {
    const good = await ask(`https://127.0.0.1:${origins.ports.literal}/`);
    expect([good.http3_supported, good.attempts[0]!.connected]).toEqual([true, true]);
    const unproven = await ask(`https://127.0.0.1:${origins.ports.literal}/`, { ca: [] });
    expect([unproven.http3_supported, unproven.reason, unproven.attempts[0]!.connected]).toEqual([false, 'tls_cert_invalid', true]);
  });

  it('is signed in to with what the URL names, over TCP and QUIC, where it asks for that', async () => {
    const report = await ask(`https://user:secret@h3.test:${origins.ports.locked}/`);
    expect(report).toMatchObject({ status_code: 200, protocol: 'HTTP/3.0', url: `https://user:***@h3.test:${origins.ports.locked}/` });
    const stranger = await ask(`https://www.irs.gov@h3.test:${origins.ports.locked}/`);
    expect([stranger.status_code, stranger.http3_supported, stranger.protocol]).toEqual([401, true, 'HTTP/3.0']);
    const { redirect_url } = await ask(`https://user:secret@h3.test:${origins.ports.redirect}/`);
    expect(redirect_url).toBe(`https://h3.test:${origins.ports.redirect}/other`);
  });

  it('has its redirects told, not followed', async () => {
    const report = await at('redirect');
    expect([report.status_code, report.protocol, report.redirect_url]).toEqual([
      301,
      'HTTP/3.0',
      `https://h3.test:${origins.ports.redirect}/other`,
    ]);
  });

  it.concurrent('may take longer than a second for its head', async () => {
    const report = await at('hanging', '/slow');
    expect([report.http3_supported, report.protocol, report.error]).toEqual([true, 'HTTP/3.0', '']);
  });

  it('has what it says early passed over', async () => {
    const { status_code, status_message, protocol } = await at('early', '/early');
    expect([status_code, status_message, protocol]).toEqual([204, 'No Content', 'HTTP/3.0']);
  });
});

describe('where it is spoken', () => {
  it('may be another host and port, whose certificate must be the origin’s', async () => {
    const report = await at('elsewhere');
    expect([report.http3_supported, report.protocol]).toEqual([true, 'HTTP/3.0']);
    expect(report.advertised).toEqual([
      { source: 'alt_svc', alpn: 'h3', host: 'alt.h3.test', port: origins.ports.good, max_age: 60, persist: true },
    ]);
    const stranger = await at('unverified');
    expect([stranger.http3_supported, stranger.reason, stranger.protocol, stranger.status_code]).toEqual([
      false,
      'tls_cert_invalid',
      'HTTP/2.0',
      200,
    ]);
  });

  it('may be several places, of which one that answers is enough', async () => {
    const report = await at('several');
    expect(report.alpn_identifiers).toEqual(['h3-29', 'h3']);
    expect(report.attempts.map(({ port, udp }) => [port, udp])).toEqual([
      [origins.ports.silent, 'silent'],
      [origins.ports.good, 'answered'],
    ]);
    expect([report.http3_supported, report.udp, report.error]).toEqual([true, 'answered', '']);
  });

  it('is not asked about a URL whose own name leads inwards, which is refused', async () => {
    const asked = (zone: FakeZone) => ask('https://h3.test/', { zone });
    await expect(asked({ 'h3.test': { A: ['10.0.0.7'] } })).rejects.toMatchObject({ code: 'private_address', status: 400, param: 'url' });
    await expect(asked({ 'h3.test': { CNAME: ['city.gov'] } })).rejects.toMatchObject({ code: 'blocked_target', status: 400 });
    expect(origins.canary.datagrams).toBe(0);
  });

  it('is never an inner address, by name or as it is', async () => {
    const report = await at('inner');
    expect(report.attempts.map(({ reason, ip }) => [reason, ip])).toEqual([
      ['blocked_private_address', ''],
      ['blocked_private_address', ''],
    ]);
    expect([report.http3_supported, report.udp, origins.canary.datagrams]).toEqual([false, '', 0]);
  });

  it('is never a name that is denied, protected or opted out', async () => {
    const denied = { isDenied: (host: string) => host === 'alt.h3.test' };
    const optedOut = { isOptedOut: (host: string) => Promise.resolve(host === 'alt.h3.test') };
    for (const rule of [denied, optedOut]) {
      const report = await ask(`https://h3.test:${origins.ports.elsewhere}/`, rule);
      expect(report.attempts.map(({ reason, ip }) => [reason, ip])).toEqual([['blocked_policy', '']]);
    }
  });

  it('is told by the DNS alone, aliases followed', async () => {
    const port = origins.ports.clear;
    const report = await ask(`https://h3.test:${port}/`, {
      zone: {
        ...ZONE,
        [`_${port}._https.h3.test`]: { HTTPS: [{ priority: 0, target: 'svc.test', params: '' }] },
        'svc.test': { HTTPS: [{ priority: 1, target: 'alt.h3.test', params: `alpn="h3,h2" port=${origins.ports.good}` }] },
      },
    });
    expect(report.alpn_identifiers).toEqual(['h3', 'h2']);
    expect([report.http3_supported, report.protocol]).toEqual([true, 'HTTP/3.0']);
    expect(report.advertised[0]).toMatchObject({ source: 'https_record', host: 'alt.h3.test', port: origins.ports.good });
  });
});

describe('what is not HTTP/3', () => {
  it('is told from a withdrawal', async () => {
    const report = await at('clear');
    expect([report.http3_supported, report.udp, report.protocol, report.alpn_identifiers]).toEqual([false, 'refused', 'HTTP/2.0', []]);
    expect(report.debug_message).toContain('withdraws');
  });

  it.concurrent.each([
    ['silent', 'silent', 'connect_timeout', 'h3 is advertised'],
    ['closed', 'refused', 'connect_refused', 'UDP is refused'],
    ['garbage', 'answered', 'tls_handshake', 'QUIC'],
    ['expired', 'answered', 'tls_cert_invalid', 'expired'],
    ['otherVersion', 'answered', 'tls_handshake', 'other versions of QUIC only: 0xff00001d'],
    ['certificate', 'answered', 'tls_handshake', 'wants a client certificate'],
  ] as const)('%s: %s, %s', async (name, udp, reason, said) => {
    const report = await at(name);
    expect([report.http3_supported, report.udp, report.reason, report.protocol]).toEqual([false, udp, reason, 'HTTP/2.0']);
    expect(report.debug_message).toContain(said);
  });

  it.concurrent.each([
    ['hanging', '/hang', 'http_timeout'],
    ['longHead', '/long-head', 'too_large'],
  ] as const)('%s: the handshake succeeds and no answer comes', async (name, path, reason) => {
    const report = await ask(`https://h3.test:${origins.ports[name]}${path}`, { clock: QUICK });
    expect([report.http3_supported, report.reason, report.attempts[0]!.connected, report.attempts[0]!.reason]).toEqual([
      true,
      reason,
      true,
      reason,
    ]);
    expect(report.debug_message).toContain('The handshake for HTTP/3 succeeded');
  });

  it.concurrent.each([
    ['silent', 'of its own', ['good', 'silent'], 'connect_timeout'],
    ['silent', 'of everybody', ['silent'], 'upstream_failed'],
    ['silent', 'of no witness', [], 'upstream_failed'],
    ['closed', 'of no matter', ['silent'], 'connect_refused'],
  ] as const)('%s: the silence is %s', async (name, _whose, witnesses, code) => {
    const client = openHttp3({ policy, clock: systemClock, ca: [origins.root], health: healthOf(witnesses.map(asWitness), policy) });
    const said = await ask(`https://h3.test:${origins.ports[name]}/`, { http3: client }).catch((error: unknown) => error);
    client.close();
    expect(said).toMatchObject(code === 'upstream_failed' ? { code, status: 502 } : { http3_supported: false, reason: code });
  });

  it.concurrent('without a witness, silence is told of a server while another has just answered', async () => {
    const client = openHttp3({ policy, clock: systemClock, ca: [origins.root], health: healthOf([], policy) });
    const at = (name: 'good' | 'silent') => ask(`https://h3.test:${origins.ports[name]}/`, { http3: client });
    await expect(at('silent')).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('knows no QUIC server') });
    expect(await at('good')).toMatchObject({ http3_supported: true });
    expect(await at('silent')).toMatchObject({ http3_supported: false, udp: 'silent' });
    client.close();
  });

  it.concurrent.each([4, 16])('is told in time where %s addresses are silent, and what was not tried', async (count) => {
    const addresses = Array.from({ length: count }, (_, i) => `127.0.${count}.${1 + i}`);
    const silent = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
    const client = openHttp3({ policy: silent, clock: systemClock, ca: [origins.root], health: healthOf([asWitness('good')], silent) });
    await using sockets = await silentAt(addresses, origins.ports.silent);
    const started = performance.now();
    // 2 s of the deadline were over before the operation began.
    const report = await ask(`https://h3.test:${origins.ports.silent}/`, {
      zone: { 'h3.test': { A: addresses } },
      dialler: createDialler({ policy: silent }),
      http3: client,
      remainingMs: () => 8_000,
    });
    client.close();
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(report).toMatchObject({ udp: 'silent', reason: 'connect_timeout' });
    expect(sockets.heard.toSorted()).toEqual(addresses.slice(0, 6));
    expect(report.error.includes('10 of 16 addresses were not tried')).toBe(count === 16);
  });

  it('is a free error where no time is left to try an address', async () => {
    await expect(ask(`https://h3.test:${origins.ports.good}/`, { remainingMs: () => 2_000 })).rejects.toMatchObject({ code: 'deadline' });
  });

  it.concurrent.each([
    ['noName', 'The certificate is for no name, not for h3.test'],
    ['weakKey', 'has a key that is too weak (RSA, 1024 bits)'],
    ['weakDigest', 'has a signature that is too weak (SHA-1)'],
  ] as const)('a certificate that browsers refuse over TCP is refused over QUIC: %s', async (name, fault) => {
    const report = await at(name);
    expect(report).toMatchObject({ http3_supported: false, reason: 'tls_cert_invalid', error: expect.stringContaining(fault) });
  });

  it('endless: a body that does not end costs nothing', async () => {
    const report = await at('endless', '/endless');
    expect([report.http3_supported, report.status_code]).toEqual([true, 200]);
  });

  it('is data where the name does not exist', async () => {
    const report = await ask('https://absent.h3.test/');
    expect(report).toMatchObject({ status_code: 0, protocol: '', http3_supported: false, reason: 'dns_nxdomain', udp: '' });
  });
});

it('answers as the example shows', () =>
  expectExample('http3-status', { url: `https://h3.test:${origins.ports.good}/` }, ({ url }) => ask(url)));
