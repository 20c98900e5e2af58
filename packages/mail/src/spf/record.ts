import { type Cidr, cidrOf, parseIp } from '@vedette/contract';
import { plainText } from '../tag-list/index.ts';
import { type DomainSpec, parseDomainSpec, parseMacroString, quotedTerm, SpfSyntaxError, usesMacro } from './macro.ts';

export type Qualifier = '+' | '-' | '~' | '?';

export type Mechanism =
  | { name: 'all' }
  | { name: 'include'; domain: DomainSpec }
  | { name: 'exists'; domain: DomainSpec }
  | { name: 'a' | 'mx'; domain: DomainSpec | undefined; bits4: number; bits6: number }
  | { name: 'ptr'; domain: DomainSpec | undefined }
  | { name: 'ip4'; network: Cidr }
  | { name: 'ip6'; network: Cidr };

/** One term of a record, in the order published. `text` is the term as written. */
export type Term =
  | { kind: 'directive'; text: string; qualifier: Qualifier; mechanism: Mechanism }
  | { kind: 'redirect'; text: string; domain: DomainSpec }
  | { kind: 'exp'; text: string; domain: DomainSpec }
  | { kind: 'unknown'; text: string; name: string }
  | { kind: 'invalid'; text: string; problem: string };

export type Directive = Extract<Term, { kind: 'directive' }>;

/** A record that starts with `v=spf1` (RFC 7208 §4.5), parsed whole before anything is judged (§4.6). */
export interface SpfRecord {
  text: string;
  terms: readonly Term[];
  /** The faults that make the record a permerror, term by term; empty when its syntax is right. */
  problems: readonly { term: string; problem: string }[];
  /** Whether it was read to its end; not so where it has too many terms or problems. */
  isWhole: boolean;
}

/** Whether a TXT record is an SPF record: exactly the version, then a space or the end; nothing before it. */
export const isSpfRecord = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/**
 * Whether a TXT record that receivers do not read as SPF was meant as such: quotes, blanks or what is not seen before the version or in it,
 * a foreign letter that looks like one of it, another character than a space after it, or none; or terms of SPF after `spf1` without
 * `v=`. `v=spf10` and `spf2.0` are versions of their own.
 */
