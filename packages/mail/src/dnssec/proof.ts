import type { Name } from './names.ts';

/** `opt_out`: true as far as the records say, but an unsigned delegation may hide there (RFC 5155 §9.2). */
export type Proof = 'proven' | 'opt_out' | 'unproven';

/** The proofs of signed denial records about names of their zone. */
export interface Denial {
  /** Neither the name exists nor a wildcard that would answer for it. */
  noName(name: Name): Proof;
  /** The name, or the wildcard that answers for it, has no records of the type. */
  noData(name: Name, type: string): Proof;
  /** Nothing between the closest encloser and the name exists, so the encloser's wildcard did answer (RFC 4035 §5.3.4). */
  noCloserName(name: Name, encloser: Name): Proof;
  /** The meaning of a missing DS: an unsigned delegation, no zone cut here, or no name here and so no cut below either. */
  delegation(name: Name): 'unsigned' | 'opt_out' | 'no_cut' | 'absent' | 'unproven';
}
