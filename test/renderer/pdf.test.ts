import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Printer, openPrinter } from './prints.ts';
import { everySecond } from '../runs.ts';

const html = (body: string, style = '', head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Title</title>${head}<style>body{margin:0}${style}</style></head><body>${body}</body></html>`;
const pages = (count: number): string =>
  html(Array.from({ length: count }, (_, page) => `<h1 style="break-before:page">Page ${page + 1}</h1>`).join(''));
/** A block of so many pixels, with a text at its end. */
const high = (px: number): string => `<div style="height:${px - 20}px">Top</div><div style="height:20px">Bottom</div>`;

let printer: Printer;
beforeAll(async () => (printer = await openPrinter()));
afterAll(() => printer.close());

describe('the paper', () => {
  it.each<
    [format: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger', width: number, height: number]
  >(
    everySecond([
      ['A0', 2384, 3370],
      ['A1', 1684, 2384],
      ['A2', 1191, 1684],
      ['A3', 842, 1191],
      ['A4', 595, 842],
      ['A5', 420, 595],
      ['A6', 298, 420],
      ['Letter', 612, 792],
      ['Legal', 612, 1008],
      ['Tabloid', 792, 1224],
      ['Ledger', 1224, 792],
    ]),
  )('%s is %i × %i points', async (format, width, height) => {
    const { pdf } = await printer.print(html('x'), { format });
    expect(pdf.size[0]).toBeCloseTo(width, -0.5);
    expect(Math.abs(pdf.size[0] - width)).toBeLessThanOrEqual(1);
    expect(Math.abs(pdf.size[1] - height)).toBeLessThanOrEqual(1);
  });

  it('has the sides that were asked for, 96 pixels to the inch', async () => {
    expect((await printer.print(html('x'), { width: 960, height: 480 })).pdf.size).toEqual([720, 360]);
    expect((await printer.print(html('x'), { width: 480, format: 'Letter' })).pdf.size).toEqual([360, 792]);
    expect((await printer.print(html('x'), { width: 5_000, height: 10_000 })).pdf.size).toEqual([3750, 7500]);
  });

  it('lies on its side where that is asked for, and Ledger does anyway', async () => {
    expect((await printer.print(html('x'), { format: 'Letter', landscape: true })).pdf.size).toEqual([792, 612]);
    expect((await printer.print(html('x'), { format: 'Ledger', landscape: true })).pdf.size).toEqual([1224, 792]);
    expect((await printer.print(html('x'), { width: 480, height: 960, landscape: true })).pdf.size).toEqual([720, 360]);
  });

  it("is the job's, whatever the document says of its own", async () => {
    const own = '@page { size: A6 landscape } @page:first { size: 3in 3in }';
    expect((await printer.print(html('x', own), { format: 'Letter' })).pdf.size).toEqual([612, 792]);
  });
});

describe('what stands on it', () => {
  it('is text that can be selected, in fonts that come with the file', async () => {
    const { pdf, result } = await printer.print(html('<h1>Grüße, Привет, 你好</h1><p>Plain <b>bold</b> text</p>'));
    expect(pdf.text()).toContain('Grüße, Привет');
    expect(pdf.text()).toContain('Plain bold text');
    expect(pdf.fonts.length).toBeGreaterThan(0);
    expect(pdf.fonts.filter(({ embedded }) => !embedded)).toEqual([]);
    expect(pdf.info.get('Title')).toBe('Title');
    expect(result.pages).toBe(1);
    expect(result.page).not.toHaveProperty('failure');
  });

  it('keeps within the margin', async () => {
    const flood = html('<div style="background:#f00;height:5000px"></div>');
    expect((await printer.print(flood)).pdf.ink()).toBeGreaterThan(0.99);
    // Letter is 816 × 1056: 100 px on each side leave 616 × 856.
    expect((await printer.print(flood, { format: 'Letter', margin: 100 })).pdf.ink()).toBeCloseTo((616 * 856) / (816 * 1056), 2);
  });

  it("has the document's own margin where the job has none, and the job's where it has one", async () => {
    const flood = html('<div style="background:#f00;height:5000px"></div>', '@page { margin: 1in }');
    expect((await printer.print(flood, { format: 'Letter' })).pdf.ink()).toBeCloseTo((6.5 * 9) / (8.5 * 11), 2);
    expect((await printer.print(flood, { format: 'Letter', margin: 48 })).pdf.ink()).toBeCloseTo((7.5 * 10) / (8.5 * 11), 2);
  });

  it('has backgrounds, all or none', async () => {
    const isRed = (r: number, g: number, b: number): boolean => r > 200 && g < 60 && b < 60;
    const page = html(
      '<div class="a"></div><div class="b"></div>',
      '.a,.b{background:#f00;height:200px;width:100%} .a{print-color-adjust:economy} .b{-webkit-print-color-adjust:exact}',
    );
    expect((await printer.print(page)).pdf.ink(isRed)).toBeCloseTo(400 / 1123, 2);
    expect((await printer.print(page, { show_background: false })).pdf.ink(isRed)).toBe(0);
  });

  it('is smaller or larger by the scale', async () => {
    const page = html('<div style="background:#f00;width:200px;height:200px"></div>');
    const share = async (scale: number) => (await printer.print(page, { format: 'Letter', scale })).pdf.ink();
    const whole = 816 * 1056;
    expect(await share(0.5)).toBeCloseTo((100 * 100) / whole, 2);
    expect(await share(2)).toBeCloseTo((400 * 400) / whole, 2);
    expect((await printer.print(html(high(4_000)), { scale: 0.1 })).pdf.pages).toBe(1);
    expect((await printer.print(html(high(4_000)), { scale: 2 })).pdf.pages).toBe(8);
  });

  it('has the styles for screens, or those for print', async () => {
    const page = html('<p class="s">Screen</p><p class="p">Paper</p>', '@media screen{.p{display:none}} @media print{.s{display:none}}');
    expect((await printer.print(page)).pdf.text()).toBe('Screen');
    expect((await printer.print(page, { page: { emulate_media: 'print' } })).pdf.text()).toBe('Paper');
  });

  it('is laid out for its paper from the beginning, where it is HTML', async () => {
    const page = html('<p id="w"></p><script>w.textContent = innerWidth + " " + devicePixelRatio</script>');
    expect((await printer.print(page, { format: 'Letter', margin: 8, scale: 0.5 })).pdf.text()).toBe('1600 1');
  });

  it('has what its scripts add, where they do at once, and the end of its animations', async () => {
    const page = html(
      '<p>Top</p><p class="in">Middle</p><script>setTimeout(() => document.body.append("Late"), 200)</script>',
      '.in{animation:in 20s -12s both}@keyframes in{from{display:none}99%{display:none}}',
    );
    expect((await printer.print(page)).pdf.text()).toMatch(/^Top\s+Middle\s+Late$/);
  });

  it('is styled past a Content-Security-Policy, and without scripts', async () => {
    const strict = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'none'">`;
    const two = html('<p>1</p><p style="break-before:page">2</p>', '', strict);
    expect((await printer.print(two, { one_page: true, page: { disable_js: true } })).pdf.text()).toBe('1\n2');
  });
});

