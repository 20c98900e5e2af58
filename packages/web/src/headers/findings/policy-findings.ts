import { bypassOf } from './bypass-hosts.ts';
import { type Finding, findingAt, type FindingCode, findingIf } from './codes.ts';
import { hasNonceOrHash, isHash, isNonce, type Policy, sourcesOf } from './policies.ts';

const HEADER = 'content-security-policy';
const KEYWORDS =
  "'self' 'none' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' 'strict-dynamic' 'unsafe-hashes' 'report-sample' 'inline-speculation-rules' 'unsafe-allow-redirects' 'trusted-types-eval' 'report-sha256' 'report-sha384' 'report-sha512' 'unsafe-webtransport-hashes' 'script' 'allow-duplicates' 'allow' 'block'".split(' '); // prettier-ignore
const BARE: ReadonlySet<string> = new Set(KEYWORDS.slice(0, 9).map((word) => word.slice(1, -1)));
const FETCH = 'child-src connect-src default-src fenced-frame-src font-src frame-src img-src manifest-src media-src object-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr worker-src'.split(' '); // prettier-ignore
const OTHERS = 'base-uri form-action frame-ancestors report-to report-uri sandbox require-trusted-types-for trusted-types upgrade-insecure-requests webrtc'.split(' '); // prettier-ignore
const DEPRECATED: ReadonlySet<string> = new Set('block-all-mixed-content plugin-types prefetch-src referrer reflected-xss disown-opener navigate-to require-sri-for'.split(' ')); // prettier-ignore
const KNOWN: ReadonlySet<string> = new Set([...FETCH, ...OTHERS, ...DEPRECATED]);
/** Directives with sources. */
const WITH_SOURCES: ReadonlySet<string> = new Set([...FETCH, 'base-uri', 'form-action', 'frame-ancestors']);
const NOT_IN_META = ['frame-ancestors', 'report-uri', 'sandbox'];

/** Judges the policies of a page. `endpoints`: names that Reporting-Endpoints and Report-To define; undefined if not known. */
export function policyFindings(policies: readonly Policy[], endpoints: ReadonlySet<string> | undefined): Finding[] {
  const enforced = policies.filter(({ disposition }) => disposition === 'enforce');
  return [
    ...findingIf(policies.length > 0 && enforced.length === 0, 'CSP_REPORT_ONLY', `${HEADER}-report-only`),
    ...weakInAll(enforced),
    ...findingAt('CSP_MISSING_BASE_URI', HEADER, missingBase(enforced)),
    ...policies.flatMap((policy) => syntaxFindings(policy, endpoints)),
  ];
}

/** Each policy is enforced on its own, so that only what none of them stops is open. Policies for frames or mixed content alone do not set out to stop any. */
function weakInAll(policies: readonly Policy[]): Finding[] {
  if (!policies.some(({ directives }) => FETCH.some((name) => directives.has(name)))) return [];
  const limiting = policies.filter((policy) => sourcesOf(policy, 'script-src') !== undefined);
  if (limiting.length === 0) return findingAt('CSP_MISSING_SCRIPT_SRC', HEADER, ['script-src']);
  const [first, ...others] = limiting.map(weaknesses);
  const plugins = policies.some((policy) => sourcesOf(policy, 'object-src') !== undefined);
  return [
    ...first!.filter(({ code }) => others.every((findings) => findings.some((finding) => finding.code === code))),
    ...findingAt('CSP_MISSING_OBJECT_SRC', HEADER, plugins ? [] : ['object-src']),
  ];
}

const ANY: ReadonlySet<string> = new Set(['*', 'http://*', 'https://*', '*:*']);
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:']);

