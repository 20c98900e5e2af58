import type { HeaderEvidence, PageSecurity, SeenVisit } from '@vedette/web/headers';

/** The facts of one site, as a test writes them. */
export interface Given {
  host?: string;
  /** Fields of the judged answer; an array for one that is sent several times. */
  fields?: Readonly<Record<string, string | readonly string[]>>;
  page?: Partial<PageSecurity> | null;
  /** URLs of the way over https; empty where nothing answers. */
  https?: readonly string[];
  http?: readonly string[];
  httpsVerified?: boolean;
  httpVerified?: boolean;
  /** Where http leads to without an answer. */
  httpUnanswered?: string;
  unasked?: HeaderEvidence['unasked'];
  preflight?: Readonly<Record<string, string>> | undefined;
  preloaded?: readonly string[];
}

const ORIGIN = 'https://http-observatory.security.mozilla.org';
const NO_SCRIPTS: PageSecurity = { policies: [], referrer: '', scriptsCount: 0, scripts: [] };

const visit = (
  urls: readonly string[] | undefined,
  verified: boolean,
  fields: readonly (readonly [string, string])[],
  unanswered = '',
): SeenVisit | undefined =>
  urls?.length
    ? {
        verified,
        unanswered,
        hops: urls.map((url, i) => ({ url, status: i < urls.length - 1 ? 301 : 200, fields: i < urls.length - 1 ? [] : fields })),
      }
    : undefined;

/** A site that answers over https with these fields, and leads there from http. */
export function evidenceOf(given: Given = {}): HeaderEvidence {
  const { host = 'example.org', fields = {}, page = {}, preflight, preloaded = [] } = given;
  const lines = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
  return {
    host,
    https: visit(given.https ?? [`https://${host}/`], given.httpsVerified ?? true, lines),
    http: visit(given.http ?? [`http://${host}/`, `https://${host}/`], given.httpVerified ?? true, lines, given.httpUnanswered),
    unasked: given.unasked ?? '',
    page: page === null ? undefined : { ...NO_SCRIPTS, ...page },
    preflight: preflight && Object.entries(preflight),
    origin: ORIGIN,
    isPreloaded: (name) => preloaded.some((one) => name === one || name.endsWith(`.${one}`)),
  };
}

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SOURCES =
  "'self' 'none' 'unsafe-inline' 'unsafe-eval' 'strict-dynamic' 'nonce-r4nd0mR4nd0m' 'sha256-AAAABBBBCCCCDDDD' 'wasm-unsafe-eval' 'report-sample' data: blob: https: http: * https://* https://cdn.example.org https://cdn.example.org/js/ https://cdn.example.org/js/a.js *.example.org http://old.example.org https://a.test/%41/ ftp: wss://live.example.org".split(
    ' ',
  );
const DIRECTIVES = 'default-src script-src object-src style-src img-src media-src base-uri form-action frame-ancestors connect-src report-uri report-to upgrade-insecure-requests'.split(' '); // prettier-ignore

