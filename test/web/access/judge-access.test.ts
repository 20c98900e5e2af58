import { describe, expect, it } from 'vitest';
import { judgeAccess } from '@vedette/web/access';
import { type AccessAnswer } from '../../../packages/web/src/access/judge-access.ts';

const judge = (answer: Partial<AccessAnswer>) => judgeAccess({ status: 200, statusMessage: '', headers: {}, html: '', ...answer });

describe('the site’s own answer', () => {
  it.each<[string, Partial<AccessAnswer>]>([
    ['a page', { html: '<title>Shop</title>' }],
    ['a redirect', { status: 302 }],
    ['no content', { status: 204 }],
    [
      'a page with a captcha in its contact form',
      { html: '<title>Contact</title><script src="https://www.google.com/recaptcha/api.js"></script>' },
    ],
    [
      'a page behind Cloudflare with its script',
      { headers: { server: 'cloudflare' }, html: '<title>Blog</title><script src="/cdn-cgi/challenge-platform/x.js">' },
    ],
    ['a page behind Akamai', { headers: { server: 'AkamaiGHost' }, html: '<title>News</title>' }],
    ['an article about blocking', { html: '<title>How access is denied to some</title>' }],
    ['a long page that mentions VPNs', { html: `<title>Review</title>${'text '.repeat(5_000)}A VPN may be blocked` }],
  ])('%s', (_what, answer) => {
    expect(judge(answer)).toEqual({ accessible: true, debug_message: '' });
  });
});

describe('an error is not a page', () => {
  it.each([
    [403, 'Forbidden', 'The target refuses access (HTTP 403 Forbidden)'],
    [404, 'Not Found', 'The target answered with an error (HTTP 404 Not Found)'],
    [429, 'Too Many Requests', 'The target says there were too many requests (HTTP 429 Too Many Requests)'],
    [451, '', 'The target is blocked for legal reasons (HTTP 451)'],
    [503, 'Busy', 'The target answered with an error (HTTP 503 Busy)'],
    [999, '', 'The target answered with an error (HTTP 999)'],
    [0, '', 'The target answered with an error (HTTP 0)'],
  ])('%i %s', (status, statusMessage, debug_message) => {
    expect(judge({ status, statusMessage })).toEqual({ accessible: false, debug_message });
  });
});

describe('something stands in front', () => {
  it.each<[string, Partial<AccessAnswer>]>([
    ['Cloudflare', { status: 403, headers: { 'cf-mitigated': 'challenge' } }],
    ['Cloudflare', { status: 503, html: '<title>Just a moment...</title>' }],
    ['Cloudflare', { status: 403, html: '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1">' }],
    ['Cloudflare', { status: 403, html: '<title>Attention Required! | Cloudflare</title>' }],
    ['AWS WAF', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }],
    ['Vercel', { status: 429, headers: { 'x-vercel-mitigated': 'challenge' } }],
    ['Sucuri', { status: 403, headers: { 'x-sucuri-block': '1' } }],
    ['Sucuri', { status: 403, html: '<title>Sucuri WebSite Firewall - Access Denied</title>' }],
    ['DataDome', { status: 403, html: '<script src="https://geo.captcha-delivery.com/captcha/">' }],
    ['DataDome', { status: 403, headers: { 'x-datadome': 'protected' } }],
    ['Kasada', { status: 429, headers: { 'x-kpsdk-ct': 'x' } }],
    ['PerimeterX', { status: 200, html: '<div id="px-captcha"></div>' }],
    ['Imperva', { status: 403, html: '<script src="/_Incapsula_Resource?x">' }],
    ['Imperva', { status: 200, html: '<title>Pardon Our Interruption</title>' }],
    ['Akamai', { status: 403, headers: { server: 'AkamaiGHost' } }],
    ['Akamai', { status: 403, html: '<H1>Access Denied</H1> https://errors.edgesuite.net/18' }],
    ['Google', { status: 200, html: 'Our systems have detected unusual traffic from your computer network' }],
    ['hCaptcha', { status: 403, html: '<script src="https://hcaptcha.com/1/api.js">' }],
    ['reCAPTCHA', { status: 429, html: '<script src="https://www.google.com/recaptcha/api.js">' }],
    ['Turnstile', { status: 403, html: '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js">' }],
  ])('%s: %j', (by, answer) => {
    expect(judge(answer)).toEqual({ accessible: false, debug_message: `Blocked or challenged by ${by} (HTTP ${answer.status})` });
  });

  it.each([
    'Access Denied',
    'Access to this page has been denied',
    'Access blocked',
    'You have been blocked',
    '403 Forbidden',
    'Are you a robot?',
    'Robot Check',
    'Please verify you are a human',
    'Security Check',
    'Captcha',
    'DDoS-Guard',
    'Checking your browser before accessing',
  ])('a page titled "%s" with status 200', (title) => {
    expect(judge({ html: `<title>${title}</title>` })).toEqual({
      accessible: false,
      debug_message: `A block page was shown: ${title} (HTTP 200)`,
    });
  });

  it.each(['VPN or proxy detected', 'You seem to be using an unblocker: please turn off', 'Proxies are not allowed here'])(
    'a notice: %s',
    (text) => {
      expect(judge({ html: `<title>Video</title><p>${text}</p>` })).toEqual({
        accessible: false,
        debug_message: 'The page says that VPNs are not welcome (HTTP 200)',
      });
    },
  );
});
