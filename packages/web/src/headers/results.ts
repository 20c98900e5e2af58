/** The tests of the HTTP Observatory, in its order. */
export const TESTS = [
  'content-security-policy',
  'cookies',
  'cross-origin-resource-sharing',
  'redirection',
  'referrer-policy',
  'strict-transport-security',
  'subresource-integrity',
  'x-content-type-options',
  'x-frame-options',
  'cross-origin-resource-policy',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
] as const;
export type Test = (typeof TESTS)[number];

/** A verdict of a test. */
export interface ResultRow {
  test: Test;
  /** Points. */
  modifier: number;
  passed: boolean;
  meaning: string;
  /** The change that gives more; empty where none does. */
  remedy: string;
  /** The header line that does it; empty where none does alone. */
  send: string;
}

const rows = <Name extends string>(
  test: Test,
  list: Record<Name, readonly [modifier: number, passed: boolean, meaning: string, remedy?: string, send?: string]>,
) =>
  Object.fromEntries(
    Object.entries<readonly [number, boolean, string, string?, string?]>(list).map(
      ([name, [modifier, passed, meaning, remedy = '', send = '']]) => [name, { test, modifier, passed, meaning, remedy, send }],
    ),
  ) as Record<Name, ResultRow>;

const CSP_LINE =
  "Content-Security-Policy: default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const HSTS_LINE = 'Strict-Transport-Security: max-age=31536000; includeSubDomains';
const FRAME_LINE = "Content-Security-Policy: frame-ancestors 'none'";
const REFERRER_LINE = 'Referrer-Policy: strict-origin-when-cross-origin';
const NOSNIFF_LINE = 'X-Content-Type-Options: nosniff';
const CORP_LINE = 'Cross-Origin-Resource-Policy: same-origin';
const COOP_LINE = 'Cross-Origin-Opener-Policy: same-origin';
const COEP_LINE = 'Cross-Origin-Embedder-Policy: require-corp';
const COOKIE_LINE = 'Set-Cookie: name=value; Path=/; Secure; HttpOnly; SameSite=Lax';

