import { describe, expect, it } from 'vitest';
import { judgeSite, NO_PAGE, SITE_CHECKS, type SiteCheck, type SiteDns, type SiteEvidence } from '@vedette/web/site';
import { evidenceOf, type Headers, hop, PLAIN_HTML, type Shape, silent, visitOf } from './evidence.ts';

const page = (body: string, title = 'The village choir'): Shape => ({
  html: `<html><head><title>${title}</title></head><body>${body}</body></html>`,
});
const sent = (...headers: Headers): Shape => ({ headers });
const dns = (part: Partial<SiteDns>): Shape => ({ more: { dns: { ...ORDINARY.dns, ...part } } });
const named = (part: Partial<SiteEvidence['name']>): Shape => ({ more: { name: { ...ORDINARY.name, ...part } } });
const certified = (part: Partial<NonNullable<SiteEvidence['certificate']>>): Shape => ({
  more: { certificate: { ...ORDINARY.certificate!, ...part } },
});
const addressed = (...ipv4: string[]): Shape => dns({ ipv4 });
const ARTICLE = '<p>It was a long day in the village, and much was said about it by those who were there.</p>'.repeat(40);
const ORDINARY = await evidenceOf();
const mail = ORDINARY.dns.mail!;
const away = (...urls: string[]) => visitOf([hop('https://choir.example/'), ...urls.map((url) => hop(url))], PLAIN_HTML);
const toward = async (...urls: string[]): Promise<Shape> => ({ more: { https: await away(...urls) } });
const product = (old: string, now: string) => `<div class="product"><h3>Shoe</h3><del>${old}</del> <ins>${now}</ins></div>`;
const products = (old: string, now: string, count = 6) => page(product(old, now).repeat(count));
const shop = (body: string) => page(`<a href="/cart">Cart</a><a href="/checkout">Checkout</a><span itemprop="price">10</span>${body}`);
const young: Partial<SiteEvidence> = { age: { days: 40, recent: true, veryRecent: false } };
const LOGIN = '<form action="/login"><input name="user"><input type="password" name="pw"></form>';
const absent = async (html: string, status = 404): Promise<Shape> => ({
  more: { absent: await visitOf([hop('https://choir.example/x1', { status })], html) },
});

/** What Cloudflare shows who runs no scripts. */
const CHALLENGE: Shape = {
  html: '<title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><body><noscript>Enable JavaScript and cookies to continue</noscript></body>',
  status: 403,
  headers: [['cf-mitigated', 'challenge']],
};

