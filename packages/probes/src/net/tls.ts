import type { Socket } from 'node:net';
import { connect, createSecureContext, DEFAULT_CIPHERS, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { type ParsedHost, ProbeFailure } from '@vedette/contract';
import { type CertificateReport, judgeCertificate } from './certificate.ts';
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
}

/**
 * A full handshake (nothing is resumed) that inspects the certificate instead of insisting on it.
 * Rejects with `ProbeFailure` tls_handshake, or with what the signal means.
 */
export function startTls({ socket: tcp, host, alpn, ca, profile, signal }: TlsOptions): Promise<TlsSession> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException & { reason?: string }) => {
      tcp.destroy();
      reject(signal.aborted ? abortFailure(signal) : new ProbeFailure('tls_handshake', error.reason ?? error.code ?? '', { cause: error }));
    };
    if (signal.aborted) return fail(new Error('aborted'));
    const socket = connect({
      socket: tcp,
      secureContext: contextsOf(ca)[profile],
      ...(host.kind === 'name' && { servername: host.host }),
      ALPNProtocols: [...alpn],
      rejectUnauthorized: false,
      // Node would ask only when the chain holds; we report both faults.
      checkServerIdentity: () => undefined,
    });
    // Node decodes the whole chain for that call, a seventh of a probe's CPU. Nobody looks at it: we read the X509Certificate.
    socket.getPeerCertificate = (() => ({})) as typeof socket.getPeerCertificate;
    const onClose = () => fail(Object.assign(new Error('closed'), { reason: 'the connection was closed' }));
    socket.once('error', fail);
    socket.once('close', onClose);
    socket.once('secureConnect', () => {
      socket.off('error', fail).off('close', onClose);
      socket.on('error', () => {}); // as in the dialler: a late error must not end the process
      const leaf = socket.getPeerX509Certificate();
      if (!leaf) return fail(Object.assign(new Error('anonymous'), { reason: 'no certificate was shown' }));
      // Typed as an Error; it is the code's text.
      const code = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({
        socket,
        version: socket.getProtocol() ?? '',
        cipherSuite: socket.getCipher().standardName,
        alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : '',
        certificate: judgeCertificate(leaf, host, code),
      });
    });
  });
}

/** Builds the trust store now, so that the first measurement does not pay for it. */
export function prepareTls(ca: readonly string[]): void {
  contextsOf(ca);
}

/** Browsers ask for this suite first too, and SHA-256 costs less CPU than the SHA-384 of Node's first. */
const CIPHERS = [...new Set(['TLS_AES_128_GCM_SHA256', ...DEFAULT_CIPHERS.split(':')])].join(':');

const contexts = new WeakMap<readonly string[], Record<TlsProfile, SecureContext>>();

/** One trust store for the life of the process: building it costs milliseconds, a handshake less than one. */
function contextsOf(ca: readonly string[]): Record<TlsProfile, SecureContext> {
  let found = contexts.get(ca);
  if (!found) {
    const roots = [...rootCertificates, ...ca];
    found = {
      // Without the hybrid post-quantum share a handshake costs a fifth less CPU.
      modern: createSecureContext({ ca: roots, ciphers: CIPHERS, ecdhCurve: 'X25519:P-256:P-384:P-521' }),
      legacy: createSecureContext({ ca: roots, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    };
    contexts.set(ca, found);
  }
  return found;
}
