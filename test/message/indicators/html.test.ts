import { describe, expect, it } from 'vitest';
import { htmlOf, IndicatorReader } from '@vedette/message/indicators';

const read = async (html: string) => {
  const reader = new IndicatorReader();
  reader.html(html);
  return await reader.read();
};

describe('the text of HTML', () => {
  it.each([
    [
      'is what a reader sees, a line for each block',
      `<html><head><title>Not the text</title><style>p { color: red }</style></head>
       <body><h1>Your&nbsp;invoice</h1><p>Dear   Ann,<br>please pay.</p><table><tr><td>Sum</td><td>12&euro;</td></tr></table>
       <script>var a = '<p>never</p>';</script><noscript>No script</noscript></body></html>`,
      'Your invoice\nDear Ann,\nplease pay.\nSum 12€\nNo script',
    ],
    ['has what stands in one word beside one another', 'Mic<b>ro</b>s<i>oft</i>', 'Microsoft'],
    ['is without preview texts', '<div style="DISPLAY : none!important">Preview</div>Shown', 'Shown'],
    ['is without what is hidden from Outlook alone', '<span style="mso-hide:all;font-size:1px">Preview</span>Shown', 'Shown'],
    ['is without the words between letters', 'Micro<span style="font-size:0px">Zq</span>soft', 'Microsoft'],
    ['keeps what is small', '<span style="font-size:0.8em">Small</span><b style="font-size:01px">er</b>', 'Smaller'],
    [
      'is without hidden elements, templates and lists of data',
      '<p hidden>A</p><template>B</template><datalist><option>C</option></datalist>D',
      'D',
    ],
    ['goes on after the hidden element, whatever is in it', '<div hidden><div>A</div><br><p>B</div>C', 'C'],
    ['goes on after the cell that has an element that is never closed', '<table><tr><td><div hidden>A</td><td>B</td></tr></table>', 'B'],
    ['goes on after a hidden paragraph that another one ends', '<p style="display:none">A<p>B', 'B'],
    ['is not hidden by an element without content', '<img hidden>A<br style="display:none">B', 'A\nB'],
    ['is without comments', 'A<!-- B --><!--[if mso]><p>C</p><![endif]-->D', 'AD'],
    ['is what there is where it is no HTML', 'a < b && c > d', 'a < b && c > d'],
    ['ends where a tag was cut off', 'A <a href="https://a.test/', 'A'],
    ['is empty for pictures alone', '<p><img src="x.png" alt="Words"></p>', ''],
  ])('%s', (_name, html, text) => {
    expect(htmlOf(html).text).toBe(text);
  });

  it('has all of what is nested deep', () => {
    const html = `${'<div>'.repeat(20_000)}deep <a href="https://a.test/deep">link</a>`;
    expect(htmlOf(html)).toMatchObject({ text: 'deep link', links: [{ text: 'link', href: 'https://a.test/deep' }] });
  });

  it('is cut at 1 MB', () => {
    const reading = htmlOf('word '.repeat(300_000));
    expect(reading.text.length).toBe(1_048_576);
    expect(reading.truncated).toBe(true);
  });
});

describe('links', () => {
  it.each([
    ['say their text', '<a href="https://a.test/x">Un<b>sub</b>scribe <br> now</a>', { text: 'Unsubscribe now', href: 'https://a.test/x' }],
    [
      'say what their picture is',
      '<a href="https://a.test/x"><img alt="Read more" src="x.png"></a>',
      { text: 'Read more', href: 'https://a.test/x' },
    ],
    ['of an area have its name', '<map><area href="https://a.test/x" alt="Here"></map>', { text: 'Here', href: 'https://a.test/x' }],
    ['are relative to the base', '<base href="https://a.test/dir/"><a href="../x">X</a>', { text: 'X', href: 'https://a.test/x' }],
    ['stand as they are without one', '<a href=" /unsubscribe ">X</a>', { text: 'X', href: '/unsubscribe' }],
    [
      'have their character references decoded',
      '<a href="https://a.test/?a=1&amp;b=&#x32;">X</a>',
      { text: 'X', href: 'https://a.test/?a=1&b=2' },
    ],
    ['are the first of two', '<a href="https://a.test/1" href="https://b.test/2">X</a>', { text: 'X', href: 'https://a.test/1' }],
  ])('%s', (_name, html, link) => {
    expect(htmlOf(html).links).toEqual([link]);
  });

  it('end where the next begins', () => {
    expect(htmlOf('<a href="https://a.test/">A<a href="https://b.test/">B</a>').links).toEqual([
      { text: 'A', href: 'https://a.test/' },
      { text: 'B', href: 'https://b.test/' },
    ]);
  });

  it('are at most a thousand', () => {
    const reading = htmlOf('<a href="https://a.test/">A</a>'.repeat(1_001));
    expect(reading.links).toHaveLength(1_000);
    expect(reading.truncated).toBe(true);
  });
});

it('knows what HTML refers to, by Content-ID and by location', () => {
  const html = `<img src="cid:logo@a.test"><img src="CID:%3Cb%40c%3E"><td background="cid:table"><div style="background:url('cid:css')">
    <style>body { background: url(cid:sheet) }</style><img src="pictures/one.png"><a href="cid:terms">`;
  expect([...htmlOf(html).cids]).toEqual(['logo@a.test', 'b@c', 'table', 'css', 'sheet', 'pictures/one.png', 'terms']);
});

