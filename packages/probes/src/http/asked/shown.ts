import type { X509Certificate } from 'node:crypto';
import { shownUrl, validity } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { decodeText } from '../charset.ts';
import { isoDate } from '../../net/certificate.ts';
import { distinguishedName, sentWith } from '../../net/handshake/chain-detail.ts';
import { REDIRECTS_MAX } from '../detail-schema.ts';
import type { Hops } from '../hops.ts';
import { SHOWN_BODY_MAX_BYTES } from './options.ts';
import type { HttpTrace } from '../trace.ts';
import { unpackUpTo } from '../wire/coding.ts';
import { contentCodings, headerValues } from '../wire/message.ts';

// A frame holds 256 KiB, and the headers may have 64 of them.
const CERTIFICATES_MAX = 8;
const NAMES_MAX = 100;
const NAMES_MAX_CHARS = 4_096;
const NAME_MAX_CHARS = 512;
const URL_MAX_CHARS = 2_048;
/** Bytes of a body as transferred: enough for one that is packed badly. */
const PACKED_MAX_BYTES = 64 * 1024;

const Body = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: SHOWN_BODY_MAX_BYTES, description: 'Body as text; absent with `show_body: base64`' })),
    base64: Type.Optional(
      Type.String({ maxLength: 2 * SHOWN_BODY_MAX_BYTES, description: 'Body in base64; absent with `show_body: text`' }),
    ),
    truncated: Type.Boolean({ description: 'The body is longer, or did not arrive whole' }),
  },
  { description: 'Beginning of the body, unpacked; absent without `show_body`' },
);
type Body = Static<typeof Body>;

const Certificate = Type.Object({
  subject: Type.String({ description: 'Subject (RFC 2253)' }),
  issuer: Type.String({ description: 'Issuer (RFC 2253)' }),
  names: Type.Array(Type.String(), { maxItems: NAMES_MAX, description: 'DNS names and IP addresses that the certificate is for' }),
  not_before: Type.String({ description: 'Start of validity (RFC 3339)' }),
  not_after: Type.String({ description: 'End of validity (RFC 3339)' }),
  serial_number: Type.String({ description: 'Serial number, hexadecimal' }),
  fingerprint_sha256: Type.String({ description: 'SHA-256 of the certificate, hexadecimal' }),
  key: Type.String({ description: 'Type of the key, with its size in bits or its curve' }),
  signature_algorithm: Type.String({ description: 'Algorithm of the signature' }),
  is_ca: Type.Boolean({ description: 'The certificate may issue others' }),
});

/** The parts of a result that options ask for. */
export const HTTP_SHOWN = {
  redirects: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String({ description: 'Requested URL, with any password masked' }),
        status_code: Type.Integer({ description: 'HTTP status of the redirect' }),
        remote_addr: Type.String({ description: 'Address of the connection' }),
        total_ms: Type.Integer({ minimum: 0, description: 'Duration of the request in ms' }),
      }),
      { maxItems: REDIRECTS_MAX, description: 'Followed redirects, in order; absent without `max_redirects`' },
    ),
  ),
  final_url: Type.Optional(Type.String({ description: 'URL of the reported response; absent without `max_redirects`' })),
  body: Type.Optional(Body),
  certificates: Type.Optional(
    Type.Array(Certificate, {
      maxItems: CERTIFICATES_MAX,
      description: 'Certificates as the server sent them, its own first; absent without `show_certificates`',
    }),
  ),
};

/** The asked-for parts of a job. */
interface Asked {
  max_redirects?: number | undefined;
  show_body?: 'text' | 'base64' | undefined;
  show_certificates?: boolean | undefined;
}

export const retainedFor = ({ show_body }: Asked): number => (show_body === undefined ? 0 : PACKED_MAX_BYTES);

/** The beginning of the last body. */
export async function bodyOf({ traces, chunks }: Hops, as: NonNullable<Asked['show_body']>): Promise<Body> {
  const { head, bodyBytes, bodyTruncated, ended } = traces.at(-1)!;
  const packed = Buffer.concat(chunks);
  const { bytes, truncated, broken } = await unpackUpTo(contentCodings(head!), packed, SHOWN_BODY_MAX_BYTES);
  const cut = truncated || broken || bodyTruncated || ended === undefined || packed.length < bodyBytes;
  if (as === 'base64') return { base64: Buffer.from(bytes).toString('base64'), truncated: cut };
  return { text: await decodeText(bytes, headerValues(head!, 'content-type')[0] ?? ''), truncated: cut };
}

/** The redirects and certificates of a job. Requests for a token do not count. */
export function shownOf({ traces, url, urls }: Hops, { max_redirects, show_certificates }: Asked) {
  const leaf = traces.at(-1)?.shown?.leaf;
  return {
    ...(max_redirects !== undefined && {
      redirects: traces.slice(0, -1).map((trace, index) => redirectOf(trace, urls[index] ?? '')),
      final_url: shownUrl(url).slice(0, URL_MAX_CHARS),
    }),
    ...(show_certificates && leaf && { certificates: sentWith(leaf).slice(0, CERTIFICATES_MAX).map(certificateOf) }),
  };
}

const redirectOf = ({ head, remoteAddress = '', started, ended = started }: HttpTrace, url: string) => ({
  url: shownUrl(url).slice(0, URL_MAX_CHARS),
  status_code: head?.status ?? 0,
  remote_addr: remoteAddress,
  total_ms: Math.floor(ended - started),
});

function certificateOf(certificate: X509Certificate): Static<typeof Certificate> {
  const { from, to } = validity(certificate);
  let left = NAMES_MAX_CHARS;
  const alternative = [...(certificate.subjectAltName ?? '').matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  const names = alternative.map(([, name = '']) => name).filter((name) => (left -= name.length) >= 0);
  return {
    subject: distinguishedName(certificate.subject).slice(0, NAME_MAX_CHARS),
    issuer: distinguishedName(certificate.issuer).slice(0, NAME_MAX_CHARS),
    names: names.slice(0, NAMES_MAX),
    not_before: isoDate(from),
    not_after: isoDate(to),
    serial_number: certificate.serialNumber.toLowerCase().slice(0, NAME_MAX_CHARS),
    fingerprint_sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    key: keyOf(certificate),
    signature_algorithm: certificate.signatureAlgorithm ?? '',
    is_ca: certificate.ca,
  };
}

function keyOf({ publicKey }: X509Certificate): string {
  const { asymmetricKeyType = '', asymmetricKeyDetails: { modulusLength, namedCurve } = {} } = publicKey;
  return [asymmetricKeyType, modulusLength ?? namedCurve].filter((part) => part !== undefined).join(' ');
}
