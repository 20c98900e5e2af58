import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { urlStatus } from '../../../packages/operations/src/url-status/index.ts';
import { read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { aroundZoo, ask, here, type Request, zooUrl } from './zoo-ask.ts';

aroundZoo();

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

describe('wrapped URLs', () => {
  it('begin where they lead, and ask nobody on the way', async () => {
    const inner = 'https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fzoo.test%2F301%23part&data=x';
    const outer = `https://www.google.com/url?q=${encodeURIComponent(inner)}&sa=D`;
    const { report, urls } = await ask(outer);
    expect(report).toMatchObject({ url: outer, unwrapped_url: `${zooUrl('/301')}#part`, chain_status: 'complete' });
    expect(urls).toEqual([`${zooUrl('/301')}#part`, `${zooUrl('/end')}#part`]);
    expect(here.last.asked.toSorted()).toEqual(['zoo.test A', 'zoo.test AAAA']);
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

it('answers as the example shows', () =>
  expectExample('url-status', { url: zooUrl('/to-article') }, async ({ url }) => (await ask(url)).report));
