import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import type { ProbeFailure, ProbePorts } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { visitPage, httpProbe } from '@vedette/probes/http';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { systemClock } from '@vedette/probes/net';
import { makePki } from './certificates.ts';
import { freePort } from '../../free-ports.ts';
import { hostsResolver, loopbackPorts } from './loopback-ports.ts';
import { listen } from './raw-server.ts';

// Nobody listens at 127.0.0.5, and 127.0.0.6 is silent; what is alive is at 127.0.0.1 or ::1.
const REFUSING = '127.0.0.5';
const SILENT = '127.0.0.6';
/** It accepts connections and says nothing. */
const MUTE = '127.0.0.8';
const pki = makePki({ good: { names: 'DNS:a.test' } });
afterAll(() => pki[Symbol.dispose]());

/** Ports under which SILENT never answers, and who was dialled. */
function ports(addresses: readonly string[], more: Partial<ProbePorts> = {}) {
  const opened = loopbackPorts({ hosts: { 'a.test': addresses }, ca: [pki.root], ...more });
  const dialled: string[] = [];
  const asked: number[] = [];
  const { addresses: resolve } = hostsResolver({ 'a.test': addresses });
  return {
    ...opened,
    dialled,
    asked,
    resolver: {
      ...opened.resolver,
      addresses: (host, family, options) => (asked.push(family), resolve(host, family, options)),
    } satisfies ProbePorts['resolver'],
    dialler: {
      ...opened.dialler,
      tcp(options) {
        dialled.push(options.address);
        if (options.address !== SILENT) return opened.dialler.tcp(options);
        return new Promise((_resolve, reject) => {
          options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
        });
      },
    } satisfies ProbePorts['dialler'],
  };
}

const serve = (host: '127.0.0.1' | '::1', server: Server = createServer((_request, response) => response.end('page'))) =>
  listen(server, host);

const get = (
  port: number,
  opened: ProbePorts,
  { scheme = 'http', ...job }: { family?: 0 | 4 | 6; ipv6_first?: boolean; scheme?: string } = {},
) => httpProbe.run({ url: `${scheme}://a.test:${port}/`, family: 0, ...job }, opened).catch((error: ProbeFailure) => error);

