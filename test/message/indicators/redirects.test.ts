import { describe, expect, it } from 'vitest';
import { IndicatorReader } from '@vedette/message/indicators';

const read = async (url: string) => {
  const reader = new IndicatorReader();
  reader.html(`<a href="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">a link</a>`);
  return await reader.read();
};

describe('where a URL leads', () => {
  it.each([
    // What gateways and trackers wrap (@vedette/intel/links has the table).
    ['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.test%2Fx&data=05', ['https://evil.test/x']],
    ['https://urldefense.com/v3/__https://evil.test/x__;!!abc!def$', ['https://evil.test/x']],
    [
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://urldefense.com/v3/__https://evil.test/x__;!!abc!def$')}&data=05`,
      ['https://urldefense.com/v3/__https://evil.test/x__;!!abc!def$', 'https://evil.test/x'],
    ],
    [
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://shop.test/out?url=https%3A%2F%2Fevil.test%2Fx')}&data=05`,
      ['https://shop.test/out?url=https%3A%2F%2Fevil.test%2Fx', 'https://evil.test/x'],
    ],
    ['https://www.google.com/url?q=https://evil.test/x&sa=D', ['https://evil.test/x']],
    // Open redirects.
    ['https://shop.test/login?next=https://evil.test/x', ['https://evil.test/x']],
    ['https://shop.test/r?Redirect_URL=https%3a%2f%2fevil.test%2fx', ['https://evil.test/x']],
    ['https://shop.test/r?url=https%253a%252f%252fevil.test%252fx', ['https://evil.test/x']],
    ['https://shop.test/r?to=//evil.com/x', ['https://evil.com/x']],
    ['https://shop.test/r?to=/%5cevil.com', ['https://evil.com/']],
    ['https://shop.test/r?to=https:/evil.test/x', ['https://evil.test/x']],
    ['https://shop.test/r?url=http://192.0.2.1/x', ['http://192.0.2.1/x']],
    ['https://shop.test/?https://evil.test/x?a=1&b=2', ['https://evil.test/x?a=1&b=2']],
    ['https://shop.test/click/https://evil.test/x?a=1', ['https://evil.test/x?a=1']],
    ['https://shop.test/click/https%3A%2F%2Fevil.test%2Fx/1', ['https://evil.test/x']],
    ['https://shop.test/#/go?url=https://evil.test/x', ['https://evil.test/x']],
    [`https://shop.test/r?p=${btoa('https://evil.test/x')}`, ['https://evil.test/x']],
    [`https://shop.test/r/${btoa('https://evil.test/xy')}`, ['https://evil.test/xy']],
    [`https://substack.test/redirect/2/${btoa('{"e":"https://evil.test/x","s":1}')}.sig`, ['https://evil.test/x']],
    ['https://www.google.com/amp/s/evil.test/x', ['https://evil.test/x']],
    ['https://evil-test.cdn.ampproject.org/c/s/evil.test/x', ['https://evil.test/x']],
    [
      'https://a.test/r?url=https%3A%2F%2Fb.test%2Fr%3Furl%3Dhttps%253A%252F%252Fc.test%252F',
      ['https://b.test/r?url=https%3A%2F%2Fc.test%2F', 'https://c.test/'],
    ],
  ])('%s', async (url, redirects) => {
    expect((await read(url)).redirects).toEqual(redirects);
  });

  it.each([
    'https://shop.test/login?next=/account&to=//',
    'https://shop.test/login?next=https://shop.test/account',
    'https://shop.test/?utm_source=https://news.test/&ref=https://a.test/&image=https://cdn.test/x.png',
    'https://shop.test/?url=news&link=hello.txt&to=ann@a.test',
    'https://www.facebook.com/sharer/sharer.php?u=https://shop.test/',
    'https://twitter.com/intent/tweet?url=https://shop.test/',
    'https://www.linkedin.com/sharing/share-offsite/?url=https://shop.test/',
    'https://api.whatsapp.com/send?text=https://shop.test/&url=https://shop.test/',
    'https://shop.test/?token=eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwczovL2EudGVzdCJ9.x',
    'https://shop.test/http/x?u=http',
    'https://us1.list-manage.com/track/click?u=0123456789abcdef&id=abc&e=def',
    'https://shop.test/amp/s/evil.test/x',
  ])('is not elsewhere: %s', async (url) => {
    expect((await read(url)).redirects).toEqual([]);
  });

  it('is judged as what a message names itself', async () => {
    expect(await read('https://shop.test/r?url=http%3A%2F%2F192.0.2.1%2Fsetup.exe')).toMatchObject({
      urls: ['https://shop.test/r?url=http%3A%2F%2F192.0.2.1%2Fsetup.exe'],
      redirects: ['http://192.0.2.1/setup.exe'],
      direct_downloads: ['http://192.0.2.1/setup.exe'],
      with_ip_host: ['http://192.0.2.1/setup.exe'],
      hosts: ['shop.test', '192.0.2.1'],
    });
  });

  it('is told of pictures only where it is wrapped: what makes them smaller is told their URLs, too', async () => {
    const reader = new IndicatorReader();
    reader.html(`<img src="https://resize.test/?url=https://a.test/x.png">
      <img src="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.test%2Fx&data=05">`);
    expect((await reader.read()).redirects).toEqual(['https://evil.test/x']);
  });

  it('ends after five levels', async () => {
    const wrap = (url: string) => `https://w${url.length}.test/r?url=${encodeURIComponent(url)}`;
    let url = 'https://end.test/';
    for (let level = 0; level < 6; level++) url = wrap(url);
    expect((await read(url)).redirects).toHaveLength(5);
  });
});

describe('direct downloads', () => {
  it.each([
    'https://a.test/setup.exe',
    'https://a.test/a/Invoice.ZIP?x=1#y',
    'https://a.test/report.docm',
    'https://a.test/disk.iso',
    'https://a.test/file.pdf.lnk',
    'https://www.dropbox.com/s/abc/x?dl=1',
    'https://drive.google.com/uc?id=abc&export=download',
    'https://docs.google.com/document/d/abc/export?format=docx',
    'https://contoso.sharepoint.com/:u:/g/abc?download=1',
    'https://cdn.discordapp.com/attachments/1/2/x',
    'ftp://a.test/x.7z',
  ])('are: %s', async (url) => {
    expect((await read(url)).direct_downloads).toEqual([url]);
  });

  it.each([
    'https://a.test/',
    'https://a.zip/',
    'https://a.test/page.html',
    'https://a.test/terms.pdf',
    'https://a.test/logo.png',
    'https://a.test/app.js',
    'https://a.test/x.exe/info',
    'https://a.test/?file=setup.exe',
    'https://www.dropbox.com/s/abc/x?dl=0',
    'https://drive.google.com/file/d/abc/view',
    'https://a.test/example.com',
  ])('are not: %s', async (url) => {
    expect((await read(url)).direct_downloads).toEqual([]);
  });
});
