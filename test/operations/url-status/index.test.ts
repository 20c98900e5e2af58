import { createHash } from 'node:crypto';
import { type Clock, ProbeFailure } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { urlStatus } from '../../../packages/operations/src/url-status/index.ts';
import { startFakeProxy } from '../../probes/proxy/fake-proxy.ts';
import { answer, type Opened, read } from '../answer.ts';
import { type RedirectZoo, startRedirectZoo } from './redirect-zoo.ts';
import { type ZooContext, zooContext } from './zoo-context.ts';

let zoo: RedirectZoo;
let last: ZooContext;
beforeAll(async () => {
  zoo = await startRedirectZoo();
});
afterAll(() => zoo[Symbol.asyncDispose]());
beforeEach(() => void (zoo.requests.length = 0));

const schema = Compile(urlStatus.response);
type Request = Omit<Static<typeof urlStatus.request>, 'url'>;

async function ask(url: string, request: Request = {}, more: Partial<Opened> = {}) {
  last = zooContext(zoo, more);
  const report = await answer(urlStatus, { url, ...request }, last.opened);
  expect([...schema.Errors(report)]).toEqual([]);
  const [first] = report.chain;
  return { report, first: first!, final: report.chain.at(-1)!, urls: report.chain.map(({ url: asked }) => asked) };
}
/** A clock whose waits are over at once when they are long ones. */
function hurried(): { clock: Clock; sleeps: number[] } {
  const sleeps: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal) => {
    sleeps.push(ms);
    return systemClock.sleep(ms / 100, signal);
  };
  return { clock: { ...systemClock, sleep }, sleeps };
}
const zooUrl = (path: string) => `http://zoo.test${path}`;

describe('ways to lead on', () => {
  it.each([301, 302, 303, 307, 308])('status %d is followed', async (status) => {
    const { report, first, final } = await ask(zooUrl(`/${status}`));
    expect(report).toMatchObject({ chain_status: 'complete', debug_message: '', url: zooUrl(`/${status}`), unwrapped_url: '' });
    expect(first).toMatchObject({
      url: zooUrl(`/${status}`), hop: 0, status_code: status, redirect_to: zooUrl('/end'), redirect_type: 'location', redirect_followed: true,
      redirect_info: { same_origin: true, cross_origin: false, external_redirect: false },
    }); // prettier-ignore
    expect(first).not.toHaveProperty('redirected_from');
    expect(first).not.toHaveProperty('html_info');
    expect(final).toMatchObject({
      url: zooUrl('/end'), hop: 1, redirected_from: zooUrl(`/${status}`), status_code: 200, redirect_to: '', redirect_type: '', redirect_followed: false,
      html_info: { title: 'The end', lang: 'en', h1: ['The end'] },
    }); // prettier-ignore
    expect(report.final_url).toEqual({ url: zooUrl('/end'), protocol: 'HTTP/1.1', status: 'ok', status_code: 200, status_message: 'OK' });
  });

  it.each([
    ['/refresh-header', 'refresh_header', 'follow_header_redirects', zooUrl('/end')],
    ['/meta', 'meta_refresh', 'follow_meta_redirects', zooUrl('/end')],
  ] as const)('%s is shown, and followed only with its switch', async (path, type, option, to) => {
    const without = await ask(zooUrl(path));
    expect(without.report).toMatchObject({ chain_status: 'complete', redirect_stats: { redirects_found: 1, followed_redirects: 0 } });
    expect(without.urls).toEqual([zooUrl(path)]);
    expect(without.first).toMatchObject({ redirect_to: to, redirect_type: type, redirect_followed: false });
    const others = { follow_meta_redirects: true, follow_header_redirects: true, follow_custom_redirects: true, [option]: false };
    expect((await ask(zooUrl(path), others)).urls).toEqual([zooUrl(path)]);
    const followed = await ask(zooUrl(path), { [option]: true });
    expect(followed.urls).toEqual([zooUrl(path), to]);
    expect(followed.first).toMatchObject({ redirect_type: type, redirect_followed: true });
  });

  it('what a site shows before a link leads out of it is followed only with its switch', async () => {
    // The URL itself is taken for a wrapped one: only a hop of the chain is a page to leave by.
    const first = 'https://l.facebook.com/l.php?u=https%3A%2F%2Fother.test%2F';
    const { report } = await ask(first);
    expect(report).toMatchObject({ unwrapped_url: 'https://other.test/' });
    const to = zooUrl('/to-exit');
    expect((await ask(to)).final).toMatchObject({ redirect_to: 'https://other.test/', redirect_type: 'custom', redirect_followed: false });
    expect((await ask(to, { follow_custom_redirects: true })).urls).toEqual([to, first, 'https://other.test/']);
  });

  it.each(['/refresh-late', '/refresh-self', '/meta-late', '/meta-noscript', '/meta-comment', '/304'])('%s leads nowhere', async (path) => {
    const { report, first } = await ask(zooUrl(path), { follow_meta_redirects: true, follow_header_redirects: true });
    expect(first).toMatchObject({ redirect_to: '', redirect_type: '', redirect_followed: false });
    expect(report).toMatchObject({ chain_status: 'complete', redirect_stats: { redirects_found: 0 } });
  });

  it('of two ways the one that is to be followed counts', async () => {
    expect((await ask(zooUrl('/both'))).first).toMatchObject({ redirect_to: zooUrl('/end?header'), redirect_type: 'refresh_header' });
    expect((await ask(zooUrl('/both'), { follow_meta_redirects: true })).urls[1]).toBe(zooUrl('/end'));
  });

  it('follow_redirects false follows none of them, and shows all the same', async () => {
    for (const path of ['/301', '/meta', '/refresh-header']) {
      const { report, first, urls } = await ask(zooUrl(path), {
        follow_redirects: false,
        follow_meta_redirects: true,
        follow_header_redirects: true,
      });
      expect(urls).toEqual([zooUrl(path)]);
      expect(first).toMatchObject({ redirect_to: zooUrl('/end'), redirect_followed: false });
      expect(report).toMatchObject({ chain_status: 'complete', debug_message: '' });
    }
  });

  it('follow_external_redirects false stays on the registrable domain', async () => {
    expect((await ask(zooUrl('/external'), { follow_external_redirects: false })).report).toMatchObject({
      chain_status: 'complete',
      redirect_stats: { redirects_found: 1, followed_redirects: 0, external_redirects: 1, http_to_https_redirects: 1 },
      final_url: { url: zooUrl('/external'), status: 'redirect', status_code: 302 },
    });
    expect((await ask(zooUrl('/to-www'), { follow_external_redirects: false })).urls).toHaveLength(2);
  });
});