/** For each check: what sets it, and what nearly does. */
const TABLE: Record<SiteCheck, { sets: readonly Shape[]; misses: readonly Shape[] }> = {
  is_suspended_site: {
    sets: [
      page(
        '<h1>Account Suspended</h1><p>This Account has been suspended.</p><p>Contact your hosting provider for more information.</p>',
        'Account Suspended',
      ),
      { ...page('<p>Nothing to see.</p>'), url: 'https://choir.example/cgi-sys/suspendedpage.cgi' },
      { ...page('Bandwidth Limit Exceeded'), status: 509 },
      { ...page('<p>Sorry, this store is currently unavailable.</p>'), status: 402 },
      page('<p>Diese Website wurde vorübergehend gesperrt.</p>'),
    ],
    misses: [
      page('<p>The ferry service is temporarily suspended because of high winds.</p>', 'Ferry line'),
      page('<h1>City bus</h1><p>Due to the strike our service has been suspended until Monday.</p>', 'City bus'),
      page(`<h1>Account has been suspended: what now?</h1>${ARTICLE}`, 'My account has been suspended, what now?'),
      page('<p>Our summer programme has been suspended until May.</p>'),
      { ...page('<p>Payment is required for the archive.</p>'), status: 402 },
    ],
  },
  is_most_abused_tld: { sets: [named({ abusedTld: true })], misses: [{}] },
  is_robots_noindex: {
    sets: [
      { html: '<title>x</title><meta name="robots" content="NOINDEX, nofollow">' },
      { html: '<title>x</title><meta name="robots" content="none">' },
      sent(['x-robots-tag', 'noindex']),
    ],
    misses: [
      { html: '<title>x</title><meta name="robots" content="index, nofollow, max-image-preview:large">' },
      { html: '<title>x</title><meta name="description" content="noindex">' },
      sent(['x-robots-tag', 'otherbot: noindex']),
      CHALLENGE,
    ],
  },
  is_website_accessible: {
    sets: [{}, { ...page('<h1>Forbidden</h1>'), status: 403 }],
    misses: [{ more: silent() }, { more: { https: await visitOf([hop('https://choir.example/')], '', { end: 'loop' }) } }],
  },
  is_empty_page_content: {
    sets: [page('   \n '), page('<p style="display:none">Nobody reads this text, however long it may be.</p>'), { html: ' ' }],
    misses: [
      page(LOGIN, 'Log in'),
      page('<div id="root"></div><script src="/assets/index-4f3a.js"></script>'),
      page('<img src="/under-construction.gif">'),
      page('<iframe src="https://frame.example/"></iframe>'),
      { ...page(''), status: 404 },
    ],
  },
  is_redirect_to_search_engine: {
    sets: [await toward('https://www.google.com/'), await toward('https://www.bing.com/?form=Z9'), await toward('https://duckduckgo.com/')],
    misses: [
      await toward('https://www.google.com/maps/place/choir'),
      await toward('https://docs.google.com/'),
      { host: 'google.com', url: 'https://www.google.com/' },
      await toward('https://choir.example/search'),
    ],
  },
  is_suspicious_redirect: {
    sets: [
      await toward('https://track.example/go?to=https%3A%2F%2Fcasino.example%2Fwin'),
      await toward('https://track.example/?https://casino.example/win'),
      await toward('https://short.example/abc', 'https://casino.example/'),
      await toward('http://198.51.100.7/index.php'),
      await toward('https://parked.example/'),
      {
        more: {
          https: await visitOf(
            [hop('https://choir.example/'), hop('http://10.0.0.1/', { status: 0, refusal: 'blocked_private_address' })],
            '',
            { end: 'failed' },
          ),
        },
      },
    ],
    misses: [
      await toward('https://youtu.be/dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'),
      await toward('https://blog.example/wp-login.php?redirect_to=https%3A%2F%2Fmembers.example%2Fwp-admin%2F'),
      await toward('https://www.choir.example/'),
      await toward('https://choir-berlin.example/'),
      await toward('https://login.example/oauth?redirect_uri=https%3A%2F%2Fchoir.example%2F'),
      await toward(
        'https://login.microsoftonline.com/common/oauth2/authorize?client_id=4&redirect_uri=https%3A%2F%2Fwww.office.com%2Flanding',
      ),
      await toward('https://consent.example/collect?continue=https://www.elsewhere.example/'),
      await toward('https://choir.example/go?to=https%3A%2F%2Fcasino.example%2F'),
      await toward('https://shop.example/?utm_source=choir.example'),
    ],
  },
  is_http_status_error: { sets: [{ status: 404 }, { status: 500 }], misses: [{ status: 200 }, { status: 304 }] },
  is_http_server_error: { sets: [{ status: 503 }], misses: [{ status: 404 }] },
  is_http_client_error: { sets: [{ status: 403 }], misses: [{ status: 500 }, { status: 399 }] },
  is_empty_page_title: {
    sets: [{ html: '<body><p>A page that says a few words and has no title.</p></body>' }, page('<p>Words.</p>', ' ')],
    misses: [
      page('<p>Words.</p>', '\u2665'),
      { ...page('', ''), status: 404 },
      { more: { https: { ...(await visitOf([hop('https://choir.example/')])), bytes: 40 } } },
    ],
  },
  is_ipv6_enabled: { sets: [{}], misses: [dns({ ipv6: [] }), dns({ ipv6: ['fd00::1'] })] },
  is_domain_blacklisted: { sets: [{ more: { detections: { high: 0, all: 1 } } }], misses: [{ more: { detections: { high: 0, all: 0 } } }] },
  is_suspicious_domain: {
    sets: [named({ homoglyph: 'paypal' }), named({ typosquat: 'google, one letter off' }), named({ clickable: true })],
    misses: [{}, named({ uncommonDashes: true })],
  },
  is_sinkholed_domain: {
    sets: [
      { more: { lists: { sinkhole: true, parked: false } } },
      sent(['x-sinkhole', 'malware research']),
      page('<h1>This website has been seized</h1><p>by the Federal Bureau of Investigation.</p>', 'Seized'),
    ],
    misses: [
      page(`<h1>The site has been seized by the FBI, and what that means</h1>${ARTICLE}`),
      { ...page(`<h1>Our choir</h1>${ARTICLE}`), more: { lists: { sinkhole: true, parked: false } } },
      page('<p>We moved to sinkhole valley.</p>'),
    ],
  },
  is_http_redirected_to_https: {
    sets: [{}],
    misses: [
      { more: { http: await visitOf([hop('http://choir.example/')], PLAIN_HTML) } },
      { more: { http: await visitOf([hop('http://choir.example/'), hop('http://www.choir.example/')], PLAIN_HTML) } },
    ],
  },
  is_directory_listing: {
    sets: [
      page(
        '<h1>Index of /</h1><pre><a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Last modified</a><hr><a href="backup.zip">backup.zip</a></pre>',
        'Index of /',
      ),
      page('<h1>Directory listing for /</h1><ul><li><a href="a.txt">a.txt</a></ul>', 'Directory listing for /'),
      page('<h1>choir.example - /</h1><pre><a href="/">[To Parent Directory]</a></pre>', 'choir.example - /'),
      page('<h1>Index of /</h1><pre><a href="../">../</a> <a href="backup.zip">backup.zip</a></pre>', 'Files'),
    ],
    misses: [
      page('<h1>Our index of songs</h1><p>Index of /songs/ and all that.</p>', 'Index of /'),
      page('<p>See the index of first lines.</p>', 'Index of first lines'),
    ],
  },
  is_domain_ipv4_assigned: { sets: [{}], misses: [dns({ ipv4: [] })] },
  is_domain_ipv4_private: { sets: [addressed('10.0.0.1')], misses: [addressed('11.0.0.1')] },
  is_domain_ipv4_loopback: { sets: [addressed('127.0.0.1')], misses: [addressed('128.0.0.1')] },
  is_domain_ipv4_reserved: {
    sets: [addressed('240.0.0.1'), addressed('169.254.0.1')],
    misses: [addressed('10.0.0.1')],
  },
  is_domain_ipv4_valid: { sets: [addressed('10.0.0.1', '9.9.9.9')], misses: [addressed('10.0.0.1'), addressed()] },
  is_uncommon_host_length: { sets: [named({ uncommonLength: true })], misses: [{}] },
  is_uncommon_dash_char_count: { sets: [named({ uncommonDashes: true })], misses: [{}] },
  is_uncommon_dot_char_count: { sets: [named({ uncommonDots: true })], misses: [{}] },
  is_email_configured: { sets: [{}], misses: [dns({ mail: { ...mail, exchangers: [] } })] },
  is_email_spoofable: { sets: [dns({ spoofable: true })], misses: [dns({ spoofable: false })] },
  is_dmarc_configured: {
    sets: [dns({ mail: { ...mail, dmarc: 'none', dmarcEnforced: false } })],
    misses: [dns({ mail: { ...mail, dmarc: '' } })],
  },
  is_dmarc_enforced: { sets: [{}], misses: [dns({ mail: { ...mail, dmarc: 'none', dmarcEnforced: false } })] },
  is_caa_configured: { sets: [dns({ caa: true })], misses: [dns({ caa: false })] },
  is_external_redirect: { sets: [await toward('https://choir-berlin.example/')], misses: [await toward('https://www.choir.example/'), {}] },
  is_custom_404_configured: {
    sets: [{}, await absent('<title>Gone</title><p>We took this page away.</p>', 410)],
    misses: [
      await absent(PLAIN_HTML, 200),
      await absent(
        '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx/1.24.0 (Ubuntu)</center></body></html>',
      ),
      await absent(
        '<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL was not found on this server.</p><hr><address>Apache/2.4.57 (Debian) Server at choir.example Port 443</address>',
      ),
      await absent('<pre>Cannot GET /x1</pre>'),
      await absent(''),
    ],
  },
  is_valid_https: {
    sets: [{}],
    misses: [
      { more: { https: await visitOf([hop('https://choir.example/', { secure: false })], PLAIN_HTML) } },
      { more: { https: await visitOf([hop('https://choir.example/'), hop('https://www.choir.example/', { secure: false })], PLAIN_HTML) } },
      { more: { https: silent().https, http: await visitOf([hop('http://choir.example/')], PLAIN_HTML) } },
    ],
  },
  is_ssl_blacklisted: { sets: [certified({ blacklisted: true })], misses: [certified({ blacklisted: false })] },
  is_ssl_expired: { sets: [certified({ expired: true, valid: false })], misses: [certified({ valid: false })] },
  is_ssl_revoked: { sets: [certified({ revoked: true })], misses: [certified({ revoked: undefined }), certified({ revoked: false })] },
  is_hsts_header: {
    sets: [sent(['strict-transport-security', 'max-age=31536000; includeSubDomains'])],
    misses: [
      sent(['strict-transport-security', 'max-age=0']),
      sent(['strict-transport-security', 'includeSubDomains']),
      sent(['strict-transport-security', 'max-age=0'], ['strict-transport-security', 'max-age=300']),
      {
        more: {
          https: await visitOf(
            [hop('https://choir.example/', { secure: false, fields: [['strict-transport-security', 'max-age=300']] })],
            PLAIN_HTML,
          ),
        },
      },
    ],
  },
  is_referrer_policy_header: {
    sets: [sent(['referrer-policy', 'same-origin']), { html: '<title>x</title><meta name="referrer" content="origin">' }],
    misses: [sent(['referrer-policy', 'whatever']), sent(['referrer-policy', ''])],
  },
  is_unsafe_url_in_referrer_policy_header: {
    sets: [sent(['referrer-policy', 'no-referrer, unsafe-url'])],
    misses: [
      sent(['referrer-policy', 'unsafe-url, strict-origin']),
      sent(['referrer-policy', 'unsafe-url'], ['referrer-policy', 'origin']),
    ],
  },
  is_csp_header: {
    sets: [
      sent(['content-security-policy', "default-src 'self'"]),
      { html: `<title>x</title><meta http-equiv="Content-Security-Policy" content="img-src 'self'">` },
    ],
    misses: [sent(['content-security-policy-report-only', "default-src 'self'"]), sent(['content-security-policy', ' ; '])],
  },
  is_unsafe_eval_in_csp_header: {
    sets: [
      sent(['content-security-policy', "script-src 'self' 'unsafe-eval'"]),
      sent(['content-security-policy', "default-src * 'UNSAFE-EVAL'"]),
    ],
    misses: [
      sent(['content-security-policy', "script-src 'self' 'unsafe-eval'"], ['content-security-policy', "script-src 'self'"]),
      sent(['content-security-policy', "default-src 'unsafe-eval'; script-src 'self'"]),
      sent(['content-security-policy', "script-src 'self' 'wasm-unsafe-eval'"]),
    ],
  },
  is_unsafe_inline_in_csp_header: {
    sets: [sent(['content-security-policy', "script-src 'self' 'unsafe-inline'"])],
    misses: [
      sent(['content-security-policy', "script-src 'unsafe-inline' 'nonce-r4nd0m'"]),
      sent(['content-security-policy', "style-src 'unsafe-inline'; script-src 'self'"]),
      sent(['content-security-policy', "script-src 'unsafe-inline', default-src 'self'"]),
    ],
  },
  is_content_type_options_header: {
    sets: [sent(['x-content-type-options', 'NoSniff'])],
    misses: [sent(['x-content-type-options', 'sniff'])],
  },
  is_frame_options_header: {
    sets: [sent(['x-frame-options', 'SAMEORIGIN']), sent(['content-security-policy', "frame-ancestors 'none'"])],
    misses: [
      sent(['x-frame-options', 'ALLOWALL']),
      sent(['content-security-policy', 'frame-ancestors *']),
      { html: `<title>x</title><meta http-equiv="content-security-policy" content="frame-ancestors 'none'">` },
    ],
  },
  is_xss_protection_header: {
    sets: [sent(['x-xss-protection', '1; mode=block']), sent(['x-xss-protection', '0'])],
    misses: [sent(['x-xss-protection', ''])],
  },
  is_permissions_policy_header: {
    sets: [sent(['permissions-policy', 'geolocation=()'])],
    misses: [
      sent(['feature-policy', "geolocation 'none'"]),
      sent(['permissions-policy', '']),
      sent(['permissions-policy', 'a-'.repeat(300_000)]),
    ],
  },
  is_set_cookie_header: { sets: [sent(['set-cookie', 'a=1'])], misses: [sent(['set-cookie', '']), sent(['cookie', 'a=1'])] },
  is_secure_on_all_cookies: {
    sets: [sent(['set-cookie', 'a=1; Path=/; Secure'], ['set-cookie', 'b=2;secure;HttpOnly'])],
    misses: [
      sent(['set-cookie', 'a=1; Secure'], ['set-cookie', 'b=2']),
      sent(['set-cookie', 'a=secure; Path=/']),
      sent(['set-cookie', 'a=1; insecure']),
      {},
    ],
  },
  is_server_header_exposing_version: {
    sets: [sent(['server', 'nginx/1.18.0']), sent(['server', 'Apache/2.4.57 (Debian)']), sent(['server', 'Microsoft-IIS/10.0'])],
    misses: [sent(['server', 'cloudflare']), sent(['server', 'nginx']), sent(['server', 'ECAcc (fra/4B9C)']), sent(['server', 'Apache/2'])],
  },
  is_powered_by_header_exposed: {
    sets: [sent(['x-powered-by', 'PHP/8.1.2'])],
    misses: [sent(['x-powered-by', '']), sent(['powered-by', 'Shopify'])],
  },
  is_aspnet_version_header_exposed: {
    sets: [sent(['x-aspnet-version', '4.0.30319']), sent(['x-aspnetmvc-version', '5.2'])],
    misses: [sent(['x-powered-by', 'ASP.NET'])],
  },
  is_dnssec_enabled: { sets: [dns({ dnssecEnabled: true, dnssecSigned: false })], misses: [dns({ dnssecEnabled: false })] },
  is_dnssec_signed: { sets: [dns({ dnssecSigned: true })], misses: [dns({ dnssecEnabled: true, dnssecSigned: false })] },
  is_defaced_heuristic: {
    sets: [
      page('<h1>Hacked by Dark Crew</h1><p>Greetz to all</p>', 'Hacked By Dark Crew'),
      page('<h1>Your site has been owned by n0b0dy</h1>', '::'),
      page('<p>lol</p>', 'H4ck3d by somebody'),
    ],
    misses: [
      page('<h1>Hacked by design: why toys listen</h1><p>A talk on Thursday.</p>', 'Security club'),
      page(`<h1>City website hacked by students</h1>${ARTICLE}`, 'City website hacked by students - The Daily'),
      page(`<h1>Hacked by his own toaster</h1>${ARTICLE}`, 'Hacked by his own toaster'),
      page('<h1>Owned by the Miller family since 1902</h1><p>Bread and cake.</p>', 'Owned by the Miller family'),
    ],
  },
  is_website_popular: { sets: [named({ popularity: 'high' })], misses: [named({ popularity: 'medium' })] },
  is_ecommerce_platform: {
    sets: [
      sent(['x-shopid', '12345']),
      page('<script src="/wp-content/plugins/woocommerce/assets/js/cart.js"></script>'),
      sent(['set-cookie', 'OCSESSID=1; path=/']),
      shop('<p>Nice things.</p>'),
    ],
    misses: [
      page('<p>We built it with WooCommerce and Shopify.</p><img src="https://cdn.shopify.com/s/files/1/logo.png">'),
      page('<a href="/cartoons">Cartoons</a><p>$10 $20 $30</p>'),
    ],
  },
  is_high_discounts: {
    sets: [products('$100.00', '$29.00'), page('<p>Bag <b>-70%</b></p>'.repeat(5)), products('1.299,00 €', '299,00 €')],
    misses: [
      products('$100.00', '$75.00'),
      products('$100.00', '$20.00', 4),
      page('<p>Up to 70% off, only today!</p><p>$20 $30 $40 $50 $60</p>'),
      page('<p>Turnout was -70% in five towns.</p>'),
      page('<div><s class="old-price">2,99 €</s> <span>0,25 €/100 g</span> <span class="new-price">2,49 €</span></div>'.repeat(6)),
      page('<div><span class="was-price">$100.00</span> Save $20.00 <span class="now-price">$80.00</span></div>'.repeat(6)),
      page('<div>$599.00 <s>$649.00</s> or $24.95 a month</div>'.repeat(6)),
      page('<li>Humidity 50-80%</li><li>Humidity 40 – 70 %</li><li>30%–90%</li>'.repeat(5)),
    ],
  },
  is_fake_socials: {
    sets: [
      page('<a href="https://www.facebook.com/"><i class="fa-facebook"></i></a><a href="https://twitter.com">t</a>'),
      page('<a href="#" aria-label="Facebook"></a><a href="#" class="icon-instagram"></a>'),
    ],
    misses: [
      page(
        '<a href="https://www.facebook.com/villagechoir">f</a><a href="https://instagram.com/">i</a><a href="#" class="icon-twitter"></a>',
      ),
      page('<a href="https://www.facebook.com/sharer/sharer.php?u=x">f</a><a href="https://twitter.com/intent/tweet?text=x">t</a>'),
      page('<a href="#" class="btn facebook">Log in with Facebook</a><a href="#" class="btn twitter">Log in with Twitter</a>'),
      page('<div class="social-login"><a href="#" title="Facebook"></a><a href="#" title="LinkedIn"></a></div>'),
      page('<div class="share-buttons"><a href="#" class="icon-facebook"></a><a href="#" class="icon-twitter"></a></div>'),
      page('<a href="https://www.facebook.com/">Facebook</a>'),
    ],
  },
  is_heuristic_pattern: {
    sets: [
      {
        ...shop(
          '<p>Write to <a href="mailto:best.shoes@gmail.com">us</a></p><a href="https://facebook.com/">f</a><a href="https://x.com/">x</a>',
        ),
        more: young,
      },
      { ...page(`<h1>PayPal</h1>${LOGIN}`, 'Log in to your PayPal account'), more: young },
      page(`<img src="https://www.paypal.com/logo.png">${LOGIN}`, 'Log in to your PayPal account'),
      page(LOGIN, 'Log in to your PayPal account'),
      page(LOGIN, 'HDFC Bank: NetBanking'),
      page(LOGIN, 'Discord'),
      page(LOGIN.replace('/login', 'https://collect.example/p.php'), 'Netflix sign in'),
      { ...page(LOGIN, 'Facebook - log in'), more: { isFreeHost: true } },
      page(`<h1>Vote</h1><h1>Facebook</h1>${LOGIN}`, 'Poll'),
      page(LOGIN, 'Welcome back | Trust Wallet'),
      page(`<link rel="canonical" href="https://www.reddit.com/login">${LOGIN}`, 'Dive into anything'),
      page(`<meta property="og:url" content="https://signin.ebay.com/x">${LOGIN}`, 'Hello'),
      page(`<!-- saved from url=(0029)https://secure.live.com/login -->${LOGIN}`, 'Sign in'),
      page(`<link rel="stylesheet" href="https://github.githubassets.com/a.css">${LOGIN}`, 'Sign in'),
      page(`<link rel="icon" href="https://assets.nflxext.com/nf.ico">${LOGIN}`, 'Sign in'),
      page(`<link rel="icon" href="https://auth.gfx.ms/favicon.ico">${LOGIN}`, 'Sign in to your account'),
    ],
    misses: [
      { ...page(LOGIN, 'WhatsApp API gateway: log in'), more: young },
      { ...page(LOGIN, 'Reviews for Shopify stores'), more: young },
      shop(
        '<p>Write to <a href="mailto:best.shoes@gmail.com">us</a></p><a href="https://facebook.com/">f</a><a href="https://x.com/">x</a>',
      ),
      { ...shop('<p>Write to <a href="mailto:hello@choir.example">us</a>, call +49 30 1234567</p>'), more: young },
      page(LOGIN, 'Log in to the choir with your PayPal account'),
      page(LOGIN, 'Log In ‹ The village choir — WordPress'),
      page(LOGIN, 'Roundcube Webmail :: Welcome'),
      page(LOGIN, 'The outlook of our choir'),
      { ...page(LOGIN, 'Log in to your PayPal account'), host: 'paypal.com', more: { ...young, host: 'paypal.com', domain: 'paypal.com' } },
      { ...page(`<p>Our PayPal account is open.</p>${LOGIN}`, 'The village choir'), more: young },
      { ...page(LOGIN, 'Sign in to your Microsoft account'), url: 'https://login.live.com/', more: { age: young.age } },
      { ...page('<h1>PayPal explained</h1><p>How to pay.</p>', 'PayPal explained'), more: young },
      // Log-ins that say whose they are, and who else lets people in.
      page('<link rel="canonical" href="https://www.reddit.com/r/choirs"><p>We sing.</p>', 'Choirs'),
      page(`<link rel="canonical" href="https://www.choir.example/login">${LOGIN}`, 'Sign in'),
      page(`<link rel="canonical" href="https://choir.test/login">${LOGIN}`, 'Sign in'),
      {
        ...page(`<link rel="canonical" href="https://www.reddit.com/login">${LOGIN}`, 'Sign in'),
        host: 'reddit.co.uk',
        more: { host: 'reddit.co.uk', domain: 'reddit.co.uk' },
      },
      page(
        `<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Lato"><h2>or with <a href="/oauth/github">GitHub</a></h2>${LOGIN}`,
        'Sign in',
      ),
      page(
        `<link rel="stylesheet" href="/own.css"><link rel="stylesheet" href="https://github.githubassets.com/a.css">${LOGIN}`,
        'Sign in',
      ),
      page(`<link rel="stylesheet" href="https://cdn.shopify.com/s/theme.css">${LOGIN}`, 'Northern Boots: sign in'),
      page(`<img src="https://github.githubassets.com/mark.png" alt="Continue with GitHub">${LOGIN}`, 'Sign in'),
      page(`<!-- saved by hand from our old server -->${LOGIN}`, 'Sign in'),
    ],
  },
  is_free_email: {
    sets: [page('<a href="mailto:choir@gmail.com">Mail</a>'), page('<p>Mail: village.choir@yahoo.co.uk</p>')],
    misses: [
      page('<p>choir@gmail.com or office@choir.example</p>'),
      page('<p>info@mail.choir.example</p>'),
      page('<p>We use gmail.com.</p>'),
    ],
  },
  is_risky_geo_location: { sets: [{ more: { countries: ['DE', 'KP'] } }], misses: [{ more: { countries: ['KR'] } }] },
  is_china_country: { sets: [{ more: { countries: ['CN'] } }], misses: [{ more: { countries: ['TW', 'HK'] } }] },
  is_nigeria_country: { sets: [{ more: { countries: ['NG'] } }], misses: [{ more: { countries: ['NE'] } }] },
  is_parked_site: {
    sets: [
      { more: { lists: { sinkhole: false, parked: true } } },
      page('<script src="https://img1.sedoparking.com/templates/js/x.js"></script>'),
      page('<h1>choir.example</h1><p>This domain is for sale. Buy this domain.</p>', 'choir.example'),
      await toward('https://www.hugedomains.com/domain_profile.cfm?d=choir.example'),
      sent(['x-adblock-key', 'MFwwDQYJ']),
      page(`<script>window.onload=function(){window.location.href="/lander"}</script>`),
    ],
    misses: [
      page('<h1>Domain kaufen</h1><p>Worauf man achten sollte.</p>', 'Domain kaufen: ein Ratgeber'),
      page(`<h1>Should I sell my name?</h1><p>This domain is for sale, it said.</p>${ARTICLE}`),
      { ...page(`<h1>Our choir</h1>${ARTICLE}`), more: { lists: { sinkhole: false, parked: true } } },
      page('<p>Our house is for sale.</p>'),
      page('<p>Parking is behind the school.</p>'),
    ],
  },
};

