/** One policy of a page: what it allows, by directive; the first of a name counts (CSP Level 3 §2.2.1). */
type Policy = ReadonlyMap<string, readonly string[]>;

/** The combined effect of all policies of a page. */
export interface ContentPolicy {
  /** There is one. */
  isSet: boolean;
  /** A script may run from text: `eval`. */
  unsafeEval: boolean;
  /** Any script in the page's own markup runs. */
  unsafeInline: boolean;
  /** Some policy says who may frame the page. */
  limitsFraming: boolean;
}

const POLICY_MAX_CHARS = 64 * 1024;
const DIRECTIVES_MAX = 100;

/**
 * Joins the policies of all Content-Security-Policy fields (each of which may hold several, with commas between) and `meta` elements. Each is
 * enforced on its own, so that only what all of them allow is allowed. In a `meta` element frame-ancestors does not count (§3.3).
 */
export function readContentPolicy(fields: readonly string[], metas: readonly string[]): ContentPolicy {
  const sent = fields.flatMap((field) => field.slice(0, POLICY_MAX_CHARS).split(',')).map(parsePolicy);
  const policies = [...sent, ...metas.map((meta) => parsePolicy(meta.slice(0, POLICY_MAX_CHARS)))].filter((policy) => policy.size > 0);
  const ofScripts = policies.map(scriptSources).filter((sources) => sources !== undefined);
  const all = (allows: (sources: readonly string[]) => boolean): boolean => ofScripts.length > 0 && ofScripts.every(allows);
  return {
    isSet: policies.length > 0,
    unsafeEval: all((sources) => sources.includes("'unsafe-eval'")),
    unsafeInline: all(allowsInline),
    limitsFraming: sent.some((policy) => limitsFraming(policy.get('frame-ancestors'))),
  };
}

function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const directive of text.split(';').slice(0, DIRECTIVES_MAX)) {
    const [name = '', ...sources] = directive
      .trim()
      .split(/\s+/)
      .map((word) => word.toLowerCase());
    if (/^[a-z][a-z-]*$/.test(name) && !policy.has(name)) policy.set(name, sources);
  }
  return policy;
}

const scriptSources = (policy: Policy): readonly string[] | undefined => policy.get('script-src') ?? policy.get('default-src');

/** A nonce, a digest or strict-dynamic makes browsers ignore the word (§6.7.3.2): it is there for old ones. */
const allowsInline = (sources: readonly string[]): boolean =>
  sources.includes("'unsafe-inline'") && !sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/.test(source));

/** A policy that allows all sites to frame the page is not a limit. */
const limitsFraming = (ancestors: readonly string[] | undefined): boolean =>
  ancestors !== undefined && !ancestors.some((source) => source === '*' || source === 'https:' || source === 'http:');