describe('where Location leads', () => {
  it.each([
    ['relative to the URL that says it', '/relative/deep/', zooUrl('/end')],
    ['relative to the scheme', '/scheme-relative', 'http://www.zoo.test/end'],
    ['with backslashes', '/backslash', 'http://www.zoo.test/end'],
    ['with a tab in it', '/tab', zooUrl('/end')],
    ['with octets that are not ASCII', '/non-ascii', zooUrl('/caf%C3%A9')],
    ['with an IDN', '/idn', 'https://xn--bcher-kva.test/'],
    ['with blanks', '/spaces', zooUrl('/end?a%20b')],
    ['twice: the first', '/two', zooUrl('/end')],
    ['with a fragment of its own', '/to-fragment#old', zooUrl('/end#new')],
    ['with the fragment of where it began', '/301#old', zooUrl('/end#old')],
  ])('%s', async (_how, path, to) => {
    const { report, urls } = await ask(zooUrl(path));
    expect(urls).toEqual([zooUrl(path), to]);
    expect(report).toMatchObject({ chain_status: 'complete', final_url: { url: to, status: 'ok' } });
  });

  it.each(['/missing', '/no-url', '/long'])('%s says nothing that can be gone to', async (path) => {
    const { report, first } = await ask(zooUrl(path));
    expect(first).toMatchObject({ status_code: 302, redirect_to: '', redirect_type: '' });
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: 'hop 0 answers with status 302 and no URL that can be gone to',
      final_url: { status: 'redirect' },
    });
  });

  it('an empty one is the page itself, and a loop', async () => {
    expect((await ask(zooUrl('/empty'))).report).toMatchObject({ chain_status: 'partial', redirect_stats: { duplicate_redirects: 1 } });
  });

  it.each([
    ['/mail', 'mailto:me@zoo.test'],
    ['/script', 'javascript:alert(1)'],
    ['/login-in-url', 'http://user:secret@zoo.test/end'],
  ])('%s is shown, and not requested', async (path, to) => {
    const { report, first } = await ask(zooUrl(path));
    expect(first).toMatchObject({ redirect_to: to, redirect_followed: false, redirect_type: 'location' });
    expect(report).toMatchObject({ chain_status: 'partial', debug_message: expect.stringContaining('only http and https URLs') });
    expect(zoo.requests).toHaveLength(1);
  });
});

