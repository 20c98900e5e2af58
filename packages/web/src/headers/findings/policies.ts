import type { AnswerFields } from '../evidence.ts';
import { valuesOf } from '../evidence.ts';

/** One policy, by directive. */
export interface Policy {
  /** `enforce` blocks, `report` only tells. */
  disposition: 'enforce' | 'report';
  source: 'header' | 'meta';
  /** The first of a name counts (CSP Level 3 §2.2.1). Keywords and schemes are in lower case. */
  directives: ReadonlyMap<string, readonly string[]>;
  /** Names that stand more than once. */
  repeated: readonly string[];
}

const POLICY_MAX_CHARS = 64 * 1024;
const POLICIES_MAX = 20;
const DIRECTIVES_MAX = 100;

/** Reads all policies of an answer and its page. `isWhole`: none has a part that was left out for its length. */
export function readPolicies(fields: AnswerFields, metas: readonly string[]): { policies: Policy[]; isWhole: boolean } {
  const inFields = (name: string): string[] => valuesOf(fields, name).flatMap((value) => value.split(','));
  const of = (texts: readonly string[], disposition: Policy['disposition'], source: Policy['source']) =>
    texts.filter((text) => /[^\s;]/.test(text)).map((text) => ({ text, disposition, source }));
  const written = [
    ...of(inFields('content-security-policy'), 'enforce', 'header'),
    ...of(metas, 'enforce', 'meta'),
    ...of(inFields('content-security-policy-report-only'), 'report', 'header'),
  ];
  const first = written.slice(0, POLICIES_MAX);
  return {
    policies: first.map(({ text, disposition, source }) => readPolicy(text.slice(0, POLICY_MAX_CHARS), disposition, source)),
    isWhole: written.length <= POLICIES_MAX && first.every(isShort),
  };
}

const isShort = ({ text }: { text: string }): boolean => text.length <= POLICY_MAX_CHARS && text.split(';').length <= DIRECTIVES_MAX;

function readPolicy(text: string, disposition: Policy['disposition'], source: Policy['source']): Policy {
  const directives = new Map<string, readonly string[]>();
  const repeated: string[] = [];
  for (const part of text.split(';').slice(0, DIRECTIVES_MAX)) {
    const [written = '', ...values] = part.trim().split(/\s+/);
    const name = written.toLowerCase();
    if (name === '') continue;
    if (directives.has(name)) repeated.push(name);
    else directives.set(name, [...new Set(values.map(normal))]);
  }
  return { disposition, source, directives, repeated };
}

/** Nonces and digests keep their case. */
const normal = (value: string): string => (/^'(?:nonce|sha\d{3})-/i.test(value) ? value : value.toLowerCase());

/** The sources that hold for a directive, by what it falls back to; undefined where anything goes. */
export function sourcesOf({ directives }: Policy, name: 'script-src' | 'script-src-elem' | 'object-src'): readonly string[] | undefined {
  const elements = name === 'script-src-elem' ? (directives.get(name) ?? directives.get('script-src')) : directives.get(name);
  return elements ?? directives.get('default-src');
}

const NONCE = /^'nonce-[A-Za-z0-9+/_-]+={0,2}'$/i;
const HASH = /^'(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})'$/i;
const HASH_BYTES: Readonly<Record<string, number>> = { sha256: 32, sha384: 48, sha512: 64 };

export const isNonce = (source: string): boolean => NONCE.test(source);
/** Whether it is a digest of the right length. */
export function isHash(source: string): boolean {
  const [, kind, digest] = HASH.exec(source) ?? [];
  return kind !== undefined && Buffer.from(digest!, 'base64').length === HASH_BYTES[kind.toLowerCase()];
}
/** Whether browsers ignore `'unsafe-inline'`: for that a digest need not be of the right length (CSP Level 3 §6.7.3.2). */
export const hasNonceOrHash = (sources: readonly string[]): boolean => sources.some((source) => isNonce(source) || HASH.test(source));
