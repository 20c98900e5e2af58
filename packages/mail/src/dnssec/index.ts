export { IANA_TRUST_ANCHORS, parseTrustAnchors } from './anchors.ts';
export { validate, type Validation } from './validate.ts';
export { DNSSEC_REASONS, DNSSEC_STATUSES, type DnssecReason } from './verdict.ts';