describe('every boolean of security_checks', () => {
  it('is in the table', () => {
    expect(Object.keys(TABLE)).toEqual(Object.keys(SITE_CHECKS));
    for (const { sets, misses } of Object.values(TABLE)) expect([sets.length > 0, misses.length > 0]).toEqual([true, true]);
  });

  for (const [name, { sets, misses }] of Object.entries(TABLE) as [SiteCheck, (typeof TABLE)[SiteCheck]][]) {
    it(`${name}: ${sets.length} set it`, async () => {
      for (const [i, shape] of sets.entries()) {
        const { checks, notChecked } = judgeSite(await evidenceOf(shape));
        expect([i, checks[name], notChecked.includes(name)]).toEqual([i, true, false]);
      }
    });
    it(`${name}: ${misses.length} nearly do`, async () => {
      for (const [i, shape] of misses.entries()) expect([i, judgeSite(await evidenceOf(shape)).checks[name]]).toEqual([i, false]);
    });
  }
});

describe('what nobody knows', () => {
  it('of a site that does not answer, nothing is said of its pages', async () => {
    const { checks, notChecked, landing } = judgeSite(await evidenceOf({ more: silent() }));
    expect(landing).toBeUndefined();
    expect(checks.is_website_accessible).toBe(false);
    for (const name of [
      'is_csp_header',
      'is_empty_page_content',
      'is_suspended_site',
      'is_valid_https',
      'is_custom_404_configured',
      'is_ssl_expired',
    ] as const)
      expect([name, checks[name], notChecked.includes(name)]).toEqual([name, false, true]);
    for (const name of ['is_website_accessible', 'is_domain_blacklisted', 'is_email_configured'] as const)
      expect(notChecked).not.toContain(name);
  });

  it('without answers and lists the checks that live by them are named', async () => {
    const { notChecked } = judgeSite(
      await evidenceOf({
        more: {
          detections: undefined,
          countries: undefined,
          has: { abusedTlds: false, ranks: false },
          dns: {
            ipv4: undefined,
            ipv6: undefined,
            nameServers: undefined,
            mail: undefined,
            spoofable: undefined,
            caa: undefined,
            dnssecEnabled: undefined,
            dnssecSigned: undefined,
          },
        },
      }),
    );
    expect(notChecked).toEqual(
      expect.arrayContaining([
        'is_most_abused_tld', 'is_ipv6_enabled', 'is_domain_blacklisted', 'is_domain_ipv4_valid', 'is_email_configured', 'is_email_spoofable', 'is_dmarc_configured', 'is_caa_configured', 'is_dnssec_enabled', 'is_dnssec_signed', 'is_website_popular', 'is_risky_geo_location', 'is_china_country',
      ]), // prettier-ignore
    );
  });

  it('a site that is judged in full names none', async () => {
    expect(judgeSite(await evidenceOf()).notChecked).toEqual([]);
  });

  it('what is no HTML has no content that could be empty, and no title', async () => {
    const https = {
      ...(await visitOf([hop('https://choir.example/', { fields: [['content-type', 'application/pdf']] })])),
      page: NO_PAGE,
      isHtml: false,
      bytes: 90_000,
    };
    const { checks } = judgeSite(await evidenceOf({ more: { https } }));
    expect([checks.is_empty_page_content, checks.is_empty_page_title]).toEqual([false, false]);
  });
});

