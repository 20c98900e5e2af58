export { IANA_TRUST_ANCHORS, parseTrustAnchors } from './anchors.ts';
export type { ZoneLink } from './chain.ts';
export { validate, type Validation, type ValidationOptions } from './validate.ts';
export { DNSSEC_REASONS, DNSSEC_STATUSES, type DnssecReason, type DnssecStatus, type Flaw, type Verdict } from './verdict.ts';