describe('pages', () => {
  it.each(
    everySecond([
      ['', 3],
      ['1', 1],
      ['2-3', 2],
      ['1,3', 2],
      ['2-', 2],
      ['-2', 2],
      ['2-9', 2],
      ['3,1', 2],
      ['1-2,2-3', 3],
    ]),
  )('%j of three are %i', async (page_ranges, count) => {
    const { pdf, result } = await printer.print(pages(3), { page_ranges });
    expect([pdf.pages, result.pages]).toEqual([count, count]);
  });

  it('keeps those that were asked for', async () => {
    const { pdf } = await printer.print(pages(5), { page_ranges: '2,4-5' });
    expect(pdf.text().split(/\s*\n\s*/)).toEqual(['Page 2', 'Page 4', 'Page 5']);
  });

  it('that the document does not have are no file', async () => {
    const { result, file } = await printer.print(pages(3), { page_ranges: '4-9' });
    expect({ pages: result.pages, failure: result.page.failure, file }).toEqual({ pages: 0, failure: undefined, file: undefined });
  });
});

describe('one page', () => {
  it.each<[what: string, page: string]>(
    everySecond([
      ['one line', html('<p>Top</p><p>Bottom</p>')],
      ['a high block', html(high(5_000))],
      ['much text', html(`<p>Top</p>${'<p>The quick brown fox jumps over the lazy dog and back again.</p>'.repeat(300)}<p>Bottom</p>`)],
      ['page breaks', html('<p>Top</p><p style="break-before:page">Middle</p><p style="page-break-before:always!important">Bottom</p>')],
      [
        'what is as high as the window',
        html(`<div style="height:100vh">Top</div><div style="min-height:100vh">Middle</div>${high(1_000)}`),
      ],
      ['a body as high as the window', html('<div>Top</div><div style="height:2000px"></div><p>Bottom</p>', 'html,body{height:100%}')],
      ['margins that collapse', html('<p>Top</p><div style="margin:400px 0"><p style="margin:700px 0">Bottom</p></div>')],
      [
        'a table',
        html(`<table><thead><tr><th>Top</th></tr></thead>${'<tr><td>row</td></tr>'.repeat(400)}<tr><td>Bottom</td></tr></table>`),
      ],
      ['columns', html(`<div style="columns:2">Top ${'word '.repeat(3_000)} Bottom</div>`)],
      ['what is fixed', html(`<div style="position:fixed;top:0">Top</div>${high(4_000)}`)],
      ['a margin of its own', html(high(3_000), '@page{margin:2in;size:A6}')],
      [
        'sub-pixel heights',
        html(`<p>Top</p>${'<div style="height:10.37px;line-height:10.37px;font-size:7.3px">x</div>'.repeat(500)}<p>Bottom</p>`),
      ],
    ]),
  )('with %s', async (_what, page) => {
    const { pdf, result } = await printer.print(page, { one_page: true });
    expect([pdf.pages, result.pages]).toEqual([1, 1]);
    expect(pdf.text()).toMatch(/^Top[^]*Bottom$/);
  });

  it.each(
    everySecond([
      ['a margin', { margin: 60 }],
      ['a scale', { scale: 1.7 }],
      ['landscape', { landscape: true }],
      ['a narrow paper', { width: 200 }],
      ['all of them', { margin: 30, scale: 0.6, width: 400, landscape: true }],
    ]),
  )('with %s', async (_what, job) => {
    const text = html(`<p>Top</p>${'<p>The quick brown fox jumps over the lazy dog.</p>'.repeat(150)}<p>Bottom</p>`);
    const { pdf } = await printer.print(text, { one_page: true, ...job });
    expect(pdf.pages).toBe(1);
    expect(pdf.text()).toMatch(/^Top[^]*Bottom$/);
  });

  it('is as high as the page, and never lower than its paper', async () => {
    expect((await printer.print(html(high(3_000)), { one_page: true })).pdf.size[1]).toBe(2_250);
    expect(Math.abs((await printer.print(html(high(300)), { one_page: true })).pdf.size[1] - 842)).toBeLessThanOrEqual(1);
    expect((await printer.print(html(high(300)), { one_page: true, width: 400, height: 400 })).pdf.size).toEqual([300, 300]);
  });

  it.each([
    ['two as high as the window', '<div style="height:100vh">Top</div><div style="height:100dvh">Bottom</div>', 2 * 1122],
    [
      'one above more',
      `<div style="min-height:100vh">Top</div><div style="height:480px"></div><div style="height:20px">Bottom</div>`,
      1122 + 500,
    ],
    ['parts of it', `<div style="height:60vh;padding-top:40vh">Top</div>${high(2_000)}`, 1122 + 2_000],
  ])('has what follows the window as high as on its paper: %s', async (_what, body, px) => {
    const { pdf } = await printer.print(html(body), { one_page: true });
    expect([pdf.pages, Math.abs(pdf.size[1] - px * 0.75) <= 3, pdf.size[1]]).toEqual([1, true, pdf.size[1]]);
  });

  it('is smaller where no paper is so high', async () => {
    const { pdf } = await printer.print(html(high(60_000)), { one_page: true });
    expect(pdf.pages).toBe(1);
    expect(pdf.size[1]).toBeLessThanOrEqual(14_400);
    expect(pdf.text()).toBe('Top\n\nBottom');
  });

  it('ends where even the smallest scale is not enough', async () => {
    const { pdf } = await printer.print(html(high(400_000)), { one_page: true });
    expect([pdf.pages, pdf.text()]).toEqual([1, 'Top']);
    expect(pdf.size[1]).toBeLessThanOrEqual(14_400);
  });
});

