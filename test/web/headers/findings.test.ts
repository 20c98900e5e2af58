import { FINDINGS, type FindingCode, findHeaderFaults, readCookies, RESULTS } from '@vedette/web/headers';
import { describe, expect, it } from 'vitest';
import { evidenceOf, type Given } from './header-sets.ts';
import { WELL_KNOWN } from './well-known.ts';

const NOW = new Date('2026-11-28T00:00:00Z');
function findingsOf(given: Given) {
  const evidence = evidenceOf(given);
  return findHeaderFaults(evidence, readCookies((evidence.https ?? evidence.http)!, NOW)).findings;
}
const codesOf = (given: Given): string[] => findingsOf(given).map(({ code }) => code);

const CSP = 'content-security-policy';
const HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
const csp = (policy: string | string[]): Given => ({ fields: { [CSP]: policy } });
const hsts = (value: string | string[]): Given => ({ fields: { 'strict-transport-security': value } });
const cookie = (value: string): Given => ({ fields: { 'set-cookie': value } });
const permissions = (value: string): Given => ({ fields: { 'permissions-policy': value } });
const endpoints = (value: string): Given => ({ fields: { 'reporting-endpoints': value } });
const cors = (preflight: Record<string, string>): Given => ({ preflight });
const ORIGIN = evidenceOf().origin;
const allow = (origin: string, credentials = true) =>
  cors({ 'access-control-allow-origin': origin, ...(credentials && { 'access-control-allow-credentials': 'true' }) });

