import { findings, type Issue } from '../findings/index.ts';

export const DKIM_ISSUES = [
  'DKIM_NOT_FOUND',
  'RECORD_NOT_ANSWERED',
  'DUPLICATE_DKIM_RECORDS',
  'V_TAG_NOT_FOUND',
  'V_TAG_NOT_FIRST',
  'MISSING_P_TAG',
  'NO_DKIM_TAGS_FOUND',
  'INVALID_DKIM_TAG_FOUND',
  'UNKNOWN_DKIM_TAG_FOUND',
  'INVALID_H_TAG_CHARS',
  'INVALID_K_TAG_CHARS',
  'PUBLIC_KEY_REVOKED',
  'INVALID_P_TAG_CHARS',
  'PUBLIC_KEY_NOT_VALID',
  'WEAK_PUBLIC_KEY_BITS',
  'INVALID_S_TAG_CHARS',
  'INVALID_T_TAG_CHARS',
] as const;
export type DkimIssue = Issue<(typeof DKIM_ISSUES)[number]>;

/** error: verifiers cannot use the key. warning: it works, and is worth changing. */
export const { error, warning, information } = findings<DkimIssue['code']>();
