import { type Subject, type SubjectKind, understand } from './understand.ts';

export type IndicatorKind = Extract<SubjectKind, 'url' | 'address' | 'email' | 'asn' | 'phone' | 'host'> | 'md5' | 'sha1' | 'sha256';

/** Something in a report that one can ask about, or look for elsewhere. */
export interface Indicator {
  kind: IndicatorKind;
  value: string;
}

/** The indicator as operations take it; undefined for hashes of files, which no operation takes. */
export const subjectOf = ({ kind, value }: Indicator): Subject | undefined =>
  kind === 'md5' || kind === 'sha1' || kind === 'sha256' ? undefined : { kind, value };

/** Longer texts are not read as indicators: no operation takes them. */
const MAX_CHARS = 2048;
const HASHES: Readonly<Record<number, IndicatorKind>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

/** Fields with values that only look like indicators: versions, serial numbers, fingerprints of keys, ids of messages, names of fields. */
const OTHER =
  /version|serial|fingerprint|spki|key|cert|token|(?:content|message|request)_id|email_hash|^mac$|macro|username|data_missing|not_checked|^unknown$|^tlds?$|suffix/;
/** Ends of file names. None of them is a top-level domain. */
const FILES =
  /\.(?:avif|bat|bin|bmp|cfg|conf|css|csv|dll|docx?|dotx?|eml|exe|gif|gz|html?|ico|ics|iso|jar|jpe?g|jsp?|json|lnk|log|mjs|msi|msg|ods|odt|pdf|php|png|pptx?|ps1|rar|rtf|svg|tar|tiff?|txt|vbs|wasm|webp|woff2?|xhtml|xlsx?|xml|ya?ml)$/i;

/** Reads a plain value of a report as an indicator, by its shape and the name of its field. */
export function indicatorOf(name: string, value: unknown): Indicator | undefined {
  if (typeof value === 'number') return /^asn$|_asn$/.test(name) && value > 0 ? { kind: 'asn', value: `AS${value}` } : undefined;
  if (typeof value !== 'string' || value.length < 4 || value.length > MAX_CHARS || OTHER.test(name)) return undefined;
  const hash = HASHES[value.length];
  if (hash !== undefined && /^[\da-f]+$/i.test(value)) return { kind: hash, value: value.toLowerCase() };
  const subject = understand(value);
  if (subject === undefined) return undefined;
  const { kind, value: text } = subject;
  switch (kind) {
    case 'url':
      // `Server: Node.js/20` has the shape of a URL without a scheme.
      return /^h(?:tt|xx)ps?:/i.test(value.trim()) && URL.canParse(text) ? { kind, value: text } : undefined;
    case 'phone':
      return text.startsWith('+') || name.includes('phone') ? { kind, value: text } : undefined;
    case 'host':
      return FILES.test(text) ? undefined : { kind, value: text.replace(/\.$/, '').toLowerCase() };
    case 'email':
      return understand(text.slice(text.indexOf('@') + 1))?.kind === 'host' && !/[<>"'()[\],;\\]/.test(text)
        ? { kind, value: text }
        : undefined;
    case 'address':
    case 'asn':
      return { kind, value: text };
    default:
      return undefined;
  }
}

/** Bigger reports are read in part. */
const MAX_INDICATORS = 2000;

/** The indicators that are values of a report, each once, in the order in which they stand in it. */
export const indicatorsIn = (report: unknown): Indicator[] => found(report, (name, value) => [indicatorOf(name, value)]);

/** The same with those that its sentences and records name. */
export const mentionsIn = (report: unknown): Indicator[] =>
  found(report, (name, value) =>
    typeof value === 'string' ? piecesOf(name, value).map(({ indicator }) => indicator) : [indicatorOf(name, value)],
  );

function found(report: unknown, indicatorsOf: (name: string, value: unknown) => (Indicator | undefined)[]): Indicator[] {
  const all = new Map<string, Indicator>();
  const read = (name: string, value: unknown): void => {
    if (all.size >= MAX_INDICATORS) return;
    if (Array.isArray(value)) return value.forEach((one) => read(name, one));
    if (typeof value === 'object' && value !== null) return Object.entries(value).forEach(([member, one]) => read(member, one));
    for (const indicator of indicatorsOf(name, value))
      if (indicator !== undefined) all.set(`${indicator.kind} ${indicator.value}`, indicator);
  };
  read('', report);
  return [...all.values()].slice(0, MAX_INDICATORS);
}

/** A piece of a text: an indicator, or what stands between two. */
export interface Piece {
  text: string;
  indicator?: Indicator;
}

/** Words of a longer text; marks of quotation and lists end them. */
const WORDS = /[^\s,;"'`<>()[\]{}|]{4,}/g;
/** Beginnings of terms in records: `include:`, `ip4:`, `rua=mailto:`. */
const MECHANISM = /^[+?~-]?(?:[a-z0-9]+=)?(?:include|ip4|ip6|exists|mailto|redirect|ptr|a|mx)[:=]/i;
const MAX_PIECES = 60;

/** A host in running text: a sentence that lacks a space after its full stop is not one. */
const isWord = ({ kind }: Indicator, word: string): boolean => kind !== 'host' || word === word.toLowerCase();

/** A text in pieces: as a whole one indicator, or a sentence or record that names some. The pieces together are the text. */
export function piecesOf(name: string, text: string): Piece[] {
  const whole = indicatorOf(name, text);
  if (whole !== undefined) return [{ text, indicator: whole }];
  const pieces: Piece[] = [];
  if (text.length > MAX_CHARS || OTHER.test(name)) return [{ text }];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(WORDS)) {
    const [mechanism = ''] = MECHANISM.exec(found) ?? [];
    const word = found.slice(mechanism.length).replace(/[.:!?]+$/, '');
    const indicator = indicatorOf('', word);
    if (indicator === undefined || !isWord(indicator, word)) continue;
    const start = index + mechanism.length;
    if (start > at) pieces.push({ text: text.slice(at, start) });
    pieces.push({ text: word, indicator });
    at = start + word.length;
    if (pieces.length >= MAX_PIECES) break;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