export function looksLikeSpf(text: string): boolean {
  if (isSpfRecord(text)) return false;
  const bare = plainText(text.slice(0, LOOK_ALIKE_MAX).normalize('NFKC')).replace(/[\s"'`\\]/g, '');
  return /^v[=:]spf1?(?![\d.])/i.test(bare) || /^spf1(?![\d.]).*(?:[-~?+]all|include:|ip[46]:|redirect=)/i.test(bare);
}

/** How much of a record shows what it was meant to be. */
const LOOK_ALIKE_MAX = 100;

/** Modifiers that no standard has and that are named like a mechanism: `include=` for `include:`. They are ignored (RFC 7208 §6). */
export const misspeltMechanisms = ({ terms }: SpfRecord): string[] =>
  terms.flatMap((term) => (term.kind === 'unknown' && MECHANISMS.has(term.name.toLowerCase()) ? [term.text] : []));

const MECHANISMS: ReadonlySet<string> = new Set<Mechanism['name']>(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);

/** Problems of a record after which it is read no further: one is a permerror already. */
export const PROBLEMS_MAX = 100;

/** Parses a record, `termsMax` terms of it at most; that it has more is a problem of it (RFC 7208 §11.1). */
export function parseSpfRecord(text: string, termsMax: number): SpfRecord {
  const terms: Term[] = [];
  const problems: { term: string; problem: string }[] = [];
  const words = text.slice('v=spf1'.length).split(' ').filter(Boolean);
  for (const word of words.slice(0, termsMax)) {
    if (problems.length === PROBLEMS_MAX) break;
    const term = parseTerm(word);
    terms.push(term);
    if (term.kind === 'invalid') problems.push({ term: word, problem: term.problem });
  }
  const next = words[termsMax];
  if (next !== undefined && problems.length < PROBLEMS_MAX)
    problems.push({ term: next, problem: 'there are too many terms; this one and what follows is not read' });
  for (const kind of ['redirect', 'exp'] as const) {
    const repeated = terms.filter((term) => term.kind === kind)[1];
    if (repeated) problems.push({ term: repeated.text, problem: `"${kind}=" may appear only once (RFC 7208 §6)` });
  }
  return { text, terms, problems, isWhole: terms.length === words.length };
}

export const isMechanism = (term: Term, name: Mechanism['name']): term is Directive =>
  term.kind === 'directive' && term.mechanism.name === name;

/** The directives that are evaluated: what follows `all` never is (RFC 7208 §5.1). */
export function effectiveDirectives({ terms }: SpfRecord): Directive[] {
  const directives = terms.filter((term) => term.kind === 'directive');
  const all = directives.findIndex(({ mechanism }) => mechanism.name === 'all');
  return all === -1 ? directives : directives.slice(0, all + 1);
}

/** Where evaluation goes on when nothing matched: `redirect`, unless the record has an `all` (RFC 7208 §6.1). */
export function effectiveRedirect({ terms }: SpfRecord): DomainSpec | undefined {
  if (terms.some((term) => term.kind === 'directive' && term.mechanism.name === 'all')) return undefined;
  return terms.find((term) => term.kind === 'redirect')?.domain;
}

/** The domain-spec that a term names, if any. */
export function domainOf(term: Term): DomainSpec | undefined {
  if (term.kind === 'directive') return 'domain' in term.mechanism ? term.mechanism.domain : undefined;
  return 'domain' in term ? term.domain : undefined;
}

export const recordUsesMacro = ({ terms }: SpfRecord): boolean =>
  terms.some((term) => {
    const domain = domainOf(term);
    return domain !== undefined && usesMacro(domain);
  });

function parseTerm(text: string): Term {
  try {
    const modifier = /^([a-z][a-z0-9\-_.]*)=(.*)$/is.exec(text);
    return modifier ? parseModifier(text, modifier[1]!, modifier[2]!) : parseDirective(text);
  } catch (error) {
    if (error instanceof SpfSyntaxError) return { kind: 'invalid', text, problem: error.message };
    throw error;
  }
}

function parseModifier(text: string, name: string, value: string): Term {
  const kind = name.toLowerCase();
  if (kind === 'redirect' || kind === 'exp') return { kind, text, domain: parseDomainSpec(value) };
  parseMacroString(value); // an unknown modifier is ignored, but has to be well formed (§6)
  return { kind: 'unknown', text, name };
}

function parseDirective(text: string): Directive {
  const [, qualifier = '', name = '', rest = ''] = /^([+\-?~]?)([^:/]*)(.*)$/s.exec(text)!;
  return { kind: 'directive', text, qualifier: (qualifier || '+') as Qualifier, mechanism: parseMechanism(name.toLowerCase(), rest) };
}

function parseMechanism(name: string, rest: string): Mechanism {
  switch (name) {
    case 'all':
      if (rest !== '') throw new SpfSyntaxError('"all" takes no value');
      return { name };
    case 'include':
    case 'exists':
      return { name, domain: parseDomainSpec(afterColon(name, rest)) };
    case 'a':
    case 'mx':
      return { name, ...parseHostAndPrefixes(name, rest) };
    case 'ptr':
      return { name, domain: rest === '' ? undefined : parseDomainSpec(afterColon(name, rest)) };
    case 'ip4':
    case 'ip6':
      return { name, network: parseNetwork(name, afterColon(name, rest)) };
    default:
      throw new SpfSyntaxError(
        name === 'redirect' || name === 'exp'
          ? `"${name}" is a modifier; write "${name}=" (RFC 7208 §6)`
          : `${quotedTerm(name)} is not a mechanism of SPF${correction(name)}`,
      );
  }
}

/** `+include=a.test`: the qualifier makes it no modifier, and the sign no mechanism. */
function correction(name: string): string {
  const [meant = '', value] = name.split('=', 2);
  return value !== undefined && meant !== 'all' && MECHANISMS.has(meant) ? `; write "${meant}:" (RFC 7208 §5)` : '';
}

function afterColon(name: string, rest: string): string {
  if (!rest.startsWith(':')) throw new SpfSyntaxError(`"${name}" needs a colon and a value`);
  return rest.slice(1);
}

/** `[:domain-spec][/bits4][//bits6]`, RFC 7208 §5.3. */
function parseHostAndPrefixes(name: string, rest: string): { domain: DomainSpec | undefined; bits4: number; bits6: number } {
  const prefixes = /(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(rest)!;
  const host = rest.slice(0, prefixes.index);
  if (host.startsWith('/')) throw new SpfSyntaxError(`${quotedTerm(host)} is not a prefix length`);
  return {
    domain: host === '' ? undefined : parseDomainSpec(afterColon(name, host)),
    bits4: prefixLength(prefixes[1], 32),
    bits6: prefixLength(prefixes[2], 128),
  };
}

function parseNetwork(name: 'ip4' | 'ip6', value: string): Cidr {
  const [address = '', length, ...more] = value.split('/');
  const version = name === 'ip4' ? 4 : 6;
  const ip = parseIp(address);
  if (ip?.version !== version || more.length > 0)
    throw new SpfSyntaxError(`${quotedTerm(value)} is not an IPv${version} address or network`);
  return cidrOf(ip, prefixLength(length, version === 4 ? 32 : 128))!;
}

function prefixLength(digits: string | undefined, size: number): number {
  if (digits === undefined) return size;
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits) || Number(digits) > size)
    throw new SpfSyntaxError(`${quotedTerm(`/${digits}`)} is not a prefix length of 0–${size}`);
  return Number(digits);
}
