import { readPicture } from '@vedette/message/qr';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { codePdf, codePng, codeSvg, codeText, modulesOf } from './codes.ts';

const URL = 'https://qr.test/login?u=1';
const contentsOf = async (file: Uint8Array) => (await readPicture(file)).codes.map(({ content }) => content);

describe('a picture', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('%s is read, with its size and the place of the code', async (format) => {
    const file = await sharp(await codePng(URL))
      .toFormat(format)
      .toBuffer();
    const { width, height } = await sharp(file).metadata();
    const facts = await readPicture(file);
    expect(facts).toMatchObject({
      image_format: format,
      image_width: width,
      image_height: height,
      pages: 1,
      is_complete: true,
      is_decoded: true,
    });
    expect(facts.codes).toMatchObject([
      { format: 'qr', content: URL, content_type: 'url', page: 1, ec_level: 'M', version: '2', is_inverted: false },
    ]);
    const [from, , to] = facts.codes[0]!.position;
    expect(from!.x).toBeGreaterThan(8);
    expect(to!.x).toBeLessThan(width);
    expect(facts.found_urls).toMatchObject([{ url: URL, host: 'qr.test', is_ip_host: false, is_defanged: false }]);
  });

  it.each([
    ['turned', (image: Sharp) => image.rotate(37, { background: '#fff' })],
    ['white on black', (image: Sharp) => image.flatten().negate()],
    ['seen from behind', (image: Sharp) => image.flop()],
    ['blurred', (image: Sharp) => image.blur(1.2)],
    ['pale', (image: Sharp) => image.linear(0.25, 150)],
    ['tiny', (image: Sharp) => image.resize(58)],
  ])('that is %s is read', async (_name, change) => {
    expect(
      await contentsOf(
        await change(sharp(await codePng(URL)).flatten())
          .png()
          .toBuffer(),
      ),
    ).toEqual([URL]);
  });

  it('has many codes, each at its place, and the same one twice', async () => {
    const texts = [...Array.from({ length: 11 }, (_, at) => `https://qr.test/${at}`), 'https://qr.test/0'];
    const codes = await Promise.all(texts.map((text) => codePng(text)));
    const placed = codes.map((input, at) => ({ input, left: (at % 4) * 200, top: Math.floor(at / 4) * 200 }));
    const file = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#fff' } })
      .composite(placed)
      .png()
      .toBuffer();
    expect((await contentsOf(file)).toSorted()).toEqual(texts.toSorted());
  });

  it('has small relatives of the code', async () => {
    expect((await readPicture(await codePng('12345', { format: 'MicroQRCode', level: 'L' }))).codes).toMatchObject([
      { format: 'micro-qr', content: '12345' },
    ]);
    expect((await readPicture(await codePng('12345', { format: 'RMQRCode' }))).codes).toMatchObject([{ format: 'rectangular-micro-qr' }]);
  });

  it('without a code has none, and one that is broken is not decoded', async () => {
    const noise = await sharp({
      create: { width: 300, height: 300, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .png()
      .toBuffer();
    expect(await readPicture(noise)).toMatchObject({ codes: [], is_decoded: true, is_complete: true });
    const code = await codePng(URL);
    for (const broken of [code.subarray(0, 60), Buffer.from('GIF89a'), Buffer.from('RIFF\0\0\0\0WEBPVP8 ')])
      expect(await readPicture(broken)).toMatchObject({ codes: [], is_decoded: false });
    expect(await readPicture(Buffer.from('PK\u0003\u0004'))).toMatchObject({ image_format: '', is_decoded: false });
  });
});

describe('a drawing (SVG)', () => {
  it('is drawn', async () => {
    const facts = await readPicture(Buffer.from(await codeSvg(URL)));
    expect(facts).toMatchObject({ image_format: 'svg', codes: [{ content: URL }] });
  });

  it('shows no file of ours and nothing from elsewhere, and may be broken', async () => {
    const svg = (inner: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`);
    for (const inner of ['<image href="file:///etc/passwd"/>', '<image href="http://127.0.0.1:9/"/>', '<script>while(1);</script>'])
      expect(await readPicture(svg(inner))).toMatchObject({ codes: [], is_decoded: true });
    for (const broken of ['<svg ', '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'])
      expect(await readPicture(Buffer.from(broken))).toMatchObject({ codes: [], is_decoded: false });
  });
});

describe('a PDF', () => {
  it('is read page by page', async () => {
    const file = codePdf([await modulesOf('https://one.test/'), [], await modulesOf('https://three.test/')]);
    const facts = await readPicture(file);
    expect(facts).toMatchObject({ image_format: 'pdf', image_width: 595, image_height: 842, pages: 3, is_complete: true });
    expect(facts.codes.map(({ page, content }) => [page, content])).toEqual([
      [1, 'https://one.test/'],
      [3, 'https://three.test/'],
    ]);
    expect(facts.codes[0]!.position[0]).toMatchObject({ x: 100 });
  });

  it('of more than ten pages is not complete', async () => {
    const facts = await readPicture(codePdf([...Array.from({ length: 10 }, () => []), await modulesOf(URL)]));
    expect(facts).toMatchObject({ pages: 10, codes: [], is_complete: false });
  });

  it('of which a page cannot be drawn is not complete', async () => {
    const file = codePdf([await modulesOf(URL), []])
      .toString('latin1')
      .replace('/Kids [3 0 R 5 0 R]', '/Kids [3 0 R 9 0 R]');
    expect(await readPicture(Buffer.from(file, 'latin1'))).toMatchObject({ codes: [{ content: URL }], is_complete: false });
  });

  it('that is broken is not decoded', async () => {
    expect(await readPicture(Buffer.from('%PDF-1.7\nnothing'))).toMatchObject({ image_format: 'pdf', codes: [], is_decoded: false });
  });
});

describe('characters and cells', () => {
  const double = async (dark: string, light: string) =>
    (await modulesOf(URL))
      .map((row) =>
        row
          .map((is) => (is ? dark : light))
          .join('')
          .trimEnd(),
      )
      .join('\n');

  it.each([
    ['half blocks', () => codeText(URL)],
    ['two blocks for a module', () => double('██', '  ')],
    ['number signs', () => double('##', '  ')],
    ['light on dark', () => double('  ', '██')],
    ['squares', () => double('⬛', '⬜')],
    ['one block for a module', () => double('█', ' ')],
  ])('%s are read in text', async (_name, draw) => {
    const facts = await readPicture(Buffer.from(`Scan this to keep your account:\n\n${await draw()}\n\nThe help desk`));
    expect(facts).toMatchObject({ image_format: 'text', codes: [{ content: URL, position: [] }], unreadable_codes: 0 });
  });

  const rows = async (cell: (dark: boolean) => string) =>
    (await modulesOf(URL)).map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
  it.each([
    ['bgcolor', async () => `<table>${await rows((dark) => `<td bgcolor="${dark ? '#000000' : '#ffffff'}" width=4></td>`)}</table>`],
    ['a style', async () => `<table>${await rows((dark) => `<td style="width:4px;background:${dark ? 'black' : 'white'}"></td>`)}</table>`],
    [
      'a class',
      async () =>
        `<style>.d{background-color:rgb(0, 0, 0)}</style><table>${await rows((dark) => (dark ? '<td class="x d"></td>' : '<td></td>'))}</table>`,
    ],
    [
      'a table in a table',
      async () => `<table><tr><td><table>${await rows((dark) => (dark ? '<td bgcolor=navy>' : '<td>'))}</table></td></tr></table>`,
    ],
    ['characters in cells', async () => `<table>${await rows((dark) => `<td>${dark ? '█' : '&nbsp;'}</td>`)}</table>`],
    ['pre', async () => `<p>Scan</p><pre>${await double('██', '  ')}</pre>`],
    [
      'lines of coloured blocks',
      async () =>
        (await modulesOf(URL))
          .map((row) => `<div>${row.map((dark) => `<span style="color:${dark ? '#000' : '#fff'}">██</span>`).join('')}</div>`)
          .join(''),
    ],
  ])('HTML draws with %s', async (_name, draw) => {
    expect(await readPicture(Buffer.from(`<html><body>${await draw()}</body></html>`))).toMatchObject({
      image_format: 'html',
      codes: [{ content: URL }],
    });
  });

  it('of hostile HTML and texts end', async () => {
    const html = (inner: string) => Buffer.from(`<html>${inner}<p>1111</html>`);
    for (const hostile of [
      '<constructor>',
      '<__proto__><td>',
      '<b>'.repeat(999) + '<td>'.repeat(300_000),
      '<p style="background:constructor">█',
    ])
      expect(await readPicture(html(hostile))).toMatchObject({ image_format: 'html', codes: [], is_decoded: true });
    expect(await readPicture(Buffer.from('1111\n' + 'x'.repeat(200) + '\n'.repeat(2_000_000)))).toMatchObject({
      image_format: 'text',
      codes: [],
    });
  });

  it('of ordinary pages and texts are none', async () => {
    const table = `<table>${'<tr><td bgcolor="#eee">1</td><td>two</td></tr>'.repeat(300)}</table>`;
    expect(await readPicture(Buffer.from(`<html>${table}</html>`))).toMatchObject({ image_format: 'html', codes: [], is_decoded: true });
    const text = `${'*'.repeat(60)}\n`.repeat(30) + `${'='.repeat(60)}\n# Heading\n`.repeat(30);
    expect(await readPicture(Buffer.from(text))).toMatchObject({ image_format: 'text', codes: [], is_decoded: true });
  });
});

describe('URLs', () => {
  it('are found in every kind of content, each once', async () => {
    const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nURL:https://card.test/a\nEND:VCARD';
    const files = await Promise.all(
      ['HXXPS://evil[.]test/x', card, 'bit.ly/3xYz', 'WIFI:T:WPA;S:cafe;P:secret.com;;'].map((text) => codePng(text)),
    );
    const found = await Promise.all(files.map(async (file) => (await readPicture(file)).found_urls));
    expect(found).toMatchObject([
      [{ url: 'https://evil.test/x', is_defanged: true }],
      [{ url: 'https://card.test/a', is_defanged: false }],
      [{ url: 'http://bit.ly/3xYz', is_defanged: false }],
      [],
    ]);
  });
});
