/** The sources of each directive, over all policies of a page. */
export type Directives = Map<string, Set<string>>;

export interface CombinedPolicy {
  directives: Directives;
  /** A policy names `report-uri` or `report-to` twice. */
  repeatsReporting: boolean;
}

/** The shortest policy that counts as one, in characters. */
const POLICY_MIN_CHARS = 6;
const MAY_REPEAT: ReadonlySet<string> = new Set(['report-uri', 'report-to']);
const { compare } = new Intl.Collator('en');

interface Source {
  text: string;
  policy: number;
  kept: boolean;
}

/**
 * Joins policies as the HTTP Observatory does, whose verdicts depend on it: of a directive that several policies have, a source counts that both
 * allow; one that only a later policy has allows nothing. Undefined where a policy is not one: it is shorter than any, names a directive twice, or has a
 * broken escape in a source.
 */
export function combinePolicies(policies: readonly string[]): CombinedPolicy | undefined {
  const texts = policies.map((policy) => policy.replaceAll(/[\r\n]/g, '').trim());
  if (texts.some((text) => text.length < POLICY_MIN_CHARS)) return undefined;
  const all = new Map<string, Source[]>();
  let repeatsReporting = false;
  for (const [policy, text] of texts.entries()) {
    const seen = new Set<string>();
    for (const part of text.split(';')) {
      const [name = '', ...words] = part.trim().split(/\s+/);
      const directive = name.toLowerCase();
      if (directive === '') continue;
      if (seen.has(directive)) {
        if (!MAY_REPEAT.has(directive)) return undefined;
        repeatsReporting = true;
      }
      seen.add(directive);
      const sources =
        policy === 0 ? firstSources(directive, words) : bothSources(all.get(directive) ?? [], sourcesOf(directive, words, policy));
      if (!sources) return undefined;
      // From here on a source of the first policy counts if another one has it, too.
      all.set(directive, policy === 0 && texts.length > 1 ? sources.map((source) => ({ ...source, kept: false })) : sources);
    }
  }
  const directives = new Map(
    Array.from(all, ([name, sources]) => [name, new Set(sources.length === 0 ? ["'none'"] : sources.map(({ text }) => text))]),
  );
  return { directives, repeatsReporting };
}

/** A list of sources without any allows none. */
function sourcesOf(directive: string, words: readonly string[], policy: number): Source[] {
  const texts = words.length === 0 && directive.endsWith('-src') ? ["'none'"] : words.map((word) => word.toLowerCase());
  return texts.map((text) => ({ text, policy, kept: policy === 0 }));
}

/** Drops each source that begins with the one before it in the order of the alphabet. */
function firstSources(directive: string, words: readonly string[]): Source[] {
  const sorted = sourcesOf(directive, words, 0).toSorted((a, b) => compare(a.text, b.text));
  return sorted.filter(({ text }, i) => i === 0 || !text.startsWith(sorted[i - 1]!.text));
}

/** Undefined for a broken escape. */
function bothSources(before: readonly Source[], more: readonly Source[]): Source[] | undefined {
  const sorted = [...before, ...more].toSorted((a, b) => compare(a.text, b.text));
  const kept: Source[] = [];
  for (const [i, source] of sorted.entries()) {
    const above = sorted[i - 1];
    let isKept = source.kept;
    if (above && above.policy === source.policy && source.text.startsWith(above.text)) isKept = false;
    if (above && above.policy !== source.policy) {
      const isBelow = isAtOrBelow(above.text, source.text);
      if (isBelow === undefined) return undefined;
      isKept ||= isBelow;
    }
    if (isKept) kept.push({ ...source, kept: true });
  }
  return kept;
}

/** Whether a source is the other one, or a path below it. Undefined for a broken escape. */
function isAtOrBelow(above: string, source: string): boolean | undefined {
  const upper = above.split('/');
  const lower = source.split('/');
  const isFolder = above.endsWith('/');
  if (upper.length > lower.length || (!isFolder && upper.length !== lower.length)) return false;
  if (isFolder) upper.pop();
  try {
    return upper.every((part, i) => decodeURIComponent(part) === decodeURIComponent(lower[i]!));
  } catch {
    return undefined; // a URIError
  }
}
