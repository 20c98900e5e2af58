import { describe, expect, it } from 'vitest';
import { displayUrl } from '../../../packages/renderer/src/image/display-url.ts';
import { barSvg } from '../../../packages/renderer/src/image/url-bar.ts';

describe('a URL as it is shown', () => {
  it.each([
    ['https://example.org/a?b#c', ['https://', 'example.org', '/a?b#c']],
    ['http://example.org:8080/', ['http://', 'example.org:8080', '/']],
    // What stands before the @ passes for a host.
    ['https://www.paypal.com:secret@example.org/a', ['https://', 'example.org', '/a']],
    ['https://example.org:secret@example.org/a', ['https://', 'example.org', '/a']],
    ['http://[2001:db8::1]:81/x', ['http://', '[2001:db8::1]:81', '/x']],
    // What could pass for Latin stands in its ASCII form, whole-script look-alikes too (UTS 39 §4).
    ['https://аррӏе.com/', ['https://', 'xn--80ak6aa92e.com', '/']],
    ['https://gооgle.com/', ['https://', 'xn--ggle-55da.com', '/']],
    ['https://ɡoogle.com/', ['https://', 'xn--oogle-qmc.com', '/']],
    // What could not is shown as it is read.
    ['https://bücher.de/', ['https://', 'bücher.de', '/']],
    ['https://例え.jp/', ['https://', '例え.jp', '/']],
    ['https://пример.рф/', ['https://', 'пример.рф', '/']],
    // A path cannot continue the host: its letters and spaces stay as they are sent.
    ['https://example.org/\u202egro.knab/ü', ['https://', 'example.org', '/%E2%80%AEgro.knab/%C3%BC']],
  ])('%s', (url, [scheme, host, rest]) => expect(displayUrl(url)).toEqual({ scheme, host, rest }));
});

describe('the bar', () => {
  const size = { width: 800, scale: 1 };

  it('has a shut lock over TLS that is believed, and a warning otherwise', () => {
    expect(barSvg('https://example.org/', true, size)).toContain('id="lock"');
    expect(barSvg('https://example.org/', false, size)).toContain('id="warning"');
    expect(barSvg('https://example.org/', false, size)).not.toContain('id="lock"');
  });

  it('says nothing but text, whatever the URL says', () => {
    const svg = barSvg('https://example.org/<script>"&\'', true, size);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('/%3Cscript%3E%22&#38;&#39;');
  });
});
