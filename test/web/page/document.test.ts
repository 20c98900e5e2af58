import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@vedette/web/page';
import { runs } from '../../runs.ts';

const PAGE = 'https://www.choir.example/songs/page.html';
const read = (html: string) => readDocument(html, PAGE);

describe('what a page says of itself', () => {
  it('in every field', async () => {
    const { info } = await read(`<!doctype html><html lang="en-GB"><head><base href="/songs/2026/">
      <title> The
      choir </title><title>Second</title>
      <meta name="Description" content="We&nbsp;sing"><meta name="keywords" content="a, b"><meta name="author" content="Ann"><meta name="robots" content="index">
      <meta name="GOOGLEBOT" content="noarchive"><link rel="canonical" href="page"><meta property="og:image" content="o.png"><meta property="og:image" content="2.png">
      <meta property="og:type" content="website"><meta property="og:site_name" content="Choir"><meta property="og:url" content="/og"><meta property="article:publisher" content="https://facebook.com/choir">
      <meta name="twitter:site" content="@choir"><meta property="fb:app_id" content="123"><meta name="generator" content="Hugo 0.1"><meta name="generator" content="Plugin 2">
      <script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"Site"},{"@type":["Organization","Thing"],"name":"The Choir","url":"/","logo":{"@type":"ImageObject","url":"logo.png"},"sameAs":["https://x.example/choir","/rel",7]}]}</script>
      <script type="application/ld+json">{"@type":"Organization","name":"Other","url":"https://other.example/"}</script>
      <meta name="apple-itunes-app" content="app-argument=x, app-id=987654321"><meta property="al:ios:app_store_id" content="1"><meta property="al:ios:app_name" content="Choir App">
      <link rel="apple-touch-icon" sizes="180x180" href="t.png"><link rel="apple-touch-icon-precomposed" href="/p.png"><link rel="shortcut icon" href="f.ico"><link rel="icon" href="g.svg">
      <link rel="alternate" hreflang="de" href="/de"><link rel="alternate" hreflang="x-default" href="/"><link rel="alternate" hreflang="de" href="/de2"><link rel="alternate" type="application/rss+xml" href="/feed">
      <meta http-equiv="refresh" content="600; url=later"></head>
      <body><svg><title>Icon</title></svg><h1>One<br>two <script>x</script></h1><h2>A <b>b</b></h2><h2> </h2><h2>C</h2><h3>D</h3><noscript><h3>E</h3></noscript></body></html>`);
    expect(info).toEqual({
      title: 'The choir', description: 'We sing', keywords: 'a, b', author: 'Ann', robots: 'index', searchbot: 'noarchive',
      canonical: 'https://www.choir.example/songs/2026/page', og_image: 'https://www.choir.example/songs/2026/o.png', og_type: 'website', og_site_name: 'Choir', og_url: 'https://www.choir.example/og',
      article_publisher: 'https://facebook.com/choir', socialnet_site: '@choir', social_app_id: '123',
      ld_organization: 'The Choir', ld_url: 'https://www.choir.example/', ld_logo: 'https://www.choir.example/songs/2026/logo.png', ld_same_as: ['https://x.example/choir', 'https://www.choir.example/rel'],
      refresh_url: 'https://www.choir.example/songs/2026/later', mobilevendor_app_id: '987654321', mobilevendor_app_name: 'Choir App',
      mobilevendor_touch_icon: [{ size: '180x180', href: 'https://www.choir.example/songs/2026/t.png' }, { size: '', href: 'https://www.choir.example/p.png' }],
      icon: 'https://www.choir.example/songs/2026/f.ico', lang: 'en-GB', generator: ['Hugo 0.1', 'Plugin 2'], hreflang: ['de', 'x-default'], h1: ['One two'], h2: ['A b', 'C'], h3: ['D'],
    }); // prettier-ignore
  });

  it('nothing, where it says nothing', async () => {
    const { info, links, forms, text, content, refresh, icons, ogImage, partial } = await read('');
    expect(Object.values(info).flat().join('')).toBe('');
    expect({ links, forms, text, content, refresh, icons, ogImage, partial }).toEqual({
      links: [], forms: [], text: '', content: '', refresh: undefined, icons: ['https://www.choir.example/favicon.ico'], ogImage: '', partial: false,
    }); // prettier-ignore
  });

  it('icons: those declared, then where browsers look by themselves', async () => {
    const { icons, info } = await read(
      '<link rel=icon href="data:image/png;base64,xx"><link rel="SHORTCUT ICON" href=//cdn.example/f.png><link rel=icon href=/favicon.ico><noscript><link rel=icon href=n.png></noscript>',
    );
    expect(icons).toEqual(['https://cdn.example/f.png', 'https://www.choir.example/favicon.ico']);
    expect(info.icon).toBe('');
  });

  it('a base of no use leaves URLs relative to the page', async () => {
    for (const base of ['data:text/html,x', 'javascript:x', 'https://', ''])
      expect((await read(`<base href="${base}"><link rel=canonical href=b>`)).info.canonical).toBe('https://www.choir.example/songs/b');
    expect((await read('<base target=x><base href=/b/><base href=/c/><link rel=canonical href=d>')).info.canonical).toBe(
      'https://www.choir.example/b/d',
    );
  });
});