describe('chains that do not end', () => {
  it.each([
    ['a loop of two', zooUrl('/a'), 'http://zoo.test/a, which was asked before'],
    ['a page that leads to itself', zooUrl('/self'), 'which was asked before'],
    ['http and https', 'http://pingpong.test/', 'http and https redirect to each other'],
    ['the names with and without www.', 'https://names.test/', 'the names with and without www. redirect to each other'],
  ])('%s', async (_what, url, message) => {
    const { report, final } = await ask(url);
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining(message),
      final_url: { status: 'redirect' },
    });
    expect(report.redirect_stats.duplicate_redirects).toBeGreaterThanOrEqual(1);
    expect(final.redirect_followed).toBe(false);
    expect(zoo.requests.length).toBeLessThanOrEqual(3);
  });

  it('a page that counts in a cookie ends with the limit, and is told as a loop', async () => {
    const { report } = await ask(zooUrl('/counted'));
    expect(report).toMatchObject({
      chain_status: 'partial',
      redirect_stats: { followed_redirects: 10, redirects_found: 11, duplicate_redirects: 10 },
    });
  });

  it('ten redirects are followed, and no more', async () => {
    const ten = await ask(zooUrl('/down?left=10'));
    expect(ten.report).toMatchObject({ chain_status: 'complete', redirect_stats: { followed_redirects: 10, redirects_found: 10 } });
    const eleven = await ask(zooUrl('/down?left=11'));
    expect(eleven.report).toMatchObject({
      chain_status: 'partial',
      debug_message: 'hop 10 leads to http://zoo.test/down?left=0, and 10 redirects were followed before: no more are',
      redirect_stats: { followed_redirects: 10, redirects_found: 11 },
      request_stats: { total_requests: 11 },
    });
  });

  it('max_redirects asks for fewer', async () => {
    expect((await ask(zooUrl('/down?left=3'), { max_redirects: 2 })).urls).toHaveLength(3);
    expect((await ask(zooUrl('/down?left=3'), { max_redirects: 0 })).report).toMatchObject({ chain_status: 'partial' });
  });
});

describe('hops that nobody may contact', () => {
  it.each([
    ['a private address', '/to-private', 'http://10.0.0.7/', 'The address is not a public one'],
    ['a name of one', '/to-inner-name', 'http://private.test/', 'The address is not a public one'],
    ['a name of special use', '/to-localhost', 'http://localhost/', 'This target is not allowed'],
    ['a government', '/to-government', 'https://www.irs.gov/', 'This target is not allowed'],
    ['a name on the deny-list', '/to-denied', 'https://denied.test/', 'This target is not allowed'],
    ['a name whose owner does not want it', '/to-quiet', 'https://quiet.test/', 'This target is not allowed'],
    ['a private address by a Refresh header', '/refresh-private', 'http://10.0.0.7/', 'The address is not a public one'],
    ['the metadata service by a meta element', '/meta-private', 'http://169.254.169.254/latest/', 'The address is not a public one'],
  ])('%s ends the chain before it', async (_what, path, to, why) => {
    const { report, urls, first } = await ask(zooUrl(path), { follow_header_redirects: true, follow_meta_redirects: true });
    expect(urls).toEqual([zooUrl(path)]);
    expect(first).toMatchObject({ redirect_to: to, redirect_followed: false, connection_error: false, error: '' });
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining(`hop 0 leads to ${to}, which is not requested: ${why}`),
    });
    expect(report.redirect_stats).toMatchObject({ redirects_found: 1, followed_redirects: 0 });
    expect(last.dialled).toEqual(['127.0.0.1:80']);
    expect(last.asked.filter((question) => question.startsWith('localhost') || question.includes('irs.gov'))).toEqual([]);
  });

  it('a first URL that only the DNS shows to be one is refused as a whole', async () => {
    await expect(ask('http://private.test/')).rejects.toMatchObject({ code: 'private_address', param: 'url' });
    await expect(ask('http://alias-of-government.test/')).rejects.toMatchObject({ code: 'blocked_target' });
    expect(last.dialled).toEqual([]);
  });

  it.each([
    ['http://10.0.0.7/', 'private_address'],
    ['https://www.irs.gov/', 'blocked_target'],
    ['https://denied.test/', 'denied_target'],
    ['https://quiet.test/', 'denied_target'],
    ['http://printer.local/', 'special_use_name'],
  ])('so is one that wraps %s', async (inner, code) => {
    const wrapped = `https://nam01.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}&data=x`;
    await expect(ask(wrapped)).rejects.toMatchObject({ code, param: 'url' });
    expect(last.dialled).toEqual([]);
  });
});

