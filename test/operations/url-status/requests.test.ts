import { describe, expect, it } from 'vitest';
import { startFakeProxy } from '../../probes/proxy/fake-proxy.ts';
import { aroundZoo, ask, here, type Request, zooUrl } from './zoo-ask.ts';

aroundZoo();

describe('what is sent', () => {
  const echoed = async (path: string, request: Request): Promise<Record<string, string>> => {
    const { final } = await ask(zooUrl(path), { ...request, include_response_body_text: true });
    return JSON.parse(final.body_text!) as Record<string, string>;
  };

  it('is a GET of a browser that says who it is, in English', async () => {
    const sent = await echoed('/to-echo', {});
    expect(sent).toMatchObject({ host: 'zoo.test', 'accept-language': 'en-US' });
    expect(sent['accept-encoding']).toContain('gzip');
    for (const absent of ['referer', 'authorization', 'cookie']) expect(sent).not.toHaveProperty(absent);
  });

  it.each([
    ['origin', 'http://zoo.test/'],
    ['google', 'https://www.google.com/'],
    ['yahoo', 'https://search.yahoo.com/'],
    ['duckduckgo', 'https://duckduckgo.com/'],
    ['bing', 'https://www.bing.com/'],
  ] as const)('referer %s is %s', async (referer, url) => {
    expect((await echoed('/to-echo', { referer })).referer).toBe(url);
    expect((await echoed('/to-other-echo', { referer })).referer).toBe(url);
  });

  it('is in the language that was asked for', async () => {
    expect((await echoed('/echo', { accept_language: 'de-CH' }))['accept-language']).toBe('de-CH');
  });

  it('has credentials for the origin that was asked for alone: another port is another origin', async () => {
    const basic = { basic_auth_username: 'user', basic_auth_password: 'se:cret' };
    expect((await echoed('/to-echo', basic)).authorization).toBe(`Basic ${Buffer.from('user:se:cret').toString('base64')}`);
    expect((await echoed('/to-echo', { authorization_bearer: 'abc.def' })).authorization).toBe('Bearer abc.def');
    for (const path of ['/to-port', '/to-other-echo'])
      for (const credentials of [basic, { authorization_bearer: 'abc.def' }])
        expect(await echoed(path, credentials)).not.toHaveProperty('authorization');
  });

  it('has the cookies that were set on the way, where they belong', async () => {
    expect((await echoed('/cookies', {})).cookie).toBe('here=1');
  });

  it('is HTTP/1.1 unless HTTP/2 is asked for', async () => {
    expect((await ask('https://zoo.test/end')).final.protocol).toBe('HTTP/1.1');
    const { report, final } = await ask('https://zoo.test/301', { use_http2: true });
    expect(final).toMatchObject({ protocol: 'HTTP/2', status_message: 'OK', html_info: { title: 'The end' } });
    expect(report.final_url.protocol).toBe('HTTP/2');
    expect((await ask('http://zoo.test/end', { use_http2: true })).final.protocol).toBe('HTTP/1.1');
  });
});

