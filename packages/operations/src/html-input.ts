import { ApiError } from '@vedette/contract';
import { Type } from 'typebox';

const HTML_MAX_BYTES = 5 * 1024 * 1024;
/** A request as a whole: the HTML in base64, with some room around it. */
export const HTML_BODY_MAX_BYTES = 8 * 1024 * 1024;

export const HtmlBase64 = () =>
  Type.String({
    minLength: 1,
    maxLength: HTML_BODY_MAX_BYTES,
    description:
      'The HTML in base64 (RFC 4648 §4, padded); white space between its characters is skipped, and so is a `data:` prefix in front. At most 5 MB decoded. Read as UTF-8 where it is that, else as a browser reads what names no encoding',
    examples: ['PGgxPkhlbGxvPC9oMT4='],
  });

/** RFC 2397, as editors and browsers write it. */
const DATA_PREFIX = /^\s*data:[\w.+/-]*(?:;[\w.+-]+=[\w.+"-]+)*;base64,/i;
/** Beside a length that 4 divides. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of `html_base64`. Throws `ApiError` invalid_parameter for what is no base64, or nothing; body_too_large for too much. */
export function readHtml(html_base64: string): Uint8Array {
  const invalid = (why: string) => new ApiError('invalid_parameter', `html_base64 ${why}`, { param: 'html_base64' });
  const prefix = DATA_PREFIX.exec(html_base64.slice(0, 256))?.[0].length ?? 0;
  const text = html_base64.slice(prefix).replace(/[ \t\r\n]+/g, '');
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw invalid('must be base64 (RFC 4648 §4) with its padding');
  if (Buffer.byteLength(text, 'base64') > HTML_MAX_BYTES)
    throw new ApiError('body_too_large', 'html_base64 must be at most 5 MB of HTML', { param: 'html_base64' });
  const html = Buffer.from(text, 'base64');
  if (html.toString('latin1').trim() === '') throw invalid('must not be empty');
  return html;
}
