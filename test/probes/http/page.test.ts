import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ApiError, ProbeFailure } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { type PageOptions, visitPage } from '@vedette/probes/http';
import { makePki } from './certificates.ts';
import { loopbackPorts } from './loopback-ports.ts';
import { listen } from './raw-server.ts';

const pki = makePki({ good: { names: 'DNS:a.test' }, other: { names: 'DNS:b.test' } });
afterAll(() => pki[Symbol.dispose]());
const credentials = (name: string) => ({
  key: readFileSync(join(pki.folder, `${name}.key`)),
  cert: readFileSync(join(pki.folder, `${name}.pem`)),
});

const visit = (url: string, options: Partial<PageOptions> = {}) => {
  const { resolver, dialler, clock, signal } = loopbackPorts({
    hosts: { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'], 'inner.test': ['127.0.0.1', '10.0.0.1'] },
  });
  return visitPage({
    resolver, dialler, clock, signal, protocol: 'any', ca: [pki.root], userAgent: 'test', now: new Date(), url, maxBytes: 10_000, maxRedirects: 4, hop_ms: 2_000, total_ms: 5_000, refuse: () => {}, isOptedOut: () => Promise.resolve(false), ...options,
  }); // prettier-ignore
};
const serving = (behave: RequestListener) => listen(createHttpServer(behave));

describe('a visit', () => {
  it('keeps every hop with its fields as they came, and the body of the last', async () => {
    await using server = await serving((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next', 'set-cookie': ['a=1', 'b=2; Secure'] }).end('moved');
      else
        response
          .writeHead(200, {
            'content-type': 'text/html; charset=iso-8859-1',
            'content-encoding': 'gzip',
            'x-cookie': request.headers.cookie ?? '',
          })
          .end(gzipSync(Buffer.from('ä', 'latin1')));
    });
    const base = `http://a.test:${server.port}`;
    const { end, hops, page } = await visit(`${base}/`);
    expect(end).toBe('page');
    expect(hops.map(({ url, redirect, head }) => [url, redirect?.to, head?.status])).toEqual([
      [`${base}/`, `${base}/next`, 302],
      [`${base}/next`, undefined, 200],
    ]);
    expect(hops[0]!.head!.headers.filter(([name]) => name === 'set-cookie')).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2; Secure'],
    ]);
    expect(hops[1]!.head!.headers).toContainEqual(['x-cookie', 'a=1']);
    expect(page).toMatchObject({ text: 'ä', truncated: false, broken: false });
  });

  it('ends where redirects lead round, go on, are not wanted, or lead nowhere', async () => {
    await using server = await serving((request, response) => {
      const at = Number(request.url!.slice(2));
      response
        .writeHead(301, {
          location:
            request.url === '/loop'
              ? '/loop'
              : request.url === '/gone'
                ? 'http://nosuch.test/'
                : request.url === '/mail'
                  ? 'mailto:x@a.test'
                  : `/n${at + 1}`,
        })
        .end();
    });
    const base = `http://a.test:${server.port}`;
    expect(await visit(`${base}/loop`)).toMatchObject({ end: 'loop' });
    const endless = await visit(`${base}/n1`);
    expect([endless.end, endless.hops.length]).toEqual(['too_many_redirects', 5]);
    const stopped = await visit(`${base}/n1`, { follows: ({ url }) => !url.endsWith('/n2') });
    expect([stopped.end, stopped.hops.length, stopped.hops[0]!.redirect]).toEqual([
      'not_followed',
      1,
      { to: `${base}/n2`, type: 'location', followed: false },
    ]);
    expect(await visit(`${base}/gone`)).toMatchObject({
      end: 'failed',
      hops: [{}, { url: 'http://nosuch.test/', failure: { code: 'dns_nxdomain' } }],
    });
    expect(await visit(`${base}/mail`)).toMatchObject({ end: 'failed', hops: [{}, { failure: { code: 'blocked_policy' } }] });
  });

  it('judges every hop: its name, its owner, each of its addresses', async () => {
    let target = '';
    await using server = await serving((_request, response) => {
      response.writeHead(302, { location: target }).end();
    });
    const from = async (to: string, options: Partial<PageOptions> = {}) => {
      target = to;
      const { end, hops } = await visit(`http://a.test:${server.port}/`, options);
      return [end, hops.at(-1)!.failure?.code, hops.at(-1)!.remoteAddress];
    };
    expect(await from('http://10.0.0.1/')).toEqual(['failed', 'blocked_private_address', '']);
    expect(await from('http://inner.test/')).toEqual(['failed', 'blocked_private_address', '']);
    const refuse = (name: string) => {
      if (name === 'b.test') throw new ProbeFailure('blocked_policy', name);
    };
    expect(await from(`http://b.test:${server.port}/`, { refuse })).toEqual(['failed', 'blocked_policy', '']);
    expect(await from(`http://b.test:${server.port}/`, { isOptedOut: (name) => Promise.resolve(name === 'b.test') })).toEqual([
      'failed',
      'blocked_policy',
      '',
    ]);
  });

  it('keeps the certificate, valid or not, and the answer behind it', async () => {
    await using server = await listen(createHttpsServer(credentials('other'), (_request, response) => response.end('here')));
    const { hops, page } = await visit(`https://a.test:${server.port}/`);
    expect(hops[0]!.tls).toMatchObject({ certificate: { valid: false, error: expect.stringContaining('not for a.test') } });
    expect(hops[0]!.tls!.leaf.subject).toBe('CN=other');
    expect(page.text).toBe('here');
  });

  it('goes where the page leads, if it is asked to look', async () => {
    await using server = await serving((request, response) => response.end(request.url === '/' ? 'to /b' : 'b'));
    const base = `http://a.test:${server.port}`;
    const next: PageOptions['next'] = async ({ text, url }) =>
      text.startsWith('to ') ? { url: new URL(text.slice(3), url).href, type: 'word' } : undefined;
    expect(await visit(`${base}/`, { next })).toMatchObject({
      end: 'page',
      hops: [{ redirect: { to: `${base}/b`, type: 'word', followed: true } }, { redirect: undefined }],
      page: { text: 'b' },
    });
  });

  it('takes what came before the server fell silent, or too much', async () => {
    await using server = await serving((request, response) => {
      response.writeHead(200);
      response.write(request.url === '/much' ? 'x'.repeat(30_000) : 'begun');
    });
    const silent = await visit(`http://a.test:${server.port}/`, { hop_ms: 200 });
    expect(silent).toMatchObject({ end: 'page', page: { text: 'begun', truncated: true } });
    const { page } = await visit(`http://a.test:${server.port}/much`);
    expect([page.body.length, page.truncated]).toEqual([10_000, true]);
  });

  it('fails as a whole only by what is not about the site', async () => {
    await using server = await serving((_request, response) => response.end('x'));
    const url = `http://a.test:${server.port}/`;
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    await expect(visit(url, { signal: gone.signal })).rejects.toThrow('gone');
    const limited = () => Promise.reject(new ApiError('target_limited'));
    await expect(visit(url, { isOptedOut: limited })).rejects.toMatchObject({ code: 'target_limited' });
  });

  it('speaks HTTP/1.1 only where it is asked to, though the server has HTTP/2', async () => {
    await using server = await listen(
      createSecureServer({ ...credentials('good'), allowHTTP1: true }, (request, response) => response.end(request.httpVersion)),
    );
    const url = `https://a.test:${server.port}/`;
    const spoken = async (protocol: PageOptions['protocol']) => {
      const { hops, page } = await visit(url, { protocol });
      return [hops[0]!.version, page.text];
    };
    expect(await spoken('any')).toEqual(['HTTP/2', '2.0']);
    expect(await spoken('http/1.1')).toEqual(['HTTP/1.1', '1.1']);
  });

  it('sends credentials to the origin that was asked for and to no other: another port and another scheme are others', async () => {
    const seen: [url: string, authorization: string | undefined, language: string | undefined][] = [];
    const to = new Map<string, string>();
    const behave: RequestListener = ({ url = '', headers }, response) => {
      seen.push([url, headers.authorization, headers['accept-language']]);
      response.writeHead(302, { location: to.get(url) ?? '/end' }).end();
    };
    await using first = await serving(behave);
    await using second = await serving(behave);
    await using secure = await listen(createHttpsServer(credentials('good'), behave));
    to.set('/', `http://a.test:${second.port}/port`);
    to.set('/port', `https://a.test:${secure.port}/scheme`);
    to.set('/scheme', `http://b.test:${first.port}/host`);
    to.set('/host', `http://a.test:${first.port}/again`);
    to.set('/again', 'http://10.0.0.1/');
    await visit(`http://a.test:${first.port}/`, {
      requestFields: { 'accept-language': 'de' },
      originFields: { origin: `http://a.test:${first.port}`, fields: { authorization: 'Bearer secret' } },
    });
    expect(seen).toEqual([
      ['/', 'Bearer secret', 'de'],
      ['/port', undefined, 'de'],
      ['/scheme', undefined, 'de'],
      ['/host', undefined, 'de'],
      ['/again', 'Bearer secret', 'de'],
    ]);
  });

  it('keeps what the server showed where the handshake failed after it', async () => {
    const wanting = { ...credentials('good'), requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const };
    await using server = await listen(createHttpsServer(wanting, (_request, response) => response.end('never')));
    const { end, hops } = await visit(`https://a.test:${server.port}/`);
    expect(end).toBe('failed');
    expect(hops[0]).toMatchObject({
      version: '',
      failure: { code: 'tls_handshake', seen: 'the server wants a client certificate' },
      tls: { version: 'TLSv1.2', certificate: { valid: true }, leaf: { subject: 'CN=good' } },
    });
    expect(hops[0]!.tls!.chain.map(({ subject }) => subject)).toEqual(['CN=good', 'CN=root of tests']);
  });

  it('has a time for connecting and another for the answer, and says how long each hop took', async () => {
    await using mute = await listen(createServer(() => {}));
    const failed = await visit(`https://a.test:${mute.port}/`, { connect_ms: 150 });
    expect(failed.hops[0]).toMatchObject({ failure: { code: 'tls_handshake', seen: 'no end after 150 ms' } });
    expect(failed.hops[0]!.elapsed_ms).toBeGreaterThanOrEqual(149);
    await using slow = await serving((_request, response) => setTimeout(() => response.end('late'), 250));
    const { page, hops } = await visit(`http://a.test:${slow.port}/`, { connect_ms: 150 });
    expect([page.text, hops[0]!.elapsed_ms >= 249]).toEqual(['late', true]);
  });

  it('sends no field that would end its line', async () => {
    await using server = await serving((_request, response) => response.end('x'));
    const visiting = visit(`http://a.test:${server.port}/`, { requestFields: { referer: 'x\r\nHost: evil.test' } });
    await expect(visiting).rejects.toThrow('a value of referer that is not printable');
  });

  it('takes the fragment along, as browsers do, unless the redirect has one of its own', async () => {
    await using server = await serving((request, response) =>
      response.writeHead(request.url === '/c' ? 200 : 302, { location: request.url === '/' ? '/b' : '/c#own' }).end(),
    );
    const { hops } = await visit(`http://a.test:${server.port}/#top`);
    expect(hops.map(({ url }) => new URL(url).hash)).toEqual(['#top', '#top', '#own']);
  });
});