/** Every result with its points: those of the HTTP Observatory, algorithm 6. */
export const RESULTS = {
  ...rows('content-security-policy', {
    'csp-implemented-with-no-unsafe-default-src-none': [10, true, "The policy begins with `default-src 'none'` and allows nothing unsafe"],
    'csp-implemented-with-no-unsafe': [5, true, "The policy allows no `'unsafe-inline'` and no `'unsafe-eval'`", "Begin with `default-src 'none'`, and allow each kind of resource by its own directive", CSP_LINE.replace("default-src 'self'", "default-src 'none'")],
    'csp-implemented-with-unsafe-inline-in-style-src-only': [0, true, "Only style sheets may come from anywhere or from the page's own text", "Move styles into files, and remove `'unsafe-inline'`, `data:` and broad sources from `style-src`", CSP_LINE],
    'csp-implemented-but-duplicate-directives': [0, true, 'The policy is good, and names `report-uri` or `report-to` twice', 'Name each directive once', CSP_LINE],
    'csp-implemented-with-insecure-scheme-in-passive-content-only': [-10, true, 'The page is served over https, and the policy allows pictures or media over http', 'Remove sources that begin with `http:` from `img-src`, `media-src` or `default-src`', CSP_LINE],
    'csp-implemented-with-unsafe-eval': [-10, false, 'The policy allows `eval` and the like', "Remove `eval` from the code, then `'unsafe-eval'` from the policy", CSP_LINE],
    'csp-implemented-with-unsafe-inline': [-20, false, "Scripts may stand in the page's own text or come from any server, or plugins may come from any server", "Name `script-src` and `object-src` without `'unsafe-inline'`, `data:` and broad sources such as `https:`", CSP_LINE],
    'csp-implemented-with-insecure-scheme': [-20, false, 'The page is served over https, and the policy allows active content over http', 'Remove sources that begin with `http:`', CSP_LINE],
    'csp-header-invalid': [-25, false, "The policy cannot be used: a directive stands in it twice, it is no policy, or `'strict-dynamic'` has neither nonce nor hash beside it", 'Name each directive once', CSP_LINE],
    'csp-not-implemented': [-25, false, 'There is no policy', 'Send one. Begin with `Content-Security-Policy-Report-Only`, and look at what it would block', CSP_LINE],
    'csp-not-implemented-but-reporting-enabled': [-25, false, 'The only policy is one that reports and does not block', 'Send the policy as `Content-Security-Policy` once its reports are quiet', CSP_LINE],
  }),
  ...rows('cookies', {
    'cookies-secure-with-httponly-sessions-and-samesite': [5, true, 'All cookies have `Secure` and `SameSite`, and those of sessions `HttpOnly`'],
    'cookies-secure-with-httponly-sessions': [0, true, 'All cookies have `Secure`, and those of sessions `HttpOnly`', 'Add `SameSite=Lax`', COOKIE_LINE],
    'cookies-not-found': [0, true, 'No cookie was set'],
    'cookies-without-secure-flag-but-protected-by-hsts': [-5, false, 'A cookie has no `Secure`; HSTS keeps it from http', 'Add `Secure`', COOKIE_LINE],
    'cookies-session-without-secure-flag-but-protected-by-hsts': [-10, false, 'The cookie of a session has no `Secure`; HSTS keeps it from http', 'Add `Secure`', COOKIE_LINE],
    'cookies-without-secure-flag': [-20, false, 'A cookie has no `Secure`, so it is sent over http too', 'Add `Secure`, and send HSTS', COOKIE_LINE],
    'cookies-samesite-flag-invalid': [-20, false, '`SameSite` has a value that browsers do not know, or is `None` without `Secure`', 'Write `SameSite=Lax` or `SameSite=Strict`', COOKIE_LINE],
    'cookies-anticsrf-without-samesite-flag': [-20, false, 'A token against forged requests has no `SameSite`', 'Add `SameSite=Strict`', COOKIE_LINE],
    'cookies-session-without-httponly-flag': [-30, false, 'Scripts can read the cookie of a session', 'Add `HttpOnly`', COOKIE_LINE],
    'cookies-session-without-secure-flag': [-40, false, 'The cookie of a session has no `Secure`, so it is sent over http too', 'Add `Secure`, and send HSTS', COOKIE_LINE],
  }),
  ...rows('cross-origin-resource-sharing', {
    'cross-origin-resource-sharing-not-implemented': [0, true, 'Other sites cannot read the page'],
    'cross-origin-resource-sharing-implemented-with-public-access': [0, true, 'Every site can read the page, as a visitor without cookies'],
    'cross-origin-resource-sharing-implemented-with-restricted-access': [0, true, 'Some sites can read the page'],
    'cross-origin-resource-sharing-implemented-with-universal-access': [-50, false, 'Every site can read the page as its visitor, with his cookies: the server repeats whatever Origin it is sent', 'Allow origins of a list, or `*` without Access-Control-Allow-Credentials', 'Access-Control-Allow-Origin: https://app.example.org'],
  }),
  ...rows('redirection', {
    'redirection-all-redirects-preloaded': [0, true, 'Browsers ship all names on the way as https alone'],
    'redirection-to-https': [0, true, 'http leads to https on the same host'],
    'redirection-not-needed-no-http': [0, true, 'Nothing answers over http'],
    'redirection-off-host-from-http': [-5, false, 'http leads to https on another host, so that the first host never says HSTS', 'Redirect to https on the same host first'],
    'redirection-not-to-https-on-initial-redirection': [-10, false, 'http leads to https in the end, and over http once more before', 'Redirect to https first'],
    'redirection-missing': [-20, false, 'http shows the page, and does not lead to https', 'Redirect to https'],
    'redirection-not-to-https': [-20, false, 'http leads elsewhere, and not to https', 'Redirect to https'],
    'redirection-invalid-cert': [-20, false, 'The way from http leads to a server with an invalid certificate', 'Renew the certificate'],
  }),
  ...rows('referrer-policy', {
    'referrer-policy-private': [5, true, 'Other sites are told the origin of a link at most'],
    'referrer-policy-not-implemented': [0, true, 'There is no policy; browsers of today tell other sites the origin alone', 'Say so', REFERRER_LINE],
    'referrer-policy-unsafe': [-5, false, 'Other sites are told more than the origin of a link, or http sites are told it', 'Send a policy that tells the origin at most', REFERRER_LINE],
    'referrer-policy-header-invalid': [-5, false, 'The policy has no word that browsers know', 'Write a policy of the standard', REFERRER_LINE],
  }),
  ...rows('strict-transport-security', {
    'hsts-preloaded': [5, true, 'Browsers ship the name as https alone'],
    'hsts-implemented-max-age-at-least-six-months': [0, true, 'Browsers keep to https for six months or longer', 'Have the name preloaded, if all its subdomains have https', `${HSTS_LINE}; preload`],
    'hsts-implemented-max-age-less-than-six-months': [-10, false, 'Browsers keep to https for less than six months', 'Raise `max-age`', HSTS_LINE],
    'hsts-not-implemented': [-20, false, 'There is no Strict-Transport-Security: a first visit over http can be intercepted', 'Send it over https; begin with a short `max-age`', HSTS_LINE],
    'hsts-header-invalid': [-20, false, 'The field has no `max-age`, or is sent twice', 'Send it once', HSTS_LINE],
    'hsts-not-implemented-no-https': [-20, false, 'Nothing answers over https', 'Serve the site over https', HSTS_LINE],
    'hsts-invalid-cert': [-20, false, 'The certificate is invalid: browsers take no HSTS from such a site', 'Renew the certificate', HSTS_LINE],
  }),
  ...rows('subresource-integrity', {
    'sri-implemented-and-all-scripts-loaded-securely': [5, true, 'Scripts of the site itself have digests'],
    'sri-implemented-and-external-scripts-loaded-securely': [5, true, 'Scripts of other sites have digests and come over https'],
    'sri-not-implemented-response-not-html': [0, true, 'The answer is not HTML'],
    'sri-not-implemented-but-no-scripts-loaded': [0, true, 'The page has no scripts'],
    'sri-not-implemented-but-all-scripts-loaded-from-secure-origin': [0, true, 'All scripts are of the same site', 'Add digests: `<script src="…" integrity="sha384-…">`'],
    'sri-not-implemented-but-external-scripts-loaded-securely': [-5, false, 'Scripts of other sites come over https, without digests', 'Add digests: `<script src="…" integrity="sha384-…" crossorigin="anonymous">`'],
    'sri-implemented-but-external-scripts-not-loaded-securely': [-20, false, 'Scripts with digests come over http, or by `src="//…"`', 'Write `https://` into their URLs'],
    'sri-not-implemented-and-external-scripts-not-loaded-securely': [-50, false, 'Scripts come over http, or by `src="//…"`, without digests', 'Write `https://` into their URLs, and add digests'],
  }),
  ...rows('x-content-type-options', {
    'x-content-type-options-nosniff': [0, true, 'Browsers take files as what the server says that they are'],
    'x-content-type-options-not-implemented': [-5, false, 'Browsers guess what a file is', 'Send the field', NOSNIFF_LINE],
    'x-content-type-options-header-invalid': [-5, false, 'The field says something else than `nosniff`', 'Send it once', NOSNIFF_LINE],
  }),
  ...rows('x-frame-options', {
    'x-frame-options-implemented-via-csp': [5, true, '`frame-ancestors` of the policy says who may frame the page'],
    'x-frame-options-sameorigin-or-deny': [5, true, 'Other sites cannot frame the page', 'Use `frame-ancestors`, which has replaced the field', FRAME_LINE],
    'x-frame-options-allow-from-origin': [0, true, '`ALLOW-FROM`, which browsers no longer know', 'Use `frame-ancestors`', "Content-Security-Policy: frame-ancestors 'self' https://partner.example.org"],
    'x-frame-options-not-implemented': [-20, false, 'Every site can frame the page, and lay its own over it (clickjacking)', 'Use `frame-ancestors`', FRAME_LINE],
    'x-frame-options-header-invalid': [-20, false, 'The field says nothing that browsers know, or is sent twice', 'Use `frame-ancestors`', FRAME_LINE],
  }),
  ...rows('cross-origin-resource-policy', {
    'corp-implemented-with-same-origin': [10, true, 'Only the same origin can embed the resource'],
    'corp-implemented-with-same-site': [10, true, 'Only the same site can embed the resource'],
    'corp-implemented-with-cross-origin': [0, true, 'Every site can embed the resource'],
    'corp-not-implemented': [0, true, 'There is no policy, so that every site can embed the resource', 'Send one, unless other sites embed the resource', CORP_LINE],
    'corp-header-invalid': [-5, false, 'The field says nothing that browsers know', 'Write `same-origin`, `same-site` or `cross-origin`', CORP_LINE],
  }),
  ...rows('cross-origin-opener-policy', {
    'coop-implemented-with-same-origin': [10, true, 'Windows of other origins have no hold of the page'],
    'coop-implemented-with-same-origin-allow-popups': [10, true, 'Windows of other origins have no hold of the page, but for those that it opens'],
    'coop-implemented-with-noopener-allow-popups': [10, true, 'No window that opens the page has a hold of it'],
    'coop-implemented-with-unsafe-none': [0, true, 'The policy allows what is allowed without one', 'Write `same-origin`', COOP_LINE],
    'coop-not-implemented': [0, true, 'There is no policy', 'Send one; `same-origin-allow-popups` where log-ins or payments open windows', COOP_LINE],
    'coop-header-invalid': [-5, false, 'The field says nothing that browsers know, or is sent twice', 'Write a policy of the standard', COOP_LINE],
  }),
  ...rows('cross-origin-embedder-policy', {
    'coep-implemented-with-require-corp': [10, true, 'The page embeds only what allows it'],
    'coep-implemented-with-credentialless': [10, true, 'The page embeds resources of other origins without cookies'],
    'coep-implemented-with-unsafe-none': [0, true, 'The policy allows what is allowed without one', 'Write `require-corp` or `credentialless`', COEP_LINE],
    'coep-not-implemented': [0, true, 'There is no policy', 'Send one, if all that the page embeds allows it', COEP_LINE],
    'coep-header-invalid': [-5, false, 'The field says nothing that browsers know, or is sent twice', 'Write a policy of the standard', COEP_LINE],
  }),
}; // prettier-ignore

export type Result = keyof typeof RESULTS;