describe('URLs of HTML', () => {
  it.each([
    ['of links', '<a href=" https://a.test/x ">', 'https://a.test/x'],
    ['with line ends in them', '<a href="https://a.t\nest/\tx">', 'https://a.test/x'],
    ['with references', '<a href="&#104;ttps&colon;//a.test&sol;x">', 'https://a.test/x'],
    ['with backslashes', '<a href="https:\\\\a.test\\x">', 'https://a.test/x'],
    ['with one slash', '<a href="https:/a.test/x">', 'https://a.test/x'],
    ['without a scheme', '<a href="//a.test/x">', 'https://a.test/x'],
    ['of pictures', '<img src="https://a.test/x">', 'https://a.test/x'],
    ['of sets of pictures', '<img srcset="https://a.test/x 2x">', 'https://a.test/x'],
    ['of forms', '<form action="https://a.test/x">', 'https://a.test/x'],
    ['of buttons', '<button formaction="https://a.test/x">', 'https://a.test/x'],
    ['of backgrounds', '<td background="https://a.test/x">', 'https://a.test/x'],
    ['of frames', '<iframe src="https://a.test/x">', 'https://a.test/x'],
    ['of objects', '<object data="https://a.test/x">', 'https://a.test/x'],
    ['of videos', '<video poster="https://a.test/x">', 'https://a.test/x'],
    ['of style sheets', '<link rel="stylesheet" href="https://a.test/x">', 'https://a.test/x'],
    ['of pictures of vectors', '<svg><a xlink:href="https://a.test/x">', 'https://a.test/x'],
    ['of refreshes', '<meta http-equiv="Refresh" content="0; url=\'https://a.test/x\'">', 'https://a.test/x'],
    ['of the base itself', '<base href="https://a.test/x">', 'https://a.test/x'],
    [
      'relative to the base',
      '<base href="https://a.test/dir/"><base href="https://b.invalid/"><img src="x"><base>',
      'https://a.test/dir/x',
    ],
    ['of styles', '<p style="background-image:url( &quot;https://a.test/x&quot; )">', 'https://a.test/x'],
    ['of styles with escapes', '<style>p { background: url(\\68ttps\\3a //a.test/x) }</style>', 'https://a.test/x'],
    ['of imports', '<style>@import "https://a.test/x";</style>', 'https://a.test/x'],
    ['of imports by url()', '<style>@import url(https://a.test/x)', 'https://a.test/x'],
    ['that are loaded later', '<img data-src="https://a.test/x">', 'https://a.test/x'],
    ['that a gateway has kept', '<a originalsrc="https://a.test/x">', 'https://a.test/x'],
    ['that Outlook alone reads', '<!--[if mso]><v:roundrect href="https://a.test/x"><![endif]-->', 'https://a.test/x'],
    ['of a document in an attribute', '<iframe srcdoc="&lt;a href=&quot;https://a.test/x&quot;&gt;">', 'https://a.test/x'],
    ['of a document in a URL', `<a href="data:text/html;base64,${btoa('<a href="https://a.test/x">')}">`, 'https://a.test/x'],
    [
      'of a document in a URL, escaped',
      '<iframe src="data:text/html,%3Cmeta http-equiv=refresh content=0;url=https://a.test/x%3E">',
      'https://a.test/x',
    ],
    ['of scripts', '<script>location = "https://a.test/x";</script>', 'https://a.test/x'],
    ['of scripts in attributes', '<svg onload="location.href=\'https://a.test/x\'">', 'https://a.test/x'],
    ['that scripts decode', `<script>location = atob("${btoa('https://a.test/x')}")</script>`, 'https://a.test/x'],
    ['of scripts in links', '<a href="javascript:location=\'https://a.test/x\'">', 'https://a.test/x'],
    ['that Office opens', '<a href="ms-word:ofe|u|https://a.test/x">', 'https://a.test/x'],
    ['of the text', '<p>Go to https://a.test/x.</p>', 'https://a.test/x'],
    ['of text over several elements', '<p>Go to https://a.te<b>st</b>/<i>x</i></p>', 'https://a.test/x'],
    ['in hidden elements', '<div style="display:none"><a href="https://a.test/x">A</a></div>', 'https://a.test/x'],
    ['that follow a link of mail', '<a href="mailto:?body=https%3A%2F%2Fa.test%2Fx">', 'https://a.test/x'],
  ])('%s', async (_name, html, url) => {
    expect((await read(html)).urls).toContain(url);
  });

  it('are none of the names of vocabularies, nor of what leads nowhere', async () => {
    const html = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
       xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"><head><meta name="ProgId" content="Word.Document">
      <meta name="viewport" content="width=device-width"><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]-->
      <style>.btn.primary { color: #fff } @font-face { font-family: "A.B" }</style></head>
      <body class="MsoNormal a.test/b"><a name="top" href="#top">Top</a><a href="x.html">Relative</a><img src="cid:image001.png@01D9ABCD.12345678">
      <svg xmlns="http://www.w3.org/2000/svg"></svg><div itemscope itemtype="http://schema.org/EmailMessage"></div>
      <script type="application/ld+json">{"@context":"http://schema.org","@type":"Order"}</script><a href="about:blank">x</a></body></html>`;
    expect(await read(html)).toMatchObject({ urls: [], redirects: [], emails: [], phone_numbers: [], hosts: [], limits: new Set() });
  });
});

it('takes addresses and numbers from the links that are for them', async () => {
  const html = `<a href="mailto:Ann@A.test,bob%40b.test?cc=eve@c.test">mail</a> <a href="tel:+1-888-555-0123">call</a>
    <a href="sms:+4915123456789?body=hi">text</a> <a href="bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=1">pay</a>`;
  expect(await read(html)).toMatchObject({
    emails: ['ann@a.test', 'bob@b.test', 'eve@c.test'],
    phone_numbers: ['+18885550123', '+4915123456789'],
    bitcoin_addresses: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    urls: [],
  });
});
