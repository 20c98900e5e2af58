import { decodeText } from './charset.ts';
import type { HeaderField } from './fields.ts';
import { parseParameters } from './parameters.ts';
import { decodeTransfer } from './transfer.ts';
import { decodeWords, unfolded } from './words.ts';

/** One entity of MIME (RFC 2045 §2.4): the message itself, what it is made of, a message within it. */
export interface Part {
  readonly fields: readonly HeaderField[];
  /** Of Content-Type, in lower case: what it is read as. `text/plain` where it says nothing that can be understood. */
  readonly type: string;
  /** Of Content-Type, decoded, by their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: '' | 'inline' | 'attachment';
  /** Of Content-Disposition, else of Content-Type; decoded. */
  readonly filename: string;
  /** Without its angle brackets. */
  readonly contentId: string;
  readonly contentLocation: string;
  /** Content-Transfer-Encoding, in lower case; empty where it does not say. */
  readonly encoding: string;
  /** How many parts it is in. */
  readonly depth: number;
  /** What a multipart is made of. */
  readonly parts: readonly Part[];
  /** The message that a message/rfc822 holds. */
  readonly message: Part | undefined;
  /** Bytes of `content()`. */
  readonly size: number;
  /** Decoded; of a multipart everything behind its header, of a message/rfc822 the whole message. */
  content(): Buffer;
  /** The content as text: by the charset that it declares, else by its byte order mark, an HTML's `meta`, UTF-8 where it is that, windows-1252. */
  text(): string;
}

/** Where the content of a part stands in the text of the message. */
interface Place {
  text: string;
  start: number;
  end: number;
}

export class MimePart implements Part {
  readonly fields: readonly HeaderField[];
  type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: '' | 'inline' | 'attachment';
  readonly filename: string;
  readonly contentId: string;
  readonly contentLocation: string;
  readonly encoding: string;
  readonly depth: number;
  readonly parts: MimePart[] = [];
  message: MimePart | undefined;
  readonly #place: Place;
  #content: Buffer | undefined;

  constructor(fields: readonly HeaderField[], depth: number, place: Place, usualType: string) {
    this.fields = fields;
    this.depth = depth;
    this.#place = place;
    const type = parseParameters(rawField(fields, 'content-type'));
    const disposition = parseParameters(rawField(fields, 'content-disposition'));
    this.type = /^[^/]+\/[^/]+$/.test(type.value) ? type.value : usualType;
    this.parameters = type.parameters;
    this.disposition = dispositionOf(disposition.value);
    this.filename = disposition.parameters.get('filename') || type.parameters.get('name') || '';
    this.contentId = bare(rawField(fields, 'content-id'));
    this.contentLocation = decodeWords(rawField(fields, 'content-location')).replaceAll(/\s+/g, '');
    this.encoding = /[a-z0-9-]+/i.exec(rawField(fields, 'content-transfer-encoding'))?.[0].toLowerCase() ?? '';
  }

  get size(): number {
    return this.content().length;
  }

  /** The part ends here. A multipart in which no part begins is text, as with Python. */
  endAt(end: number, isOpened: boolean): void {
    if (isOpened && this.parts.length === 0 && this.type.startsWith('multipart/')) this.type = 'text/plain';
    this.#place.end = Math.max(this.#place.start, end);
  }

  content(): Buffer {
    const { text, start, end } = this.#place;
    const encoding = this.parts.length > 0 ? '' : this.encoding;
    return (this.#content ??= decodeTransfer(text.slice(start, end), encoding));
  }

  text(): string {
    return decodeText(this.content(), this.parameters.get('charset'));
  }
}

/** RFC 2183 §2.8: what nobody knows is an attachment. */
function dispositionOf(value: string): Part['disposition'] {
  if (value === '' || value === 'inline') return value;
  return 'attachment';
}

const bare = (raw: string): string => decodeWords(raw).replaceAll(/^<|>$/g, '').trim();

const rawField = (fields: readonly HeaderField[], key: string): string => fields.find((field) => field.key === key)?.raw ?? '';

/** The first field of that name (in lower case) on one line, decoded; empty without one. */
export function firstField(part: Part, key: string): string {
  return decodeWords(rawField(part.fields, key), part.parameters.get('charset'));
}

/** All of them, in their order, decoded. */
export const allFields = (part: Part, key: string): string[] =>
  part.fields.filter((field) => field.key === key).map(({ raw }) => decodeWords(raw, part.parameters.get('charset')));

/** All of them, in their order, each on one line, one character for each byte. */
export const rawFields = (part: Part, key: string): string[] =>
  part.fields.filter((field) => field.key === key).map(({ raw }) => unfolded(raw));
