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
    description: `${what} in base64 (RFC 4648 §4, padded); white space between its characters is skipped, and so is a \`data:\` prefix in front. At most 5 MB decoded${more}`,
    examples: [example],
  });

/** RFC 2397, as editors and browsers write it. */
const DATA_PREFIX = /^\s*data:[\w.+/-]*(?:;[\w.+-]+=[\w.+"-]+)*;base64,/i;
/** Beside a length that 4 divides. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a parameter. Throws `ApiError` invalid_parameter for what is no base64, or nothing; body_too_large for too much. */
export function readBase64(param: string, value: string): Buffer {
  const invalid = (why: string) => new ApiError('invalid_parameter', `${param} ${why}`, { param });
  const prefix = DATA_PREFIX.exec(value.slice(0, 256))?.[0].length ?? 0;
  const text = value.slice(prefix).replace(/[ \t\r\n]+/g, '');
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw invalid('must be base64 (RFC 4648 §4) with its padding');
  if (Buffer.byteLength(text, 'base64') > MAX_BYTES)
    throw new ApiError('body_too_large', `${param} must be at most 5 MB decoded`, { param });
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) throw invalid('must not be empty');
  return bytes;
}
