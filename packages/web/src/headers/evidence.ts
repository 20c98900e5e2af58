import type { PageSecurity } from './page-security.ts';

/** Fields of an answer in the order received: lower-case names, each value on its own. */
export type AnswerFields = readonly (readonly [name: string, value: string])[];

/** One answer on the way of a visit. */
export interface SeenHop {
  url: string;
  status: number;
  fields: AnswerFields;
}

/** The answers of a visit, of which the last one is judged. */
export interface SeenVisit {
  /** At least one. */
  hops: readonly SeenHop[];
  /** URL that the last redirect leads to, if nothing answered there or it was not to be asked; empty otherwise. */
  unanswered: string;
  /** No hop over https had an invalid certificate. */
  verified: boolean;
}

/** The facts that the headers of a site are judged by. */
export interface HeaderEvidence {
  /** Host of the requested URL, in lower-case A-labels. */
  host: string;
  /** Undefined where nothing answered over https, or it was not asked. */
  https: SeenVisit | undefined;
  http: SeenVisit | undefined;
  /** The scheme that was not asked; empty where both were. */
  unasked: 'https' | 'http' | '';
  /** The parts of the judged page that concern its security; undefined where it is not HTML. */
  page: PageSecurity | undefined;
  /** The fields of the answer to a preflight request of the judged URL from `origin`; undefined without an answer. */
  preflight: AnswerFields | undefined;
  origin: string;
  /** Whether browsers ship the name as https alone; undefined where no such list is loaded. */
  isPreloaded(host: string): boolean | undefined;
}

/** The visit that is judged: that over https, where it was answered. */
export const judgedVisit = ({ https, http }: Pick<HeaderEvidence, 'https' | 'http'>): SeenVisit | undefined => https ?? http;

/** The values of one field, in order. */
export const valuesOf = (fields: AnswerFields, name: string): string[] => fields.flatMap(([key, value]) => (key === name ? [value] : []));

/** The values of one field as the one text that they stand for (RFC 9110 §5.3); empty without the field. */
export const joined = (fields: AnswerFields, name: string): string => valuesOf(fields, name).join(', ');

/** The fields of the judged answer. */
export const judgedFields = (evidence: Pick<HeaderEvidence, 'https' | 'http'>): AnswerFields =>
  judgedVisit(evidence)?.hops.at(-1)?.fields ?? [];
