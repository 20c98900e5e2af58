/** The result of validating data, RFC 4033 §5. */
export const DNSSEC_STATUSES = ['secure', 'insecure', 'bogus', 'indeterminate'] as const;
export type DnssecStatus = (typeof DNSSEC_STATUSES)[number];

interface ReasonRow {
  status: Exclude<DnssecStatus, 'secure'>;
  when: string;
  /** Sections of RFCs; empty without. */
  rfc: string;
  /** The cure. */
  fix: string;
}

/** Why data is not secure; `npm run generate` writes the table of docs/dnssec-status.md from these rows. */
export const DNSSEC_REASONS = {
  unsigned_delegation: {
    status: 'insecure',
    when: 'The parent zone proves that it delegates the zone without a DS record',
    rfc: '4035 §5.2',
    fix: 'Sign the zone, then give the registrar its DS record',
  },
  opt_out: {
    status: 'insecure',
    when: 'The parent zone leaves unsigned delegations out of its NSEC3 chain, and the name may be one',
    rfc: '5155 §6, §9.2',
    fix: 'As for `unsigned_delegation`; a name that does not exist needs nothing',
  },
  unsupported_algorithm: {
    status: 'insecure',
    when: 'Every DS record names an algorithm that is not validated, such as RSA/SHA-1',
    rfc: '4035 §5.2, 9905 §2',
    fix: 'Roll to ECDSA P-256 (13) or Ed25519 (15)',
  },
  unsupported_digest: {
    status: 'insecure',
    when: 'Every DS record has a digest other than SHA-1, SHA-256 and SHA-384',
    rfc: '4035 §5.2',
    fix: 'Publish a DS record of SHA-256 (2)',
  },
  nsec3_iterations: { status: 'insecure', when: 'NSEC3 has more than 150 iterations', rfc: '9276 §3.2', fix: 'Set the iterations to 0' },
  no_trusted_key: {
    status: 'bogus',
    when: 'No key of the zone is the one that a DS record or a trust anchor names; also without any keys',
    rfc: '4035 §5.2',
    fix: 'Publish the DS record of the current key-signing key, or remove the DS record',
  },
  unfit_key: {
    status: 'bogus',
    when: 'The key that a DS record names may sign nothing: it is revoked, lacks the zone flag, or its protocol is not 3',
    rfc: '4034 §2.1, 5011 §2.1',
    fix: 'Publish the DS record of a key that is in use',
  },
  missing_signature: {
    status: 'bogus',
    when: 'The zone is signed, but these records are not',
    rfc: '4035 §5.3.1',
    fix: 'Sign the whole zone again; look for a server that lags behind',
  },
  wrong_signer: {
    status: 'bogus',
    when: 'The signature names another zone as signer',
    rfc: '4035 §5.3.1',
    fix: 'Sign with the keys of the zone itself',
  },
  unknown_key: {
    status: 'bogus',
    when: 'The signing key is not in the key set of the zone; for the key set itself, the DS record does not name it',
    rfc: '4035 §5.3.1',
    fix: 'Publish a key before signing with it, and keep it until old signatures are gone (RFC 6781 §4.1)',
  },
  unsupported_signature: {
    status: 'bogus',
    when: 'The DS record promises a supported algorithm, but the records are signed with others only',
    rfc: '6840 §5.11',
    fix: 'Sign everything with each algorithm of the DS set',
  },
  signature_expired: {
    status: 'bogus',
    when: 'The signature has expired',
    rfc: '4035 §5.3.1',
    fix: 'Sign again, and find out why the signer stopped',
  },
  signature_not_yet_valid: {
    status: 'bogus',
    when: 'The signature is not valid yet',
    rfc: '4035 §5.3.1',
    fix: 'Check the clock of the signer',
  },
  signature_invalid: {
    status: 'bogus',
    when: 'The signature does not fit the data, the key or the name',
    rfc: '4035 §5.3.3',
    fix: 'The data was changed after it was signed: sign again',
  },
  missing_denial: {
    status: 'bogus',
    when: 'An absence, or an answer made from a wildcard, comes without proof',
    rfc: '4035 §5.4, 5155 §8',
    fix: 'Repair the NSEC or NSEC3 chain; look for a server that does not support DNSSEC',
  },
  chain_loop: { status: 'bogus', when: 'More than 16 CNAME records follow each other', rfc: '1034 §3.6.2', fix: 'Shorten the chain' },
  validation_limit: {
    status: 'bogus',
    when: 'Validation would take more work than any ordinary zone needs',
    rfc: '9276 §3.2, CVE-2023-50387, CVE-2023-50868',
    fix: 'Remove surplus keys and signatures',
  },
  unanswered: { status: 'indeterminate', when: 'The resolver did not answer, or refused', rfc: '', fix: 'Check the servers of the zone' },
  resolver_without_dnssec: {
    status: 'indeterminate',
    when: 'The resolver strips signatures even from the keys of the root',
    rfc: '3225',
    fix: 'Configure a resolver that supports DNSSEC (`VEDETTE_RESOLVERS`)',
  },
  query_limit: {
    status: 'indeterminate',
    when: 'Validation would need more than 60 questions, or more time than there is',
    rfc: '',
    fix: '',
  },
} satisfies Record<string, ReasonRow>;
export type DnssecReason = keyof typeof DNSSEC_REASONS;

/** Secure, or the link that broke and why. */
export type Verdict = { status: 'secure' } | Flaw;
export interface Flaw {
  status: Exclude<DnssecStatus, 'secure'>;
  code: DnssecReason;
  /** One sentence that names the link, such as `example.org DNSKEY: …`. */
  reason: string;
}

export const SECURE: Verdict = { status: 'secure' };

/** A flaw at `link` (a name, a type where it has one). */
export const flaw = (code: DnssecReason, link: string, what: string): Flaw => ({
  status: DNSSEC_REASONS[code].status,
  code,
  reason: `${link}: ${what}`,
});

// Bad data outweighs unavailable data, which outweighs unsigned data.
const GRAVITY: Record<DnssecStatus, number> = { secure: 0, insecure: 1, indeterminate: 2, bogus: 3 };

/** The gravest of several; the first of equals. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((grave, verdict) => (GRAVITY[verdict.status] > GRAVITY[grave.status] ? verdict : grave), SECURE);

export const isFlaw = (result: object): result is Flaw => 'code' in result;
