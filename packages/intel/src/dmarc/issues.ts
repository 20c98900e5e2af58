import type { Issue } from '@vedette/contract';
import { findings } from '../findings/index.ts';

export const DMARC_ISSUES = [
  'DMARC_NOT_FOUND',
  'DUPLICATE_DMARC_RECORDS',
  'V_TAG_NOT_FOUND',
  'V_TAG_NOT_FIRST',
  'MISSING_P_TAG',
  'NO_DMARC_TAGS_FOUND',
  'INVALID_DMARC_TAG_FOUND',
  'UNKNOWN_DMARC_TAG_FOUND',
  'INVALID_P_TAG_CHARS',
  'P_TAG_IS_NONE',
  'INVALID_ADKIM_TAG_CHARS',
  'INVALID_ASPF_TAG_CHARS',
  'INVALID_SP_TAG_CHARS',
  'INVALID_FO_TAG_CHARS',
  'INVALID_RUA_TAG_CHARS',
  'RUA_TAG_INVALID_EMAIL',
  'RUA_TAG_EMAIL_NO_MX',
  'INVALID_RUF_TAG_CHARS',
  'RUF_TAG_INVALID_EMAIL',
  'RUF_TAG_EMAIL_NO_MX',
  'INVALID_RF_TAG_CHARS',
  'INVALID_PCT_TAG_CHARS',
  'INVALID_RI_TAG_CHARS',
] as const;
export type DmarcIssue = Issue<(typeof DMARC_ISSUES)[number]>;

/** error: receivers ignore the record, or the tag. warning: it works, and is worth changing. */
export const { error, warning, information } = findings<DmarcIssue['code']>();
