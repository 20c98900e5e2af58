import { Enum, flag, REASONS, text, texts } from '@vedette/contract';
import { LOG_STATES } from '@vedette/intel/transparency';
import { SCT_SOURCES } from '@vedette/mail/certificates';
import { Type } from 'typebox';
import { integer, Issues } from '../kit/index.ts';
import { SSL_FIELDS } from '../shared/certificates/ssl-details.ts';
import { REVOCATION_STATES } from '../shared/pages/revocation.ts';
import { CAA_STATES } from './caa.ts';
import { DANE_STATES } from './dane.ts';
import { SCT_POLICIES, SCT_STATES } from './scts.ts';
import { SSL_ISSUES } from './findings.ts';
import { STARTTLS_ASKED } from './ports.ts';

export const CERTIFICATES_MAX = 16;

const ChainEntry = Type.Object(
  {
    subject: text('Subject of the certificate (RFC 2253)'),
    issuer: text('Issuer of the certificate (RFC 2253)'),
    source: Enum(['sent', 'fetched', 'store'], {
      description: 'Origin of the certificate: sent by the server, fetched from the URL in the certificate below (AIA), or a trusted root',
    }),
    valid_from: text('Start of validity, YYYY-MM-DD HH:MM:SS in UTC'),
    valid_to: text('End of validity, YYYY-MM-DD HH:MM:SS in UTC'),
    key_algorithm: text('Key algorithm: RSA, EC, ED25519 …'),
    key_size: integer('Size of the public key in bits'),
    algorithm: text('Signature algorithm, by its OpenSSL name'),
    serial_number: text('Serial number in hexadecimal'),
    fingerprint_sha256: text('SHA-256 fingerprint in hexadecimal'),
  },
  { title: 'ChainCertificate' },
);

const CertificateDetails = Type.Object(
  {
    ...SSL_FIELDS,
    san: texts('Names and addresses of the certificate (subjectAltName), at most 500'),
    san_count: integer('Number of names and addresses'),
    is_wildcard: flag('One of the names has a wildcard'),
    not_before_ts: integer('Start of validity, in seconds since 1970; 0 without a certificate'),
    not_after_ts: integer('End of validity, in seconds since 1970; 0 without a certificate'),
    key_usage: texts('Key usage, by its name in RFC 5280; empty if unrestricted'),
    ext_key_usage: texts('Extended key usage, by name or object identifier; empty if unrestricted'),
    policies: texts('Certificate policies, as object identifiers'),
    must_staple: flag('The certificate demands a stapled OCSP response (RFC 7633)'),
    is_precertificate: flag('The certificate is only meant for Certificate Transparency logs'),
    ocsp_urls: texts('OCSP responders of the issuer'),
    crl_urls: texts('Revocation lists of the issuer'),
    ca_issuers: texts('URLs of the certificate of the issuer'),
    spki_sha256: text('SHA-256 of the public key (SPKI) in hexadecimal'),
    scts: Type.Array(
      Type.Object(
        {
          source: Enum(SCT_SOURCES, { description: 'Place of the SCT: the certificate, the stapled OCSP response, or the TLS handshake' }),
          log_id: text('Id of the log in hexadecimal: SHA-256 of its key'),
          log: text('Name of the log; empty for an unknown log'),
          operator: text('Operator of the log at that time; empty for an unknown log'),
          log_state: Enum(['', ...LOG_STATES], { description: 'State of the log in Chrome; empty for an unknown log' }),
          timestamp: text('Time of the promise, YYYY-MM-DD HH:MM:SS in UTC'),
          state: Enum(SCT_STATES, {
            description:
              'Result of the check of the signature: valid, invalid, unknown_log (not in the list of logs), or not_checked (this gateway has no list of logs, or the issuer is missing)',
          }),
          error: text('Reason for invalid and not_checked; empty otherwise'),
        },
        { title: 'Sct' },
      ),
      {
        description:
          'Signed certificate timestamps (RFC 6962): at most 16 of the certificate and 16 of the stapled OCSP response. If browsers need more, those of the TLS handshake follow',
      },
    ),
    sct_policy: Enum(SCT_POLICIES, {
      description:
        'Whether Chrome has enough SCTs to accept the certificate: met, not_met, unknown, or not_required (not of a public authority, or out of date)',
    }),
    sct_policy_error: text('Reason why `sct_policy` is unknown; empty otherwise'),
    pem: text('The certificate in PEM; empty without a certificate'),
  },
  { title: 'CertificateDetails' },
);

const Dane = Type.Object(
  {
    state: Enum(DANE_STATES, {
      description:
        'valid (a record agrees), mismatch, none (no usable record), not_signed (records without DNSSEC, which clients ignore), bogus or unknown',
    }),
    error: text('Reason why the state is not_signed, bogus or unknown; empty otherwise'),
    records: Type.Array(
      Type.Object(
        {
          usage: integer('Certificate usage: 0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE'),
          selector: integer('0: the certificate. 1: its public key'),
          matching_type: integer('0: the octets themselves. 1: SHA-256. 2: SHA-512'),
          data: text('Certificate, key or hash in hexadecimal'),
          matches: flag('The certificates of the server agree with the record'),
        },
        { title: 'TlsaRecord' },
      ),
      { description: 'TLSA records of the port, at most 20' },
    ),
  },
  { title: 'Dane', description: 'TLSA records at `_port._tcp.host` (RFC 6698), validated by DNSSEC' },
);