describe('a user name and password in a URL', () => {
  const authorized = () => here.zoo.authorized;

  it('is told to the origin that asks for it, and its password to no reader', async () => {
    const { report, final } = await ask('http://user:secret@zoo.test/members?a#b');
    expect(final).toMatchObject({ status_code: 200, html_info: { title: 'Welcome user:secret' } });
    expect(report).toMatchObject({
      url: 'http://user:***@zoo.test/members?a#b',
      chain_status: 'complete',
      chain: [{ url: 'http://user:***@zoo.test/members?a#b', url_parts: { host: 'zoo.test' }, domain_parts: { root_domain: 'zoo.test' } }],
      final_url: { url: 'http://user:***@zoo.test/members?a#b', status_code: 200 },
    });
    expect(here.zoo.requests).toEqual(['http zoo.test /members?a', 'http zoo.test /members?a']);
  });

  it('is not told to a server that does not ask', async () => {
    const { report } = await ask('http://www.irs.gov@zoo.test/end');
    expect(report).toMatchObject({ url: 'http://www.irs.gov@zoo.test/end', final_url: { status_code: 200 } });
    expect(report.chain[0]!.url_parts.host).toBe('zoo.test');
    expect(authorized()).toEqual([]);
    expect((await ask('http://user:secret@zoo.test/bearer-only')).final.status_code).toBe(401);
    expect(authorized()).toEqual([]);
  });

  it('comes along where a path of the same origin leads on', async () => {
    const { report } = await ask('http://user:secret@zoo.test/members/on');
    expect(report.chain).toMatchObject([
      { url: 'http://user:***@zoo.test/members/on', redirect_to: 'http://zoo.test/members' },
      { url: 'http://zoo.test/members', html_info: { title: 'Welcome user:secret' } },
    ]);
  });

  it('in a redirect is followed', async () => {
    const { report, final } = await ask(zooUrl('/login-in-url'), { include_response_headers: true });
    expect(final).toMatchObject({ status_code: 200, html_info: { title: 'Welcome user:secret' } });
    expect(report.chain).toMatchObject([
      { redirect_to: 'http://user:***@zoo.test/members', redirect_followed: true, redirect_info: { same_origin: true } },
      { url: 'http://user:***@zoo.test/members', redirected_from: 'http://zoo.test/login-in-url' },
    ]);
    const trick = await ask(zooUrl('/trick'));
    expect(trick.report).toMatchObject({
      chain_status: 'complete',
      final_url: { url: 'http://www.irs.gov@zoo.test/end', status_code: 200 },
    });
    for (const { report: told } of [{ report }, trick]) expect(JSON.stringify(told)).not.toContain('secret@');
  });

  it('is for its own origin alone', async () => {
    const { report, final } = await ask(zooUrl('/to-member-elsewhere'));
    expect(report.chain).toMatchObject([
      { redirect_to: 'http://user:***@other.test/to-members' },
      { redirect_to: 'http://zoo.test/members' },
      { status_code: 401 },
    ]);
    expect(final.status_code).toBe(401);
    expect(authorized()).toEqual([]);
  });

  it('gives way to what the request says itself', async () => {
    const { final } = await ask('http://user:secret@zoo.test/members', { basic_auth_username: 'me', basic_auth_password: 'mine' });
    expect(final.html_info).toMatchObject({ title: 'Welcome me:mine' });
  });
});

describe('custom_proxy', () => {
  it('carries every request, by the address that was judged', async () => {
    await using proxy = await startFakeProxy();
    const { report } = await ask(`http://zoo.test:${here.zoo.httpPort}/relative/deep/`, {
      custom_proxy: `http://proxy.test:${proxy.port}`,
    });
    expect(report.chain).toMatchObject([
      { status_code: 302, ip: '127.0.0.1' },
      { status_code: 200, url: `http://zoo.test:${here.zoo.httpPort}/end`, html_info: { title: 'The end' } },
    ]);
    expect(proxy.heads).toHaveLength(2);
    expect(proxy.heads[0]).toContain(`CONNECT 127.0.0.1:${here.zoo.httpPort} `);
  });

  it('that does not work is told as its own fault in a report, which is paid: 199 ports were told for nothing', async () => {
    const { report } = await ask(zooUrl('/end'), { custom_proxy: 'http://proxy.test:81' });
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining('The proxy that the request named failed'),
      chain: [
        { status_code: 0, reason: 'proxy_failed', error: expect.stringContaining('The proxy that the request named failed'), ip: '' },
      ],
    });
    expect(here.zoo.requests).toEqual([]);
  });

  it.each([
    ['http://private.test:3128', 'private_address'],
    ['socks5://10.0.0.7:1080', 'private_address'],
    ['http://denied.test:3128', 'denied_target'],
    ['http://quiet.test:3128', 'denied_target'],
  ])('%s is judged like every target', async (custom_proxy, code) => {
    await expect(ask(zooUrl('/end'), { custom_proxy })).rejects.toMatchObject({ code, param: 'custom_proxy' });
    expect(here.last.dialled).toEqual([]);
  });
});
