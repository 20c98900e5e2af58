import type { ApiErrorCode } from '@vedette/contract';

/** What a paid request must pass: a row of docs/gates.md. Code that refuses requests exports its gates as such rows. */
export interface GateRow {
  name: string;
  /** The subject of the limit. */
  limits: string;
  limit: string;
  /** The codes of its refusals; none where a connection is closed or a location fails instead. */
  codes: readonly ApiErrorCode[];
  /** What a request meets without a code. */
  instead?: string;
  /** Whose behaviour meets the limit. */
  cause: 'client' | 'account' | 'target' | 'owner' | 'service';
  /** Files of other packages that refuse for this gate. */
  files?: readonly string[];
}