/** The ways by which injected markup runs scripts under a policy. */
function weaknesses(policy: Policy): Finding[] {
  const scripts = sourcesOf(policy, 'script-src-elem') ?? [];
  const code = sourcesOf(policy, 'script-src') ?? [];
  const isProven = hasNonceOrHash(scripts);
  const isDynamic = scripts.includes("'strict-dynamic'");
  // A browser that knows strict-dynamic ignores hosts and schemes.
  const hosts = isDynamic ? [] : scripts;
  const objects = sourcesOf(policy, 'object-src') ?? [];
  const at = (finding: FindingCode, sources: readonly string[], directive = 'script-src'): Finding[] =>
    findingAt(finding, HEADER, sources.map((source) => `${directive} ${source}`)); // prettier-ignore
  const both = (finding: FindingCode, is: (source: string) => boolean): Finding[] => {
    const [found] = [...at(finding, hosts.filter(is)), ...at(finding, objects.filter(is), 'object-src')];
    return found ? [found] : [];
  };
  return [
    ...at('CSP_UNSAFE_INLINE', isProven || isDynamic ? [] : scripts.filter((source) => source === "'unsafe-inline'")),
    ...at('CSP_UNSAFE_EVAL', code.filter((source) => source === "'unsafe-eval'")),
    ...at('CSP_UNSAFE_HASHES', code.filter((source) => source === "'unsafe-hashes'")),
    ...both('CSP_WILDCARD', (source) => ANY.has(source)),
    ...both('CSP_SCHEME_SOURCE', (source) => SCHEMES.has(source)),
    ...both('CSP_DATA_SOURCE', (source) => source === 'data:'),
    ...at('CSP_STRICT_DYNAMIC_ALONE', isDynamic && !isProven ? ["'strict-dynamic'"] : []),
    ...at('CSP_BYPASS_HOST', hosts.filter((source) => bypassOf(source, code.includes("'unsafe-eval'")) !== undefined)),
  ]; // prettier-ignore
}

/** Sources on the visitor's own machine: no stranger is on the way. */
const LOOPBACK = /^http:\/\/(?:localhost|(?:[\w-]{1,63}\.){1,4}localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/;

/** Only policies by nonce, or by hash with strict-dynamic, depend on it. */
function missingBase(policies: readonly Policy[]): string[] {
  const needs = policies.some((policy) => {
    const scripts = sourcesOf(policy, 'script-src-elem') ?? [];
    return scripts.some(isNonce) || (scripts.some(isHash) && scripts.includes("'strict-dynamic'"));
  });
  return needs && !policies.some(({ directives }) => directives.has('base-uri')) ? ['base-uri'] : [];
}

function syntaxFindings({ source, disposition, directives, repeated }: Policy, endpoints: ReadonlySet<string> | undefined): Finding[] {
  const header = disposition === 'report' ? `${HEADER}-report-only` : HEADER;
  const names = [...directives.keys()];
  const pairs = Array.from(directives).flatMap(([name, values]) =>
    WITH_SOURCES.has(name) ? values.map((value) => [name, value] as const) : [],
  );
  const at = (code: FindingCode, is: (value: string, directive: string) => boolean): Finding[] =>
    findingAt(code, header, pairs.flatMap(([name, value]) => (is(value, name) ? [`${name} ${value}`] : []))); // prettier-ignore
  const group = directives.get('report-to')?.[0];
  return [
    ...findingAt('CSP_UNKNOWN_DIRECTIVE', header, names.filter((name) => !KNOWN.has(name))),
    ...findingAt('CSP_DEPRECATED_DIRECTIVE', header, names.filter((name) => DEPRECATED.has(name))),
    ...findingAt('CSP_DUPLICATE_DIRECTIVE', header, repeated),
    ...findingAt('CSP_META_IGNORED', header, source === 'meta' ? names.filter((name) => NOT_IN_META.includes(name)) : []),
    ...at('CSP_MISSING_SEMICOLON', (value) => KNOWN.has(value)),
    ...at('CSP_UNQUOTED_KEYWORD', (value) => BARE.has(value) || /^(?:nonce|sha256|sha384|sha512)-/.test(value)),
    ...at('CSP_UNKNOWN_KEYWORD', (value) => value.startsWith("'") && !KEYWORDS.includes(value) && !/^'(?:nonce|sha256|sha384|sha512)-/i.test(value)),
    ...at('CSP_NONCE_SYNTAX', (value) => /^'nonce-/i.test(value) && !isNonce(value)),
    ...at('CSP_NONCE_SHORT', (value) => /^'nonce-.{1,7}'$/i.test(value) && isNonce(value)),
    ...at('CSP_HASH_SYNTAX', (value) => /^'(?:sha256|sha384|sha512)-/i.test(value) && !isHash(value)),
    ...at('CSP_HTTP_SOURCE', (value, name) => value.startsWith('http://') && !ANY.has(value) && name !== 'frame-ancestors' && !LOOPBACK.test(value)),
    ...at('CSP_IP_SOURCE', (value) => /^(?:[a-z]+:\/\/)?(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::[\d*]+)?(?:\/|$)/.test(value) && !value.includes('127.0.0.1')),
    ...findingAt('CSP_NONE_NOT_ALONE', header, Array.from(directives).flatMap(([name, values]) => (WITH_SOURCES.has(name) && values.length > 1 && values.includes("'none'") ? [name] : []))),
    ...findingAt('CSP_REPORT_TO_UNDEFINED', header, group !== undefined && endpoints?.has(group) === false ? [group] : []),
  ]; // prettier-ignore
}
