import { Enum, Issues } from '@vedette/contract';
import { BIMI_ISSUES } from '@vedette/mail/bimi';
import { Type } from 'typebox';
import { REVOCATION_STATES } from '../shared/pages/revocation.ts';

const FetchError = Type.String({ description: 'Why the file could not be fetched; empty otherwise' });

const SvgLogo = Type.Object(
  {
    url: Type.String({ description: 'l= of the record; empty where the logo inside the certificate is meant' }),
    version: Type.String({ description: 'Expected: 1.2' }),
    baseprofile: Type.String({ description: 'Expected: tiny-ps' }),
    title: Type.String({ description: 'Its title element' }),
    status_code: Type.Integer({ description: '0 when no answer came' }),
    valid: Type.Boolean({ description: 'SVG Tiny Portable/Secure' }),
    file_size_bytes: Type.Integer({ description: 'As fetched; unpacked where it is inside the certificate' }),
    error: FetchError,
  },
  { description: 'The logo that the record names' },
);

const NAME = {
  common_name: Type.String({ description: 'CN of the distinguished name; empty where it has none, as the fields below' }),
  organization: Type.String({ description: 'O' }),
  country: Type.String({ description: 'C, two letters' }),
  state: Type.String({ description: 'ST' }),
  location: Type.String({ description: 'L, a city' }),
};

const VmcCertificate = Type.Object(
  {
    url: Type.String({ description: 'a= of the record' }),
    status_code: Type.Integer({ description: '0 when no answer came' }),
    expired: Type.Boolean({ description: 'Its end has passed' }),
    valid: Type.Boolean({ description: 'Current, not known to be revoked, with a logo, and issued by a mark verifying authority' }),
    issued_to: Type.Object(
      { ...NAME, alternative_names: Type.Array(Type.String(), { description: 'Domains that may use the mark' }) },
      { description: 'Subject of the certificate' },
    ),
    issuer: Type.Object(NAME, { description: 'Who issued it' }),
    signature: Type.Object(
      {
        serial: Type.String({ description: 'Decimal' }),
        serial_hex: Type.String({ description: 'The same in hexadecimal' }),
        type: Type.String({ description: 'Such as sha256WithRSAEncryption' }),
      },
      { description: 'Serial number, and how it is signed' },
    ),
    validity: Type.Object(
      {
        days_left: Type.Integer({ description: 'Whole days; 0 after the end' }),
        valid_from_timestamp: Type.Integer({ description: 'Seconds since 1970' }),
        valid_to_timestamp: Type.Integer({ description: 'Seconds since 1970' }),
        valid_from: Type.String({ description: 'YYYY-MM-DD HH:MM:SS, UTC' }),
        valid_to: Type.String({ description: 'YYYY-MM-DD HH:MM:SS, UTC' }),
      },
      { description: 'When it may be used' },
    ),
    trademark: Type.Object(
      {
        found: Type.Boolean({ description: 'The certificate names a registered trademark' }),
        country: Type.String({ description: 'Of the register' }),
        id: Type.String({ description: 'Its number there' }),
      },
      { description: 'The trademark that the certificate names' },
    ),
    mark_type: Type.String({ description: 'As the certificate names it, such as "Registered Mark" or "Prior Use Mark"' }),
    revocation: Enum(REVOCATION_STATES, {
      description: 'By the revocation lists or OCSP responders of the issuers; empty when the certificate does not count anyway',
    }),
    revocation_error: Type.String({ description: 'Why revocation is unknown' }),
    error: FetchError,
  },
  { description: 'The mark certificate that the record names' },
);

export const BimiReport = Type.Object({
  selector: Type.String({ description: 'As asked for; default without one' }),
  host: Type.String({ description: 'The host that was asked about, in lower case and A-labels' }),
  bimi_host: Type.String({ description: 'selector._bimi.domain, where domain is the host or its organizational domain' }),
  cname_target: Type.String({ description: 'Where bimi_host points to; empty when it is no alias' }),
  has_bimi_record: Type.Boolean({ description: 'A record begins with v=BIMI1. With RECORD_NOT_ANSWERED, false means that nobody knows' }),
  bimi_record: Type.String({ description: 'The record as published; empty when there is none' }),
  bimi_records_count: Type.Integer({ description: 'One is expected' }),
  version: Type.String({ description: 'v= of the record; empty when there is none' }),
  svg_logo: SvgLogo,
  vmc_certificate: VmcCertificate,
  issues_found: Issues('BimiIssue', BIMI_ISSUES),
  valid: Type.Boolean({ description: 'Receivers can use the record and what it leads to: no issue of type error' }),
  declined: Type.Boolean({ description: 'The record says that the domain takes no part in BIMI, and is valid' }),
  organizational_domain: Type.String({ description: 'By the tree walk of RFC 9989 §4.10, but no public suffix' }),
  dmarc_enforced: Type.Boolean({
    description:
      'DMARC is strong enough for receivers to show a logo: quarantine or reject for the domain, its organizational domain and subdomains (sp=), no t=y, pct= absent or 100. With DMARC_NOT_ANSWERED, false means that nobody knows. dmarc-validator asks for less',
  }),
  dns_error: Type.String({
    description: 'Questions that the DNS did not answer, so the report may lack something; empty when all was answered',
  }),
});
