import { type Certificate, readCertificate } from '../certificates/index.ts';

/** The most bytes that are read of a certificate file. */
export const PEM_MAX_BYTES = 1024 * 1024;
/** A leaf and its intermediates are three or four; more are not looked at. */
const PEM_CERTIFICATES_MAX = 8;

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
const BASE64 = /^[A-Za-z0-9+/=\s]*$/; // one class, so that a long line that fails does so in one pass

/** The first certificates of a PEM file (RFC 7468), whatever stands between them; and what is wrong with the file. */
export function readPem(file: Uint8Array): { certificates: readonly Certificate[]; fault: string } {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('latin1');
  const certificates: Certificate[] = [];
  let at = text.indexOf(BEGIN);
  for (; at >= 0 && certificates.length < PEM_CERTIFICATES_MAX; at = text.indexOf(BEGIN, at)) {
    const end = text.indexOf(END, at);
    if (end < 0) return { certificates, fault: 'has a certificate without an end' };
    const base64 = text.slice(at + BEGIN.length, end);
    const certificate = BASE64.test(base64) ? readCertificate(Buffer.from(base64, 'base64')) : undefined;
    if (!certificate) return { certificates, fault: 'has a certificate that cannot be read' };
    certificates.push(certificate);
    at = end;
  }
  if (at >= 0) return { certificates, fault: `has more than ${PEM_CERTIFICATES_MAX} certificates` };
  return { certificates, fault: certificates.length === 0 ? 'has no certificate in PEM' : '' };
}
