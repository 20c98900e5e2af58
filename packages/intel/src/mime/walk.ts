import type { EmlLimit } from '@vedette/contract';
import { readHeader } from './fields.ts';
import { DEPTH_MAX, FIELDS_TOTAL_MAX, NESTED_MESSAGES_MAX, PARTS_MAX } from './limits.ts';
import { MimePart, type Part } from './part.ts';

export interface Mime {
  root: Part;
  /** What the message has more of than is read. */
  limits: Set<EmlLimit>;
}

/** Reads a message (RFC 5322, MIME), whatever the bytes are. Linear in their number; contents are decoded when they are asked for. Never throws. */
export function readMime(bytes: Uint8Array): Mime {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  // Where there is not one line feed, lines end as they did on old Macs.
  const walker = new Walker(text.includes('\n') ? text : text.replaceAll('\r', '\n'));
  return { root: walker.walk(), limits: walker.limits };
}

/** A part that is being read. */
interface Open {
  part: MimePart;
  /** Of a multipart; empty of a message/rfc822, and of a multipart that has been closed. */
  boundary: string;
  /** What stood for that boundary before: a multipart within may have the same. */
  hidden: number | undefined;
  /** How many messages it is in, the outermost not counted. */
  messages: number;
}

interface Delimiter {
  start: number;
  next: number;
  level: number;
  closes: boolean;
}

const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/news']);
const IDENTITY = new Set(['', '7bit', '8bit', 'binary']);
const CR = 13;

class Walker {
  readonly limits = new Set<EmlLimit>();
  readonly #text: string;
  readonly #open: Open[] = [];
  /** Boundary → its level in `#open`. */
  readonly #levels = new Map<string, number>();
  #parts = 0;
  #fields = 0;

  constructor(text: string) {
    this.#text = text;
  }

  walk(): Part {
    let at = 0;
    const root = this.#entity(at, 'text/plain');
    at = root.body;
    for (;;) {
      const delimiter = this.#delimiter(at);
      if (!delimiter) break;
      this.#end(delimiter.level + 1, delimiter.start);
      const { part } = this.#open[delimiter.level]!;
      at = delimiter.next;
      if (delimiter.closes) this.#closeBoundary(delimiter.level);
      else if (this.#parts >= PARTS_MAX) {
        this.limits.add('parts');
        break;
      } else {
        const child = this.#entity(at, part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain');
        part.parts.push(child.part);
        at = child.body;
      }
    }
    this.#end(0, this.#text.length);
    return root.part;
  }

  /** Reads the header of a part, and of the message that it holds, and so on. */
  #entity(start: number, usualType: string): { part: MimePart; body: number } {
    const outer = this.#header(start, usualType);
    let { part, body } = outer;
    while (MESSAGES.has(part.type) && IDENTITY.has(part.encoding)) {
      const messages = this.#open.at(-1)!.messages + 1;
      if (messages > NESTED_MESSAGES_MAX || this.#parts >= PARTS_MAX) {
        this.limits.add(this.#parts >= PARTS_MAX ? 'parts' : 'depth');
        break;
      }
      const inner = this.#header(body, 'text/plain', messages);
      part.message = inner.part;
      ({ part, body } = inner);
    }
    return { part: outer.part, body };
  }

  #header(start: number, usualType: string, messages = this.#open.at(-1)?.messages ?? 0): { part: MimePart; body: number } {
    const { fields, end, cut } = readHeader(this.#text, start, FIELDS_TOTAL_MAX - this.#fields, (from, to) => this.#levelOf(from, to) >= 0);
    if (cut) this.limits.add('header_fields');
    this.#fields += fields.length;
    this.#parts++;
    const depth = this.#open.length;
    const part = new MimePart(fields, depth, { text: this.#text, start: end, end: this.#text.length }, usualType);
    const boundary = part.type.startsWith('multipart/') ? (part.parameters.get('boundary') ?? '').trimEnd() : '';
    if (boundary !== '' && depth >= DEPTH_MAX) this.limits.add('depth');
    const opened = depth < DEPTH_MAX ? boundary : '';
    this.#open.push({ part, boundary: opened, hidden: this.#levels.get(opened), messages });
    if (opened !== '') this.#levels.set(opened, depth);
    return { part, body: end };
  }

  /** All from a level on end where a delimiter of it stands, or the message does. */
  #end(level: number, end: number): void {
    while (this.#open.length > level) {
      const level = this.#open.length - 1;
      this.#closeBoundary(level);
      this.#open.pop()!.part.endAt(end, level < DEPTH_MAX);
    }
  }

  #closeBoundary(level: number): void {
    const open = this.#open[level]!;
    if (open.boundary === '') return;
    if (open.hidden === undefined) this.#levels.delete(open.boundary);
    else this.#levels.set(open.boundary, open.hidden);
    open.boundary = '';
  }

  /** The next line that is a delimiter (RFC 2046 §5.1.1) of an open multipart. The end of line before it belongs to it. */
  #delimiter(from: number): Delimiter | undefined {
    if (this.#levels.size === 0) return undefined;
    for (let at = this.#text.indexOf('\n--', Math.max(0, from - 1)); at >= 0; at = this.#text.indexOf('\n--', at + 1)) {
      const feed = this.#text.indexOf('\n', at + 1);
      const to = feed < 0 ? this.#text.length : feed;
      const level = this.#levelOf(at + 1, to);
      if (level < 0) continue;
      const start = this.#text.charCodeAt(at - 1) === CR ? at - 1 : at;
      return { start, next: feed < 0 ? to : feed + 1, level, closes: this.#closes(at + 1, to) };
    }
    return undefined;
  }

  #lineOf(start: number, end: number): string {
    return this.#text.slice(start + 2, end).trimEnd();
  }

  /** Of the open multipart whose delimiter stands there; -1 without one. */
  #levelOf(start: number, end: number): number {
    if (!this.#text.startsWith('--', start)) return -1;
    const line = this.#lineOf(start, end);
    const level = this.#levels.get(line);
    if (level !== undefined) return level;
    return line.endsWith('--') ? (this.#levels.get(line.slice(0, -2)) ?? -1) : -1;
  }

  #closes(start: number, end: number): boolean {
    const line = this.#lineOf(start, end);
    return !this.#levels.has(line);
  }
}
