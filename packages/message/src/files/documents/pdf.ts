import { createCipheriv, hash } from 'node:crypto';
import { md5, rc4 } from './old-ciphers.ts';

const KEYWORD = Buffer.from('/Encrypt');
/** Trailers are looked for around so many mentions of the key, and so far. */
const MENTIONS_MAX = 16;
const TRAILER_MAX_BYTES = 16 * 1024;
const DICTIONARY_MAX_BYTES = 8 * 1024;

/**
 * Whether a PDF asks for a password where it is opened (ISO 32000-2 §7.6). A PDF that is encrypted with the empty user password, to enforce
 * its author's restrictions (such as no printing), opens without a prompt and does not count.
 */
export function isPdfSealed(bytes: Uint8Array): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = data.length;
  for (let tried = 0; tried < MENTIONS_MAX && from > 0; tried++) {
    const at = data.lastIndexOf(KEYWORD, from - 1);
    if (at === -1) return false;
    from = at;
    const trailer = trailerAround(data, at);
    const dictionary = trailer === undefined ? undefined : encryption(data, data.toString('latin1', at, at + DICTIONARY_MAX_BYTES));
    if (trailer !== undefined && dictionary !== undefined)
      return !opensWithoutPassword(dictionary, stringOf(/\/ID\s*\[\s*/.exec(trailer), trailer));
  }
  return false;
}

/** The trailer, or the dictionary of a cross-reference stream, that an offset is in; undefined where it is in neither, such as in text about PDF. */
function trailerAround(data: Buffer, at: number): string | undefined {
  const before = data.toString('latin1', Math.max(0, at - TRAILER_MAX_BYTES), at);
  const behind = data.toString('latin1', at, at + TRAILER_MAX_BYTES);
  const start = Math.max(before.lastIndexOf('trailer'), before.lastIndexOf(' obj'));
  const end = behind.search(/stream|endobj|startxref/);
  const trailer = before.slice(Math.max(0, start)) + behind.slice(0, end === -1 ? undefined : end);
  return start !== -1 && (trailer.startsWith('trailer') || /\/XRef\b/.test(trailer)) ? trailer : undefined;
}

/** The dictionary of encryption: behind its key, or the object that the key refers to. */
function encryption(data: Buffer, fromKey: string): string | undefined {
  const reference = /^\/Encrypt\s{1,8}(\d{1,10})\s{1,8}(\d{1,5})\s{1,8}R/.exec(fromKey);
  if (!reference) return /^\/Encrypt\s{0,8}<</.test(fromKey) ? fromKey.slice(KEYWORD.length) : undefined;
  const head = `${reference[1]} ${reference[2]} obj`;
  let from = data.length;
  for (let tried = 0; tried < MENTIONS_MAX && from > 0; tried++) {
    const at = data.lastIndexOf(head, from - 1, 'latin1');
    if (at === -1) break;
    from = at;
    // `12 0 obj` must not match the end of `112 0 obj`.
    if (at > 0 && /\d/.test(String.fromCharCode(data[at - 1]!))) continue;
    const text = data.toString('latin1', at + head.length, at + head.length + DICTIONARY_MAX_BYTES);
    const end = text.indexOf('endobj');
    return end === -1 ? text : text.slice(0, end);
  }
  // It says that it is encrypted, whatever with.
  return '';
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Whether the empty user password is the right one (algorithms 6 and 11). */
function opensWithoutPassword(dictionary: string, id: Buffer): boolean {
  if (!/\/Filter\s{0,8}\/Standard\b/.test(dictionary)) return false;
  const revision = numberOf(dictionary, 'R');
  const [owner, user] = [stringOf(/\/O\s*(?=[(<])/.exec(dictionary), dictionary), stringOf(/\/U\s*(?=[(<])/.exec(dictionary), dictionary)];
  if (revision === 5) return user.length >= 40 && hash('sha256', user.subarray(32, 40), 'buffer').equals(user.subarray(0, 32));
  if (revision === 6) return user.length >= 40 && hash6(user.subarray(32, 40)).equals(user.subarray(0, 32));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(numberOf(dictionary, 'P') | 0);
  const plainMetadata = revision >= 4 && /\/EncryptMetadata\s{1,8}false/.test(dictionary) ? [Buffer.alloc(4, 0xff)] : [];
  let key = md5(PADDING, owner.subarray(0, 32), permissions, id, ...plainMetadata);
  if (revision === 2) return rc4(key.subarray(0, 5), PADDING).equals(user.subarray(0, 32));
  const bytes = Math.min(16, Math.max(5, (numberOf(dictionary, 'V') === 4 ? 128 : numberOf(dictionary, 'Length') || 40) / 8));
  for (let round = 0; round < 50; round++) key = md5(key.subarray(0, bytes));
  key = key.subarray(0, bytes);
  let check = md5(PADDING, id);
  for (let round = 0; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  return check.equals(user.subarray(0, 16));
}

/** Algorithm 2.B, for the empty password. */
function hash6(salt: Buffer): Buffer {
  let key = hash('sha256', salt, 'buffer');
  for (let round = 0; ; round++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => key)));
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash(['sha256', 'sha384', 'sha512'][rest]!, mixed, 'buffer');
    if (round >= 63 && mixed.at(-1)! <= round - 31) return key.subarray(0, 32);
  }
}

const numberOf = (dictionary: string, name: string): number =>
  Number(new RegExp(`/${name}\\s{1,8}(-?\\d{1,10})`).exec(dictionary)?.[1] ?? 0);

/** The string that begins behind a match: literal or hexadecimal (§7.3.4). */
function stringOf(match: RegExpExecArray | null, text: string): Buffer {
  if (!match) return Buffer.alloc(0);
  const start = match.index + match[0].length;
  if (text[start] === '<') return Buffer.from(text.slice(start + 1, Math.max(start, text.indexOf('>', start))).replace(/\s/g, ''), 'hex');
  const bytes: number[] = [];
  const escapes: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 };
  for (let [at, depth] = [start + 1, 1]; at < text.length && bytes.length < 256; at++) {
    const char = text[at]!;
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      const next = text[at + 1] ?? '';
      at += octal?.length ?? 1;
      if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
      // A line that is broken within a string goes on.
      else if (next === '\r' && text[at + 1] === '\n') at++;
      else if (next !== '\n' && next !== '\r') bytes.push(escapes[next] ?? (next.charCodeAt(0) || 0));
      continue;
    }
    if (char === '(') depth++;
    if (char === ')' && --depth === 0) break;
    bytes.push(char.charCodeAt(0));
  }
  return Buffer.from(bytes);
}
