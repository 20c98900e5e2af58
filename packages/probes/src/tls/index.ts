export { CONNECTIONS_MAX } from './exchange.ts';
export { VERSIONS, type Version } from './found.ts';
export { nothingScanned, scanTls, type TlsScan } from './scan.ts';
export { askForScts } from './scts.ts';
export { weaknessOf } from './suites.ts';
