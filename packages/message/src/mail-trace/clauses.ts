/** Keywords of a Received field (RFC 5321 §4.4). */
export const CLAUSES = ['from', 'by', 'via', 'with', 'id', 'for'] as const;

export type ClauseName = (typeof CLAUSES)[number];

/** Words and comments behind one keyword. */
export interface Clause {
  words: string[];
  comments: string[];
}

export type Clauses = Record<ClauseName | 'rest', Clause>;
