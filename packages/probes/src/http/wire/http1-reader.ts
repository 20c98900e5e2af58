import { ProbeFailure } from '@vedette/contract';
import { type AnswerSink, HEAD_LIMITS, headerText, headerValues, headTooLarge, type HttpHead, protocolError } from './message.ts';

const LF = 0x0a;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/; // RFC 9110 §5.6.2
const STATUS_LINE = /^HTTP\/(1\.[01]) ([1-9]\d\d)(?: (.*))?$/s; // RFC 9112 §4; the space before an empty phrase is often missing
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/; // RFC 9112 §7.1
const CHUNK_LINE_MAX_BYTES = 4 * 1024;
/** Limit on all chunk lines together: extensions and one-byte chunks could otherwise outweigh any body limit. */
const CHUNKING_MAX_BYTES = 1024 * 1024;
const LENGTH = /^\d{1,15}$/;
/** The fields that say how long the body is. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const PRINTABLE = /^[\t\x20-\x7e]*$/;

type State = 'status' | 'fields' | 'fixed' | 'until_close' | 'chunk_size' | 'chunk_data' | 'chunk_end' | 'trailers' | 'done';

/**
 * Reads one answer, in whatever pieces it arrives (RFC 9112). Strict where two readings are possible (framing),
 * lenient where servers are merely sloppy (a bare LF as line end, obs-fold), and bounded everywhere.
 * Throws `ProbeFailure` http_protocol or too_large; after that, or once it is done, it must not be used.
 */
export class Http1Reader {
  readonly #sink: AnswerSink;
  readonly #bodiless: boolean;
  #state: State = 'status';
  /** The start of a line whose end has not come; joined once, so a line in single bytes stays linear. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #headBytes = 0;
  #chunkingBytes = 0;
  #lines = 0;
  #interim = 0;
  #head: HttpHead | undefined;
  /** Bytes of the body or the chunk that are still to come. */
  #remaining = 0;

  /** `bodiless`: no body follows the head, whatever that says of its length (RFC 9112 §6.3, HEAD). */
  constructor(sink: AnswerSink, { bodiless = false } = {}) {
    this.#sink = sink;
    this.#bodiless = bodiless;
  }

  /** Returns whether the answer is complete, or no more of it is wanted. */
  push(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length && this.#state !== 'done') {
      if (this.#state === 'fixed' || this.#state === 'chunk_data' || this.#state === 'until_close') at = this.#body(chunk, at);
      else {
        const end = chunk.indexOf(LF, at);
        const part = chunk.subarray(at, end < 0 ? chunk.length : end);
        this.#count(part.length + (end < 0 ? 0 : 1));
        if (end < 0) {
          this.#pending.push(part);
          this.#pendingBytes += part.length;
          break;
        }
        at = end + 1;
        this.#line(this.#takeLine(part));
      }
    }
    return this.#state === 'done';
  }

