import { count, Enum, flag, text } from '@vedette/contract';
import { type Static, Type } from 'typebox';

/** Kinds of files that codes are read from. */
export const PICTURE_KINDS = ['png', 'jpeg', 'gif', 'bmp', 'webp', 'svg', 'pdf', 'html', 'text'] as const;

/** The kinds of content of a code, and the details of each. */
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
  content_type: Enum(Object.keys(CONTENT_TYPES) as ContentType[], { description: 'Kind of content that the text is' }),
  details: Type.Record(Type.String(), Type.String(), { description: 'Parts of the text, by name; empty for a text without parts' }),
  page: count('Page of a document, from 1; 1 for a picture'),
  position: Type.Array(
    Type.Object({
      x: Type.Integer({ description: 'Distance from the left edge' }),
      y: Type.Integer({ description: 'Distance from the upper edge' }),
    }),
    {
      description:
        'Corners of the code in pixels, in points (1/72 inch) on a PDF page: clockwise from its upper left. Empty for a code drawn with characters or cells',
    },
  ),
  ec_level: text('Level of error correction: L, M, Q or H'),
  version: text('Version, which tells the size: 1 to 40, or M1 to M4'),
  is_inverted: flag('The code is light on a dark ground'),
  is_mirrored: flag('The code is seen from behind'),
});
export type CodeFacts = Static<typeof CodeFacts>;

/** The codes of a picture. */
export const PictureFacts = Type.Object({
  image_format: text(`Kind of file by its first bytes: ${PICTURE_KINDS.join(', ')}; empty for other files`),
  image_width: count('Width in pixels, or of the first page in points; 0 for text and HTML'),
  image_height: count('Height in pixels, or of the first page in points; 0 for text and HTML'),
  pages: count('Pages that were searched; 1 for other files'),
  codes: Type.Array(CodeFacts, { description: 'Codes, each once on a page' }),
  unreadable_codes: count('Places that look like a code and could not be read'),
  is_complete: flag('The whole file was searched, and no limit was reached'),
  /** Whether the file could be decoded at all. */
  is_decoded: Type.Boolean(),
  /** Web addresses that the codes name. */
  found_urls: Type.Array(
    Type.Object({
      url: text('URL, as browsers write it'),
      unwrapped_url: text('Target of a link that a mail gateway or a tracker wrapped; empty for others'),
      host: text('Host of the unwrapped URL in A-labels, or an address'),
      domain_parts: Type.Object({ root_domain: Type.String(), subdomain: Type.String(), tld: Type.String() }),
      is_ip_host: flag('The host is an address'),
      is_defanged: flag('The text breaks up names or schemes, as `hxxps://evil[.]example`'),
    }),
  ),
});
export type PictureFacts = Static<typeof PictureFacts>;
