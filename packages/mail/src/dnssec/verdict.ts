/** What validation says of data, RFC 4033 §5. */
export const DNSSEC_STATUSES = ['secure', 'insecure', 'bogus', 'indeterminate'] as const;
export type DnssecStatus = (typeof DNSSEC_STATUSES)[number];

/** Why data is not secure: each code has one status. docs/dnssec-status.md says what each means and what to do. */
export const DNSSEC_REASONS = {
  unsigned_delegation: 'insecure',
  opt_out: 'insecure',
  unsupported_algorithm: 'insecure',
  unsupported_digest: 'insecure',
  nsec3_iterations: 'insecure',
  no_trusted_key: 'bogus',
  unfit_key: 'bogus',
  missing_signature: 'bogus',
  wrong_signer: 'bogus',
  unknown_key: 'bogus',
  unsupported_signature: 'bogus',
  signature_expired: 'bogus',
  signature_not_yet_valid: 'bogus',
  signature_invalid: 'bogus',
  missing_denial: 'bogus',
  chain_loop: 'bogus',
  validation_limit: 'bogus',
  unanswered: 'indeterminate',
  resolver_without_dnssec: 'indeterminate',
  query_limit: 'indeterminate',
} as const satisfies Record<string, DnssecStatus>;
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
  status: DNSSEC_REASONS[code],
  code,
  reason: `${link}: ${what}`,
});

// Bad data anywhere outweighs data that could not be had, and that outweighs data nobody signed.
const GRAVITY: Record<DnssecStatus, number> = { secure: 0, insecure: 1, indeterminate: 2, bogus: 3 };

/** The gravest of several; the first of equals. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((grave, verdict) => (GRAVITY[verdict.status] > GRAVITY[grave.status] ? verdict : grave), SECURE);

export const isFlaw = (result: object): result is Flaw => 'code' in result;
