import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument, readRefresh, refreshTarget } from '@vedette/web/page';

const PAGE = 'https://a.example/dir/page?q#top';

describe('shared declarative refresh steps (HTML §4.2.5.3)', () => {
  it.each<[string, number, string]>([
    // No URL: the page itself.
    ['0', 0, PAGE],
    ['5', 5, PAGE],
    ['  5  ', 5, PAGE],
    ['5;', 5, PAGE],
    ['.5', 0, PAGE],
    ['5.9;', 5, PAGE],
    ['5..9.9 ;', 5, PAGE],
    // Separators.
    ['0;url=/b', 0, 'https://a.example/b'],
    ['0,url=/b', 0, 'https://a.example/b'],
    ['0 url=/b', 0, 'https://a.example/b'],
    ['0 ; url=/b', 0, 'https://a.example/b'],
    ['0\n,\turl=/b', 0, 'https://a.example/b'],
    ['0;;url=/b', 0, 'https://a.example/dir/;url=/b'],
    // Names and quotes.
    ["0; URL='https://b.example/x'", 0, 'https://b.example/x'],
    ['0; url="https://b.example/x" trailing', 0, 'https://b.example/x'],
    ['0; url="https://b.example/x', 0, 'https://b.example/x'],
    ['0; UrL  =  b', 0, 'https://a.example/dir/b'],
    ['0; https://b.example/', 0, 'https://b.example/'],
    ["0; 'b c'", 0, 'https://a.example/dir/b%20c'],
    ['0;users.html', 0, 'https://a.example/dir/users.html'],
    ['0;url', 0, 'https://a.example/dir/url'],
    ['0;urls/b', 0, 'https://a.example/dir/urls/b'],
    ['0;ur', 0, 'https://a.example/dir/ur'],
    ["0;u'b'", 0, "https://a.example/dir/u'b'"],
    ['0;url=', 0, 'https://a.example/dir/page?q'],
    ['0;url="', 0, 'https://a.example/dir/page?q'],
    ['0;url=//b.example', 0, 'https://b.example/'],
    ['0;url=b#c', 0, 'https://a.example/dir/b#c'],
    ['0;url=\\\\b.example\\c', 0, 'https://b.example/c'],
    ['0;url=mailto:a@b.example', 0, 'mailto:a@b.example'],
    ['600;url=b', 600, 'https://a.example/dir/b'],
  ])('%j', (content, delay_s, url) => {
    expect(readRefresh(content, PAGE)).toEqual({ delay_s, url });
  });

  it.each(['', ' ', 'soon;url=/b', '-1;url=/b', '+0;url=/b', '0x;url=/b', '5url=/b', ';url=/b', '0;url=https://', '0;url=javascript:alert(1)', '0;JAVASCRIPT:x'])(
    '%j is nothing',
    (content) => {
      expect(readRefresh(content, PAGE)).toBeUndefined();
    },
  ); // prettier-ignore

  it('is bounded, whatever it is given', () => {
    expect(readRefresh('9'.repeat(100_000), PAGE)).toEqual({ url: PAGE, delay_s: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('0', ';', ',', ' ', 'url', '=', '"', "'", '.', '//', 'u', 'r', '\0'), fc.string()), {
          maxLength: 12,
        }),
        (parts) => {
          expect(URL.canParse(readRefresh(parts.join(''), PAGE)?.url ?? PAGE)).toBe(true);
          expect(new URL(refreshTarget(parts.join(''), PAGE) || PAGE).protocol).toMatch(/^https?:$/);
        },
      ),
    );
  });
});

describe('where a refresh leads that a visitor waits for', () => {
  it.each([
    ['30;url=/b', 'https://a.example/b'],
    ['31;url=/b', ''],
    ['0;url=/b#part', 'https://a.example/b'],
    // The page itself, with or without a fragment, is no redirect.
    ['0', ''],
    ['0;url=page?q', ''],
    ['0;url=#other', ''],
    ['0;url=mailto:a@b.example', ''],
    ['0;url=data:text/html,x', ''],
    ['nothing', ''],
  ])('%j', (content, target) => {
    expect(refreshTarget(content, PAGE)).toBe(target);
  });
});

describe('which of the page', () => {
  const meta = (content: string): string => `<meta http-equiv=Refresh content="${content}">`;
  it.each([
    ['of several the first', `${meta('0;url=/b')}${meta('0;url=/c')}`, 'https://a.example/b'],
    ['the first that is one', `${meta('soon')}${meta('0;url=javascript:x')}${meta('0;url=/c')}`, 'https://a.example/c'],
    ['in the body too', `<body><p>text<div>${meta('0;url=/b')}`, 'https://a.example/b'],
    ['not for browsers without scripts', `<noscript>${meta('0;url=/b')}</noscript>`, ''],
    ['not in a template', `<template>${meta('0;url=/b')}</template>`, ''],
    ['not in a comment', `<!-- ${meta('0;url=/b')} -->`, ''],
    ['not in a script', `<script>document.write('${meta('0;url=/b')}')</script>`, ''],
    ['not in a title', `<title>${meta('0;url=/b')}</title>`, ''],
    ['not in a text area', `<textarea>${meta('0;url=/b')}</textarea>`, ''],
    ['not by name', '<meta name=refresh content="0;url=/b">', ''],
    ['relative to a base before it', `<base href="https://b.example/x/">${meta('0;url=c')}`, 'https://b.example/x/c'],
    ['not to one after it', `${meta('0;url=c')}<base href="https://b.example/x/">`, 'https://a.example/dir/c'],
    ['entities decoded', meta('0;url=/b?c=1&amp;d=2'), 'https://a.example/b?c=1&d=2'],
    ['a reload is the page itself', meta('300'), PAGE],
  ])('%s', async (_what, html, url) => {
    const { refresh, info } = await readDocument(html, PAGE);
    expect(refresh?.url ?? '').toBe(url);
    expect(info.refresh_url).toBe(url);
  });
});