const Caa = Type.Object(
  {
    state: Enum(CAA_STATES, {
      description:
        'Whether the issuing authority may issue: allowed, forbidden, any (no record restricts it), unknown (authority without known names, unknown critical tag, certificate for another name), or not_checked',
    }),
    domain: text('Name that has the records: the host, or one above it; empty without records'),
    records: Type.Array(
      Type.Object(
        {
          flag: integer('Flags; 128 marks a critical record'),
          tag: text('Property: issue, issuewild, iodef or another'),
          value: text('Value, such as `letsencrypt.org`'),
        },
        { title: 'CaaRecord' },
      ),
      { description: 'CAA records of the domain, at most 20' },
    ),
    identifiers: texts('Names by which CAA records mean the issuing authority; empty for an unknown authority'),
    error: text('Reason for not_checked; empty otherwise'),
  },
  { title: 'Caa', description: 'CAA records that hold for the name of the certificate (RFC 8659)' },
);

/** The own part of a location's entry. */
export const SslAtLocation = Type.Object({
  ip: text('IP address that answered, or that was tried first; empty without one'),
  certificate_found: flag('The server presented a certificate'),
  valid_ssl: flag('The certificate is trusted, current and for this name, by what the server sent alone'),
  certificate_error: text('Defect of the certificate; empty if valid, and without a certificate'),
  hostname_matches: flag('The certificate covers the name'),
  fingerprint_sha256: text('SHA-256 fingerprint of the certificate in hexadecimal; empty without a certificate'),
  subject: text('Subject of the certificate (RFC 2253)'),
  issuer: text('Issuer of the certificate (RFC 2253)'),
  valid_to: text('End of validity, YYYY-MM-DD HH:MM:SS in UTC'),
  days_left: integer('Whole days until the end of validity; negative after it, 0 without a certificate'),
  chain_sent: texts('SHA-256 fingerprints of the certificates in the order in which the server sent them'),
  chain_complete: flag('Signatures of authorities lead from the certificate to a trusted root, with fetched certificates if need be'),
  stapled: flag('The server stapled an OCSP response'),
  revoked: flag("The certificate or an issuer's certificate was revoked; false if unknown"),
  revocation: Enum(REVOCATION_STATES, { description: 'Revocation state; empty if the chain is not trusted, so that no issuer was asked' }),
  revocation_error: text('Reason why the revocation state is unknown, or good without a check'),
  issues: Type.Array(Enum(SSL_ISSUES, { description: 'Code of a finding, as in `issues_found`' }), {
    description: 'Codes of the findings at this location',
  }),
  tls_version: text('TLS version, such as TLSv1.3; empty without a certificate'),
  cipher_suite: text('IANA name of the cipher suite; empty without a completed handshake'),
  alpn: text('Protocol that the server chose by ALPN; empty without one'),
  elapsed_ms: integer('Processing time at the location, in ms'),
});

/** Report of ssl-info, without `elapsed_ms`. */
export const SslReport = Type.Object({
  host: text('Host from the request'),
  ip: text('IP address that answered; empty without a connection'),
  port: integer('TCP port that was contacted'),
  sni: text('Server name that was sent, and that the certificate must cover; empty for an address'),
  starttls: Enum(STARTTLS_ASKED, { description: 'Protocol in which the server was asked for TLS; none if TLS began at once' }),
  tls_version: text('TLS version, such as TLSv1.3; empty without a certificate'),
  cipher_suite: text('IANA name of the cipher suite; empty without a completed handshake'),
  alpn: text('Protocol that the server chose by ALPN; empty without one'),
  certificate_found: flag('The server presented a certificate'),
  valid_ssl: flag('The certificate is trusted, current and for this name, by what the server sent alone'),
  hostname_matches: flag('The certificate covers the name'),
  ssl_details: CertificateDetails,
  chain_sent: Type.Array(ChainEntry, {
    description: `Certificates in the order in which the server sent them, at most ${CERTIFICATES_MAX}`,
  }),
  chain: Type.Array(ChainEntry, {
    description: 'Completed chain: from the certificate of the server up to a trusted root, or as far as issuers were found',
  }),
  chain_complete: flag('Signatures of authorities lead from the certificate to a trusted root, with fetched certificates if need be'),
  chain_issues: Type.Array(
    Enum(['incomplete', 'misordered', 'extra', 'contains_root', 'expired_intermediate', 'weak_signature'], {
      description: 'Fault of the chain',
    }),
    { description: 'Faults of the chain in one word each; `issues_found` explains them' },
  ),
  chain_error: text('Reason why a missing certificate could not be fetched; empty otherwise'),
  stapled: flag('The server stapled an OCSP response'),
  revoked: flag("The certificate or an issuer's certificate was revoked; false if unknown"),
  revocation: Enum(REVOCATION_STATES, { description: 'Revocation state; empty if the chain is not trusted, so that no issuer was asked' }),
  revocation_method: Enum(['stapled', 'crl', 'ocsp', 'none'], { description: 'Source of the revocation state' }),
  revocation_error: text('Reason why the revocation state is unknown, or good without a check'),
  dane: Dane,
  caa: Caa,
  issues_found: Issues('SslIssue', SSL_ISSUES),
  error: text('Reason why no certificate was seen or the handshake failed; empty otherwise'),
  reason: Enum(['', ...Object.keys(REASONS)], {
    description: 'Reason code why no certificate was seen or the handshake failed, explained in docs/reference/errors.md; empty otherwise',
  }),
});