describe('where a guard has turned us away', () => {
  it.each<[string, Shape]>([
    ['Cloudflare', CHALLENGE],
    [
      'Imperva',
      {
        html: '<meta name="robots" content="noindex"><iframe src="/_Incapsula_Resource?x=1">Request unsuccessful. Incapsula incident ID: 1</iframe>',
        status: 403,
      },
    ],
    [
      'AWS WAF',
      {
        html: '<title></title><script src="https://a.token.awswaf.com/challenge.js"></script>',
        status: 202,
        headers: [['x-amzn-waf-action', 'challenge']],
      },
    ],
    ['Akamai', { html: '<title>Access Denied</title><h1>Access Denied</h1><p>https://errors.edgesuite.net/18.1</p>', status: 403 }],
    // A managed challenge, as documented since 2023: 403, the field, and a script of its own path.
    [
      'Cloudflare',
      {
        html: '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1"></script>',
        status: 403,
        headers: [['cf-mitigated', 'challenge'], ['server', 'cloudflare']], // prettier-ignore
      },
    ],
    ['Cloudflare', { html: '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>', status: 403 }],
    [
      'DataDome',
      {
        html: "<title>choir.example</title><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src=\"https://ct.captcha-delivery.com/c.js\"></script>",
        status: 403,
        headers: [['x-datadome', 'protected']],
      },
    ],
    [
      'Sucuri',
      {
        html: '<title>Sucuri WebSite Firewall - Access Denied</title><h1>Access Denied</h1>',
        status: 403,
        headers: [['x-sucuri-id', '19002'], ['x-sucuri-block', 'FBP007']], // prettier-ignore
      },
    ],
    ['DDoS-Guard', { html: '<title>DDoS-Guard</title><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>', status: 403 }],
    [
      'AWS WAF',
      {
        html: '<title>Human Verification</title><div id="captcha-container"></div>',
        status: 405,
        headers: [['x-amzn-waf-action', 'captcha']],
      },
    ],
    // Its check of scripts is a 200 with nothing in it but the script.
    [
      'Imperva',
      {
        html: '<html><head><script src="/_Incapsula_Resource?SWJIYLWA=719d34d3,5074a744"></script></head><body></body></html>',
        status: 200,
      },
    ],
    [
      'Imperva',
      { html: '<title>Pardon Our Interruption</title><p>As you were browsing …</p>', status: 200, headers: [['x-iinfo', '21-1-2 NNYN']] },
    ],
    [
      'Anubis',
      {
        html: '<title>Making sure you&#39;re not a bot!</title><script type="module" src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script><p>Loading...</p>',
        status: 200,
      },
    ],
    ['a guard', { html: '<title>Checking your browser before accessing</title>', status: 503 }],
  ])('as %s does, nothing is said of the page', async (by, shape) => {
    const { checks, notChecked, landing } = judgeSite(await evidenceOf(shape));
    expect(landing?.guard).toBe(by);
    expect(notChecked).toEqual(
      expect.arrayContaining(['is_robots_noindex', 'is_csp_header', 'is_empty_page_title', 'is_heuristic_pattern']),
    );
    expect(checks).toMatchObject({ is_website_accessible: true, is_http_status_error: shape.status! >= 400, is_robots_noindex: false });
  });

  it.each([
    'Just a moment...',
    'Attention Required! | Cloudflare',
    'Sucuri WebSite Firewall - Access Denied',
    'DDoS-Guard',
    'Human Verification',
    'Pardon Our Interruption',
    'Checking your browser',
  ])('is no guard: a page with the title of one (%s), and nothing else of it', async (title) => {
    const clickFix: Shape = {
      html: `<title>${title}</title><h1>Verify</h1><p>Press Windows + R, then Ctrl + V, then Enter, to go on.</p>`,
    };
    const evidence = await evidenceOf(clickFix);
    const { landing, notChecked } = judgeSite(evidence);
    expect([landing?.guard, notChecked]).toEqual(['', []]);
  });

  it.each<[string, Shape]>([
    ['a script of Imperva beside its own text', { html: `${PLAIN_HTML}<script src="/_Incapsula_Resource?SWJIYLWA=1"></script>` }],
    ['the fields that Imperva and Cloudflare put on every page', { headers: [['x-iinfo', '1'], ['cf-ray', '1'], ['server', 'cloudflare']] }], // prettier-ignore
    [
      'a field for a password, whatever it sends beside',
      {
        html: '<title>Just a moment...</title><form><input type="password"></form>',
        status: 403,
        headers: [['cf-mitigated', 'challenge']],
      },
    ],
  ])('is no guard: a page with %s', async (_, shape) => {
    expect(judgeSite(await evidenceOf(shape)).landing?.guard).toBe('');
  });

  it('is no guard: a page that only writes about one, or has its script beside its own', async () => {
    const own: Shape[] = [
      page(ARTICLE, 'Just a moment...'),
      { html: `${PLAIN_HTML}<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>` },
      { html: '<title>403 Forbidden</title><h1>Forbidden</h1><hr>nginx', status: 403 },
    ];
    for (const shape of own) expect(judgeSite(await evidenceOf(shape)).landing?.guard).toBe('');
  });
});
