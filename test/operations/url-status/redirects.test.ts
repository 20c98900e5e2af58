import { describe, expect, it } from 'vitest';
import { aroundZoo, ask, here, zooUrl } from './zoo-ask.ts';

aroundZoo();

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
  ])('%s is shown, and not requested', async (path, to) => {
    const { report, first } = await ask(zooUrl(path));
    expect(first).toMatchObject({ redirect_to: to, redirect_followed: false, redirect_type: 'location' });
    expect(report).toMatchObject({ chain_status: 'partial', debug_message: expect.stringContaining('only http and https URLs') });
    expect(here.zoo.requests).toHaveLength(1);
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
    expect(here.zoo.requests.length).toBeLessThanOrEqual(3);
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
