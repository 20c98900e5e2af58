import { findings, type Issue } from '../findings/index.ts';

/** The API's own, and among them those (see docs/issues/bimi-validator.md) for what these do not say. */
export const BIMI_ISSUES = [
  'BIMI_VIA_CNAME',
  'BIMI_NOT_FOUND',
  'RECORD_NOT_ANSWERED',
  'DUPLICATE_BIMI_RECORDS',
  'V_TAG_NOT_FOUND',
  'V_TAG_NOT_FIRST',
  'MISSING_L_TAG',
  'MISSING_A_TAG',
  'INVALID_L_TAG_CHARS',
  'INVALID_A_TAG_CHARS',
  'INVALID_SVG_FILE',
  'INVALID_PEM_CERT_FILE',
  'PEM_CERT_FILE_HAS_NO_TRADEMARK',
  'PEM_CERT_DOMAIN_MISMATCH',
  'VMC_LOGO_MISMATCH',
  'VMC_LOGOTYPE_EXTENSION_NOT_FOUND',
  'INVALID_BIMI_TAG_FOUND',
  'UNKNOWN_BIMI_TAG_FOUND',
  'DMARC_NOT_ENFORCED',
  'DMARC_NOT_ANSWERED',
] as const;
export type BimiIssue = Issue<(typeof BIMI_ISSUES)[number]>;

/** error: receivers show no logo. warning: some show none, or it works and is worth changing. */
export const { error, warning, information } = findings<BimiIssue['code']>();
