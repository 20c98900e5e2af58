import { describe, expect, it } from 'vitest';
import { refreshTarget } from '@vedette/web/page';
import { NO_PAGE, readPage } from '@vedette/web/site';

describe('reading a page', () => {
  it('tells what the page says of itself', async () => {
    const { info } = await readPage(`<html lang="en-GB"><head><title> The
      choir </title><title>Second</title>
      <meta name="Description" content="We sing"><meta name="keywords" content="a, b"><meta name="robots" content="index">
      <meta property="og:image" content="/o.png"><meta property="og:site_name" content="Choir"><meta property="article:publisher" content="https://facebook.com/choir">
      <meta name="twitter:site" content="@choir"><meta name="generator" content="Hugo 0.1"><link rel="shortcut canonical" href="https://choir.example/">
      <script type="application/ld+json">{"@graph":[{"@type":["Organization","Thing"],"name":"The Choir"}]}</script></head><body><svg><title>Icon</title></svg></body></html>`);
    expect(info).toEqual({
      title: 'The choir', description: 'We sing', keywords: 'a, b', robots: 'index', canonical: 'https://choir.example/', og_image: '/o.png', article_publisher: 'https://facebook.com/choir', og_site_name: 'Choir', socialnet_site: '@choir', generator: 'Hugo 0.1', ld_organization: 'The Choir', lang: 'en-GB',
    }); // prettier-ignore
  });

  it('reads what a visitor can, and nothing else', async () => {
    const { text } = await readPage(
      '<title>t</title><style>p{}</style><script>var x</script><p>One&nbsp;<b>two</b></p><p hidden>no</p><p style="Display: none">no</p><noscript>three</noscript><template>no</template>',
    );
    expect(text).toBe('One two three');
  });

  it.each<[string, string]>([
    ['nesting', '<div>'.repeat(300_000)],
    ['nesting and end tags', `${'<a><b>'.repeat(100_000)}${'</i>'.repeat(200_000)}`],
    ['elements', '<p>x</p>'.repeat(250_000)],
    ['attributes', `<p ${'a=b '.repeat(400_000)}>`],
    ['a title', `<title>${'x'.repeat(2_000_000)}`],
    ['text', 'word '.repeat(400_000)],
    ['links', '<a href="#">x</a>'.repeat(120_000)],
    ['comments', '<!--'.repeat(500_000)],
    ['entities', '&amp;'.repeat(400_000)],
    ['JSON-LD', `<script type="application/ld+json">${'['.repeat(1_000_000)}</script>`],
    ['prices', '<p>$1 -50% €2 70% off</p>'.repeat(80_000)],
    ['addresses', `${'a'.repeat(1_000_000)}@${'a.'.repeat(400_000)}`],
  ])('holds its limits: too many %s', async (_what, html) => {
    const page = await readPage(html);
    expect(page.text.length).toBeLessThanOrEqual(200_000);
    expect(page.info.title.length).toBeLessThanOrEqual(1_000);
    for (const list of [page.links, page.prices, page.assets, page.headings, page.forms, page.inlineScripts])
      expect(list.length).toBeLessThanOrEqual(1_000);
  });

  it('says that a page was too long, too deep, or had too many elements', async () => {
    for (const html of ['<i>'.repeat(5_000), '<p>x</p>'.repeat(150_000), 'x'.repeat(2_200_000)])
      expect((await readPage(html)).partial).toBe(true);
    expect((await readPage('<p>x</p>'.repeat(1_000))).partial).toBe(false);
  });

  it('lets others go on while it reads', async () => {
    let went = 0;
    const timer = setInterval(() => went++, 0);
    const reading = readPage('<p>word</p>'.repeat(100_000)).then(() => 'read');
    const first = await Promise.race([reading, new Promise((resolve) => setImmediate(resolve))]);
    expect(first).toBeUndefined();
    await reading;
    clearInterval(timer);
    expect(went).toBeGreaterThan(0);
  });

  it('stops with the request', async () => {
    const gone = new AbortController();
    const reading = readPage('<p>word</p>'.repeat(100_000), gone.signal);
    gone.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
  });

  it('reads forms, prices and shop markup', async () => {
    const page = await readPage(
      '<form action="/in"><input type="PASSWORD"></form><input autocomplete="cc-number"><del>1.299,50 €</del><ins>$1,000</ins><b>-35 %</b><i itemprop="price">9</i>',
    );
    expect(page.forms).toEqual([{ action: '/in', hasPassword: true, hasCard: true, placed: 0, fields: ['password', 'text cc-number'] }]);
    expect(page.prices).toEqual([
      { kind: 'old', value: 1299.5 },
      { kind: 'new', value: 1000 },
      { kind: 'percent', value: 35 },
    ]);
    expect(page.hasPriceMarkup).toBe(true);
  });

  it('of nothing knows nothing', async () => {
    expect(await readPage('')).toEqual(NO_PAGE);
  });
});

describe('where a page leads by itself', () => {
  it.each<[string, string]>([
    ['0;url=/b', 'https://a.example/b'],
    ["0; URL='https://b.example/x'", 'https://b.example/x'],
    ['5 https://b.example/', 'https://b.example/'],
    ['0;url=/b#part', 'https://a.example/b'],
    ['3', ''],
    ['0;url=', ''],
    ['0;url=/', ''],
    ['300; url=/b', ''],
    ['0;url=javascript:alert(1)', ''],
    ['0;url=data:text/html,x', ''],
    ['soon;url=/b', ''],
  ])('%s', (content, expected) => {
    expect(refreshTarget(content, 'https://a.example/')).toBe(expected);
  });

  it('is not told by what stands in noscript or in a comment', async () => {
    expect(
      (
        await readPage(
          '<noscript><meta http-equiv=refresh content="0;url=/b"></noscript><!-- <meta http-equiv=refresh content="0;url=/c"> -->',
        )
      ).metaRefresh,
    ).toBe('');
    expect((await readPage('<meta http-equiv="Refresh" content="0;url=/b">')).metaRefresh).toBe('0;url=/b');
  });
});