describe('links', () => {
  it('absolute, named, and whether they lead out', async () => {
    const { links } =
      await read(`<a href="../a b?x=1&amp;y=2#z" rel="NoFollow  ugc">A <i>b</i><br>c</a><a href=https://shop.choir.example/ title=t></a>
      <a href="//OTHER.example:8443"><img alt="Other logo"></a><a href="mailto:a@b.example" aria-label=Mail></a><a href=tel:+123>Call</a>
      <a>none</a><a href=javascript:alert(1)>no</a><a href="data:text/html,x">no</a><a href="https://">no</a><map><area href=/m alt=Map></map><a href="">Self</a><noscript><a href=/n>N</a></noscript>`);
    expect(links).toEqual([
      { url: 'https://www.choir.example/a%20b?x=1&y=2#z', text: 'A b c', rel: 'nofollow ugc', external: false },
      { url: 'https://shop.choir.example/', text: 't', rel: '', external: false },
      { url: 'https://other.example:8443/', text: 'Other logo', rel: '', external: true },
      { url: 'mailto:a@b.example', text: 'Mail', rel: '', external: false },
      { url: 'tel:+123', text: 'Call', rel: '', external: false },
      { url: 'https://www.choir.example/m', text: 'Map', rel: '', external: false },
      { url: PAGE, text: 'Self', rel: '', external: false },
    ]);
  });

  it('an address is a site of its own', async () => {
    const { links } = await readDocument('<a href=http://192.0.2.1/>a</a><a href=http://192.0.9.1/>b</a>', 'http://192.0.2.1/');
    expect(links.map(({ external }) => external)).toEqual([false, true]);
  });
});

describe('forms', () => {
  it('where they send, and what they ask for', async () => {
    const { forms } =
      await read(`<form action=/in method=POST id=f><input name=user><INPUT TYPE=PASSWORD name=pw><form action=/nested><select name=s></select></form>
      <form><input type=file id=up><textarea name=t></textarea><button formaction="https://other.example/x">Go</button></form>
      <form action="https://other.example/p" method=put></form><form action="javascript:void(0)" method=dialog></form>
      <input form=f type=hidden name=late><input type=password name=loose><noscript><form action=/n></form></noscript>`);
    expect(forms).toEqual([
      {
        action: 'https://www.choir.example/in', method: 'post', has_password: true, has_file: false, external_action: false,
        fields: [{ name: 'user', type: 'text' }, { name: 'pw', type: 'password' }, { name: 's', type: 'select' }, { name: 'late', type: 'hidden' }],
      },
      {
        action: PAGE, method: 'get', has_password: false, has_file: true, external_action: true,
        fields: [{ name: 'up', type: 'file' }, { name: 't', type: 'textarea' }, { name: '', type: 'button' }],
      },
      { action: 'https://other.example/p', method: 'get', has_password: false, has_file: false, external_action: true, fields: [] },
      { action: 'javascript:void(0)', method: 'dialog', has_password: false, has_file: false, external_action: false, fields: [] },
      { action: '', method: '', has_password: true, has_file: false, external_action: false, fields: [{ name: 'loose', type: 'password' }] },
    ]); // prettier-ignore
  });
});

describe('text', () => {
  it('a line for each block, without what is no text', async () => {
    const { text } = await read(
      `<html><head><title>T</title><style>p{}</style></head><body>Bare<div>One&nbsp;<b>t</b>wo</div><p>Three<br>four &lt;5&gt; &eacute;</p><script>var x</script><noscript>no</noscript><template>no</template>
      <ul><li>a</li><li>b</li></ul><table><tr><td>c</td><td>d</td></tr></table><iframe>no</iframe><p hidden>said</p>  <span> x </span><!-- no --></body></html>`,
    );
    expect(text).toBe('Bare\nOne two\nThree\nfour <5> é\na\nb\nc d\nsaid\nx');
  });

  it('of the article alone, where that is wanted', async () => {
    const { content } =
      await read(`<body class="no-cookies"><header><h1>Paper</h1></header><nav>Menu</nav><div id="onetrust-banner-sdk">We use cookies</div>
      <div class="cookie-banner">Accept all</div><main><article><header><h2>Title</h2></header><p>First ${'word '.repeat(60)}</p><aside>Read also</aside>
      <p hidden>hidden</p><p style="display:none">hidden</p><span aria-hidden=true>×</span><div role=dialog>Subscribe</div><button>Share</button><p>Last</p><footer>Filed under</footer></article></main>
      <section>Below</section><footer>Imprint</footer></body>`);
    expect(content).toBe(`Title\nFirst ${'word '.repeat(60).trim()}\nLast`);
  });

  it('all but what is around it, where the page marks no article, or a small one', async () => {
    expect((await read('<nav>Menu</nav><div>One</div><div>Two</div><footer>Imprint</footer>')).content).toBe('One\nTwo');
    expect((await read(`<article>Teaser</article><div>${'word '.repeat(100)}</div>`)).content).toContain('word');
  });

  it('everything, where nothing else would be left', async () => {
    expect((await read('<nav>Menu</nav><div class="cookie-consent">All of it</div>')).content).toBe('Menu\nAll of it');
  });
});

