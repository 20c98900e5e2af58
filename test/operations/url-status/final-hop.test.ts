import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { urlStatus } from '../../../packages/operations/src/url-status/index.ts';
import { answer } from '../answer.ts';
import { aroundZoo, ask, here, zooUrl } from './zoo-ask.ts';
import { zooContext } from './zoo-context.ts';

aroundZoo();

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

  it('a bomb of gzip, an endless nest and a status that nobody knows, within limits', async () => {
    const bombed = await ask(zooUrl('/bomb'), { include_response_body: true });
    expect(bombed.final).toMatchObject({ body_size_bytes: 2 * 1024 * 1024, body_truncated: true, html_truncated: true });
    expect((await ask(zooUrl('/deep'), { include_links: true })).final).toMatchObject({
      html_truncated: true,
      html_info: { title: 'Deep' },
    });
    const { report, final } = await ask(zooUrl('/unusual'), { include_response_headers: true });
    expect(report).toMatchObject({ chain_status: 'complete', final_url: { status: 'unusual_status', status_code: 799 } });
    expect(final.response_headers?.['x-odd']?.[0]).not.toMatch(/\p{Cc}/u);
  });

  it('nothing that was not asked for', async () => {
    expect(Object.keys((await ask(zooUrl('/article'))).final).toSorted()).toEqual([
      'attempts', 'can_resolve', 'connection_error', 'content_type', 'domain_parts', 'elapsed_ms', 'error', 'hop', 'html_info', 'html_truncated', 'ip', 'protocol', 'reason',
      'redirect_followed', 'redirect_info', 'redirect_to', 'redirect_type', 'ssl_details', 'status_code', 'status_message', 'url', 'url_parts', 'valid_ssl',
    ]); // prettier-ignore
    expect(here.zoo.requests).toEqual(['http zoo.test /article']);
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
    const { final: missing } = await ask('https://www.shop.test/', { include_favicon_details: true });
    expect(missing.favicon_details).toMatchObject({ status_code: 404, size_bytes: 23, md5: '', mmh3: 0 });
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

  it('an icon behind a password, which the report masks', async () => {
    const { final } = await ask(zooUrl('/with-signed-in-icon'), { include_favicon_details: true });
    expect(final.favicon_details).toMatchObject({ url: zooUrl('/favicon.ico').replace('//', '//ann:***@'), status_code: 200 });
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
    expect(new Set(here.last.dialled)).toEqual(new Set(['127.0.0.1:80']));
    const closed = await ask(zooUrl('/to-closed'), EVERYTHING);
    expect(here.last.dialled).toEqual(['127.0.0.1:80', '127.0.0.1:81']);
    expect(closed.final).toMatchObject({
      body_base64: '', body_size_bytes: 0, body_text: '', links: [], forms: [], og_image_details: { url: '' }, favicon_details: { status_code: 0, md5: '', mmh3: 0 },
    }); // prettier-ignore
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
    const plain = { ...here.zoo, httpsPort: here.zoo.httpPort };
    const { opened } = zooContext(plain);
    const { chain, final_url, request_stats } = await answer(urlStatus, { url: 'https://zoo.test/end' }, opened);
    expect(chain).toMatchObject([
      { status_code: 0, connection_error: true, valid_ssl: false, reason: 'tls_handshake', ssl_details: { ssl_errors: true } },
    ]);
    expect(final_url.status).toBe('tls_failed');
    expect(request_stats.ssl_errors).toBe(1);
  });
});
