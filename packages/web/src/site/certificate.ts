import { type Certificate, type DistinguishedName, readCertificate, validationTypeOf } from '@vedette/mail/certificates';
import { certificateHosts, judgeCertificate } from '@vedette/intel/names';
import type { Names } from '@vedette/intel/ports';
import { shown, validity } from '@vedette/contract';
import type { SiteCertificate } from './evidence.ts';

/** The readable values of a certificate. */
export type CertificateDetails = Omit<SiteCertificate, 'valid' | 'revoked' | 'blacklisted'>;

const HOUR_MS = 3_600_000;
const FRESH_HOURS = 48;
/** Certificates for less are issued anew every few days. */
const LIFETIME_MIN_HOURS = 240;
const TEXT_MAX_CHARS = 256;

interface Shown {
  host: string;
  /** Trusted, current, and for the host. */
  valid: boolean;
  now: Date;
}

/** Reads and judges the certificate that a server showed for a host. Undefined where our reader cannot, however clients get on with it. */
export function readSiteCertificate(der: Uint8Array, { host, valid, now }: Shown, names: Names): CertificateDetails | undefined {
  const certificate = readCertificate(der);
  if (!certificate) return undefined;
  const { x509, subject, issuer } = certificate;
  const type = typeOf(certificate);
  const text = (name: DistinguishedName, attribute: string): string => shown(name.get(attribute) ?? '', TEXT_MAX_CHARS);
  const { from, to } = validity(x509);
  const hoursTo = (date: Date): number => (date.getTime() - from.getTime()) / HOUR_MS;
  const organization = text(subject, ORGANIZATION);
  return {
    expired: to < now,
    sha1: x509.fingerprint.replaceAll(':', '').toLowerCase(),
    type,
    issuerOrganization: text(issuer, ORGANIZATION),
    issuerCountry: text(issuer, COUNTRY),
    subjectOrganization: organization,
    // Short-lived certificates have no subject any more: the first name that they are for is theirs.
    subjectCommonName: text(subject, COMMON_NAME) || shown(certificate.names[0] ?? '', TEXT_MAX_CHARS),
    subjectCountry: text(subject, COUNTRY),
    hosts: certificateHosts(certificate.names),
    isFresh: hoursTo(now) < FRESH_HOURS && hoursTo(to) > LIFETIME_MIN_HOURS,
    signs: judgeCertificate(
      host,
      {
        names: certificate.names,
        organization,
        isChecked: valid && (type === 'EV' || type === 'OV'),
        isSelfIssued: x509.subject === x509.issuer,
      },
      names,
    ),
  };
}
const ORGANIZATION = '2.5.4.10';
const COUNTRY = '2.5.4.6';
const COMMON_NAME = '2.5.4.3';

function typeOf(certificate: Certificate): SiteCertificate['type'] {
  const type = validationTypeOf(certificate);
  return type === 'unknown' ? '' : type;
}
