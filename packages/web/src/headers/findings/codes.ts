/** A finding about headers, as the report shows it. */
export interface FindingRow {
  /** `error`: the field does nothing, or its protection is void. `warning`: it protects less than it seems. `information`: an ordinary habit. */
  type: 'error' | 'warning' | 'information';
  meaning: string;
  remedy: string;
  /** Header line that does it, as an example; empty where none does alone. */
  send: string;
}

const row = (type: FindingRow['type'], meaning: string, remedy: string, send = ''): FindingRow => ({ type, meaning, remedy, send });
/** A line that stands alone: a nonce in it would be the same in each answer. */
const CSP = "Content-Security-Policy: default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'";
const HSTS = 'Strict-Transport-Security: max-age=31536000; includeSubDomains; preload';
const COOKIE = 'Set-Cookie: name=value; Path=/; Secure; HttpOnly; SameSite=Lax';
const PERMISSIONS = 'Permissions-Policy: camera=(), microphone=(), geolocation=()';

/** Every finding. */
export const FINDINGS = {
  CSP_REPORT_ONLY: row('information', 'The only policy reports and blocks nothing', 'Send it as Content-Security-Policy once its reports are quiet', CSP),
  CSP_UNSAFE_INLINE: row('error', "Injected markup can run scripts: `'unsafe-inline'` without nonce or hash", 'Move scripts into files; or give them a nonce that is new in each answer, or list their hashes', CSP),
  CSP_UNSAFE_EVAL: row('warning', "Text can be run as code: `'unsafe-eval'`", 'Remove `eval` and the like from the code, then the word', CSP),
  CSP_UNSAFE_HASHES: row('information', "Event handlers with a listed hash run: `'unsafe-hashes'`", 'Move event handlers into scripts', CSP),
  CSP_WILDCARD: row('error', 'Scripts or plugins may come from any server', 'Name servers, or use nonces', CSP),
  CSP_SCHEME_SOURCE: row('error', 'Scripts or plugins may come from any server of a scheme', 'Name servers, or use nonces', CSP),
  CSP_DATA_SOURCE: row('error', 'Scripts or plugins may stand in a `data:` URL, so injected markup can run them', 'Remove `data:` from script-src and object-src', CSP),
  CSP_MISSING_SCRIPT_SRC: row('warning', 'No directive limits scripts', 'Add script-src', CSP),
  CSP_MISSING_OBJECT_SRC: row('warning', 'No directive limits plugins, which can run scripts', "Add object-src 'none'", CSP),
  CSP_MISSING_BASE_URI: row('warning', 'Injected markup can change the base of relative URLs, and so load scripts that have a nonce', "Add base-uri 'none'", CSP),
  CSP_BYPASS_HOST: row('warning', 'The list of servers has one that is known to serve JSONP or AngularJS, by which injected markup runs code', 'Use nonces, or name the path of the script', CSP),
  CSP_HTTP_SOURCE: row('warning', 'Content may come over http, where others can change it', 'Write `https://`', CSP),
  CSP_IP_SOURCE: row('information', 'Browsers ignore addresses in a policy, but for 127.0.0.1', 'Write a name'),
  CSP_NONCE_SHORT: row('warning', 'A nonce with fewer than eight characters can be guessed', 'Use 128 random bits, new in each answer'),
  CSP_NONCE_SYNTAX: row('error', 'A nonce has other characters than base64', 'Encode it as base64'),
  CSP_HASH_SYNTAX: row('error', 'A hash has a wrong length or other characters than base64, so no script matches', 'Encode the digest as base64'),
  CSP_STRICT_DYNAMIC_ALONE: row('error', "`'strict-dynamic'` without nonce or hash blocks all scripts", "Add a nonce that is new in each answer, or hashes; or write `'self'` in its place", CSP),
  CSP_UNKNOWN_DIRECTIVE: row('warning', 'Browsers ignore a directive that they do not know', 'Correct its name'),
  CSP_MISSING_SEMICOLON: row('error', 'The name of a directive stands among the values of another one', 'Put a semicolon before it'),
  CSP_UNQUOTED_KEYWORD: row('error', 'A keyword without quotes is read as a host', "Write it in single quotes: `'self'`"),
  CSP_UNKNOWN_KEYWORD: row('warning', 'Browsers ignore a keyword that they do not know', 'Correct it'),
  CSP_NONE_NOT_ALONE: row('warning', "Browsers ignore `'none'` beside other sources", 'Remove one or the others'),
  CSP_DUPLICATE_DIRECTIVE: row('warning', 'A directive stands twice; browsers ignore the second', 'Merge them'),
  CSP_DEPRECATED_DIRECTIVE: row('information', 'Browsers no longer support a directive', 'Remove it'),
  CSP_META_IGNORED: row('warning', 'Browsers ignore a directive in a `meta` element', 'Send it as a header', "Content-Security-Policy: frame-ancestors 'self'"),
  CSP_REPORT_TO_UNDEFINED: row('warning', 'The policy reports to an endpoint that no field defines', 'Define it', 'Reporting-Endpoints: csp="https://reports.example.org/csp"'),
  FRAMING_ALLOWED: row('warning', 'frame-ancestors allows every site, and outdoes X-Frame-Options', "Write `frame-ancestors 'self'`", "Content-Security-Policy: frame-ancestors 'self'"),
  HSTS_MAX_AGE_INVALID: row('error', 'max-age is missing or no whole number, so browsers ignore the field', 'Write seconds', HSTS),
  HSTS_SENT_TWICE: row('warning', 'The field is sent twice; browsers take the first', 'Send it once', HSTS),
  HSTS_DISABLED: row('warning', 'max-age=0 makes browsers forget HSTS', 'Raise max-age', HSTS),
  HSTS_NOT_PRELOADABLE: row('warning', 'The field asks for preloading, and does not qualify: a year and includeSubDomains are needed', 'Complete it, or remove preload', HSTS),
  COOKIE_PREFIX_BROKEN: row('error', 'Browsers drop a cookie that lacks what its prefix promises', 'Set Secure; for `__Host-` also Path=/ and no Domain', 'Set-Cookie: __Host-name=value; Path=/; Secure; HttpOnly; SameSite=Lax'),
  COOKIE_SAMESITE_NONE: row('error', 'Browsers drop a cookie with SameSite=None and without Secure', 'Set Secure', 'Set-Cookie: name=value; Path=/; Secure; SameSite=None'),
  COOKIE_NOT_SECURE: row('warning', 'A cookie is sent over http too', 'Set Secure', COOKIE),
  COOKIE_SESSION_READABLE: row('warning', "Scripts can read a session's cookie", 'Set HttpOnly', COOKIE),
  COOKIE_NO_SAMESITE: row('information', 'A cookie leaves SameSite to the browser', 'Set SameSite=Lax', COOKIE),
  CORS_ANY_ORIGIN: row('error', 'Every site can read the page as its visitor: the server repeats the Origin and allows credentials', 'Allow origins of a list', 'Access-Control-Allow-Origin: https://app.example.org'),
  CORS_NULL_ORIGIN: row('warning', 'The origin null is allowed, which any site gets in a sandboxed frame', 'Allow origins of a list', 'Access-Control-Allow-Origin: https://app.example.org'),
  CORS_WILDCARD_CREDENTIALS: row('warning', 'Browsers refuse credentials where every origin is allowed', 'Remove Access-Control-Allow-Credentials', 'Access-Control-Allow-Origin: *'),
  CORS_SEVERAL_ORIGINS: row('error', 'Browsers ignore a list of origins', 'Send the one that asks, and Vary: Origin', 'Access-Control-Allow-Origin: https://app.example.org'),
  ISOLATION_INCOMPLETE: row('information', 'The page is not isolated: COEP counts only beside `Cross-Origin-Opener-Policy: same-origin`', 'Send both', 'Cross-Origin-Opener-Policy: same-origin'),
  PERMISSIONS_POLICY_SYNTAX: row('error', 'Permissions-Policy cannot be parsed, so browsers ignore all of it', 'Write `feature=(origins)` with commas between', PERMISSIONS),
  PERMISSIONS_POLICY_OPEN: row('warning', 'The page may hand camera, microphone or position to every site that it embeds, by `allow`', 'Write `()`, `(self)` or a list of origins', PERMISSIONS),
  REPORTING_ENDPOINTS_SYNTAX: row('error', 'Reporting-Endpoints cannot be parsed, so nothing is reported', 'Write `name="https://…"` with commas between', 'Reporting-Endpoints: default="https://reports.example.org/"'),
  REPORTING_ENDPOINT_PLAIN: row('warning', 'Browsers do not report over http', 'Write `https://`', 'Reporting-Endpoints: default="https://reports.example.org/"'),
  DEPRECATED_HEADER: row('information', 'Browsers no longer support a field', 'Remove it'),
  SOFTWARE_SHOWN: row('information', 'A field shows the version of the software', 'Remove it, or the version'),
} as const satisfies Record<string, FindingRow>; // prettier-ignore

export type FindingCode = keyof typeof FINDINGS;

/** A finding at a field. */
export interface Finding {
  code: FindingCode;
  /** Name of the field. */
  header: string;
  /** The parts that it is about, such as directives with their sources; empty where it is about the whole field. */
  parts: readonly string[];
}

const PARTS_MAX = 8;
const PART_MAX_CHARS = 200;

/** One finding about all these parts; none without any. */
export const findingAt = (code: FindingCode, header: string, parts: readonly string[]): Finding[] =>
  parts.length === 0 ? [] : [{ code, header, parts: [...new Set(parts)].slice(0, PARTS_MAX).map((part) => part.slice(0, PART_MAX_CHARS)) }];

/** One finding about a field as a whole, if it holds. */
export const findingIf = (holds: boolean, code: FindingCode, header: string): Finding[] => (holds ? [{ code, header, parts: [] }] : []);

/** Joins findings of one kind at one field, as several policies may have them. */
export function merged(findings: readonly Finding[]): Finding[] {
  const all = Map.groupBy(findings, ({ code, header }) => `${code} ${header}`);
  return Array.from(all.values(), (same) => ({ ...same[0]!, parts: [...new Set(same.flatMap(({ parts }) => parts))].slice(0, PARTS_MAX) }));
}
