export { certificatesOf } from './certificates.ts';
export { stateOf } from './state-of.ts';