  /** The server closed its side. */
  end(): void {
    if (this.#state === 'done' || this.#state === 'until_close') return;
    throw protocolError(this.#head ? 'closed before the end of the body' : 'closed before the end of the head');
  }

  #count(bytes: number): void {
    if (this.#state === 'chunk_size' || this.#state === 'chunk_end') {
      if (this.#pendingBytes + bytes > CHUNK_LINE_MAX_BYTES) throw protocolError('a chunk line is too long');
      this.#chunkingBytes += bytes;
      if (this.#chunkingBytes > CHUNKING_MAX_BYTES) throw new ProbeFailure('too_large', 'more chunk lines than body');
      return;
    }
    this.#headBytes += bytes;
    if (this.#headBytes > HEAD_LIMITS.bytes) throw headTooLarge();
  }

  #takeLine(last: Uint8Array): string {
    const bytes = this.#pending.length === 0 ? last : Buffer.concat([...this.#pending, last]);
    this.#pending = [];
    this.#pendingBytes = 0;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  #line(line: string): void {
    if (this.#state === 'status') this.#statusLine(line);
    else if (this.#state === 'fields') this.#fieldLine(line);
    else if (this.#state === 'chunk_size') this.#chunkSize(line);
    else if (this.#state === 'chunk_end') {
      if (line !== '') throw protocolError('a chunk is longer than it says');
      this.#state = 'chunk_size';
    } else if (line === '') this.#state = 'done';
    else this.#countLine();
  }

  #statusLine(line: string): void {
    const match = STATUS_LINE.exec(line);
    if (!match) throw protocolError(line === '' ? 'no status line' : `not a status line: ${line.slice(0, 80)}`);
    this.#head = { version: `HTTP/${match[1]!}`, status: Number(match[2]), statusMessage: headerText(match[3] ?? ''), headers: [] };
    this.#state = 'fields';
  }

  #countLine(): void {
    if (++this.#lines > HEAD_LIMITS.lines) throw new ProbeFailure('too_large', `more than ${HEAD_LIMITS.lines} header lines`);
  }

  #fieldLine(line: string): void {
    const { headers } = this.#head!;
    if (line === '') return this.#endOfHead();
    this.#countLine();
    if (line.startsWith(' ') || line.startsWith('\t')) {
      const last = headers.at(-1);
      if (!last) throw protocolError('a continuation line without a header');
      if (FRAMING.has(last[0])) throw protocolError(`a folded ${last[0]}`);
      last[1] = `${last[1]} ${headerText(line)}`.trim(); // obs-fold, RFC 9112 §5.2
      return;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!TOKEN.test(name)) throw protocolError(`not a header line: ${line.slice(0, 80)}`);
    const value = line.slice(colon + 1);
    // Other readers may keep characters that `headerText` trims or turns into a space.
    if (FRAMING.has(name) && !PRINTABLE.test(value)) throw protocolError(`a ${name} that is not plain text`);
    headers.push([name, headerText(value)]);
  }

  #endOfHead(): void {
    const head = this.#head!;
    if (head.status === 101) throw protocolError('switched to a protocol that nobody asked for');
    if (head.status < 200) {
      if (++this.#interim > HEAD_LIMITS.interim) throw protocolError('too many interim answers');
      this.#state = 'status';
      return;
    }
    this.#state = this.#framing(head);
    this.#sink.head(head);
    if (this.#sink.enough?.(head)) this.#state = 'done';
  }

  /** How long the body is (RFC 9112 §6.3), refusing every form that two parties could read differently. */
  #framing(head: HttpHead): State {
    const codings = headerValues(head, 'transfer-encoding');
    const lengths = headerValues(head, 'content-length');
    if (codings.length > 0 && (head.version === 'HTTP/1.0' || lengths.length > 0))
      throw protocolError('Transfer-Encoding where it must not be');
    if (lengths.length > 1 || (lengths.length === 1 && !LENGTH.test(lengths[0]!)))
      throw protocolError('more or less than one Content-Length');
    if (codings.length > 0 && codings.join().toLowerCase() !== 'chunked') throw protocolError('an unknown Transfer-Encoding');
    if (this.#bodiless || head.status === 204 || head.status === 304) return 'done';
    if (codings.length > 0) return 'chunk_size';
    if (lengths.length === 0) return 'until_close';
    this.#remaining = Number(lengths[0]);
    return this.#remaining === 0 ? 'done' : 'fixed';
  }

  #chunkSize(line: string): void {
    const match = CHUNK_SIZE.exec(line);
    if (!match) throw protocolError('not a chunk size');
    this.#remaining = Number.parseInt(match[1]!, 16);
    this.#state = this.#remaining === 0 ? 'trailers' : 'chunk_data';
  }

  #body(chunk: Uint8Array, at: number): number {
    const end = this.#state === 'until_close' ? chunk.length : Math.min(chunk.length, at + this.#remaining);
    const wanted = this.#sink.body(chunk.subarray(at, end));
    this.#remaining -= end - at;
    if (!wanted) this.#state = 'done';
    else if (this.#state !== 'until_close' && this.#remaining === 0) this.#state = this.#state === 'fixed' ? 'done' : 'chunk_end';
    return end;
  }
}
