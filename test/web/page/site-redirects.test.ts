import { describe, expect, it } from 'vitest';
import { siteRedirect } from '@vedette/web/page';

const TO = 'https://www.example.org/a?x=1&y=2';
const to = encodeURIComponent(TO);

describe('where a site leads by a page of its own', () => {
  it.each<[string, string, string]>([
    ['t.co, for browsers with scripts', 'https://t.co/AbC123', '<head><title>x</title></head><script>window.opener = null; location.replace("https:\\/\\/www.example.org\\/a?x=1&y=2")</script>'],
    ['t.co, for those without', 'https://t.co/AbC123', '<head><noscript><META http-equiv="refresh" content="0;URL=https://www.example.org/a?x=1&amp;y=2"></noscript></head>'],
    ['lnkd.in', 'https://lnkd.in/eAbC', `<a href="https://www.linkedin.com/">LinkedIn</a><a class="artdeco-button" data-tracking-control-name="external_url_click" href="https://www.example.org/a?x=1&amp;y=2">Continue</a>`],
    ['Apple News', 'https://apple.news/AbC', '<script>function f(){ redirectToUrlAfterTimeout("https://www.example.org/a?x=1\\u0026y=2", 0); }</script>'],
    ['l.facebook.com, by its URL', `https://l.facebook.com/l.php?u=${to}&h=AT0`, '<html></html>'],
    ['l.facebook.com, by its page', 'https://l.facebook.com/l.php?e=AT0', '<script>document.location.replace("https:\\/\\/www.example.org\\/a?x=1\\u0026y=2");</script>'],
    ['YouTube', `https://www.youtube.com/redirect?q=${to}&redir_token=x`, ''],
    ['Google', `https://www.google.com/url?q=${to}&sa=D`, ''],
    ['VK', `https://vk.com/away.php?to=${to}`, ''],
    ['Slack', `https://slack-redir.net/link?url=${to}`, ''],
    ['vk.cc', 'https://vk.cc/AbC', '<script>window.location.href = "https:\\/\\/www.example.org\\/a?x=1&y=2";</script>'],
    ['pages that hide whence one comes', 'https://href.li/?https://www.example.org/a?x=1&y=2', ''],
  ])('%s', async (_what, url, html) => {
    expect(await siteRedirect(url, html)).toBe(TO);
  }); // prettier-ignore

  it.each<[string, string, string]>([
    ['a page of nobody', 'https://example.org/', `<script>location.replace("${TO}")</script>`],
    ['a look-alike', 'https://xt.co/AbC', `<script>location.replace("${TO}")</script>`],
    ['another port', 'https://t.co:8443/AbC', `<script>location.replace("${TO}")</script>`],
    ['a page that leads nowhere', 'https://t.co/AbC', '<p>Not found</p>'],
    ['a page that leads to no page', 'https://lnkd.in/x', '<a data-tracking-control-name="external_url_click" href="javascript:x">x</a>'],
    ['a page that leads to itself', 'https://t.co/AbC', '<script>location.replace("https://t.co/AbC")</script>'],
    ['what the page says in a text', 'https://t.co/AbC', `<p>location.replace("${TO}")</p>`],
  ])('not: %s', async (_what, url, html) => {
    expect(await siteRedirect(url, html)).toBeUndefined();
  });
});
