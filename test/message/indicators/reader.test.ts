import { expect, it } from 'vitest';
import { IndicatorReader } from '@vedette/message/indicators';

it('gathers from all parts of a message, each once, in the order met', async () => {
  const reader = new IndicatorReader();
  reader.text('See https://a.test/one and http://192.0.2.1/two');
  const { text, links } = reader.html('<a href="https://a.test/one">one</a> <a href="https://b.test/">two</a>');
  reader.address('Ann@A.test');
  expect(text).toBe('one two');
  expect(links).toEqual([
    { text: 'one', href: 'https://a.test/one' },
    { text: 'two', href: 'https://b.test/' },
  ]);
  expect(await reader.read()).toMatchObject({
    urls: ['https://a.test/one', 'http://192.0.2.1/two', 'https://b.test/'],
    with_ip_host: ['http://192.0.2.1/two'],
    emails: ['ann@a.test'],
    hosts: ['a.test', '192.0.2.1', 'b.test'],
    email_hosts: ['a.test'],
    limits: new Set(),
  });
});

const found = async (read: (reader: IndicatorReader) => unknown) => {
  const reader = new IndicatorReader();
  read(reader);
  const { urls, hosts } = await reader.read();
  return [urls, hosts];
};

it.each([
  [String.raw`<a href="file:///\\smb.evil.test\s\a.rtf!x">x</a>`, 'file://smb.evil.test/s/a.rtf!x'],
  ['<a href="file://smb.evil.test/s/a.rtf">x</a>', 'file://smb.evil.test/s/a.rtf'],
  ['<img src="file://smb.evil.test/1.png">', 'file://smb.evil.test/1.png'],
  ['<p style="background:url(file:////smb.evil.test/1.png)">', 'file://smb.evil.test/1.png'],
  [
    String.raw`<a href="search-ms:query=a&crumb=location:\\smb.evil.test@SSL\DavWWWRoot\s&displayname=Downloads">x</a>`,
    'file://smb.evil.test/DavWWWRoot/s',
  ],
  ['<a href="search:query=a&crumb=location:%5C%5Csmb.evil.test%5Cs">x</a>', 'file://smb.evil.test/s'],
])('reads the share of %s', async (html, url) => {
  expect(await found((reader) => reader.html(html))).toEqual([[url], ['smb.evil.test']]);
});

it.each([
  ['[InternetShortcut]\nURL=file://smb.evil.test/s/a.exe\n', ['file://smb.evil.test/s/a.exe']],
  [String.raw`Open \\smb.evil.test\docs\a.docx, please`, ['file://smb.evil.test/docs/a.docx']],
  [String.raw`IconFile=\\smb.evil.test@8080\i.ico`, ['file://smb.evil.test/i.ico']],
  // One's own files and network, and what only has a backslash.
  [String.raw`\\fileserver\docs\a.docx and file://fileserver/docs and file:///C:/Users/a.txt and file:///smb.evil.test/a`, []],
  [String.raw`C:\\smb.evil.test\a and "a\\b.test\\c" and \\d+\.com\\ and \section{a.test\\b}`, []],
])('reads the shares of the text %j', async (text, urls) => {
  const [read] = await found((reader) => reader.text(text));
  expect(read).toEqual(urls);
});
