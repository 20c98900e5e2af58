import { type AddressList, parseAddresses } from './addresses.ts';
import { charsetOfHtml, charsetOfMark, decodeText } from './charset.ts';
import type { HeaderField } from './fields.ts';
import { parseParameters } from './parameters.ts';
import { decodeTransfer } from './transfer.ts';
import { decodeWords, unfolded } from './words.ts';

/** One entity of MIME (RFC 2045 §2.4): the message itself, what it is made of, a message within it. */
export interface Part {
  readonly fields: readonly HeaderField[];
  /** The media type that it is read as, in lower case. `text/plain` for an invalid Content-Type, and for a multipart in which no part begins. */
  readonly type: string;
  /** The parameters of Content-Type, decoded, by their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: '' | 'inline' | 'attachment';
  /** The `filename` of Content-Disposition, else the `name` of Content-Type; decoded. */
  readonly filename: string;
  /** Content-ID without its angle brackets. */
  readonly contentId: string;
  readonly contentLocation: string;
  /** Content-Transfer-Encoding, in lower case; empty where it does not say. */
  readonly encoding: string;
  /** How many parts it is in. */
  readonly depth: number;
  /** The parts of a multipart; the signed entity of an S/MIME part; a text and the uuencoded files in it. */
  readonly parts: readonly Part[];
  /** The message that a message/rfc822 holds. */
  readonly message: Part | undefined;
  /** Bytes of `content()`. */
  readonly size: number;
  /** Decoded; of a multipart everything behind its header, of a message/rfc822 the whole message. */
  content(): Buffer;
  /** The content as text: by its byte order mark, the charset that it declares, an HTML's `meta`, UTF-8 where it is that, windows-1252. */
  text(): string;
}

/** Where the content of a part stands in a text with one character for each byte. */
export interface Span {
  text: string;
  start: number;
  end: number;
}

/** A part by its own fields. */
export class MimePart implements Part {
  readonly fields: readonly HeaderField[];
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: '' | 'inline' | 'attachment';
  readonly filename: string;
  readonly contentId: string;
  readonly contentLocation: string;
  readonly encoding: string;
  readonly depth: number;
  readonly span: Span;
  type: string;
  parts: MimePart[] = [];
  message: MimePart | undefined;
  #content: Buffer | undefined;

  /** `usualType`: what it is where it does not say. */
  constructor(fields: readonly HeaderField[], depth: number, span: Span, usualType: string) {
    const type = parseParameters(rawField(fields, 'content-type'));
    const disposition = parseParameters(rawField(fields, 'content-disposition'));
    this.fields = fields;
    this.depth = depth;
    this.span = span;
    this.type = /^[^/]+\/[^/]+$/.test(type.value) ? type.value : usualType;
    this.parameters = type.parameters;
    this.disposition = dispositionOf(disposition.value);
    this.filename = disposition.parameters.get('filename') || type.parameters.get('name') || '';
    this.contentId = withoutBrackets(decodeWords(rawField(fields, 'content-id')));
    this.contentLocation = decodeWords(rawField(fields, 'content-location')).replaceAll(/\s/g, '');
    this.encoding = /[a-z0-9-]+/i.exec(rawField(fields, 'content-transfer-encoding'))?.[0].toLowerCase() ?? '';
  }

  get size(): number {
    return this.content().length;
  }

  content(): Buffer {
    const { text, start, end } = this.span;
    return (this.#content ??= decodeTransfer(text.slice(start, end), isMultipart(this) ? '' : this.encoding));
  }

  text(): string {
    const bytes = this.content();
    const declared = charsetOfMark(bytes) ?? this.parameters.get('charset');
    const label = declared ?? (this.type === 'text/html' ? charsetOfHtml(bytes) : undefined);
    return decodeText(bytes, label).replace(/^\ufeff/, '');
  }
}

export const isMultipart = ({ type }: Part): boolean => type.startsWith('multipart/');

/** RFC 2183 §2.8: an unknown disposition is an attachment. */
function dispositionOf(value: string): Part['disposition'] {
  if (value === '' || value === 'inline') return value;
  return 'attachment';
}

const withoutBrackets = (text: string): string => text.replace(/^</, '').replace(/>$/, '').trim();

const rawField = (fields: readonly HeaderField[], key: string): string => fields.find((field) => field.key === key)?.raw ?? '';

/** The charset of bytes that no field may have: what the text of the message declares. */
function charsetOf(part: Part): string {
  for (let at: Part | undefined = part; at; at = at.parts[0]) {
    const charset = at.parameters.get('charset');
    if (charset !== undefined) return charset;
  }
  return '';
}

/** The first field of that name (in lower case) on one line, decoded; empty without one. */
export const firstField = (part: Part, key: string): string => decodeWords(rawField(part.fields, key), charsetOf(part));

/** The mailboxes of the first field of that name. */
export const firstAddresses = (part: Part, key: string): AddressList => parseAddresses(rawField(part.fields, key), charsetOf(part));

/** The mailboxes of each field of that name, of at most `max` fields. */
export const allAddresses = (part: Part, key: string, max: number): AddressList[] =>
  part.fields
    .filter((field) => field.key === key)
    .slice(0, max)
    .map(({ raw }) => parseAddresses(raw, charsetOf(part)));

/** All of them, in their order, decoded. */
export const allFields = (part: Part, key: string): string[] =>
  part.fields.filter((field) => field.key === key).map(({ raw }) => decodeWords(raw, charsetOf(part)));

/** All of them, in their order, each on one line, one character for each byte. */
export const rawFields = (part: Part, key: string): string[] =>
  part.fields.filter((field) => field.key === key).map(({ raw }) => unfolded(raw));
