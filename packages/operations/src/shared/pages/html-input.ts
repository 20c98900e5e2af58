import { ApiError } from '@vedette/contract';
import { Base64File, readBase64 } from './base64-input.ts';

export const HtmlBase64 = () =>
  Base64File({
    what: 'The HTML',
    more: '. Valid UTF-8 needs no declared encoding',
    example: 'PGgxPkhlbGxvPC9oMT4=',
  });

/** The bytes of `html_base64`. Throws `ApiError` as `readBase64` does, and for HTML of white space alone. */
export function readHtml(html_base64: string): Uint8Array {
  const html = readBase64('html_base64', html_base64);
  if (html.toString('latin1').trim() === '')
    throw new ApiError('invalid_parameter', 'html_base64 must not be empty', { param: 'html_base64' });
  return html;
}
