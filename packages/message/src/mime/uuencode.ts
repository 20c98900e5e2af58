/** A file that stands in a text: `begin 644 name`, lines, `end` (POSIX uuencode). */
export interface UuencodedFile {
  name: string;
  content: Buffer;
  /** Its range in the text: from the start of its first line to behind its last. */
  start: number;
  end: number;
}

const BEGIN = /begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/y;
const [LF, CR] = [10, 13];
/** The first character of a line says how many. */
const LINE_BYTES_MAX = 63;
const FILES_MAX = 100;
const NO_BYTES = Buffer.alloc(0);

/** The files in a text with one character for each byte, in their order; none where the lines behind a `begin` are not what they must be. Linear, never throws. */
export function uuencodedFiles(text: string): UuencodedFile[] {
  const files: UuencodedFile[] = [];
  for (let at = text.startsWith('begin ') ? 0 : lineWith(text, 0); at >= 0 && files.length < FILES_MAX;) {
    BEGIN.lastIndex = at;
    const name = BEGIN.exec(text)?.[1];
    const body = name === undefined ? undefined : decodeLines(text, BEGIN.lastIndex);
    if (name !== undefined && body && body.content.length > 0) files.push({ name: name.trim(), ...body, start: at });
    at = lineWith(text, Math.max(at + 1, (body?.end ?? 0) - 1));
  }
  return files;
}

/** Decodes a body of Content-Transfer-Encoding x-uuencode, with or without the lines `begin` and `end`. */
export function decodeUuencode(text: string): Buffer {
  const [file] = uuencodedFiles(text);
  return file ? file.content : decodeLines(text, 0).content;
}

const lineWith = (text: string, from: number): number => {
  const at = text.indexOf('\nbegin ', from);
  return at < 0 ? -1 : at + 1;
};

/** Reads lines as long as they are what they must be. */
function decodeLines(text: string, start: number): { content: Buffer; end: number } {
  // One buffer for all lines: a message has room for a million of them. It is allocated with the first line, as a message may have as many
  // `begin` lines.
  let bytes = NO_BYTES;
  let size = 0;
  let at = start;
  while (at < text.length) {
    if (text.charCodeAt(at) === LF) {
      at++;
      continue;
    }
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const line = lineAt(text, at, feed < 0 ? next : feed);
    const length = (line.charCodeAt(0) - 32) & 63;
    if (line === 'end' || line === 'end--') return { content: bytes.subarray(0, size), end: next };
    if (line === '' || line === '`') {
      at = next;
      continue;
    }
    if (!/^[ -`]+$/.test(line) || line.length < Math.ceil(length / 3) * 4 - 2) break;
    if (size + LINE_BYTES_MAX > bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length + LINE_BYTES_MAX);
    decodeLine(line, bytes.subarray(size, size + length));
    size += length;
    at = next;
  }
  return { content: bytes.subarray(0, size), end: at };
}

/** No line has more: a length of 63, its 84 characters, and what some append. */
function lineAt(text: string, start: number, feed: number): string {
  let end = feed;
  while (end > start && text.charCodeAt(end - 1) === CR) end--;
  return text.slice(start, Math.min(end, start + 100));
}

/** Fills the bytes. The last spaces may have got lost on the way: they are zeros. */
function decodeLine(line: string, bytes: Buffer): void {
  const length = bytes.length;
  for (let to = 0, from = 1; to < length; from += 4) {
    const [a, b, c, d] = [valueAt(line, from), valueAt(line, from + 1), valueAt(line, from + 2), valueAt(line, from + 3)];
    bytes[to++] = (a << 2) | (b >> 4);
    if (to < length) bytes[to++] = (b << 4) | (c >> 2);
    if (to < length) bytes[to++] = (c << 6) | d;
  }
}

const valueAt = (line: string, at: number): number => (at < line.length ? (line.charCodeAt(at) - 32) & 63 : 0);
