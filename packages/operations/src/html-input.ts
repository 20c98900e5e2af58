import { ApiError } from '@vedette/contract';
import { Type } from 'typebox';

const HTML_MAX_BYTES = 5 * 1024 * 1024;
/** Of a request: the HTML in base64, with some room around it. */
export const HTML_BODY_MAX_BYTES = 8 * 1024 * 1024;
/** A line break after each 76 characters is what most encoders add; a client may indent them too. */
const TEXT_MAX_CHARS = Math.ceil((HTML_MAX_BYTES * 4) / 3 / 0.9);

export const HtmlBase64 = () =>
  Type.String({
    minLength: 1,
    maxLength: TEXT_MAX_CHARS,
    description:
      'The HTML in base64 (RFC 4648 §4, padded); white space between its characters is skipped. At most 5 MB decoded. Read as UTF-8 where it is that, else as a browser reads what names no encoding',
    examples: ['PGgxPkhlbGxvPC9oMT4='],
  });

/** Beside a length that 4 divides. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of `html_base64`. Throws `ApiError` invalid_parameter for what is no base64, nothing, or too much. */
export function readHtml(html_base64: string): Uint8Array {
  const invalid = (why: string) => new ApiError('invalid_parameter', `html_base64 ${why}`, { param: 'html_base64' });
  const text = html_base64.replace(/[ \t\r\n]+/g, '');
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw invalid('must be base64 (RFC 4648 §4) with its padding');
  const html = Buffer.from(text, 'base64');
  if (html.length > HTML_MAX_BYTES) throw invalid('must be at most 5 MB of HTML');
  if (html.toString('latin1').trim() === '') throw invalid('must not be empty');
  return html;
}
