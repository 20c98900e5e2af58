import { type Token, tokensOf } from './tokens.ts';

/** The result of one method (RFC 8601 §2.2). */
export interface MethodResult {
  /** Its name in lower case, without its version. */
  method: string;
  /** Its result, in lower case. */
  result: string;
  /** `ptype.property` in lower case → value; `reason` and whatever else is said as name=value stand here too. */
  properties: ReadonlyMap<string, string>;
  /** The comments, one after another. */
  comment: string;
}

/** One Authentication-Results field, or one of its kin. */
export interface Results {
  /** The authserv-id in lower case; empty where it has none, as with Microsoft. */
  server: string;
  results: readonly MethodResult[];
}

/** A part between two semicolons. */
interface Segment {
  words: string[];
  pairs: [name: string, value: string][];
  comments: string[];
}

/** Reads Authentication-Results (RFC 8601 §2.2), as tolerantly as those who write it demand: without an authserv-id, with stray words, with spaces around `=`. */
export function readResults(raw: string): Results {
  return resultsOf(segmentsOf(tokensOf(raw)));
}

/** Reads ARC-Authentication-Results (RFC 8617 §4.1.1), which begins with the instance; 0 where it does not say which. */
export function readArcResults(raw: string): Results & { instance: number } {
  const [first, ...rest] = segmentsOf(tokensOf(raw));
  const instance = first?.pairs.find(([name]) => name === 'i')?.[1] ?? '';
  return { ...resultsOf(rest), instance: /^\d{1,3}$/.test(instance) ? Number(instance) : 0 };
}

/** Reads Received-SPF (RFC 7208 §9.1): the result is its first word. */
export function readReceivedSpf(raw: string): MethodResult {
  const segments = segmentsOf(tokensOf(raw));
  return {
    method: 'spf',
    result: (segments[0]?.words[0] ?? '').toLowerCase(),
    properties: new Map(segments.flatMap(({ pairs }) => pairs).toReversed()), // of several the first
    comment: segments.flatMap(({ comments }) => comments).join(' '),
  };
}

function resultsOf(segments: readonly Segment[]): Results {
  const results: MethodResult[] = [];
  for (const { pairs, comments } of segments) {
    const [first, ...rest] = pairs;
    if (first === undefined) continue;
    results.push({
      method: first[0].split('/', 1)[0]!,
      result: first[1].toLowerCase(),
      properties: new Map(rest.toReversed()),
      comment: comments.join(' '),
    });
  }
  const [head] = segments;
  return { server: head?.pairs.length === 0 ? (head.words[0] ?? '').toLowerCase() : '', results };
}

function segmentsOf(tokens: readonly Token[]): Segment[] {
  const segments: Segment[] = [newSegment()];
  /** A name whose value is still to come. */
  let name: string | undefined;
  for (const { kind, text } of tokens) {
    const segment = segments.at(-1)!;
    if (kind === 'semicolon') {
      segments.push(newSegment());
      name = undefined;
    } else if (kind === 'comment') segment.comments.push(text);
    else if (name !== undefined) {
      segment.pairs.push([name, text]);
      name = undefined;
    } else if (kind === 'quoted') segment.words.push(text);
    else name = addWord(segment, text);
  }
  return segments;
}

const newSegment = (): Segment => ({ words: [], pairs: [], comments: [] });

/** Adds `name=value`, or a word; returns the name where the value is the next token. */
function addWord(segment: Segment, word: string): string | undefined {
  const at = word.indexOf('=');
  if (at < 0) {
    segment.words.push(word);
    return undefined;
  }
  const name = (at === 0 ? takeName(segment.words) : word.slice(0, at)).toLowerCase();
  if (at === word.length - 1) return name;
  segment.pairs.push([name, word.slice(at + 1)]);
  return undefined;
}

/** Takes the name that the last words make, `policy . expired` or `dkim / 1` with white space and comments between. */
function takeName(words: string[]): string {
  let name = words.pop() ?? '';
  while (words.length > 0 && (/^[./]/.test(name) || /[./]$/.test(words.at(-1)!))) name = words.pop()! + name;
  return name;
}