describe('a host of which some addresses are dead', () => {
  it('is answered by one that lives, and every address that was tried is told', async () => {
    await using server = await serve('127.0.0.1');
    const refused = ports([REFUSING, '127.0.0.1']);
    expect(await get(server.port, refused)).toMatchObject({
      status_code: 200,
      remote_addr: '127.0.0.1',
      attempts: [
        { ip_address: REFUSING, outcome: 'connect_refused', began_ms: expect.any(Number), ms: expect.any(Number) },
        { ip_address: '127.0.0.1', outcome: 'connected', began_ms: expect.any(Number), ms: expect.any(Number) },
      ],
    });
    const silent = ports([SILENT, '127.0.0.1']);
    const answered = await get(server.port, silent);
    expect(answered).toMatchObject({ status_code: 200, attempts: [{ outcome: 'silent' }, { outcome: 'connected' }] });
    // Of the address that answered alone; what went before is in the times from the start.
    const { timings } = answered as { timings: Record<string, number> };
    expect(timings.ttfb_ms! - timings.dns_ms! - timings.connect_ms!).toBeGreaterThanOrEqual(200);
  });

  it('is answered by its other family, unless one was asked for', async () => {
    await using server = await serve('::1');
    expect(await get(server.port, ports([REFUSING, '::1']))).toMatchObject({ status_code: 200, network: 'tcp6' });
    const only = ports([REFUSING, '::1']);
    expect(await get(server.port, only, { family: 4 })).toMatchObject({ code: 'connect_refused' });
    expect([only.dialled, only.asked]).toEqual([[REFUSING], [4]]);
  });

  it('is asked over IPv6 first where a job says so, and over IPv4 where that fails', async () => {
    await using server = await serve('127.0.0.1');
    const [first, six] = [ports(['127.0.0.1', '::1']), ports(['127.0.0.1', '::1'])];
    expect(await get(server.port, first)).toMatchObject({ network: 'tcp4' });
    expect(await get(server.port, six, { ipv6_first: true })).toMatchObject({ status_code: 200, network: 'tcp4' });
    expect([first.dialled, six.dialled]).toEqual([['127.0.0.1'], ['::1', '127.0.0.1']]);
  });

  it('is asked at the same address again where the first handshake was refused', async () => {
    const { key, cert } = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
    const old = createHttpsServer(
      { key, cert, maxVersion: 'TLSv1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      (_request, response) => response.end('old'),
    );
    await using server = await serve('127.0.0.1', old);
    const opened = ports([REFUSING, '127.0.0.1']);
    expect(await get(server.port, opened, { scheme: 'https' })).toMatchObject({ status_code: 200, tls_version: 'TLSv1' });
    expect(opened.dialled).toEqual([REFUSING, '127.0.0.1', '127.0.0.1']);
  });

  it('is asked at another one where a handshake is not finished in half of the time, once', async () => {
    const credentials = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
    await using server = await serve(
      '127.0.0.1',
      createHttpsServer(credentials, (_request, response) => response.end('page')),
    );
    const mute = createNetServer(() => {}).listen(server.port, MUTE);
    await once(mute, 'listening');
    try {
      const half = ports([MUTE, '127.0.0.1'], { budget_ms: 3_000 });
      expect(await get(server.port, half, { scheme: 'https' })).toMatchObject({
        status_code: 200,
        remote_addr: '127.0.0.1',
        error_message: '',
        attempts: [
          { ip_address: MUTE, outcome: 'tls_handshake' },
          { ip_address: '127.0.0.1', outcome: 'connected' },
        ],
      });
      expect(await get(server.port, ports([MUTE, REFUSING], { budget_ms: 1_000 }), { scheme: 'https' })).toMatchObject({
        code: 'tls_handshake',
        partial: { attempts: [{ outcome: 'tls_handshake' }, { outcome: 'connect_refused' }] },
      });
    } finally {
      mute.close();
    }
  });

  it('that are all dead is told with each of them', async () => {
    const port = await freePort();
    expect(await get(port, ports([REFUSING, '127.0.0.7']))).toMatchObject({
      code: 'connect_refused',
      seen: `${REFUSING} ECONNREFUSED, 127.0.0.7 ECONNREFUSED`,
    });
    const late = await get(port, ports([SILENT, REFUSING], { budget_ms: 600 }));
    expect(late).toMatchObject({
      code: 'connect_timeout',
      seen: expect.stringMatching(new RegExp(`^${SILENT} no answer in \\d+ ms, ${REFUSING} ECONNREFUSED$`)),
      partial: {
        remote_addr: REFUSING,
        network: '',
        attempts: [
          { ip_address: SILENT, outcome: 'connect_timeout' },
          { ip_address: REFUSING, outcome: 'connect_refused' },
        ],
      },
    });
  });

  it('is asked at no address that is not allowed, of either family', async () => {
    const inner = ports([REFUSING, 'fd00::1']);
    expect(await get(await freePort(), inner)).toMatchObject({ code: 'connect_refused' });
    expect([inner.dialled, inner.asked]).toEqual([[REFUSING], [6, 4]]);
    expect(await get(await freePort(), ports([REFUSING, '10.0.0.1']))).toMatchObject({ code: 'blocked_private_address' });
  });

  it('holds the slots of every address only while it is asked', async () => {
    await using server = await serve('127.0.0.1');
    const limits = createTargetLimits({ clock: systemClock, enabled: true, spares: [] });
    const held: string[] = [];
    const counting = {
      ...limits,
      http(address: string, host?: string) {
        const release = limits.http(address, host);
        held.push(address);
        return () => (held.splice(held.indexOf(address), 1), release());
      },
    };
    expect(await get(server.port, ports([REFUSING, '127.0.0.1'], { limits: counting }))).toMatchObject({ status_code: 200 });
    expect(held).toEqual([]);
  });
});

it('an ordinary host costs one connection, over IPv4', async () => {
  await using server = await serve('127.0.0.1');
  const opened = ports(['::1', '127.0.0.1']);
  expect(await get(server.port, opened)).toMatchObject({ attempts: [{ ip_address: '127.0.0.1', outcome: 'connected' }] });
  expect(opened.dialled).toEqual(['127.0.0.1']);
});

it('a visit goes on to the next address, and says all that it tried', async () => {
  await using server = await serve('127.0.0.1');
  const visit = async (addresses: readonly string[], port: number) => {
    const { resolver, dialler, clock, signal, ca } = ports(addresses);
    const options = {
      protocol: 'any',
      userAgent: 'test',
      now: new Date(),
      maxBytes: 100,
      maxRedirects: 0,
      hop_ms: 2_000,
      total_ms: 2_000,
    } as const;
    const rules = { refuse: () => {}, isOptedOut: () => Promise.resolve(false) };
    return (await visitPage({ resolver, dialler, clock, signal, ca, ...options, ...rules, url: `http://a.test:${port}/` })).hops[0]!;
  };
  expect(await visit([REFUSING, '127.0.0.1'], server.port)).toMatchObject({ remoteAddress: '127.0.0.1', failure: undefined });
  expect(await visit([REFUSING, '127.0.0.7'], server.port)).toMatchObject({
    remoteAddress: '',
    failure: { code: 'connect_refused', seen: `${REFUSING} ECONNREFUSED, 127.0.0.7 ECONNREFUSED` },
  });
});
