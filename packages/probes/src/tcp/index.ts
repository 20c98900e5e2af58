export { checkTerms } from '../net/tls.ts';
export { ATTEMPTS_MAX, SEND_MAX_OCTETS, type TcpJob } from './job.ts';
export { tcpProbe } from './probe.ts';
export { TcpMeasured } from './result.ts';
export { STARTTLS } from './starttls.ts';
