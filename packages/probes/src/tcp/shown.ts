import { X509Certificate } from 'node:crypto';
import { sentWith } from '../net/handshake/chain-detail.ts';
import type { Shown } from '../net/tls.ts';
import { CERTIFICATES_MAX, SHOWN_MAX_OCTETS, type TcpResult, type TlsShown } from './result.ts';
import type { TlsLook } from './tls-look.ts';

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64');

/** A handshake as it is told to a judge elsewhere. Certificates beyond the limit of octets, and an OCSP response beyond it, are left out. */
export function tlsShown({ version, leaf, stapled }: Shown): TlsShown {
  let left = SHOWN_MAX_OCTETS;
  const fits = ({ length }: Uint8Array) => (left -= length) >= 0;
  const sent = sentWith(leaf).slice(0, CERTIFICATES_MAX);
  return {
    version,
    certificates: sent.filter(({ raw }) => fits(raw)).map(({ raw }) => base64(raw)),
    ...(stapled && fits(stapled) && { stapled: base64(stapled) }),
  };
}

/** The look of an agent at a server, made of its result. Throws for certificates that cannot be read: the agent has read them. */
export function lookOf({ ip_address: address, tls, certificate, shown }: TcpResult): Omit<TlsLook, 'failure'> {
  const session = tls && { cipherSuite: tls.cipher_suite, group: tls.group, alpn: tls.alpn, warnings: tls.warnings };
  const leaf = shown && linked(shown.certificates);
  return {
    address,
    session,
    shown:
      shown && leaf && certificate
        ? {
            version: shown.version,
            leaf,
            certificate,
            stapled: shown.stapled === undefined ? undefined : Buffer.from(shown.stapled, 'base64'),
          }
        : undefined,
  };
}

/** The first certificate, with those that it was sent with linked as Node links them. */
function linked(certificates: readonly string[]): X509Certificate | undefined {
  let next: X509Certificate | undefined;
  for (const certificate of certificates.toReversed()) {
    const read = new X509Certificate(Buffer.from(certificate, 'base64'));
    Object.defineProperty(read, 'issuerCertificate', { value: next });
    next = read;
  }
  return next;
}