/** A site of the given number, with headers of all kinds: good, odd and broken. */
export function generated(seed: number): Given {
  const next = random(seed);
  const chance = (share: number): boolean => next() < share;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const some = <T>(list: readonly T[], most: number): T[] => Array.from({ length: Math.floor(next() * (most + 1)) }, () => pick(list));
  const directive = (): string => [pick(DIRECTIVES), ...some(SOURCES, 4)].join(' ');
  const policy = (): string => {
    if (chance(0.15)) return pick(["default-src 'none'", "default-src 'none'; form-action 'self'", "default-src 'self'; object-src 'none'", "default-src 'self'; report-uri /a; report-uri /b", "script-src 'nonce-AbCdEfGh12' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'", '', 'x', ';;;;;;;;']); // prettier-ignore
    const parts = Array.from({ length: 1 + Math.floor(next() * 5) }, directive);
    return (chance(0.85) ? parts.filter((part, i) => parts.findIndex((other) => other.split(' ')[0] === part.split(' ')[0]) === i) : parts).join(chance(0.9) ? '; ' : ';'); // prettier-ignore
  };
  const cookie = (): string => {
    const name = pick([
      'id',
      'sessionid',
      'PHPSESSID',
      'login_token',
      'csrftoken',
      '__Host-sid',
      '__Secure-id',
      'heroku-session-affinity',
      'theme',
      'samesite',
      '=x',
    ]);
    const attributes = ['Secure', 'secure=1', 'HttpOnly', 'SameSite=Lax', 'SameSite=Strict', 'samesite=none', 'SameSite=Maybe', 'SameSite', 'Path=/', 'Domain=example.org', 'Domain=com', 'Domain=other.test', 'Max-Age=3600', '']; // prettier-ignore
    const usual = chance(0.5) ? ['Path=/', 'Secure', 'HttpOnly', ...(chance(0.7) ? ['SameSite=Lax'] : [])] : [];
    return [`${name}=1`, ...usual, ...some(attributes, usual.length > 0 ? 1 : 4)].join('; ');
  };
  const fields: Record<string, string | string[]> = { 'content-type': pick(['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml', 'application/json', 'image/png']) }; // prettier-ignore
  const maybe = (name: string, share: number, values: readonly (string | string[])[]): void => {
    if (chance(share)) fields[name] = pick(values);
  };
  if (chance(0.8)) fields['content-security-policy'] = Array.from({ length: chance(0.75) ? 1 : 2 + Math.floor(next() * 2) }, policy);
  maybe('content-security-policy-report-only', 0.2, ["default-src 'self'", '']);
  if (chance(0.6)) fields['set-cookie'] = Array.from({ length: 1 + Math.floor(next() * 4) }, cookie);
  maybe('strict-transport-security', 0.8, ['max-age=63072000; includeSubDomains; preload', 'max-age=31536000', 'MAX-AGE=15552000', 'max-age=15551999', 'max-age=0', 'includeSubDomains', 'max-age=31536000, max-age=31536000', ['max-age=31536000', 'max-age=31536000'], 'max-age="31536000"', 'max-age = 31536000', 'max-age=31536000;', '']); // prettier-ignore
  maybe('referrer-policy', 0.6, ['no-referrer', 'same-origin', 'strict-origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade', 'origin', 'no-referrer, strict-origin', 'no-referrer, nonsense', 'nonsense', ['unsafe-url', 'Same-Origin']]); // prettier-ignore
  maybe('x-content-type-options', 0.7, ['nosniff', 'NoSniff ', 'nosniff, nosniff', ['nosniff', 'nosniff'], 'none', '']);
  maybe('x-frame-options', 0.6, [
    'DENY',
    'sameorigin',
    'ALLOW-FROM https://a.test/',
    'allowall',
    'SAMEORIGIN, SAMEORIGIN',
    ['DENY', 'DENY'],
    '',
  ]);
  maybe('cross-origin-resource-policy', 0.4, ['same-origin', 'same-site', 'cross-origin', 'Same-Origin ', 'none', '']);
  const isHtml = /html/.test(String(fields['content-type']));
  const script = () => ({ src: pick(['/a.js', 'b.js', '//cdn.test/c.js', '///odd.js', 'https://cdn.test/d.js', 'http://cdn.test/e.js', 'https://www.example.org/f.js', 'http://example.org/g.js', 'data:text/javascript,1']), integrity: chance(0.5) }); // prettier-ignore
  const scripts = Array.from({ length: chance(0.4) ? 0 : 1 + Math.floor(next() * 3) }, script);
  return {
    host: pick(['example.org', 'www.example.org', 'preloaded.test', 'a.preloaded.test']),
    fields,
    page: isHtml ? { scripts, scriptsCount: scripts.length + (chance(0.2) ? 1 : 0), policies: chance(0.2) ? [policy()].filter((text) => text !== '') : [], referrer: chance(0.2) ? pick(['origin', 'no-referrer', 'nonsense']) : '' } : null, // prettier-ignore
    https: chance(0.1) ? [] : chance(0.3) ? ['https://example.org/', 'https://www.example.org/en/'] : ['https://example.org/'],
    http: pick([[], ['http://example.org/'], ['http://example.org/', 'https://example.org/'], ['http://example.org/', 'http://www.example.org/', 'https://www.example.org/'], ['http://example.org/', 'https://www.example.org/'], ['http://example.org/', 'http://www.example.org/'], ['http://preloaded.test/', 'https://preloaded.test/']]), // prettier-ignore
    httpsVerified: !chance(0.1),
    httpVerified: !chance(0.1),
    preloaded: ['preloaded.test'],
    ...(chance(0.5) && { preflight: pick<Record<string, string>>([{}, { 'access-control-allow-origin': '*' }, { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true' }, { 'access-control-allow-origin': ORIGIN }, { 'access-control-allow-origin': 'https://app.example.org', 'access-control-allow-credentials': 'true' }, { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' }]) }), // prettier-ignore
  };
}
