import { ApiError } from '@vedette/contract';
import { Type } from 'typebox';

const MAX_BYTES = 5 * 1024 * 1024;
/** A request as a whole: a file in base64, with some room around it. */
export const FILE_BODY_MAX_BYTES = 8 * 1024 * 1024;

/** A parameter that is a file in base64. `what`: the file, as a sentence has it; `more`: how it is read. */
export const Base64File = ({ what, more = '', example }: { what: string; more?: string; example: string }) =>
  Type.String({
    minLength: 1,
    maxLength: FILE_BODY_MAX_BYTES,
    description: `${what} in base64 (RFC 4648 §4, padded), at most 5 MB decoded. White space and a leading \`data:\` prefix are ignored${more}`,
    examples: [example],
  });

/** RFC 2397, as editors and browsers write it. */
const DATA_PREFIX = /^\s*data:[\w.+/-]*(?:;[\w.+-]+=[\w.+"-]+)*;base64,/i;

/** The bytes of a parameter. Throws `ApiError` invalid_parameter for invalid or empty base64; body_too_large for too much. */
export function readBase64(param: string, value: string): Buffer {
  const invalid = (why: string) => new ApiError('invalid_parameter', `${param} ${why}`, { param });
  const prefix = DATA_PREFIX.exec(value.slice(0, 256))?.[0].length ?? 0;
  const bytes = decoded(value.slice(prefix));
  if (bytes === undefined) throw invalid('must be base64 (RFC 4648 §4) with its padding');
  if (bytes.length > MAX_BYTES) throw new ApiError('body_too_large', `${param} must be at most 5 MB decoded`, { param });
  if (bytes.length === 0) throw invalid('must not be empty');
  return bytes;
}

/**
 * Decodes in one native pass, since it blocks the event loop: removing white space first took a fifth of a second for text with white space
 * after each character. Undefined for invalid base64.
 */
function decoded(text: string): Buffer | undefined {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
  // It accepts text without any padding.
  if (bytes.length % 3 !== 0 && !text.trimEnd().endsWith('=')) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
