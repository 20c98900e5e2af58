import { ProbeFailure, shownUrl } from '@vedette/contract';

/** The fields of every request besides the host. Throws for a value that would end its line: the caller has not checked it. */
export function requestFields(userAgent: string, further: RequestFields = {}): RequestFields {
  const fields = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': 'en',
    'accept-encoding': 'gzip, deflate, br',
    ...further,
  };
  for (const [name, value] of Object.entries(fields))
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw new TypeError(`a value of ${name} that is not printable`);
  return fields;
}

/** Lower-case names and printable values. */
export type RequestFields = Readonly<Record<string, string>>;

/** The head of an answer, of whatever HTTP version. */
export interface HttpHead {
  /** `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`. */
  version: string;
  status: number;
  statusMessage: string;
  /** Lowercase names and clean values, in the order received. */
  headers: [name: string, value: string][];
}

/** The request. */
export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  /** Undefined: none, and no length of it is told. */
  body?: Buffer | undefined;
}

export const GET: HttpRequest = { method: 'GET' };

/** The receiver of an answer while it is read. */
export interface AnswerSink {
  /** Anything at all of the answer has arrived. May be called again; only the first counts. */
  firstByte(): void;
  head(head: HttpHead): void;
  /** Whether an answer with this head is over for us; without it none is. */
  enough?(head: HttpHead): boolean;
  /** False when the rest of the body is not wanted. */
  body(chunk: Uint8Array): boolean;
}

/** The most bytes of an answer's head, beyond which it is an attack (interim answers and trailers count too). */
export const HEAD_LIMITS = { bytes: 64 * 1024, lines: 200, interim: 8 } as const;

/** A header value as text without control characters: as UTF-8 where it is, else byte by byte (RFC 9110 §5.5). */
export function headerText(raw: string): string {
  if (/^[\t\x20-\x7e]*$/.test(raw)) return raw.trim();
  const bytes = Buffer.from(raw, 'latin1');
  const text = utf8.decode(bytes);
  // oxlint-disable-next-line no-control-regex -- removing them is the point
  return (text.includes('\ufffd') ? raw : text).replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, ' ').trim();
}
const utf8 = new TextDecoder();

/** The values of one field, in order. */
export const headerValues = (head: Pick<HttpHead, 'headers'>, name: string): string[] =>
  head.headers.flatMap(([key, value]) => (key === name ? [value] : []));

/** Fields by name as reports show them, every value kept on its own (Set-Cookie must never be joined, RFC 6265 §3); without a password in a redirect. */
export function headerLists(head: Pick<HttpHead, 'headers'>): Record<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, written] of head.headers) {
    const value = name === 'location' ? shownUrl(written) : written;
    const values = lists.get(name);
    if (values) values.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(lists);
}

/** The codings that the body was put through, in that order (RFC 9110 §8.4). */
export const contentCodings = (head: Pick<HttpHead, 'headers'>): string[] =>
  headerValues(head, 'content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

export const headTooLarge = (): ProbeFailure => new ProbeFailure('too_large', `headers of more than ${HEAD_LIMITS.bytes} bytes`);
export const protocolError = (seen: string): ProbeFailure => new ProbeFailure('http_protocol', seen);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const URL_MAX_CHARS = 8192;

/** Where a redirect leads, absolute, with the user name and password that it names; empty when it is not one or leads nowhere (RFC 9110 §10.2.2). */
export function redirectTarget(head: Pick<HttpHead, 'status' | 'headers'>, base: string): string {
  const location = REDIRECTS.has(head.status) ? headerValues(head, 'location')[0] : undefined;
  if (location === undefined || location.length > URL_MAX_CHARS || !URL.canParse(location, base)) return '';
  const { href } = new URL(location, base);
  return href.length > URL_MAX_CHARS ? '' : href;
}

/** The same as reports show it. */
export const shownRedirect = (head: HttpHead, base: string): string => shownUrl(redirectTarget(head, base));
