import { type Certificate, type DistinguishedName, readCertificate, validationTypeOf } from '@vedette/mail/certificates';
import type { SiteCertificate } from './evidence.ts';

/** The readable values of a certificate. */
export type CertificateDetails = Omit<SiteCertificate, 'valid' | 'revoked' | 'blacklisted'>;

/** Reads the certificate that a server showed. Undefined where our reader cannot, however clients get on with it. */
export function readSiteCertificate(der: Uint8Array, now: Date): CertificateDetails | undefined {
  const certificate = readCertificate(der);
  if (!certificate) return undefined;
  const { x509, subject, issuer } = certificate;
  return {
    expired: x509.validToDate < now,
    sha1: x509.fingerprint.replaceAll(':', '').toLowerCase(),
    type: typeOf(certificate),
    issuerOrganization: issuer.get(ORGANIZATION) ?? '',
    issuerCountry: issuer.get(COUNTRY) ?? '',
    subjectOrganization: subject.get(ORGANIZATION) ?? '',
    subjectCommonName: commonName(subject, certificate),
    subjectCountry: subject.get(COUNTRY) ?? '',
  };
}
const ORGANIZATION = '2.5.4.10';
const COUNTRY = '2.5.4.6';
const COMMON_NAME = '2.5.4.3';

/** Short-lived certificates have no subject any more: the first name that they are for is theirs. */
const commonName = (subject: DistinguishedName, { names }: Certificate): string => subject.get(COMMON_NAME) ?? names[0] ?? '';

function typeOf(certificate: Certificate): SiteCertificate['type'] {
  const type = validationTypeOf(certificate);
  return type === 'unknown' ? '' : type;
}