/** For each finding what has it, and what only looks like it. */
const CASES: Record<FindingCode, readonly [hit: Given, miss: Given]> = {
  CSP_REPORT_ONLY: [{ fields: { [`${CSP}-report-only`]: "default-src 'self'" } }, { fields: { [`${CSP}-report-only`]: "default-src 'self'", [CSP]: 'upgrade-insecure-requests' } }],
  CSP_UNSAFE_INLINE: [csp("script-src 'self' 'unsafe-inline'; object-src 'none'"), csp("script-src 'unsafe-inline' 'nonce-r4nd0mR4nd0m'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'")],
  CSP_UNSAFE_EVAL: [csp("default-src 'self' 'unsafe-eval'"), csp("default-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-eval'")],
  CSP_UNSAFE_HASHES: [csp(`default-src 'unsafe-hashes' ${HASH}`), csp(`default-src ${HASH}`)],
  CSP_WILDCARD: [csp("script-src *; object-src 'none'"), csp("script-src *.example.org; object-src 'none'; img-src *")],
  CSP_SCHEME_SOURCE: [csp("script-src https:; object-src 'none'"), csp("script-src 'nonce-r4nd0mR4nd0m' 'strict-dynamic' https: http:; object-src 'none'; base-uri 'none'; img-src https:")],
  CSP_DATA_SOURCE: [csp("script-src 'self' data:; object-src 'none'"), csp("script-src 'self'; object-src 'none'; img-src data:; font-src data:")],
  CSP_MISSING_SCRIPT_SRC: [csp("object-src 'none'; img-src 'self'"), csp("frame-ancestors 'self'; upgrade-insecure-requests")],
  CSP_MISSING_OBJECT_SRC: [csp("script-src 'self'"), csp(["script-src 'self'", "object-src 'none'"])],
  CSP_MISSING_BASE_URI: [csp("script-src 'nonce-r4nd0mR4nd0m'; object-src 'none'"), csp("script-src 'self'; object-src 'none'")],
  CSP_BYPASS_HOST: [csp("script-src 'self' https://cdnjs.cloudflare.com; object-src 'none'"), csp("script-src 'self' https://cdnjs.cloudflare.com/ajax/libs/jquery/ www.googletagmanager.com; object-src 'none'")],
  CSP_HTTP_SOURCE: [csp("default-src 'self'; img-src http://img.example.org"), csp("default-src 'self'; img-src https://img.example.org; connect-src http://localhost:3103 http://127.0.0.1:* http://[::1]/a http://app.localhost; frame-ancestors http://a.example; report-uri http://old.example.org/")],
  CSP_IP_SOURCE: [csp("default-src 'self' https://192.0.2.7:8443"), csp("default-src 'self' http://127.0.0.1:3000 1.example.org")],
  CSP_NONCE_SHORT: [csp("script-src 'nonce-abc123'; object-src 'none'; base-uri 'none'"), csp("script-src 'nonce-abc12345'; object-src 'none'; base-uri 'none'")],
  CSP_NONCE_SYNTAX: [csp("script-src 'nonce-{random}'; object-src 'none'"), csp("script-src 'nonce-Ab+/_-12=='; object-src 'none'; base-uri 'none'")],
  CSP_HASH_SYNTAX: [csp("script-src 'sha256-AAAA'; object-src 'none'"), csp(`script-src ${HASH}; object-src 'none'`)],
  CSP_STRICT_DYNAMIC_ALONE: [csp("script-src 'strict-dynamic' 'self'; object-src 'none'"), csp(`script-src 'strict-dynamic' ${HASH}; object-src 'none'; base-uri 'none'`)],
  CSP_UNKNOWN_DIRECTIVE: [csp("default-src 'self'; scripts-src 'self'"), csp("Default-Src 'self'; trusted-types; webrtc 'block'")],
  CSP_MISSING_SEMICOLON: [csp("default-src 'self' object-src 'none'"), csp("default-src 'self'; object-src 'none'; sandbox allow-forms")],
  CSP_UNQUOTED_KEYWORD: [csp("default-src self"), csp("default-src 'self' self.example.org")],
  CSP_UNKNOWN_KEYWORD: [csp("default-src 'self' 'unsafe-inlin'"), csp("default-src 'self' 'report-sample'; require-trusted-types-for 'script'")],
  CSP_NONE_NOT_ALONE: [csp("default-src 'none' 'self'"), csp("default-src 'none'; sandbox")],
  CSP_DUPLICATE_DIRECTIVE: [csp("default-src 'self'; DEFAULT-SRC 'none'"), csp(["default-src 'self'", "default-src 'none'"])],
  CSP_DEPRECATED_DIRECTIVE: [csp("default-src 'self'; block-all-mixed-content"), csp("default-src 'self'; upgrade-insecure-requests")],
  CSP_META_IGNORED: [{ page: { policies: ["default-src 'self'; frame-ancestors 'none'"] } }, { page: { policies: ["default-src 'self'; form-action 'self'"] }, fields: { [CSP]: "frame-ancestors 'none'" } }],
  CSP_REPORT_TO_UNDEFINED: [csp("default-src 'self'; report-to csp"), { fields: { [CSP]: "default-src 'self'; report-to csp", 'report-to': '{"group":"csp","max_age":1,"endpoints":[]}' } }],
  FRAMING_ALLOWED: [csp("default-src 'self'; frame-ancestors *"), csp(["default-src 'self'; frame-ancestors *", "frame-ancestors 'self'"])],
  HSTS_MAX_AGE_INVALID: [hsts('max-age=31536000abc'), hsts('max-age = "31536000"')],
  HSTS_SENT_TWICE: [hsts(['max-age=31536000', 'max-age=31536000']), hsts('max-age=31536000; includeSubDomains')],
  HSTS_DISABLED: [hsts('max-age=0; preload'), hsts('max-age=1')],
  HSTS_NOT_PRELOADABLE: [hsts('max-age=15552000; includeSubDomains; preload'), hsts('max-age=31536000')],
  COOKIE_PREFIX_BROKEN: [cookie('__Host-id=1; Secure; Path=/; Domain=example.org'), cookie('__Host-id=1; Secure; Path=/')],
  COOKIE_SAMESITE_NONE: [cookie('id=1; SameSite=None'), cookie('id=1; SameSite=None; Secure')],
  COOKIE_NOT_SECURE: [cookie('id=secure; SameSite=Lax'), cookie('id=; Max-Age=0; SameSite=Lax')],
  COOKIE_SESSION_READABLE: [cookie('PHPSESSID=1; Secure; SameSite=Lax'), cookie('theme=HttpOnly; Secure; SameSite=Lax')],
  COOKIE_NO_SAMESITE: [cookie('id=1; Secure; SameSite=Maybe'), cookie('id=1; Secure; samesite=lax')],
  CORS_ANY_ORIGIN: [allow(ORIGIN), allow(ORIGIN, false)],
  CORS_NULL_ORIGIN: [allow('null'), allow('https://null.example.org')],
  CORS_WILDCARD_CREDENTIALS: [allow('*'), allow('*', false)],
  CORS_SEVERAL_ORIGINS: [allow('https://a.test, https://b.test'), allow('https://a.test')],
  ISOLATION_INCOMPLETE: [{ fields: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin-allow-popups' } }, { fields: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin; report-to="coop"' } }],
  PERMISSIONS_POLICY_SYNTAX: [permissions("camera 'none'; microphone 'none'"), permissions('camera=(), geolocation=(self "https://maps.example.org"), sync-xhr=*;report-to=x, fullscreen')],
  PERMISSIONS_POLICY_OPEN: [permissions('camera=*'), permissions('camera=(self), fullscreen=*')],
  REPORTING_ENDPOINTS_SYNTAX: [endpoints('default=https://a.test/, b="unended'), endpoints('default="https://a.test/a,b", csp="/csp"')],
  REPORTING_ENDPOINT_PLAIN: [endpoints('default="http://a.test/"'), endpoints('default="/reports"')],
  DEPRECATED_HEADER: [{ fields: { 'x-xss-protection': '1; mode=block' } }, { fields: { 'x-xss-protection': '0' } }],
  SOFTWARE_SHOWN: [{ fields: { server: 'nginx/1.26.2' } }, { fields: { server: 'nginx', 'x-powered-by': 'Express' } }],
}; // prettier-ignore

describe.each(Object.entries(CASES))('%s', (code, [hit, miss]) => {
  it('is found, and its near miss is not', () => {
    expect(codesOf(hit)).toContain(code);
    expect(codesOf(miss)).not.toContain(code);
  });
});

