import { validity } from '@vedette/contract';
import type { LogoFile, MarkEvidence } from '@vedette/mail/bimi';
import { type DistinguishedName, validityText } from '@vedette/mail/certificates';
import type { Download } from '../shared/pages/download.ts';
import type { Revocation } from '../shared/pages/revocation.ts';

const NOTHING: Download = { status: 0, body: new Uint8Array(), error: '' };
const DAY_MS = 86_400_000;

/** `svg_logo`. Without a file its fields are empty; one from inside the certificate was not downloaded. */
export function describeLogo(url: string, download: Download | undefined, file: LogoFile | undefined) {
  const { status, body, error } = download ?? { ...NOTHING, body: file?.svg ?? NOTHING.body };
  const { version = '', baseProfile = '', title = '', faults } = file?.judgement ?? {};
  return {
    url,
    version,
    baseprofile: baseProfile,
    title,
    status_code: status,
    valid: faults?.length === 0,
    file_size_bytes: body.length,
    error,
  };
}

/** `vmc_certificate`. Without a certificate its fields are empty. */
export function describeEvidence(
  url: string,
  { status, error }: Download = NOTHING,
  file: MarkEvidence | undefined,
  revocation: Revocation,
  now: Date,
) {
  const { leaf, trademark } = file ?? {};
  const x509 = leaf?.x509;
  const valid = x509 && validity(x509);
  return {
    url,
    status_code: status,
    expired: file?.expired ?? false,
    valid: file !== undefined && file.faults.length === 0 && file.logo !== undefined && revocation.state !== 'revoked',
    issued_to: { ...describeName(leaf?.subject), alternative_names: [...(leaf?.names ?? [])] },
    issuer: describeName(leaf?.issuer),
    signature: {
      serial: x509 ? decimal(x509.serialNumber) : '',
      serial_hex: x509?.serialNumber ?? '',
      type: x509?.signatureAlgorithm ?? x509?.signatureAlgorithmOid ?? '',
    },
    validity: {
      days_left: valid ? Math.max(0, Math.floor((valid.to.getTime() - now.getTime()) / DAY_MS)) : 0,
      valid_from_timestamp: seconds(valid?.from),
      valid_to_timestamp: seconds(valid?.to),
      valid_from: dateTime(valid?.from),
      valid_to: dateTime(valid?.to),
    },
    trademark: {
      found: (trademark?.registration ?? '') !== '',
      country: trademark?.country ?? '',
      id: trademark?.registration ?? '',
    },
    mark_type: file?.mark ?? '',
    revocation: revocation.state,
    revocation_error: revocation.error,
    error,
  };
}

/** Attribute types of RFC 4519 §2. */
const describeName = (name: DistinguishedName | undefined) => ({
  common_name: name?.get('2.5.4.3') ?? '',
  organization: name?.get('2.5.4.10') ?? '',
  country: name?.get('2.5.4.6') ?? '',
  state: name?.get('2.5.4.8') ?? '',
  location: name?.get('2.5.4.7') ?? '',
});

/** Serial numbers are positive (RFC 5280 §4.1.2.2), and OpenSSL reads others all the same. */
const decimal = (hex: string): string => (hex.startsWith('-') ? `-${BigInt(`0x${hex.slice(1)}`)}` : BigInt(`0x${hex}`).toString());

const seconds = (date: Date | undefined): number => (date ? Math.floor(date.getTime() / 1000) : 0);

const dateTime = (date: Date | undefined): string => (date ? validityText(date) : '');
