import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createSecureContext, DEFAULT_CIPHERS, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { type ParsedHost, ProbeFailure } from '@vedette/contract';
import { type CertificateReport, judgeCertificate, type Verdict } from './certificate.ts';
import { abortFailure } from './dialler.ts';

export interface TlsOptions {
  /** Connected, and to be used by nobody else from now on. */
  socket: Socket;
  /** Sent as SNI when it is a name, and what the certificate must be for. */
  host: ParsedHost;
  /** Protocols to offer, the preferred one first, such as `['h2', 'http/1.1']`. */
  alpn: readonly string[];
  /** Trusted beside Mozilla's roots, PEM. The same array each time: contexts are kept by it. */
  ca: readonly string[];
  /**
   * modern: the groups, versions and key sizes that nearly every server takes. legacy: all that OpenSSL can still speak
   * (TLS 1.0, any key size), and the groups for servers that want a post-quantum key exchange only.
   */
  profile: TlsProfile;
  signal: AbortSignal;
}
export type TlsProfile = 'modern' | 'legacy';

export interface TlsSession {
  socket: TLSSocket;
  /** `TLSv1.3` */
  version: string;
  /** IANA name, `TLS_AES_128_GCM_SHA256`. */
  cipherSuite: string;
  /** What the server chose; empty without ALPN. */
  alpn: string;
  certificate: CertificateReport;
  /** The server's own certificate, valid or not; those that it sent along, and trusted ones above them, by `issuerCertificate`. */
  leaf: X509Certificate;
  /** What clients of today refuse or advise against, besides the certificate, in sentences. */
  warnings: string[];
  /** The server wants a certificate from us, and may refuse whoever has none. Not told below TLS 1.2. */
  asksForCertificate: boolean;
}

/**
 * A full handshake (nothing is resumed) that inspects the certificate instead of insisting on it.
 * Rejects with `ProbeFailure` tls_handshake, or with what the signal means.
 */
export function startTls({ socket: tcp, host, alpn, ca, profile, signal }: TlsOptions): Promise<TlsSession> {
  return new Promise((resolve, reject) => {
    const fail = (failure: ProbeFailure) => {
      tcp.destroy();
      reject(signal.aborted ? abortFailure(signal) : failure);
    };
    if (signal.aborted) return fail(new ProbeFailure('tls_handshake'));
    const { roots, [profile]: secureContext } = trustOf(ca);
    let stapled = false;
    const socket = connect({
      socket: tcp,
      secureContext,
      requestOCSP: true,
      minDHSize: 1, // the context has its own limit
      ...(host.kind === 'name' && { servername: host.host }),
      ALPNProtocols: [...alpn],
      rejectUnauthorized: false,
      // Node would ask only when the chain holds; we report both faults.
      checkServerIdentity: () => undefined,
    });
    // Node decodes the whole chain for that call, a seventh of a probe's CPU. Nobody looks at it: we read the X509Certificate.
    socket.getPeerCertificate = (() => ({})) as typeof socket.getPeerCertificate;
    const onError = (error: NodeJS.ErrnoException & { reason?: string }) =>
      fail(
        asksForCertificate(socket)
          ? certificateWanted() // without a cause: other parameters would not help
          : new ProbeFailure('tls_handshake', error.reason ?? error.code ?? '', { cause: error }),
      );
    const onClose = () => fail(new ProbeFailure('tls_handshake', 'the connection was closed'));
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.once('OCSPResponse', (response: Buffer | null) => (stapled = response !== null && response.length > 0));
    socket.once('secureConnect', () => {
      socket.off('error', onError).off('close', onClose);
      socket.on('error', () => {}); // as in the dialler: a late error must not end the process
      const leaf = socket.getPeerX509Certificate();
      if (!leaf) return fail(new ProbeFailure('tls_handshake', 'no certificate was shown'));
      const version = socket.getProtocol() ?? '';
      const asks = asksForCertificate(socket);
      const verdict = verdictOf(socket);
      const strengthJudged = profile === 'modern';
      resolve({
        socket,
        version,
        cipherSuite: socket.getCipher().standardName,
        alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : '',
        certificate: judgeCertificate({ leaf, host, verdict, strengthJudged, stapled, roots, now: new Date() }),
        leaf,
        warnings: warningsOf(version, socket, asks),
        asksForCertificate: asks,
      });
    });
  });
}

export const certificateWanted = (): ProbeFailure => new ProbeFailure('tls_handshake', 'the server wants a client certificate');

/** Whether the server asks us for a certificate: only with that request does a client hear of its algorithms (RFC 8446 §4.3.2). */
const asksForCertificate = (socket: TLSSocket): boolean => (socket.getSharedSigalgs() ?? []).length > 0;

/** Node names a third of OpenSSL's verdicts, calls the others UNSPECIFIED, and keeps the text for itself. */
function verdictOf(socket: TLSSocket & { ssl?: { verifyError?(): Error | null } }): Verdict | undefined {
  if (socket.authorized) return undefined;
  const code = String(socket.authorizationError); // typed as an Error; it is the code's text
  return { code, text: socket.ssl?.verifyError?.()?.message ?? code };
}

const DEPRECATED_VERSIONS: Record<string, string> = { TLSv1: 'TLS 1.0', 'TLSv1.1': 'TLS 1.1', SSLv3: 'SSL 3.0' };
const MIN_DH_BITS = 2048; // RFC 9325 §4.1

function warningsOf(version: string, socket: TLSSocket, asks: boolean): string[] {
  const deprecated = DEPRECATED_VERSIONS[version];
  // Typed as if it could be null only on servers. TLS 1.3 has no groups that are too weak.
  const { type, size } = (version === 'TLSv1.3' ? {} : (socket.getEphemeralKeyInfo() ?? {})) as { type?: string; size?: number };
  return [
    ...(deprecated === undefined ? [] : [`${deprecated} is deprecated (RFC 8996), and browsers refuse it`]),
    ...(type === 'DH' && size !== undefined && size < MIN_DH_BITS
      ? [`The key exchange is Diffie-Hellman with ${size} bits, which is too weak`]
      : []),
    ...(asks ? ['The server asks for a client certificate'] : []),
  ];
}

/** Builds the trust store now, so that the first measurement does not pay for it. */
export function prepareTls(ca: readonly string[]): void {
  trustOf(ca);
}

/** Browsers ask for this suite first too, and SHA-256 costs less CPU than the SHA-384 of Node's first. */
const CIPHERS = [...new Set(['TLS_AES_128_GCM_SHA256', ...DEFAULT_CIPHERS.split(':')])].join(':');

interface Trust extends Record<TlsProfile, SecureContext> {
  roots: readonly string[];
}

const trusts = new WeakMap<readonly string[], Trust>();

/** One trust store for the life of the process: building it costs milliseconds, a handshake less than one. */
function trustOf(ca: readonly string[]): Trust {
  let found = trusts.get(ca);
  if (!found) {
    const roots = [...rootCertificates, ...ca];
    found = {
      roots,
      // Without the hybrid post-quantum share a handshake costs a fifth less CPU.
      modern: createSecureContext({ ca: roots, ciphers: CIPHERS, ecdhCurve: 'X25519:P-256:P-384:P-521' }),
      legacy: createSecureContext({ ca: roots, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    };
    trusts.set(ca, found);
  }
  return found;
}