describe('what does not answer', () => {
  it.each([
    [
      'a name that is not there',
      '/to-nowhere',
      { can_resolve: false, connection_error: false, reason: 'dns_nxdomain', ip: '' },
      'not_resolved',
    ],
    [
      'a name that nobody answers for',
      '/to-unanswered',
      { can_resolve: false, connection_error: false, reason: 'dns_timeout' },
      'not_resolved',
    ],
    ['a closed port', '/to-closed', { can_resolve: true, connection_error: true, reason: 'connect_refused' }, 'not_connected'],
  ])('%s is the last hop', async (_what, path, hop, status) => {
    const { report, final } = await ask(zooUrl(path));
    expect(report.chain).toHaveLength(2);
    expect(final).toMatchObject({ ...hop, status_code: 0, protocol: '', status_message: '', html_info: { title: '' } });
    expect(final.error).not.toBe('');
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining(`hop 1, ${final.url}: ${final.error}`),
      request_stats: { total_requests: 2, failed_requests: 1 },
      final_url: { status, status_code: 0 },
    });
  });

  it('a server that says nothing is waited for as long as connecting and answering may take', async () => {
    const { clock, sleeps } = hurried();
    const { report, final } = await ask(zooUrl('/to-silent'), { connect_timeout: 3 }, { clock });
    expect(final).toMatchObject({ can_resolve: true, connection_error: true, reason: 'http_timeout', status_code: 0, ip: '127.0.0.1' });
    expect(report.final_url.status).toBe('timed_out');
    expect(sleeps).toContain(13_000);
  });

  it('without a network of ours there is no report', async () => {
    const failing = { ...zooContext(zoo).opened.dialler, tcp: () => Promise.reject(new ProbeFailure('no_network', 'ENETUNREACH')) };
    await expect(ask(zooUrl('/end'), {}, { dialler: failing })).rejects.toMatchObject({ code: 'upstream_failed', status: 502 });
  });

  it('a HTTP error is an answer', async () => {
    expect((await ask(zooUrl('/broken'))).report).toMatchObject({
      chain_status: 'complete',
      final_url: { status: 'server_error', status_code: 500 },
    });
    expect((await ask(zooUrl('/gone'))).report).toMatchObject({ chain_status: 'complete', final_url: { status: 'client_error' } });
  });

  it('what is not reached in the time of a chain ends it before', async () => {
    const { clock } = hurried();
    let now = 0;
    // Each look at the clock takes five seconds: the ninth hop or so is one too many.
    const slow = { ...clock, now: () => (now += 2_500), sleep: systemClock.sleep };
    const { report, urls } = await ask(zooUrl('/down?left=10'), {}, { clock: slow });
    expect(urls.length).toBeLessThan(11);
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining('the 45 s that a chain may take were over'),
    });
    expect(report.chain.every(({ status_code }) => status_code === 302)).toBe(true);
  });
});

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

