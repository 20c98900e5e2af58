import { createHash } from 'node:crypto';

/** Fields by their names; a list is a field for each, an empty one leaves out what stands there by itself. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface Attachment {
  content: string | Uint8Array;
  /** Application/octet-stream without. */
  type?: string;
  /** Without one the file has no name. */
  name?: string;
  disposition?: 'attachment' | 'inline' | '';
  /** Without its angle brackets. */
  contentId?: string;
  encoding?: Encoding;
  fields?: Fields;
}

type Encoding = 'base64' | 'quoted-printable' | '8bit' | '';

export interface Mail {
  /** Beside From, To, Subject, Date and Message-ID, which are there by themselves, or instead of them; in the order of the message, these first. */
  fields?: Fields;
  text?: string;
  html?: string;
  /** Parts that belong to the HTML: multipart/related. */
  related?: readonly Attachment[];
  /** A third alternative beside text and HTML. */
  calendar?: string;
  attach?: readonly Attachment[];
}

const USUAL: Fields = {
  From: 'Anna Example <anna@sender.test>',
  To: 'Ben Example <ben@receiver.test>',
  Subject: 'Minutes',
  Date: 'Tue, 17 Nov 2026 10:15:00 +0100',
  'Message-ID': '<1@sender.test>',
};

/** A message as a well-behaved program writes it: CRLF, texts as quoted-printable UTF-8, files as base64, encoded words where they are needed. */
export function mail({ fields = {}, text, html, related = [], calendar, attach = [] }: Mail = {}): Buffer {
  const bodies = [
    ...(text === undefined && (html !== undefined || calendar !== undefined) ? [] : [part('text/plain; charset=utf-8', text ?? '')]),
    ...(html === undefined ? [] : [withRelated(part('text/html; charset=utf-8', html), related)]),
    ...(calendar === undefined ? [] : [part('text/calendar; charset=utf-8; method=REQUEST', calendar)]),
  ];
  const body = bodies.length === 1 ? bodies[0]! : multipart('alternative', bodies);
  const whole = attach.length === 0 ? body : multipart('mixed', [body, ...attach.map(attachment)]);
  return message(fields, whole);
}

/** The fields of a message before a part that has its own: `message({ Subject: 'Signed' }, multipart('signed; micalg=…', …))`. */
export function message(fields: Fields, body: Buffer): Buffer {
  const usual = Object.fromEntries(Object.entries(USUAL).filter(([name]) => !hasField(fields, name)));
  return Buffer.concat([lines(header({ ...fields, ...usual, 'MIME-Version': '1.0' })), body]);
}

/** One part: its fields, an empty line, its content. */
export function part(type: string, content: string | Uint8Array, encoding: Encoding = 'quoted-printable', fields: Fields = {}): Buffer {
  const transfer: Fields = encoding === '' ? {} : { 'Content-Transfer-Encoding': encoding };
  return Buffer.concat([lines([...header({ 'Content-Type': type, ...transfer, ...fields }), '']), encoded(Buffer.from(content), encoding)]);
}

/** A part of parts, each with its own fields. `subtype` may have parameters: `signed; micalg=sha-256`. */
export function multipart(subtype: string, parts: readonly Uint8Array[], around: { preamble?: string; epilogue?: string } = {}): Buffer {
  const boundary = `=_${createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 24)}`;
  return Buffer.concat([
    lines([`Content-Type: multipart/${subtype}; boundary="${boundary}"`, '', ...(around.preamble === undefined ? [] : [around.preamble])]),
    ...parts.flatMap((each) => [lines([`--${boundary}`]), each, lines([''])]),
    lines([`--${boundary}--`]),
    Buffer.from(around.epilogue ?? ''),
  ]);
}

export function attachment({ content, type, name, disposition, contentId, encoding, fields }: Attachment): Buffer {
  const named = name === undefined ? '' : `; filename${parameter(name)}`;
  return part(type ?? 'application/octet-stream', content, encoding ?? 'base64', {
    ...(disposition === '' ? {} : { 'Content-Disposition': `${disposition ?? 'attachment'}${named}` }),
    ...(contentId === undefined ? {} : { 'Content-ID': `<${contentId}>` }),
    ...fields,
  });
}

/** Bytes as they stand: strings are UTF-8, nothing is added. */
export const raw = (...pieces: readonly (string | Uint8Array)[]): Buffer => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));

/** Each with CRLF behind it. */
export const lines = (each: readonly string[]): Buffer => Buffer.from(each.map((line) => `${line}\r\n`).join(''));

const withRelated = (html: Buffer, related: readonly Attachment[]): Buffer =>
  related.length === 0 ? html : multipart('related', [html, ...related.map((each) => attachment({ disposition: 'inline', ...each }))]);

const hasField = (fields: Fields, name: string): boolean => Object.keys(fields).some((key) => key.toLowerCase() === name.toLowerCase());

const header = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${encodedWords(value)}`));

/** What is not ASCII as encoded words (RFC 2047), each run of such words together. */
const encodedWords = (value: string): string =>
  value.replace(/[^\s<>",]*[^\0-\x7f][^\s<>",]*(?: [^\s<>",]*[^\0-\x7f][^\s<>",]*)*/g, (run) =>
    run
      .match(/.{1,14}/gsu)!
      .map((chunk) => `=?utf-8?B?${Buffer.from(chunk).toString('base64')}?=`)
      .join('\r\n '),
  );

/** Of RFC 2231 where it is not ASCII. */
const parameter = (name: string): string =>
  /^[ -~]*$/.test(name)
    ? `="${name.replaceAll(/["\\]/g, '\\$&')}"`
    : `*=utf-8''${encodeURIComponent(name).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;

function encoded(content: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'base64') return lines(content.toString('base64').match(/.{1,76}/g) ?? []);
  return encoding === 'quoted-printable' ? Buffer.from(quotedPrintable(content)) : content;
}

/** RFC 2045 §6.7, with soft breaks. */
function quotedPrintable(content: Buffer): string {
  const text = content
    .toString('latin1')
    .replaceAll(/[^\t\r\n -<>-~]|[ \t]+(?=\r?\n|$)/g, (chars) =>
      Buffer.from(chars, 'latin1').toString('hex').toUpperCase().replaceAll(/../g, '=$&'),
    );
  return text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/.{70,72}(?<!=|=.)(?=.)/g, '$&=\r\n'))
    .join('\r\n');
}
