import { combinePolicies, type Directives } from './combined-policy.ts';
import type { Result } from './results.ts';

/** Sources that stand for any server. */
const BROAD = ['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*'];
const ANY_SERVER: ReadonlySet<string> = new Set(BROAD);
const ANY_CODE: ReadonlySet<string> = new Set([...BROAD, "'unsafe-inline'", 'data:']);
/** Directives of content that cannot act. */
const PASSIVE = ['img-src', 'media-src'];
/** A `meta` element cannot set them (CSP Level 3 §3.3). */
const NOT_IN_META = ['frame-ancestors', 'report-uri', 'sandbox'];

export interface PolicyEvidence {
  /** Values of Content-Security-Policy. */
  sent: readonly string[];
  /** Contents of `meta` elements. */
  metas: readonly string[];
  /** Content-Security-Policy-Report-Only is sent. */
  isReported: boolean;
  /** The page was asked for over https. */
  isHttps: boolean;
}

export interface PolicyVerdict {
  result: Result;
  /** A policy counts, and one says who may frame the page. */
  limitsFraming: boolean;
  /** There are more policies than are judged. */
  isCut: boolean;
}

/** Limits on the policies of a page that are joined: the work grows with both. */
export const JUDGED_POLICIES_MAX = 20;
export const JUDGED_POLICIES_MAX_CHARS = 64 * 1024;

/** One field may hold several policies, with commas between (CSP Level 3 §2.2). */
const splitPolicies = (fields: readonly string[]): string[] => fields.flatMap((field) => field.split(',').map((policy) => policy.trim()));

/** The first policies within both limits: each whole, but for one that alone is longer. */
function firstOf(policies: readonly string[]): string[] {
  const first = policies.slice(0, JUDGED_POLICIES_MAX);
  let chars = 0;
  const over = first.findIndex((policy) => (chars += policy.length) > JUDGED_POLICIES_MAX_CHARS);
  return over < 0 ? first : first.slice(0, Math.max(1, over)).map((policy) => policy.slice(0, JUDGED_POLICIES_MAX_CHARS));
}

/** Judges the policies of a page as the HTTP Observatory does. */
export function judgePolicies({ sent, metas, isReported, isHttps }: PolicyEvidence): PolicyVerdict {
  const split = { fields: splitPolicies(sent), metas: splitPolicies(metas) };
  const written = [...split.fields, ...split.metas];
  const judged = firstOf(written);
  const [inFields, inMetas] = [judged.slice(0, split.fields.length), judged.slice(split.fields.length)];
  const isCut = judged.length < written.length || judged.some((policy, i) => policy.length < written[i]!.length);
  const all = combinePolicies(judged);
  if (!all) return { result: 'csp-header-invalid', limitsFraming: false, isCut };
  const fromFields = combinePolicies(inFields)?.directives ?? new Map();
  const fromMetas = combinePolicies(inMetas)?.directives ?? new Map();
  for (const name of NOT_IN_META) fromMetas.delete(name);
  if (fromFields.size + fromMetas.size === 0)
    return { result: isReported ? 'csp-not-implemented-but-reporting-enabled' : 'csp-not-implemented', limitsFraming: false, isCut };
  const result = resultOf(all.directives, isHttps);
  return {
    result: all.repeatsReporting && GOOD.has(result) ? 'csp-implemented-but-duplicate-directives' : result,
    limitsFraming: all.directives.has('frame-ancestors'),
    isCut,
  };
}

const GOOD: ReadonlySet<Result> = new Set<Result>([
  'csp-implemented-with-no-unsafe',
  'csp-implemented-with-no-unsafe-default-src-none',
  'csp-implemented-with-unsafe-inline-in-style-src-only',
  'csp-implemented-with-insecure-scheme-in-passive-content-only',
]);

/** Directives that are missing share the sources of default-src: what is taken from one is taken from all of them. */
function resultOf(directives: Directives, isHttps: boolean): Result {
  const sourcesOf = (name: string): Set<string> => directives.get(name) ?? directives.get('default-src') ?? new Set(['*']);
  const [objects, scripts, styles] = ['object-src', 'script-src', 'style-src'].map(sourcesOf) as [Set<string>, Set<string>, Set<string>];
  for (const sources of [scripts, styles]) if (hasNonceOrHash(sources)) sources.delete("'unsafe-inline'");
  if (scripts.has("'strict-dynamic'")) {
    if (!hasNonceOrHash(scripts)) return 'csp-header-invalid';
    for (const source of scripts)
      if (BROAD.some((broad) => source.startsWith(broad)) || source === "'self'" || source === "'unsafe-inline'") scripts.delete(source);
  }
  const active = [
    ...Array.from(directives).flatMap(([name, sources]) => (PASSIVE.includes(name) || name === 'script-src' ? [] : [...sources])),
    ...scripts,
  ];
  const passive = PASSIVE.flatMap((name) => [...(directives.get(name) ?? directives.get('default-src') ?? [])]);
  if (has(scripts, ANY_CODE) || has(objects, ANY_SERVER)) return 'csp-implemented-with-unsafe-inline';
  if (isHttps && active.some(isPlain)) return 'csp-implemented-with-insecure-scheme';
  if (scripts.has("'unsafe-eval'") || styles.has("'unsafe-eval'")) return 'csp-implemented-with-unsafe-eval';
  if (isHttps && passive.some(isPlain)) return 'csp-implemented-with-insecure-scheme-in-passive-content-only';
  if (has(styles, ANY_CODE)) return 'csp-implemented-with-unsafe-inline-in-style-src-only';
  const fallback = directives.get('default-src');
  return fallback?.has("'none'") && fallback.size === 1
    ? 'csp-implemented-with-no-unsafe-default-src-none'
    : 'csp-implemented-with-no-unsafe';
}

const has = (sources: ReadonlySet<string>, words: ReadonlySet<string>): boolean => !sources.isDisjointFrom(words);
const isPlain = (source: string): boolean => source.startsWith('http:') || source.startsWith('ftp:');
const hasNonceOrHash = (sources: ReadonlySet<string>): boolean =>
  [...sources].some((source) => /^'(?:nonce|sha256|sha384|sha512)-/.test(source));
