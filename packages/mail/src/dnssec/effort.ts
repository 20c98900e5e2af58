/**
 * The remaining effort of one validation. A zone can be built so that each answer costs a validator minutes (KeyTrap, CVE-2023-50387; NSEC3
 * encloser attack, CVE-2023-50868), so all work draws on one purse.
 */
export interface Effort {
  /** Signature checks. */
  signatures: number;
  /** Rounds of the NSEC3 hash. */
  hashes: number;
}

/** A CNAME chain over signed zones takes about 40 checks and 1,000 hash rounds. */
export const newEffort = (): Effort => ({ signatures: 150, hashes: 30_000 });

/** Tries of all signatures with all keys of one record set; key tags collide by chance about once in 65,536. */
export const MAX_TRIES_PER_RRSET = 16;