it('every finding has a case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(FINDINGS).toSorted());
});

it('a way to run scripts that one of several policies stops is none', () => {
  expect(codesOf(csp(["script-src 'self' 'unsafe-inline'; object-src 'none'", "script-src 'self'"]))).toEqual([]);
  expect(codesOf(csp("script-src 'self' 'unsafe-inline'; object-src 'none', script-src 'unsafe-inline' https:"))).toEqual([
    'CSP_UNSAFE_INLINE',
  ]);
});

it.each(['max-age=abc', 'max-age=-1', 'max-age=', 'max-age="1', 'includeSubDomains'])('calls %s invalid', (value) => {
  expect(codesOf(hsts(value))).toEqual(['HSTS_MAX_AGE_INVALID']);
});

it('says nothing of fields that are too long to be read', () => {
  const [permission, endpoint, group] = ['camera=*, ', 'a="http://a.test/", ', '{"group":"a"}, '];
  const sent = (times: number): Given => ({
    fields: {
      'permissions-policy': `${permission.repeat(times)}camera=*`,
      'reporting-endpoints': `${endpoint.repeat(times)}csp="http://a.test/"`,
      'report-to': `${group.repeat(times)}{"group":"b"}`,
      [CSP]: "default-src 'self'; report-to other",
    },
  });
  expect(codesOf(sent(2))).toEqual(['CSP_REPORT_TO_UNDEFINED', 'PERMISSIONS_POLICY_OPEN', 'REPORTING_ENDPOINT_PLAIN']);
  expect(codesOf(sent(2_000))).toEqual([]);
});

it.each([
  ['too many policies', Array.from({ length: 21 }, () => 'script-src *'), Array.from({ length: 20 }, () => 'script-src *')],
  ['a policy that is too long', [`script-src * ${'a'.repeat(65_536)}`], [`script-src * ${'a'.repeat(65_000)}`]],
  ['too many directives', [`script-src *${';'.repeat(100)}`], [`script-src *${';'.repeat(99)}`]],
])('says nothing of %s', (_what, cut, whole) => {
  for (const of of [csp, (policies: string[]): Given => ({ page: { policies } })]) {
    expect(codesOf(of(cut))).toEqual([]);
    expect(codesOf(of(whole))).toContain('CSP_WILDCARD');
  }
});

it.each(['http://localhost.example.org', 'http://127.0.0.1.example.org:80', 'http://localhost@example.org', 'http://127.0.0.1x'])(
  '%s is not the own machine of a visitor',
  (source) => {
    expect(codesOf(csp(`default-src 'self'; connect-src ${source}`))).toContain('CSP_HTTP_SOURCE');
  },
);

it('gives no policy to paste that has a nonce, or has findings itself', () => {
  const lines = [...Object.values(FINDINGS), ...Object.values(RESULTS)]
    .map(({ send }) => send)
    .filter((line) => /^content-sec/i.test(line));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => line.includes('nonce-'))).toEqual([]);
  expect(lines.flatMap((line) => codesOf(csp(line.slice(line.indexOf(': ') + 2))))).toEqual([]);
});

it('names the parts that it is about', () => {
  const [finding] = findingsOf(csp("script-src 'self' 'unsafe-inline' data:; object-src 'none'"));
  expect(finding).toEqual({ code: 'CSP_UNSAFE_INLINE', header: CSP, parts: ["script-src 'unsafe-inline'"] });
});

it('reads hostile fields, and says each thing once', () => {
  const long = (text: string) => text.repeat(200_000);
  for (const text of [long('a,'), long('a'), long('"'), long('(a '), long('a=(b;'), long('a.a.'), long("'nonce-a ")]) {
    const codes = codesOf({
      fields: {
        'permissions-policy': text,
        'reporting-endpoints': text,
        [CSP]: `script-src ${text}`,
        'report-to': text,
        'set-cookie': text,
      },
    });
    expect(new Set(codes).size).toBe(codes.length);
  }
}, 20_000);

/** Errors and warnings of the well-known: each is true of the headers as they stand. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  'a code host with nonces of no use and a strict list': [],
  'a search engine with a policy that only reports, and public pictures': ['COOKIE_NOT_SECURE'],
  'an encyclopaedia without a policy': [],
  'a social network with two policies and everything else': ['CSP_DATA_SOURCE', 'HSTS_NOT_PRELOADABLE'],
  'a shop without most of it': ['COOKIE_NOT_SECURE', 'COOKIE_SESSION_READABLE'],
  'a browser maker with all of it': ['CSP_UNSAFE_INLINE', 'CSP_BYPASS_HOST'],
  'a network of content that redirects over another host, with Expect-CT and a report-only policy': [],
  'a small site of a blog engine, as it is installed': [],
};

it.each(WELL_KNOWN)('says of $name nothing that is not so', ({ name, given }) => {
  const told = findingsOf(given).filter(({ code }) => FINDINGS[code].type !== 'information');
  expect(told.map(({ code }) => code)).toEqual(TOLD[name]);
});
