import type { X509Certificate } from 'node:crypto';

/** What OpenSSL prints for a time that it cannot read. */
const UNREADABLE = 'Bad time value';

/**
 * The first and the last second in which a certificate is valid (RFC 5280 §4.1.2.5), each an invalid `Date` where OpenSSL cannot read it:
 * Node's own properties then hold whatever stood in its memory, which may be any date.
 */
export const validity = (certificate: X509Certificate): { from: Date; to: Date } => ({
  from: certificate.validFrom === UNREADABLE ? new Date(NaN) : certificate.validFromDate,
  to: certificate.validTo === UNREADABLE ? new Date(NaN) : certificate.validToDate,
});
