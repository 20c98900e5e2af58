export { type Certificate, type DistinguishedName, issuedChain, PILOT, readCertificate } from './certificate.ts';
export { CRL_MAX_BYTES, judgeByList, readCrl, type RevocationList, type RevocationVerdict } from './crl.ts';
export { type Der, oidOf, parseDer, stringOf, TAG, tagged } from './der.ts';
export { judgeOcsp, OCSP_MAX_BYTES, ocspUrl } from './ocsp.ts';
export { type SslDetails, sslDetails, validationTypeOf, validityText } from './ssl-details.ts';