describe('pages of the web', () => {
  it('are fetched as far down as they go', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><text y="20">Late</text></svg>';
    printer.sites.add({
      'lazy.test': {
        '/': html(`<div style="height:9000px">Top</div><img loading="lazy" src="/late.svg">`),
        '/late.svg': (_request, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg),
      },
    });
    const { pdf, result, html: markup } = await printer.print('http://lazy.test/');
    expect(result).toMatchObject({ page: { final_url: 'http://lazy.test/', status_code: 200, ip: '127.0.0.1' } });
    expect(pdf.text()).toMatch(/^Top[^]*Late$/);
    expect(markup).toContain('<title>Title</title>');
  });

  it('are seen in the window that was asked for', async () => {
    printer.sites.add({ 'wide.test': { '/': html('<p id="w"></p><script>w.textContent = innerWidth + "x" + innerHeight</script>') } });
    const { pdf } = await printer.print('http://wide.test/', { page: { viewport_width: 700, viewport_height: 500 } });
    expect(pdf.text()).toBe('700x500');
  });

  it('that do not come are no file', async () => {
    const { result, file } = await printer.print('http://gone.invalid-tld/');
    expect(result).toMatchObject({ pages: 0, page: { status_code: 0, failure: { reason: expect.any(String) } } });
    expect(file).toBeUndefined();
  });
});

