import { Enum, Issue } from '@vedette/contract';
import { BIMI_ISSUES } from '@vedette/intel/bimi';
import { Type } from 'typebox';

const FetchError = Type.String({ description: 'Why the file could not be fetched; empty otherwise' });

const SvgLogo = Type.Object({
  url: Type.String({ description: 'l= of the record; empty where the logo inside the certificate is meant' }),
  version: Type.String({ description: 'Expected: 1.2' }),
  baseprofile: Type.String({ description: 'Expected: tiny-ps' }),
  title: Type.String(),
  status_code: Type.Integer({ description: '0 when no answer came' }),
  valid: Type.Boolean({ description: 'SVG Tiny Portable/Secure' }),
  file_size_bytes: Type.Integer({ description: 'As fetched; unpacked where it is inside the certificate' }),
  error: FetchError,
});

const NAME = {
  common_name: Type.String(),
  organization: Type.String(),
  country: Type.String(),
  state: Type.String(),
  location: Type.String(),
};

export const REVOCATION_STATES = ['good', 'revoked', 'unknown', ''] as const;

const VmcCertificate = Type.Object({
  url: Type.String({ description: 'a= of the record' }),
  status_code: Type.Integer({ description: '0 when no answer came' }),
  expired: Type.Boolean(),
  valid: Type.Boolean({ description: 'Current, not known to be revoked, with a logo, and issued by a mark verifying authority' }),
  issued_to: Type.Object({ ...NAME, alternative_names: Type.Array(Type.String()) }),
  issuer: Type.Object(NAME),
  signature: Type.Object({
    serial: Type.String({ description: 'Decimal' }),
    serial_hex: Type.String(),
    type: Type.String({ description: 'Such as sha256WithRSAEncryption' }),
  }),
  validity: Type.Object({
    days_left: Type.Integer({ description: 'Whole days; 0 after the end' }),
    valid_from_timestamp: Type.Integer({ description: 'Seconds since 1970' }),
    valid_to_timestamp: Type.Integer(),
    valid_from: Type.String({ description: 'YYYY-MM-DD HH:MM:SS, UTC' }),
    valid_to: Type.String(),
  }),
  trademark: Type.Object({ found: Type.Boolean(), country: Type.String(), id: Type.String() }),
  mark_type: Type.String({ description: 'As the certificate names it, such as "Registered Mark" or "Prior Use Mark"' }),
  revocation: Enum(REVOCATION_STATES, {
    description: 'By the revocation lists of the issuers; empty when the certificate does not count anyway',
  }),
  revocation_error: Type.String({ description: 'Why revocation is unknown' }),
  error: FetchError,
});

export const BimiReport = Type.Object({
  selector: Type.String(),
  host: Type.String(),
  bimi_host: Type.String({ description: 'selector._bimi.domain, where domain is the host or its organizational domain' }),
  cname_target: Type.String({ description: 'Where bimi_host points to; empty when it is no alias' }),
  has_bimi_record: Type.Boolean(),
  bimi_record: Type.String({ description: 'The record as published; empty when there is none' }),
  bimi_records_count: Type.Integer({ description: 'One is expected' }),
  version: Type.String({ description: 'v= of the record; empty when there is none' }),
  svg_logo: SvgLogo,
  vmc_certificate: VmcCertificate,
  issues_found: Type.Array(Issue(BIMI_ISSUES)),
  valid: Type.Boolean({ description: 'Receivers can use the record and what it leads to: no issue of type error' }),
  declined: Type.Boolean({ description: 'The record says that the domain takes no part in BIMI' }),
  organizational_domain: Type.String({ description: 'By the tree walk of RFC 9989 §4.10' }),
  dmarc_enforced: Type.Boolean({ description: 'The DMARC policy is strong enough for receivers to show a logo' }),
  dns_error: Type.String({
    description: 'Questions that the DNS did not answer, so the report may lack something; empty when all was answered',
  }),
});
