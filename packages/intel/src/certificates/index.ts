export { type Certificate, type DistinguishedName, PILOT, readCertificate } from './certificate.ts';
export { CRL_MAX_BYTES, type CrlVerdict, judgeCrl } from './crl.ts';
export { type Der, oidOf, parseDer, stringOf, TAG, tagged } from './der.ts';
export { type SslDetails, sslDetails, validationTypeOf, validityText } from './ssl-details.ts';
