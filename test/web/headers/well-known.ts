import type { Given } from './header-sets.ts';

const external = (src: string, integrity = false) => ({ src, integrity });
const page = (...scripts: ReturnType<typeof external>[]) => ({ scripts, scriptsCount: scripts.length });

/** Headers as well-known sites have sent them, shortened: their habits, not their state of today. */
export const WELL_KNOWN: readonly { name: string; given: Given }[] = [
  {
    name: 'a code host with nonces of no use and a strict list',
    given: {
      host: 'github.com',
      preloaded: ['github.com'],
      fields: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; base-uri 'self'; child-src github.com/assets-cdn/worker/ github.com/webpack/ github.com/assets/; connect-src 'self' uploads.github.com api.github.com wss://alive.github.com; font-src github.githubassets.com; form-action 'self' github.com gist.github.com; frame-ancestors 'none'; frame-src viewscreen.githubusercontent.com notebooks.githubusercontent.com; img-src 'self' data: blob: github.githubassets.com media.githubusercontent.com *.githubusercontent.com; manifest-src 'self'; media-src github.com user-images.githubusercontent.com; script-src github.githubassets.com; style-src 'unsafe-inline' github.githubassets.com; upgrade-insecure-requests; worker-src github.com/assets-cdn/worker/ github.com/assets/",
        'referrer-policy': 'origin-when-cross-origin, strict-origin-when-cross-origin',
        'set-cookie': ['_gh_sess=abc; Path=/; HttpOnly; Secure; SameSite=Lax', '_octo=GH1.1; Path=/; Domain=github.com; Expires=Sun, 28 Nov 2027 00:00:00 GMT; Secure; SameSite=Lax', 'logged_in=no; Path=/; Domain=github.com; HttpOnly; Secure; SameSite=Lax'],
        'strict-transport-security': 'max-age=31536000; includeSubdomains; preload',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'deny',
        'x-xss-protection': '0',
      },
      page: page(external('https://github.githubassets.com/assets/environment.js', true)),
    },
  },
  {
    name: 'a search engine with a policy that only reports, and public pictures',
    given: {
      host: 'www.google.com',
      preloaded: ['google.com'],
      fields: {
        'content-type': 'text/html; charset=ISO-8859-1',
        'content-security-policy-report-only': "object-src 'none';base-uri 'self';script-src 'nonce-zd9pXkPvS4tdXd2HrxwHFA' 'strict-dynamic' 'report-sample' 'unsafe-eval' 'unsafe-inline' https: http:;report-uri https://csp.withgoogle.com/csp/gws/other-hp",
        p3p: 'CP="This is not a P3P policy! See g.co/p3phelp for more info."',
        'x-xss-protection': '0',
        'x-frame-options': 'SAMEORIGIN',
        'set-cookie': ['AEC=AVc; expires=Thu, 27-May-2027 00:00:00 GMT; path=/; domain=.google.com; Secure; HttpOnly; SameSite=lax', 'NID=526; expires=Mon, 31-May-2027 00:00:00 GMT; path=/; domain=.google.com; HttpOnly'],
        'permissions-policy': 'unload=()',
      },
      page: page(),
      http: ['http://www.google.com/'],
    },
  },
  {
    name: 'an encyclopaedia without a policy',
    given: {
      host: 'en.wikipedia.org',
      preloaded: ['wikipedia.org'],
      fields: {
        'content-type': 'text/html; charset=UTF-8',
        'strict-transport-security': 'max-age=106384710; includeSubDomains; preload',
        'report-to': '{ "group": "wm_nel", "max_age": 604800, "endpoints": [{ "url": "https://intake-logging.wikimedia.org/v1/events?stream=w3c.reportingapi.network_error&schema_uri=/w3c/reportingapi/network_error/1.0.0" }] }',
        nel: '{ "report_to": "wm_nel", "max_age": 604800, "failure_fraction": 0.05, "success_fraction": 0.0}',
        'set-cookie': ['WMF-Last-Access=28-Nov-2026;Path=/;HttpOnly;secure;Expires=Wed, 30 Dec 2026 00:00:00 GMT', 'GeoIP=DE:BE:Berlin:52.52:13.40:v4; Path=/; secure; Domain=.wikipedia.org'],
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'origin-when-cross-origin',
      },
      page: page(external('/w/load.php?lang=en&modules=startup&only=scripts')),
    },
  },
  {
    name: 'a social network with two policies and everything else',
    given: {
      host: 'www.facebook.com',
      preloaded: ['facebook.com'],
      fields: {
        'content-type': 'text/html; charset="utf-8"',
        'content-security-policy': ["default-src data: blob: 'self' https://*.fbsbx.com 'unsafe-inline' *.facebook.com *.fbcdn.net;script-src *.facebook.com *.fbcdn.net 'unsafe-inline' blob: data: 'self' connect.facebook.net 'unsafe-eval';style-src fonts.googleapis.com *.fbcdn.net data: *.facebook.com 'unsafe-inline';connect-src *.facebook.com wss://*.facebook.com:*;img-src *.facebook.com *.fbcdn.net data: https://*.fbsbx.com;frame-src *.doubleclick.net *.google.com;worker-src *.facebook.com/static_resources/webworker_v1/init_script/;block-all-mixed-content;upgrade-insecure-requests;", "default-src 'self' data: blob: *; frame-ancestors 'self'"],
        'cross-origin-opener-policy': 'unsafe-none',
        'cross-origin-resource-policy': 'cross-origin',
        'document-policy': 'force-load-at-top',
        'permissions-policy': 'accelerometer=(), attribution-reporting=(self), camera=(self), fullscreen=(self), geolocation=(self), microphone=(self)',
        'strict-transport-security': 'max-age=15552000; preload',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-xss-protection': '0',
        'set-cookie': 'fr=0abc; expires=Fri, 26-Feb-2027 00:00:00 GMT; Max-Age=7776000; path=/; domain=.facebook.com; secure; httponly',
      },
      page: page(external('https://static.xx.fbcdn.net/rsrc.php/v4/yA/r/a.js')),
    },
  },
  {
    name: 'a shop without most of it',
    given: {
      host: 'www.amazon.com',
      fields: {
        'content-type': 'text/html;charset=UTF-8',
        'content-security-policy': 'upgrade-insecure-requests;report-uri https://metrics.media-amazon.com/',
        'content-security-policy-report-only': "default-src 'self' blob: https: data: mediastream: 'unsafe-eval' 'unsafe-inline';report-uri https://metrics.media-amazon.com/",
        'strict-transport-security': 'max-age=47474747; includeSubDomains; preload',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'x-xss-protection': '1;',
        'set-cookie': ['session-id=131-1; Domain=.amazon.com; Expires=Sun, 28-Nov-2027 00:00:00 GMT; Path=/; Secure', 'session-id-time=2082787201l; Domain=.amazon.com; Expires=Sun, 28-Nov-2027 00:00:00 GMT; Path=/; Secure', 'i18n-prefs=USD; Domain=.amazon.com; Expires=Sun, 28-Nov-2027 00:00:00 GMT; Path=/', 'sp-cdn="L5Z9:DE"; Version=1; Domain=.amazon.com; Max-Age=31536000; Path=/; Secure; HttpOnly'],
      },
      page: page(external('https://m.media-amazon.com/images/I/a.js')),
    },
  },
  {
    name: 'a browser maker with all of it',
    given: {
      host: 'www.mozilla.org',
      http: ['http://www.mozilla.org/', 'https://www.mozilla.org/', 'https://www.mozilla.org/en-US/'],
      https: ['https://www.mozilla.org/', 'https://www.mozilla.org/en-US/'],
      preloaded: ['mozilla.org'],
      fields: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "base-uri 'none'; child-src 'self' www.googletagmanager.com www.youtube-nocookie.com; connect-src 'self' www.google-analytics.com region1.google-analytics.com; default-src 'self' *.mozilla.net *.mozilla.org *.mozilla.com; font-src 'self'; form-action 'self' accounts.firefox.com; frame-ancestors 'none'; img-src 'self' data: mozilla.org www.googletagmanager.com; media-src 'self' assets.mozilla.net; object-src 'none'; script-src 'self' 'unsafe-inline' s.ytimg.com www.googletagmanager.com www.youtube.com; style-src 'self' 'unsafe-inline'; upgrade-insecure-requests",
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      },
      page: page(external('/media/js/site.js'), external('https://www.googletagmanager.com/gtm.js')),
    },
  },
  {
    name: 'a network of content that redirects over another host, with Expect-CT and a report-only policy',
    given: {
      host: 'cloudflare.com',
      http: ['http://cloudflare.com/', 'https://www.cloudflare.com/'],
      https: ['https://cloudflare.com/', 'https://www.cloudflare.com/'],
      fields: {
        'content-type': 'text/html; charset=utf-8',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'permissions-policy': 'geolocation=(), camera=(), microphone=()',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'set-cookie': '__cf_bm=abc; path=/; expires=Sat, 28-Nov-26 00:30:00 GMT; domain=.cloudflare.com; HttpOnly; Secure; SameSite=None',
        'report-to': '{"endpoints":[{"url":"https:\\/\\/a.nel.cloudflare.com\\/report\\/v4?s=abc"}],"group":"cf-nel","max_age":604800}',
      },
      page: page(external('/page-data/app.js'), external('https://ajax.cloudflare.com/cdn-cgi/scripts/rocket-loader.min.js')),
    },
  },
  {
    name: 'a small site of a blog engine, as it is installed',
    given: { host: 'blog.example.org', fields: { 'content-type': 'text/html; charset=UTF-8', server: 'Apache', 'x-powered-by': 'PHP/8.3.1', link: '<https://blog.example.org/wp-json/>; rel="https://api.w.org/"' }, page: page(external('https://blog.example.org/wp-includes/js/jquery/jquery.min.js')), http: ['http://blog.example.org/'] },
  },
]; // prettier-ignore
