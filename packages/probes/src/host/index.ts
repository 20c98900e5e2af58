export { createAddressPolicy, isBadPort } from './address-policy.ts';
export { type Claim, longestWait, takeAll } from './claims.ts';
export { type OptOut, optOutNameOf, optOutOf } from './opt-out.ts';
export { OptOuts, UNGATED } from './opt-outs.ts';
export { ownTargets, prefixOf } from './own-targets.ts';
