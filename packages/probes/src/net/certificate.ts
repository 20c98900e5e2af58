import type { X509Certificate } from 'node:crypto';
import type { ParsedHost } from '@vedette/contract';

/** What a TLS client thinks of the certificate it was shown. */
export interface CertificateReport {
  /** The chain ends in a trusted root, every certificate in it is current, and the leaf is for this host. */
  valid: boolean;
  /** What is wrong, in words; empty when it is valid. */
  error: string;
  /** ISO 8601, UTC. */
  not_before: string;
  not_after: string;
}

const NAMES_MAX_CHARS = 120;

/** What OpenSSL's verification found (X509_V_ERR_…, as Node names it). Each reads on from "The certificate …". */
const CHAIN_ERRORS: Record<string, (leaf: X509Certificate) => string> = {
  // OpenSSL names neither the certificate nor its place in the chain to us.
  CERT_HAS_EXPIRED: (leaf) => `has expired, or one above it has (this one is valid until ${day(leaf.validToDate)})`,
  CERT_NOT_YET_VALID: (leaf) => `is not valid yet, or one above it is not (this one is valid from ${day(leaf.validFromDate)})`,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: () => 'ends in a root that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: () => 'has an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => 'has an unknown issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => 'has an unknown issuer, or the server does not send the intermediate certificate',
  INVALID_CA: () => 'was issued by a certificate that is not a CA',
  INVALID_PURPOSE: () => 'is not meant for servers',
  PATH_LENGTH_EXCEEDED: () => 'has a longer chain than its issuer allows',
  CERT_CHAIN_TOO_LONG: () => 'has a chain that is too long',
  CERT_SIGNATURE_FAILURE: () => 'has a signature that does not verify',
  CERT_REVOKED: () => 'was revoked',
  CERT_UNTRUSTED: () => 'is not trusted',
  CERT_REJECTED: () => 'was rejected',
};

/** Joins OpenSSL's verdict on the chain (`code`, undefined when it holds) with whether the leaf is for the host (RFC 9525). */
export function judgeCertificate(leaf: X509Certificate, host: ParsedHost, code: string | undefined): CertificateReport {
  const faults: string[] = [];
  if (code !== undefined) faults.push(CHAIN_ERRORS[code]?.(leaf) ?? `does not verify (${code})`);
  // 'never': the common name has not counted since RFC 6125, and browsers ignore it.
  const matches = host.kind === 'name' ? leaf.checkHost(host.host, { subject: 'never' }) : leaf.checkIP(host.host);
  if (matches === undefined) faults.push(`is for ${namesOf(leaf)}, not for ${host.host}`);
  return {
    valid: faults.length === 0,
    error: faults.length === 0 ? '' : `The certificate ${faults.join(', and ')}`,
    not_before: leaf.validFromDate.toISOString(),
    not_after: leaf.validToDate.toISOString(),
  };
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

function namesOf(leaf: X509Certificate): string {
  const names = (leaf.subjectAltName ?? '').replace(/(DNS|IP Address):/g, '');
  if (names === '') return 'no name';
  return names.length > NAMES_MAX_CHARS ? `${names.slice(0, NAMES_MAX_CHARS)}…` : names;
}
