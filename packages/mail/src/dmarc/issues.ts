import { findings, type Issue } from '../findings/index.ts';

/** The API's own, older than RFC 9989, and among them those (see docs/issues/dmarc-validator.md) that say what these cannot. */
export const DMARC_ISSUES = [
  'DMARC_NOT_FOUND',
  'ORGANIZATION_IS_PUBLIC_SUFFIX',
  'DUPLICATE_DMARC_RECORDS',
  'V_TAG_NOT_FOUND',
  'V_TAG_NOT_FIRST',
  'MISSING_P_TAG',
  'NO_DMARC_TAGS_FOUND',
  'INVALID_DMARC_TAG_FOUND',
  'UNKNOWN_DMARC_TAG_FOUND',
  'INVALID_P_TAG_CHARS',
  'P_TAG_IS_NONE',
  'T_TAG_IS_TESTING',
  'INVALID_ADKIM_TAG_CHARS',
  'INVALID_ASPF_TAG_CHARS',
  'INVALID_SP_TAG_CHARS',
  'INVALID_NP_TAG_CHARS',
  'INVALID_FO_TAG_CHARS',
  'INVALID_RUA_TAG_CHARS',
  'RUA_TAG_SIZE_LIMIT',
  'RUA_TAG_TOO_MANY_DOMAINS',
  'RUA_TAG_INVALID_EMAIL',
  'RUA_TAG_NO_CONSENT',
  'RUA_TAG_EMAIL_NO_MX',
  'INVALID_RUF_TAG_CHARS',
  'RUF_TAG_SIZE_LIMIT',
  'RUF_TAG_TOO_MANY_DOMAINS',
  'RUF_TAG_INVALID_EMAIL',
  'RUF_TAG_NO_CONSENT',
  'RUF_TAG_EMAIL_NO_MX',
  'INVALID_RF_TAG_CHARS',
  'INVALID_PCT_TAG_CHARS',
  'PCT_TAG_IS_HISTORIC',
  'INVALID_RI_TAG_CHARS',
] as const;
export type DmarcIssue = Issue<(typeof DMARC_ISSUES)[number]>;

/** error: receivers ignore the record, or the tag. warning: it works, and is worth changing. */
export const { error, warning, information } = findings<DmarcIssue['code']>();
