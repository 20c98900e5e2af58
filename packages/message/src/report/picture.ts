import { count, Enum, flag, text } from '@vedette/contract';
import { type Static, Type } from 'typebox';

/** Kinds of files that codes are read from. */
export const PICTURE_KINDS = ['png', 'jpeg', 'gif', 'bmp', 'webp', 'svg', 'pdf', 'html', 'text'] as const;

/** What the text of a code is, and the details that it has. */
export const CONTENT_TYPES = {
  url: 'A web address; a bare host name under a known top-level domain too',
  email: 'An address or a message (`mailto:`, `MATMSG:`, `SMTP:`): `to`, `subject`, `body`',
  phone: 'A number to call (`tel:`, `facetime:`): `number`',
  sms: 'A text message (`sms:`, `smsto:`, `mms:`): `number`, `body`',
  wifi: 'A wireless network (`WIFI:`): `ssid`, `security`, `password`, `hidden`',
  vcard: 'A contact (vCard, MECARD): `name`, `organization`, `title`, `phone`, `email`, `url`, `address`',
  event: 'A calendar entry (iCalendar): `summary`, `start`, `end`, `location`, `url`',
  geo: 'A place (`geo:`): `latitude`, `longitude`, `query`',
  crypto: 'A payment in a cryptocurrency: `currency`, `address`, `amount`, `label`',
  payment: 'A SEPA credit transfer (EPC069-12): `bic`, `name`, `iban`, `iban_valid`, `amount`, `purpose`, `reference`, `text`',
  otp: 'The secret of one-time passwords (`otpauth:`): `method`, `account`, `issuer`, `secret`, `algorithm`, `digits`, `period`, `counter`',
  uri: 'An address of another scheme, which an app opens: `scheme`',
  text: 'Other text',
} as const;
export type ContentType = keyof typeof CONTENT_TYPES;

const CodeFacts = Type.Object({
  format: Enum(['qr', 'micro-qr', 'rectangular-micro-qr'], { description: 'Kind of code (ISO/IEC 18004, 23941)' }),
  content: text('Text of the code'),
  content_type: Enum(Object.keys(CONTENT_TYPES) as ContentType[], { description: 'What the text is' }),
  details: Type.Record(Type.String(), Type.String(), { description: 'Parts of the text, by name; empty for a text without parts' }),
  page: count('Page of a document, from 1; 1 for a picture'),
  position: Type.Array(Type.Object({ x: Type.Integer(), y: Type.Integer() }), {
    description:
      'Upper left, upper right, lower right and lower left corner of the code itself, in pixels; in points (1/72 inch) of a PDF page. Empty for a code drawn with characters or cells',
  }),
  ec_level: text('Level of error correction: L, M, Q or H'),
  version: text('Version, which tells the size: 1 to 40, or M1 to M4'),
  is_inverted: flag('The code is light on a dark ground'),
  is_mirrored: flag('The code is seen from behind'),
});
export type CodeFacts = Static<typeof CodeFacts>;

/** What the codes of a picture say. */
export const PictureFacts = Type.Object({
  image_format: text(`Kind of file by its first bytes: ${PICTURE_KINDS.join(', ')}; empty for other files`),
  image_width: count('Width in pixels, or of the first page in points; 0 for text and HTML'),
  image_height: count('Height in pixels, or of the first page in points; 0 for text and HTML'),
  pages: count('Pages that were searched; 1 for other files'),
  codes: Type.Array(CodeFacts, { description: 'Codes, each once on a page' }),
  unreadable_codes: count('Places that look like a code and could not be read'),
  is_complete: flag('All of the file was searched: no limit was reached'),
  /** Whether the file could be decoded at all. */
  is_decoded: Type.Boolean(),
  found_urls: Type.Array(Type.Object({ url: Type.String(), is_defanged: Type.Boolean() })),
});
export type PictureFacts = Static<typeof PictureFacts>;