describe('hostile pages', () => {
  it.each<[string, string]>([
    ['nesting', '<div>'.repeat(300_000)],
    ['nesting and end tags', `${'<a href=x><b>'.repeat(100_000)}${'</i>'.repeat(200_000)}`],
    ['elements', '<p>x</p>'.repeat(250_000)],
    ['attributes', `<p ${'a=b '.repeat(400_000)}>`],
    ['a title', `<title>${'x'.repeat(2_000_000)}`],
    ['a heading', `<h1>${'x '.repeat(1_000_000)}`],
    ['white space', `<p>${' '.repeat(1_900_000)}`],
    ['text', 'word '.repeat(400_000)],
    ['links', '<a href="#">x</a>'.repeat(120_000)],
    ['long links', `<a href="${'x'.repeat(8_000)}">x</a>`.repeat(250)],
    ['long names', `<a href="https://${'ü'.repeat(990)}.example">x</a>`.repeat(1_000)],
    ['nested links', `<a href=x>${'<a href=y>z'.repeat(100_000)}`],
    ['forms', '<form><input name=x></form>'.repeat(70_000)],
    ['fields', `<form>${'<input form=f name=x>'.repeat(90_000)}`],
    ['metas', '<meta name=generator content=x><meta http-equiv=refresh content=x>'.repeat(30_000)],
    ['icons', '<link rel="icon apple-touch-icon" href=x>'.repeat(50_000)],
    ['relations', `<link rel="${'alternate '.repeat(200_000)}" hreflang=x>`],
    ['comments', '<!--'.repeat(500_000)],
    ['entities', '&amp;'.repeat(400_000)],
    ['JSON-LD', `<script type="application/ld+json">${'['.repeat(1_000_000)}</script>`],
    ['much JSON-LD', `<script type="application/ld+json">${'[{"a":'.repeat(3_000)}1${'}]'.repeat(3_000)}</script>`.repeat(70)],
    ['class names', `<p class="${'cookie '.repeat(280_000)}">`],
  ])('are read within limits: %s', async (_what, html) => {
    const page = await read(html);
    expect(page.text.length).toBeLessThanOrEqual(500_000);
    expect(page.content.length).toBeLessThanOrEqual(500_000);
    expect(JSON.stringify(page.info).length).toBeLessThan(600_000);
    expect(page.links.length).toBeLessThanOrEqual(1_000);
    expect(page.forms.length).toBeLessThanOrEqual(101);
    expect(page.icons.length).toBeLessThanOrEqual(21);
  });

  it('say that they were too long, too deep, or had too much of something', async () => {
    for (const html of [
      '<i>'.repeat(5_000),
      '<p>x</p>'.repeat(150_000),
      'x'.repeat(2_200_000),
      '<a href=x>y</a>'.repeat(1_001),
      '<form></form>'.repeat(101),
    ])
      expect((await read(html)).partial).toBe(true);
    expect((await read('<a href=x>y</a>'.repeat(1_000))).partial).toBe(false);
  });

  it('keep nobody waiting, and stop with the request', async () => {
    let went = 0;
    const timer = setInterval(() => went++, 0);
    await read('<p>word</p>'.repeat(90_000));
    clearInterval(timer);
    expect(went).toBeGreaterThan(0);
    const gone = new AbortController();
    const reading = readDocument('<p>word</p>'.repeat(90_000), PAGE, gone.signal);
    gone.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
  });

  it('of any kind are read', async () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '</', '<a href=', '<base href=', '<form>', '</form>', '<input form=', '<script>', '</script>', '<svg>', '<title>', '<noscript>', '<!--', '-->', '<main>', '<h1>', '</h1>', '"', "'", '&#x', '&', '//[', 'http://', '\0', '\ud800'),
      fc.string({ maxLength: 8 }),
    ); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const page = await read(pieces.join(''));
        for (const { url } of page.links) expect(URL.canParse(url)).toBe(true);
        for (const icon of page.icons) expect(new URL(icon).protocol).toMatch(/^https?:$/);
      }),
      { numRuns: runs(500) },
    );
  });
});