describe('hostile documents', () => {
  it('reach nothing within', async () => {
    await using outer = await openPrinter({ sites: { localhost: { '*': '<h1>Canary</h1>' } }, outer: true });
    const { httpPort } = outer.sites;
    const inner = [
      'http://localhost',
      'http://127.0.0.1',
      'http://[::1]',
      'http://169.254.169.254',
      'http://10.0.0.1',
      'http://0.0.0.0',
      'http://2130706433',
    ];
    const urls = [
      ...inner.map((origin) => `${origin}:${httpPort}/canary`),
      'file:///etc/passwd',
      'file:///proc/self/environ',
      'chrome://version',
      'view-source:http://localhost/',
    ];
    const { pdf } = await outer.print(
      html(
        `<p>Top</p>${urls.map((url) => `<iframe src="${url}"></iframe><img src="${url}"><object data="${url}"></object><embed src="${url}"><link rel=stylesheet href="${url}"><link rel=prefetch href="${url}"><script src="${url}"></script>`).join('')}
        <base href="file:///etc/"><iframe src="passwd"></iframe><script>for (const url of ${JSON.stringify(urls)}) { fetch(url, { mode: 'no-cors' }).catch(() => {}); navigator.sendBeacon(url); try { new WebSocket(url.replace('http', 'ws')) } catch {} }</script>`,
      ),
    );
    expect(pdf.text()).not.toMatch(/root:|Canary|PATH=|Chromium/);
    expect(pdf.text()).toContain('Top');
    expect(outer.sites.requests).toEqual([]);
  });

  it('that take too long to print are given up in time', async () => {
    const { result, file } = await printer.print(html('<p>x</p>'.repeat(60_000)), { budget_ms: 4_500 });
    expect(result).toMatchObject({ pages: 0, page: { failure: { reason: 'too_large' } } });
    expect(file).toBeUndefined();
  });

  it('that never yield, print again and again or open dialogs are printed all the same', async () => {
    const busy = html(
      '<p>Top</p><script>addEventListener("beforeprint", () => { alert(1); print(); document.body.append("before") }); setInterval(() => print(), 1); setTimeout(() => location.reload(), 1e5)</script>',
    );
    expect((await printer.print(busy)).pdf.text()).toContain('Top');
  });
});
