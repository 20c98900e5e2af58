import { ApiError, type ParsedUrl } from '@vedette/contract';
import type { PictureFacts } from '@vedette/message/report';
import { Type } from 'typebox';
import { central, type CentralContext, HttpUrl, parseTarget } from '../kit/index.ts';
import { Base64File, FILE_BODY_MAX_BYTES, readBase64 } from '../shared/pages/base64-input.ts';
import { fetchPicture } from './fetch-picture.ts';
import { QrScanReport } from './schema.ts';

/** A QR code that says https://example.org/. */
const EXAMPLE =
  'iVBORw0KGgoAAAANSUhEUgAAAEIAAABCCAAAAADGP180AAABsUlEQVR4XmP8z0ApYGIYNQIWAsMmLFhgPmJEidz/DBA+KNUwMsDSDroaiBYqhAULwnJEOkW4gIEBZjPELehqQLqp6woGBmTb/6PwEG5FVkOLsEDPb5DYANn6n4ERT2akdligWwWKBVhM4HYHtV2BWoIh2/8fnkIxSznqugLVt7BwgNCgNAOJIcyooYIr8JTgiPjATJHIbqGuK9DLBUjYQ1InyFaEPCQ3weKGmjEC8S+iVADxQTxQ/kDEFYKFSB/UzyOIPAlhIfsfYi9IHOIyWoQFLMyRS2uYbYgUCksPyCUI9cMCkgoQJAMDLEywlfS0KjsRoQ6xH5kPcxF6SqVmHoGkAFjqg8Q+zD5YPkGWZWCgZbrAlh8ReRYSHrB0QrUYYUSkRlT/Q2xA9T1EDKGO+q5gQAOI0grmHliI/EdTSf1SC5ETYWkRUntguoCRRukC4Ufk/AoprSExgx4KVIsRFuTgxbQLueRAlN6MKHFC21YOcir8j7U1SJuwQE12kPyIWZ8ghw9IBy3bWshlAqQ+QU6vyO6lZVsLUY6AbITEDqx8/U/tdDHaW0aEKBUiddgYAQCbf3yjcueSwAAAAABJRU5ErkJggg==';

/** Reads the QR codes of a picture, and says what they do. */
export const qrScan = central({
  name: 'qr-scan',
  subject: 'web',
  summary: 'Read the QR codes of a picture, a PDF or a drawing',
  description:
    'Reads all QR codes of a PNG, JPEG, GIF, BMP, WebP or SVG, and of the first ten pages of a PDF. Codes that text or HTML draws with characters or table cells are read too. They may be turned, mirrored, inverted or damaged. Nothing that a code names is contacted. The file is decoded in a process without files and network. docs/qr-scan.md has the kinds of content and the limits.',
  cost: 2,
  deadline_ms: 60_000,
  body_max_bytes: FILE_BODY_MAX_BYTES,
  dns: { questions: 12, ms: 15_000, optional: ({ url }: Query) => url?.kind !== 'name' },
  references: ['ISO/IEC 18004', 'ISO/IEC 23941', 'RFC 6068', 'RFC 5724', 'RFC 5870', 'RFC 6350', 'EPC069-12'],
  request: Type.Object(
    {
      image_url: Type.Optional({ ...HttpUrl(), examples: ['https://example.org/code.png'] }),
      image_base64: Type.Optional(Base64File({ what: 'The picture as a file', example: EXAMPLE })),
    },
    { additionalProperties: false },
  ),
  response: QrScanReport,
  examples: [{ image_url: 'https://example.org/code.png' }, { image_base64: EXAMPLE }],
  read({ image_url, image_base64 }): Query {
    if ((image_url === undefined) === (image_base64 === undefined))
      throw new ApiError('parameter_conflict', 'exactly one of image_url and image_base64', { param: 'image_url' });
    return {
      url: image_url === undefined ? undefined : parseTarget('url', image_url, 'image_url'),
      file: image_base64 === undefined ? undefined : readBase64('image_base64', image_base64),
    };
  },
  further: ({ url }) => (url ? { image_url: url } : {}),
  async run({ url, file }, context) {
    const { signal, parsers } = context;
    const fetched = url && (await fetchPicture(url, context));
    if (fetched && fetched.error !== '') return { ...reportOf(NOTHING, context), error: fetched.error };
    const param = file ? 'image_base64' : 'image_url';
    const facts = await parsers.picture(file ?? fetched!.bytes, { signal, param });
    const error = problemOf(facts);
    if (error !== '' && file) throw new ApiError('invalid_parameter', `image_base64 ${error}`, { param });
    return { ...reportOf(facts, context), error: error && `the answer ${error}` };
  },
});

const SHORTENERS = 'url-shorteners';
const yesOrNo = (is: boolean) => (is ? ('yes' as const) : ('no' as const));

interface Query {
  url: ParsedUrl | undefined;
  file: Uint8Array | undefined;
}

const NOTHING: PictureFacts = {
  image_format: '',
  image_width: 0,
  image_height: 0,
  pages: 0,
  codes: [],
  unreadable_codes: 0,
  is_complete: false,
  is_decoded: false,
  found_urls: [],
};

/** Why a file could not be looked at; empty where it was. */
function problemOf({ image_format: format, is_decoded }: PictureFacts): string {
  if (format === '') return 'is no picture, PDF, HTML or text';
  const size = format === 'svg' || format === 'pdf' ? '' : ', or has more than 16 megapixels';
  return is_decoded ? '' : `cannot be decoded as ${format}${size}`;
}

const reportOf = (facts: PictureFacts, { names }: CentralContext) => ({
  codes_found: facts.codes.length,
  codes: facts.codes,
  urls: facts.found_urls.map((found) => ({
    ...found,
    is_shortener: names.hasList(SHORTENERS)
      ? yesOrNo(names.listings(found.host).some(({ list }) => list === SHORTENERS))
      : ('unknown' as const),
  })),
  unreadable_codes: facts.unreadable_codes,
  is_complete: facts.is_complete,
  image_format: facts.image_format,
  image_width: facts.image_width,
  image_height: facts.image_height,
  pages: facts.pages,
});
