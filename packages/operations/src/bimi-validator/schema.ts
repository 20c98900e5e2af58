import { Enum } from '@vedette/contract';
import { Issues } from '../kit/index.ts';
import { BIMI_ISSUES } from '@vedette/mail/bimi';
import { Type } from 'typebox';
import { REVOCATION_STATES } from '../shared/pages/revocation.ts';

const FetchError = Type.String({ description: 'Reason why the file could not be fetched; empty if it was' });

const SvgLogo = Type.Object(
  {
    url: Type.String({ description: 'URL of the logo (`l=`); empty if the logo comes from the certificate' }),
    version: Type.String({ description: 'SVG version; 1.2 is expected' }),
    baseprofile: Type.String({ description: 'SVG base profile; tiny-ps is expected' }),
    title: Type.String({ description: 'Title element of the logo' }),
    status_code: Type.Integer({ description: 'HTTP status of the logo; 0 if no response arrived' }),
    valid: Type.Boolean({ description: 'The logo is valid SVG Tiny Portable/Secure' }),
    file_size_bytes: Type.Integer({ description: 'Size of the logo file as fetched; unpacked size for a logo from the certificate' }),
    error: FetchError,
  },
  { description: 'Logo that the record names' },
);

const NAME = {
  common_name: Type.String({ description: 'Common name (CN); empty if absent' }),
  organization: Type.String({ description: 'O' }),
  country: Type.String({ description: 'Country (C), two letters; empty if absent' }),
  state: Type.String({ description: 'State (ST); empty if absent' }),
  location: Type.String({ description: 'City (L); empty if absent' }),
};

const VmcCertificate = Type.Object(
  {
    url: Type.String({ description: 'URL of the mark certificate (`a=`)' }),
    status_code: Type.Integer({ description: 'HTTP status of the certificate; 0 if no response arrived' }),
    expired: Type.Boolean({ description: 'The certificate has expired' }),
    valid: Type.Boolean({
      description: 'The certificate is current, contains a logo, was issued by a mark verifying authority, and is not known to be revoked',
    }),
    issued_to: Type.Object(
      { ...NAME, alternative_names: Type.Array(Type.String(), { description: 'Domains that may use the mark' }) },
      { description: 'Subject of the certificate' },
    ),
    issuer: Type.Object(NAME, { description: 'Issuer of the certificate' }),
    signature: Type.Object(
      {
        serial: Type.String({ description: 'Serial number in decimal' }),
        serial_hex: Type.String({ description: 'Serial number in hexadecimal' }),
        type: Type.String({ description: 'Signature algorithm, such as sha256WithRSAEncryption' }),
      },
      { description: 'Serial number and signature algorithm of the certificate' },
    ),
    validity: Type.Object(
      {
        days_left: Type.Integer({ description: 'Full days until the certificate expires; 0 after expiry' }),
        valid_from_timestamp: Type.Integer({ description: 'Start of validity, Unix time in seconds' }),
        valid_to_timestamp: Type.Integer({ description: 'End of validity, Unix time in seconds' }),
        valid_from: Type.String({ description: 'Start of validity, YYYY-MM-DD HH:MM:SS in UTC' }),
        valid_to: Type.String({ description: 'End of validity, YYYY-MM-DD HH:MM:SS in UTC' }),
      },
      { description: 'Validity period of the certificate' },
    ),
    trademark: Type.Object(
      {
        found: Type.Boolean({ description: 'The certificate names a registered trademark' }),
        country: Type.String({ description: 'Country of the trademark register' }),
        id: Type.String({ description: 'Number of the trademark in the register' }),
      },
      { description: 'Trademark that the certificate names' },
    ),
    mark_type: Type.String({ description: 'Mark type as written in the certificate, such as "Registered Mark" or "Prior Use Mark"' }),
    revocation: Enum(REVOCATION_STATES, {
      description: "Revocation state by the issuers' revocation lists or OCSP responders; empty if the certificate is unusable anyway",
    }),
    revocation_error: Type.String({ description: 'Reason why the revocation state is unknown' }),
    error: FetchError,
  },
  { description: 'Mark certificate that the record names' },
);

export const BimiReport = Type.Object({
  selector: Type.String({ description: 'Selector from the request; `default` if absent' }),
  host: Type.String({ description: 'Host from the request, in lower case and A-labels' }),
  bimi_host: Type.String({
    description: 'Name of the BIMI record: selector._bimi.domain, where domain is the host or its organizational domain',
  }),
  cname_target: Type.String({ description: 'Alias target (CNAME) of `bimi_host`; empty if `bimi_host` is not an alias' }),
  has_bimi_record: Type.Boolean({ description: 'A record begins with v=BIMI1. With RECORD_NOT_ANSWERED, false means unknown' }),
  bimi_record: Type.String({ description: 'BIMI record as published; empty if absent' }),
  bimi_records_count: Type.Integer({ description: 'Number of BIMI records; one is expected' }),
  version: Type.String({ description: 'Version of the record (`v=`); empty without a record' }),
  svg_logo: SvgLogo,
  vmc_certificate: VmcCertificate,
  issues_found: Issues('BimiIssue', BIMI_ISSUES),
  valid: Type.Boolean({ description: 'Receivers can use the record, logo and certificate: there is no issue of type error' }),
  declined: Type.Boolean({ description: 'The record is valid and declines BIMI for the domain' }),
  organizational_domain: Type.String({
    description: 'Organizational domain found by the tree walk of RFC 9989 §4.10; never a public suffix',
  }),
  dmarc_enforced: Type.Boolean({
    description:
      'DMARC suffices for a logo: quarantine or reject for the domain and its subdomains, no t=y, pct= absent or 100. With DMARC_NOT_ANSWERED, false means unknown',
  }),
  dns_error: Type.String({
    description: 'DNS queries that got no answer, so the report may be incomplete; empty if all were answered',
  }),
});
