import { flag, text, texts } from '@vedette/contract';
import { Type } from 'typebox';
import { integer } from '../../kit/index.ts';

const DistinguishedName = Type.Object(
  {
    common_name: text('Common name (CN), the most specific one; empty if absent'),
    organization: texts('O'),
    organizational_unit: texts('Organizational unit (OU); empty if absent'),
    location: texts('L'),
    state: texts('State (ST); empty if absent'),
    country: texts('C'),
  },
  { title: 'DistinguishedName' },
);

/** The fields of the certificate that a server shows. */
export const SSL_FIELDS = {
  certificate_found: flag('The server presented a certificate; all other fields are empty otherwise'),
  ssl_errors: flag('The TLS handshake failed, or the certificate is not valid'),
  name_match: flag('The certificate covers the requested host (RFC 9525); its common name is ignored'),
  expired: flag('The certificate has expired'),
  valid: flag('The chain ends in a trusted root, all its certificates are current and strong enough, and the first covers the host'),
  self_signed: flag('The certificate is its own issuer, and its own key signed it'),
  issuer: DistinguishedName,
  subject: DistinguishedName,
  valid_from: text('Start of validity, YYYY-MM-DD HH:MM:SS in UTC'),
  valid_to: text('End of validity, YYYY-MM-DD HH:MM:SS in UTC'),
  valid_days_left: integer('Full days until `valid_to`; 0 after expiry'),
  expired_from_days: integer('Full days since `valid_to`; 0 before expiry'),
  key_size: integer('Size of the public key in bits: of the modulus, or of the curve'),
  serial_number: text('Serial number in hexadecimal'),
  fingerprint_sha1: text('SHA-1 fingerprint in hexadecimal'),
  fingerprint_sha256: text('SHA-256 fingerprint in hexadecimal'),
  algorithm: text('Signature algorithm, by its OpenSSL name'),
  key_algorithm: text('Key algorithm: RSA, EC, ED25519 …'),
  type: text('Validation type by certificate policy: EV, OV, IV or DV; unknown without such a policy'),
  error: text('Problem with the certificate, for people; empty if there is none'),
};