describe('what is told of an answer', () => {
  it('the parts of its URL and its host', async () => {
    expect((await ask('https://www.zoo.test:443/end?a=1#part')).final).toMatchObject({
      url: 'https://www.zoo.test/end?a=1#part',
      ip: '127.0.0.1',
      content_type: 'text/html; charset=utf-8',
      url_parts: { scheme: 'https', host: 'www.zoo.test', host_nowww: 'zoo.test', port: 443, path: '/end', query: 'a=1' },
      domain_parts: { root_domain: 'zoo.test', subdomain: 'www', tld: 'test' },
    });
    expect((await ask('http://127.0.0.1:8080/end')).final).toMatchObject({
      url_parts: { host: '127.0.0.1', host_nowww: '127.0.0.1', port: 8080 },
      domain_parts: { root_domain: '', subdomain: '', tld: '' },
    });
  });

  it('its headers, of every hop, when they are asked for', async () => {
    const { first, final } = await ask(zooUrl('/headers'), { include_response_headers: true });
    expect(first.response_headers).toMatchObject({ 'content-type': ['text/plain'], 'x-two': ['one', 'two'], 'set-cookie': ['a=1', 'b=2'] });
    const { report } = await ask(zooUrl('/to-closed'), { include_response_headers: true });
    expect(report.chain.map(({ response_headers }) => response_headers?.['location'])).toEqual([['http://zoo.test:81/'], undefined]);
    expect(final.html_info).toMatchObject({ title: '' });
    expect((await ask(zooUrl('/headers'))).first).not.toHaveProperty('response_headers');
  });

  it('its body, whole and cut off', async () => {
    const { final } = await ask(zooUrl('/headers'), { include_response_body: true, include_response_body_text: true });
    expect(final).toMatchObject({
      body_base64: Buffer.from('plain words').toString('base64'),
      body_md5_hash_original: createHash('md5').update('plain words').digest('hex'),
      body_size_bytes: 11,
      body_truncated: false,
      html_truncated: false,
      body_text: 'plain words',
    });
    const { final: large } = await ask(zooUrl('/large'), { include_response_body: true });
    expect(large).toMatchObject({
      body_size_bytes: 2 * 1024 * 1024,
      body_truncated: true,
      html_truncated: true,
      html_info: { title: 'Large' },
    });
    expect(Buffer.from(large.body_base64!, 'base64')).toHaveLength(2 * 1024 * 1024);
  });

  it('nothing that was not asked for', async () => {
    expect(Object.keys((await ask(zooUrl('/article'))).final).toSorted()).toEqual([
      'can_resolve', 'connection_error', 'content_type', 'domain_parts', 'elapsed_ms', 'error', 'hop', 'html_info', 'html_truncated', 'ip', 'protocol', 'reason',
      'redirect_followed', 'redirect_info', 'redirect_to', 'redirect_type', 'ssl_details', 'status_code', 'status_message', 'url', 'url_parts', 'valid_ssl',
    ]); // prettier-ignore
    expect(zoo.requests).toEqual(['http zoo.test /article']);
  });

  const EVERYTHING = {
    include_response_body: true,
    include_response_body_text: true,
    include_favicon_details: true,
    include_og_image_details: true,
    include_links: true,
    include_forms: true,
  };

  it('its text, links and forms, its icon and its picture', async () => {
    const { report, final } = await ask(zooUrl('/article'), EVERYTHING);
    expect(final.body_text).toContain('What the article says');
    expect(final.body_text).toContain('We value your privacy');
    expect(final.body_text).not.toMatch(/script words|color: red|</);
    expect(final.links?.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/menu', '/cookies', '/source', '/next', '/imprint']);
    expect(final.links?.[3]).toEqual({ url: 'https://elsewhere.test/source', text: 'Source', rel: 'nofollow', external: true });
    expect(final.forms).toMatchObject([
      {
        action: 'https://collect.test/',
        method: 'post',
        has_password: true,
        has_file: true,
        external_action: true,
        fields: [{ name: 'mail' }, {}, {}],
      },
    ]);
    expect(final.favicon_details).toEqual({
      url: zooUrl('/favicon.ico'), status_code: 200, content_type: 'image/x-icon', size_bytes: 5, md5: '5d41402abc4b2a76b9719d911017c592', mmh3: 1155597304,
    }); // prettier-ignore
    expect(final.og_image_details).toMatchObject({
      url: zooUrl('/picture.png'),
      status_code: 200,
      content_type: 'image/png',
      width: 37,
      height: 21,
    });
    expect(report.request_stats.total_requests).toBe(1);
  });

  it('the cleaned page: no navigation, no consent banner, no scripts or styles', async () => {
    const { final } = await ask(zooUrl('/article'), { ...EVERYTHING, clean_page_content: true });
    const dirty = await ask(zooUrl('/article'), EVERYTHING);
    expect(final.body_text).toMatch(/^The article\nWhat the article says/);
    expect(final.body_text).not.toMatch(/privacy|Menu|Imprint/);
    expect(final.links?.map(({ text }) => text)).toEqual(['Source', 'Next']);
    const markup = Buffer.from(final.body_base64!, 'base64').toString();
    expect(markup).toMatch(/^<main><h1>The article<\/h1><p>What/);
    expect(markup).toContain('<a href="https://elsewhere.test/source" rel="nofollow">Source</a>');
    expect(markup).not.toMatch(/script|style|onetrust|nav|footer/);
    expect(final.body_md5_hash_original).toBe(dirty.final.body_md5_hash_original);
    expect(final.forms).toEqual(dirty.final.forms);
  });

  it('what is refused or missing of them is not there, and no error', async () => {
    const { report, final } = await ask(zooUrl('/with-icon-inside'), EVERYTHING);
    expect(final.favicon_details).toMatchObject({ url: zooUrl('/favicon.ico'), status_code: 200 });
    expect(final.og_image_details).toEqual({
      url: 'http://10.0.0.7/x.png',
      status_code: 0,
      content_type: '',
      size_bytes: 0,
      width: 0,
      height: 0,
    });
    expect(report.chain_status).toBe('complete');
    expect(new Set(last.dialled)).toEqual(new Set(['127.0.0.1:80']));
    const closed = await ask(zooUrl('/to-closed'), EVERYTHING);
    expect(closed.final).toMatchObject({
      body_base64: '', body_size_bytes: 0, body_text: '', links: [], forms: [], og_image_details: { url: '' }, favicon_details: { status_code: 0, md5: '', mmh3: 0 },
    }); // prettier-ignore
  });
});

describe('wrapped URLs', () => {
  it('begin where they lead, and ask nobody on the way', async () => {
    const inner = 'https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fzoo.test%2F301%23part&data=x';
    const outer = `https://www.google.com/url?q=${encodeURIComponent(inner)}&sa=D`;
    const { report, urls } = await ask(outer);
    expect(report).toMatchObject({ url: outer, unwrapped_url: `${zooUrl('/301')}#part`, chain_status: 'complete' });
    expect(urls).toEqual([`${zooUrl('/301')}#part`, `${zooUrl('/end')}#part`]);
    expect(last.asked).toEqual(['zoo.test A']);
  });

  it('of others there are none', async () => {
    expect((await ask('http://zoo.test/end?url=https%3A%2F%2Fother.test%2F')).report.unwrapped_url).toBe('');
  });
});

describe('what ordinary sites do', () => {
  it.each([
    ['http to https, and to www', 'http://shop.test/', ['http://shop.test/', 'https://shop.test/', 'https://www.shop.test/']],
    [
      'a log-in that leads back with a cookie',
      'https://bank.test/',
      ['https://bank.test/', 'https://login.bank.test/?back=https%3A%2F%2Fbank.test%2F', 'https://bank.test/'],
    ],
    [
      'consent, then a language',
      'http://paper.test/',
      [
        'http://paper.test/',
        'https://paper.test/',
        'https://paper.test/consent?return=%2F',
        'https://paper.test/',
        'https://paper.test/en/',
      ],
    ],
    ['a link that counts clicks', 'https://tracker.test/c/1', ['https://tracker.test/c/1', 'https://www.shop.test/?utm_source=mail']],
    ['a slash at the end', 'https://docs.test/guide', ['https://docs.test/guide', 'https://docs.test/guide/']],
  ])('%s raises no suspicion', async (_what, url, chain) => {
    const { report, urls } = await ask(url);
    expect(urls).toEqual(chain);
    expect(report).toMatchObject({
      chain_status: 'complete',
      debug_message: '',
      redirect_stats: { duplicate_redirects: 0, https_to_http_redirects: 0 },
      request_stats: { failed_requests: 0, ssl_errors: 0 },
      final_url: { status: 'ok', status_code: 200 },
    });
    expect(report.chain.every((hop) => !hop.connection_error && hop.can_resolve && hop.error === '')).toBe(true);
  });
});

describe('certificates', () => {
  it('are told of every hop: over http there is none', async () => {
    const { report, final } = await ask('http://shop.test/');
    expect(report.chain.map(({ valid_ssl }) => valid_ssl)).toEqual([false, true, true]);
    expect(report.chain[0]!.ssl_details).toMatchObject({
      certificate_found: false,
      ssl_errors: false,
      valid: false,
      subject: { common_name: '', organization: [] },
    });
    expect(final.ssl_details).toMatchObject({
      certificate_found: true, ssl_errors: false, name_match: true, expired: false, valid: true, self_signed: false, key_size: 256, type: 'DV', error: '',
      issuer: { common_name: 'root of tests', organization: [] }, subject: { common_name: 'good' }, valid_to: '2049-12-31 00:00:00', expired_from_days: 0,
      key_algorithm: 'EC', algorithm: 'ecdsa-with-SHA256', fingerprint_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    }); // prettier-ignore
    expect(final.ssl_details).not.toHaveProperty('revoked');
    expect(report.request_stats.ssl_errors).toBe(0);
  });

  it.each([
    ['expired', 'https://expired.test/', { expired: true, name_match: true, self_signed: false, valid_days_left: 0 }, 'has expired'],
    ['for another name', 'https://wrong.test/', { expired: false, name_match: false }, 'not for wrong.test'],
    ['self-signed', 'https://self.test/', { self_signed: true, name_match: true }, 'is self-signed'],
  ])('one that is %s is told, and stops nothing', async (_what, url, details, error) => {
    const { report, final } = await ask(url);
    expect(final).toMatchObject({
      valid_ssl: false,
      status_code: 200,
      error: '',
      ssl_details: { ...details, valid: false, ssl_errors: true, certificate_found: true },
    });
    expect(final.ssl_details?.error).toContain(error);
    expect(report).toMatchObject({ chain_status: 'complete', request_stats: { ssl_errors: 1, failed_requests: 0 } });
  });

  it('verify_ssl false leaves them out', async () => {
    const { report, final } = await ask('https://expired.test/', { verify_ssl: false });
    expect(final).not.toHaveProperty('valid_ssl');
    expect(final).not.toHaveProperty('ssl_details');
    expect(report.request_stats.ssl_errors).toBe(0);
  });

  it('check_ssl_revocation asks their issuer', async () => {
    const revoked = await ask('https://revoked.test/', { check_ssl_revocation: true });
    expect(revoked.final.ssl_details).toMatchObject({
      valid: true,
      revoked: true,
      revocation: 'revoked',
      revocation_by: 'crl',
      revocation_error: '',
    });
    const named = await ask('https://zoo.test/301', { check_ssl_revocation: true });
    expect(named.final.ssl_details).toMatchObject({
      revoked: false,
      revocation: 'unknown',
      revocation_error: expect.stringContaining('names neither'),
    });
    expect((await ask('https://expired.test/', { check_ssl_revocation: true })).final.ssl_details).toMatchObject({
      revoked: false,
      revocation: '',
    });
  });

  it('a server that speaks no TLS has none, and fails', async () => {
    const plain = { ...zoo, httpsPort: zoo.httpPort };
    const { opened } = zooContext(plain);
    const { chain, final_url, request_stats } = await answer(urlStatus, { url: 'https://zoo.test/end' }, opened);
    expect(chain).toMatchObject([
      { status_code: 0, connection_error: true, valid_ssl: false, reason: 'tls_handshake', ssl_details: { ssl_errors: true } },
    ]);
    expect(final_url.status).toBe('tls_failed');
    expect(request_stats.ssl_errors).toBe(1);
  });
});

describe('custom_proxy', () => {
  it('carries every request, by the address that was judged', async () => {
    await using proxy = await startFakeProxy();
    const { report } = await ask(`http://zoo.test:${zoo.httpPort}/relative/deep/`, { custom_proxy: `http://proxy.test:${proxy.port}` });
    expect(report.chain).toMatchObject([
      { status_code: 302, ip: '127.0.0.1' },
      { status_code: 200, url: `http://zoo.test:${zoo.httpPort}/end`, html_info: { title: 'The end' } },
    ]);
    expect(proxy.heads).toHaveLength(2);
    expect(proxy.heads[0]).toContain(`CONNECT 127.0.0.1:${zoo.httpPort} `);
  });

  it('that does not work is no report of the target', async () => {
    await expect(ask(zooUrl('/end'), { custom_proxy: 'http://proxy.test:81' })).rejects.toMatchObject({
      code: 'upstream_failed',
      param: 'custom_proxy',
      message: expect.stringContaining('The proxy failed'),
    });
    expect(zoo.requests).toEqual([]);
  });

  it.each([
    ['http://private.test:3128', 'private_address'],
    ['socks5://10.0.0.7:1080', 'private_address'],
    ['http://denied.test:3128', 'denied_target'],
    ['http://quiet.test:3128', 'denied_target'],
  ])('%s is judged like every target', async (custom_proxy, code) => {
    await expect(ask(zooUrl('/end'), { custom_proxy })).rejects.toMatchObject({ code, param: 'custom_proxy' });
    expect(last.dialled).toEqual([]);
  });
});

/** Response fields of the API contract, by hand: our own schema is not asked. */
const names = (text: string) => text.split(' ');
const CONTRACT = {
  report: names('url unwrapped_url debug_message chain_status redirect_stats request_stats chain final_url'),
  redirect_stats: names(
    'redirects_found followed_redirects duplicate_redirects http_to_https_redirects https_to_http_redirects external_redirects same_origin_redirects cross_origin_redirects',
  ),
  request_stats: names('total_requests failed_requests slow_requests ssl_errors avg_elapsed_ms max_elapsed_ms'),
  final_url: names('url protocol status status_code status_message'),
  hop: names(
    'url hop protocol status_code status_message content_type can_resolve connection_error redirected_from redirect_to redirect_type redirect_info redirect_followed ip url_parts domain_parts valid_ssl ssl_details elapsed_ms html_info response_headers body_base64 body_md5_hash_original body_size_bytes body_truncated body_text favicon_details og_image_details links forms',
  ),
  redirect_info: names(
    'http_to_https https_to_http non_www_to_www www_to_non_www external_redirect same_origin cross_origin same_scheme same_domain same_host same_port',
  ),
  ssl_details: names(
    'certificate_found ssl_errors name_match expired valid self_signed issuer subject valid_from valid_to valid_days_left expired_from_days key_size serial_number fingerprint_sha1 fingerprint_sha256 algorithm key_algorithm type revoked',
  ),
  issuer: names('common_name organization organizational_unit location state country'),
  html_info: names(
    'title description keywords author robots searchbot canonical og_image og_type og_site_name og_url article_publisher socialnet_site social_app_id ld_organization ld_url ld_logo refresh_url mobilevendor_app_id mobilevendor_app_name icon lang ld_same_as generator hreflang h1 h2 h3 mobilevendor_touch_icon',
  ),
};

it('every field of the contract is in a report that asks for all of them', async () => {
  const everything = Object.fromEntries(
    Object.keys(urlStatus.request.properties)
      .filter((name) => name.startsWith('include_') || name === 'check_ssl_revocation')
      .map((name) => [name, true]),
  );
  const { report, final } = await ask('https://zoo.test/to-article', everything);
  expect(Object.keys(report)).toEqual(expect.arrayContaining(CONTRACT.report));
  expect(Object.keys(final)).toEqual(expect.arrayContaining(CONTRACT.hop));
  for (const name of ['redirect_stats', 'request_stats', 'final_url'] as const)
    expect(Object.keys(report[name]).toSorted()).toEqual(CONTRACT[name].toSorted());
  expect(Object.keys(final.redirect_info).toSorted()).toEqual(CONTRACT.redirect_info.toSorted());
  expect(Object.keys(final.ssl_details!)).toEqual(expect.arrayContaining(CONTRACT.ssl_details));
  for (const name of [final.ssl_details!.issuer, final.ssl_details!.subject])
    expect(Object.keys(name).toSorted()).toEqual(CONTRACT.issuer.toSorted());
  expect(Object.keys(final.html_info!).toSorted()).toEqual(CONTRACT.html_info.toSorted());
});

describe('parameters', () => {
  const request = Compile(urlStatus.request);
  const url = 'https://example.org/';

  it('are all of the contract, with its defaults', () => {
    const { properties } = urlStatus.request;
    const defaults = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, 'default' in property ? property.default : undefined]),
    );
    expect(defaults).toEqual({
      url: undefined, follow_redirects: true, follow_external_redirects: true, follow_meta_redirects: false, follow_header_redirects: false,
      follow_custom_redirects: false, max_redirects: 10, verify_ssl: true, check_ssl_revocation: false, user_agent: 'desktop', referer: undefined,
      accept_language: 'en-US', basic_auth_username: undefined, basic_auth_password: undefined, authorization_bearer: undefined, connect_timeout: 10,
      include_response_headers: false, include_response_body: false, include_response_body_text: false, include_favicon_details: false,
      include_og_image_details: false, include_links: false, include_forms: false, clean_page_content: false, custom_proxy: undefined,
      use_premium_proxy: false, use_http2: false,
    }); // prettier-ignore
  });

  it.each<[string, object]>([
    ['more than ten redirects', { max_redirects: 11 }],
    ['less than none', { max_redirects: -1 }],
    ['more than 15 s', { connect_timeout: 16 }],
    ['no time', { connect_timeout: 0 }],
    ['another browser', { user_agent: 'evil' }],
    ['another referer', { referer: 'https://evil.test/' }],
    ['a bearer of a megabyte', { authorization_bearer: 'a'.repeat(1_000_000) }],
    ['a user with a colon', { basic_auth_username: 'a:b' }],
    ['a user with a line break', { basic_auth_username: 'a\r\nb' }],
    ['a password that is not ASCII', { basic_auth_username: 'a', basic_auth_password: 'pässword' }],
    ['a password with a line break', { basic_auth_username: 'a', basic_auth_password: 'a\nb' }],
    ['one that it does not have', { follow: true }],
  ])('%s is refused', (_what, more) => {
    expect(request.Check({ url, ...more })).toBe(false);
    expect(request.Check({ url })).toBe(true);
  });

  it.each<[string, Request, string, string]>([
    ['revocation without verification', { verify_ssl: false, check_ssl_revocation: true }, 'parameter_conflict', 'check_ssl_revocation'],
    [
      'two ways to sign in',
      { basic_auth_username: 'a', basic_auth_password: 'b', authorization_bearer: 'c' },
      'parameter_conflict',
      'authorization_bearer',
    ],
    ['a password without a user', { basic_auth_password: 'b' }, 'parameter_conflict', 'basic_auth_password'],
    ['a language with a header in it', { accept_language: 'en\r\nX: y' }, 'invalid_parameter', 'accept_language'],
    ['a bearer with a line break', { authorization_bearer: 'a\nb' }, 'invalid_parameter', 'authorization_bearer'],
    ['a bearer that is not ASCII', { authorization_bearer: 'tök' }, 'invalid_parameter', 'authorization_bearer'],
    ['a proxy of ours', { use_premium_proxy: true }, 'invalid_parameter', 'use_premium_proxy'],
    ['a proxy that is a file', { custom_proxy: 'file://x' }, 'invalid_parameter', 'custom_proxy'],
  ])('%s is refused by name', (_what, more, code, param) => {
    expect(() => read(urlStatus, { url, ...more })).toThrow(expect.objectContaining({ code, param }));
  });

  it('a wrong proxy is not repeated: it may hold a password', () => {
    expect(() => read(urlStatus, { url, custom_proxy: 'ftp://user:secret@proxy.test' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it.each([
    ['desktop', 'Chrome/'],
    ['desktop-chrome', 'Chrome/'],
    ['desktop-firefox', 'Firefox/'],
    ['desktop-edge', 'Edg/'],
    ['mobile', 'Mobile'],
  ] as const)('user_agent %s looks like one, and says who we are', async (user_agent, token) => {
    const { final } = await ask(zooUrl('/echo'), { user_agent, include_response_body_text: true });
    const sent = (JSON.parse(final.body_text!) as Record<string, string>)['user-agent']!;
    expect(sent).toContain(token);
    expect(sent).toMatch(/^Mozilla\/5\.0 .* Vedette\/0\.1 \(\+https:\/\/vedette\.example\)$/);
  });
});
