import { createServer } from 'node:http';
import { ApiError, isSpecialUseName } from '@vedette/contract';
import { CONTENT_TYPES, PICTURE_KINDS } from '@vedette/message/report';
import { readPicture } from '@vedette/message/qr';
import { createAddressPolicy } from '@vedette/probes/host';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qrScan } from '../../../packages/operations/src/qr-scan/index.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { listening } from '../../listening.ts';
import { codePng } from '../../message/qr/codes.ts';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const WRAPPED = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshort.test%2Fx&data=1';
const parsers = { ...SHUT.parsers, picture: readPicture };
const base64 = (file: Uint8Array) => Buffer.from(file).toString('base64');
const scan = (file: Uint8Array, more: Partial<Opened> = {}) =>
  answer(qrScan, { image_base64: base64(file) }, { ...SHUT, parsers, ...more });

const names = {
  ...SHUT.names,
  hasList: (list: string) => list === 'url-shorteners',
  listings: (host: string) => (host === 'short.test' ? [{ list: 'url-shorteners', entry: host, note: '' }] : []),
} as unknown as Opened['names'];

describe('a picture in base64', () => {
  it('has its codes, and what their URLs tell by themselves', async () => {
    expect(await scan(await codePng(WRAPPED), { names })).toMatchObject({
      codes_found: 1,
      codes: [{ content: WRAPPED, content_type: 'url' }],
      urls: [
        {
          url: WRAPPED,
          unwrapped_url: 'https://short.test/x',
          host: 'short.test',
          domain_parts: { root_domain: 'short.test', tld: 'test' },
          is_shortener: 'yes',
          is_ip_host: false,
          is_defanged: false,
        },
      ],
      image_format: 'png',
      error: '',
    });
  });

  it.each([
    ['http://[2001:db8::1]/a', { host: '2001:db8::1', is_ip_host: true }],
    ['http://3232235777/', { url: 'http://192.168.1.1/', host: '192.168.1.1', is_ip_host: true }],
    ['https://other.test/', { is_shortener: 'no', unwrapped_url: '' }],
    ['hxxps://evil[.]test/x', { url: 'https://evil.test/x', is_defanged: true }],
  ])('says of %s what it is', async (text, url) => {
    expect((await scan(await codePng(text), { names })).urls).toMatchObject([url]);
  });

  it('does not say no where the list of shorteners is not loaded', async () => {
    expect((await scan(await codePng('https://other.test/'))).urls).toMatchObject([{ is_shortener: 'unknown' }]);
  });

  it('without a code has none', async () => {
    expect(await scan(Buffer.from('just words'))).toMatchObject({ codes_found: 0, codes: [], urls: [], image_format: 'text', error: '' });
  });

  it.each([
    ['an archive', Buffer.from('PK\u0003\u0004'), 'is no picture, PDF, HTML or text'],
    ['a broken PNG', Buffer.from('\x89PNG\r\n\x1a\n0000IHDR', 'latin1'), 'is no picture'],
    ['a broken PDF', Buffer.from('%PDF-1.4'), 'cannot be decoded as pdf'],
  ])('that is %s is refused', async (_name, file, why) => {
    await expect(scan(file)).rejects.toThrow(why);
  });

  it('passes on what the parser refuses', async () => {
    const refused = new ApiError('invalid_parameter', 'the picture takes more than 10 s to read', { param: 'image_base64' });
    await expect(scan(await codePng('a'), { parsers: { ...parsers, picture: () => Promise.reject(refused) } })).rejects.toBe(refused);
  });
});

it.each([[{}], [{ image_url: 'https://a.test/', image_base64: 'AAAA' }]])('%j is refused', (request) => {
  expect(() => read(qrScan, request)).toThrow(expect.objectContaining({ code: 'parameter_conflict' }));
});

it('judges the host of the URL, which is contacted', () => {
  expect(Object.keys(qrScan.further!(read(qrScan, { image_url: 'https://www.a.test/code.png' })))).toEqual(['image_url']);
  expect(qrScan.further!(read(qrScan, { image_base64: 'AAAA' }))).toEqual({});
});

describe('a picture at a URL', () => {
  let code: Buffer;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/moved') return response.writeHead(302, { location: '/code.png' }).end();
    if (path === '/away') return response.writeHead(302, { location: 'http://denied.test/' }).end();
    if (path === '/round') return response.writeHead(302, { location: '/round' }).end();
    if (path === '/code.png') return response.end(code);
    if (path === '/large') return response.end(Buffer.alloc(6 * 1024 * 1024));
    if (path === '/zip') return response.end('PK\u0003\u0004');
    if (path === '/empty') return response.end();
    return response.writeHead(404).end('<html>no');
  });
  let opened: Awaited<ReturnType<typeof listening>>;
  beforeAll(async () => {
    code = await codePng('https://qr.test/');
    // The second speaks no TLS.
    opened = await listening([server, createServer()], '127.0.0.1', [0, 0]);
  });
  afterAll(() => opened.close());

  const scanAt = (image_url: string) => {
    const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
    const here = { A: ['127.0.0.1'] };
    const dns = fakeResolver({ 'www.site.test': here, 'denied.test': here, 'quiet.test': here, 'inner.test': { A: ['10.0.0.7'] } });
    return answer(qrScan, { image_url }, {
      ...SHUT,
      parsers,
      resolver: refusing(dns, isSpecialUseName),
      dialler: { ...inner, tcp: (options) => inner.tcp({ ...options, port: options.port === 80 ? opened.ports[0]! : opened.ports[1]! }) },
      clock: systemClock,
      isDenied: (host) => host === 'denied.test',
      isOptedOut: (host) => Promise.resolve(host === 'quiet.test'),
    }); // prettier-ignore
  };

  it.each(['/code.png', '/moved'])('is fetched: %s', async (path) => {
    expect(await scanAt(`http://www.site.test${path}`)).toMatchObject({ codes_found: 1, image_format: 'png', error: '' });
  });

  it.each([
    ['/gone', 'the server answered with status 404'],
    ['/large', 'larger than 5 MB'],
    ['/zip', 'the answer is no picture'],
    ['/empty', 'the answer is empty'],
    ['/round', 'the redirects lead to no answer'],
    ['/away', 'denied.test'],
  ])('that is not one is data: %s', async (path, why) => {
    const report = await scanAt(`http://www.site.test${path}`);
    expect(report).toMatchObject({ codes_found: 0, codes: [], is_complete: false });
    expect(report.error).toContain(why);
  });

  it('of a server that speaks no TLS is data', async () => {
    expect(await scanAt('https://www.site.test/')).toMatchObject({ codes_found: 0, error: expect.stringContaining('TLS') });
  });

  it.each([
    ['http://inner.test/', 'private_address'],
    ['http://quiet.test/', 'denied_target'],
  ])('of %s is refused', async (url, code) => {
    await expect(scanAt(url)).rejects.toMatchObject({ code, param: 'image_url' });
  });
});

describe('docs/qr-scan.md', () => {
  const page = readFileSync(new URL('../../../docs/qr-scan.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]*) \|$/gm)].map(([, name, text]) => [name, text]);
  it('has every content type with its words', () => {
    expect(rows).toEqual(Object.entries(CONTENT_TYPES));
  });

  it('names every kind of file', () => {
    for (const kind of PICTURE_KINDS) expect(page.toLowerCase()).toContain(kind);
  });
});

it('answers as the example shows', () => {
  const { image_base64 = '' } = qrScan.examples[1]!;
  return expectExample('qr-scan', { image_base64 }, () => answer(qrScan, { image_base64 }, { ...SHUT, parsers, names }));
});
