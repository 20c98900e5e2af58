export { type CertificateReport, demandsStaple, weakDigest, weakKey } from '../net/certificate.ts';
export { distinguishedName, sentWith } from '../net/handshake/chain-detail.ts';
export { chainOf, checkTerms, endsInTrust, isPublicRoot } from '../net/tls.ts';
export { alpnOf } from './alpn.ts';
export { ATTEMPTS_MAX, SEND_MAX_OCTETS, type TcpJob } from './job.ts';
export { tcpProbe } from './probe.ts';
export { TcpMeasured } from './result.ts';
export { STARTTLS, type StartTls } from './starttls.ts';
export { lookAtTls, type TlsLook } from './tls-look.ts';
