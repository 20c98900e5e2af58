import { parseHost } from '@vedette/contract';
import { trimFolding } from '../tag-list/index.ts';

/** One destination of `rua` or `ruf` (RFC 9989 §4.7). */
export interface ReportingUri {
  text: string;
  /** Whether it is a URI at all (RFC 3986). */
  wellFormed: boolean;
  /** RFC 7489's `!10m`, which has no meaning any more. */
  sizeLimit: boolean;
  /** The address of a `mailto:` URI with a valid one; receivers send to no other kind. */
  mailbox: { email: string; domain: string } | undefined;
}

// Commas and exclamation marks have to be percent-encoded (RFC 9989 §4.8).
const URI = /^(?<scheme>[a-z][a-z0-9+.-]*):(?<rest>(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})*)$/i;
const SIZE_LIMIT = /!\d+[kmgt]?$/i;

/** Parses the comma-separated list of a `rua` or `ruf` value. */
export const parseReportingUris = (value: string): ReportingUri[] => value.split(',').map((part) => parseReportingUri(trimFolding(part)));

export const hasReportingUri = (value: string): boolean => parseReportingUris(value).some(({ wellFormed }) => wellFormed);

function parseReportingUri(text: string): ReportingUri {
  const { scheme, rest } = URI.exec(text.replace(SIZE_LIMIT, ''))?.groups ?? {};
  return {
    text,
    wellFormed: scheme !== undefined,
    sizeLimit: SIZE_LIMIT.test(text),
    mailbox: scheme?.toLowerCase() === 'mailto' ? parseMailbox(rest ?? '') : undefined,
  };
}

function parseMailbox(path: string): ReportingUri['mailbox'] {
  const encoded = path.split('?', 1)[0]!;
  const email = percentDecode(encoded);
  const at = email.lastIndexOf('@');
  const domain = parseHost(email.slice(at + 1));
  return at > 0 && at <= LOCAL_PART_MAX && LOCAL_PART.test(email.slice(0, at)) && domain?.kind === 'name'
    ? { email, domain: domain.host }
    : undefined;
}

// RFC 5321 §4.1.2 Dot-string; reports are not sent to quoted local parts.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LOCAL_PART_MAX = 64;

/** The text that was encoded, or as it is where that is not UTF-8. */
function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
