import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ApiError, ProbeFailure } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { type PageOptions, visitPage } from '../../../packages/probes/src/http/index.ts';
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
    resolver, dialler, clock, signal, ca: [pki.root], userAgent: 'test', now: new Date(), url, maxBytes: 10_000, maxRedirects: 4, hop_ms: 2_000, total_ms: 5_000, refuse: () => {}, isOptedOut: () => Promise.resolve(false), ...options,
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
    expect(hops.map(({ url, next, head }) => [url, next, head?.status])).toEqual([
      [`${base}/`, `${base}/next`, 302],
      [`${base}/next`, '', 200],
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
    const stopped = await visit(`${base}/n1`, { follows: (url) => !url.endsWith('/n2') });
    expect([stopped.end, stopped.hops.length, stopped.hops[0]!.next]).toEqual(['not_followed', 1, `${base}/n2`]);
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
    const leadsTo: PageOptions['leadsTo'] = async ({ text, url }) => (text.startsWith('to ') ? new URL(text.slice(3), url).href : '');
    expect(await visit(`${base}/`, { leadsTo })).toMatchObject({
      end: 'page',
      hops: [{ next: `${base}/b` }, { next: '' }],
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
});
