import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createSecureContext, DEFAULT_CIPHERS, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { type Clock, type ParsedHost, ProbeFailure } from '@vedette/contract';
import { readCa } from './ca.ts';
import { type CertificateReport, isSigned, issuersOf, judgeCertificate, type Verdict } from './certificate.ts';
import { abortFailure } from './dialler.ts';

export interface TlsOptions {
  /** A connected socket, which the caller hands over. */
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
  profile: TlsProfile | TlsTerms;
  /** Told what the server shows as soon as it has, whatever becomes of the handshake. */
  onShown?(shown: Shown): void;
  /** Dates are judged by its wall clock. */
  clock: Pick<Clock, 'today'>;
  signal: AbortSignal;
}
export type TlsProfile = 'modern' | 'legacy';

/** The terms of one handshake, where they are not a profile's. A version that is not named is as in `modern`. */
export interface TlsTerms {
  /** Trusted in place of all others, PEM. */
  roots?: string | undefined;
  minVersion?: SecureVersion | undefined;
  maxVersion?: SecureVersion | undefined;
  /** The client's certificate and its key, PEM. */
  certificate?: string | undefined;
  key?: string | undefined;
}
export type SecureVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** The server's part of a handshake, before either side has accepted it. */
export interface Shown {
  /** `TLSv1.3` */
  version: string;
  certificate: CertificateReport;
  /** The server's own certificate, valid or not; those that it sent along, and trusted ones above them, by `issuerCertificate`. */
  leaf: X509Certificate;
  /** The OCSP response that it sent along, DER (RFC 6066 §8); undefined without. */
  stapled: Uint8Array | undefined;
}

export interface TlsSession extends Shown {
  socket: TLSSocket;
  /** IANA name, `TLS_AES_128_GCM_SHA256`. */
  cipherSuite: string;
  /** The group of the key exchange, such as X25519; empty without one, and where OpenSSL does not tell. */
  group: string;
  /** The server's choice; empty without ALPN. */
  alpn: string;
  /** Sentences about properties that today's clients refuse or advise against, besides the certificate. */
  warnings: string[];
  /** The server asks for a client certificate, and may refuse clients without one. Not told below TLS 1.2. */
  asksForCertificate: boolean;
}

/** Two readings of one clock differ by less. */
const SAME_CLOCK_MS = 1_000;

/**
 * A full handshake (nothing is resumed) that inspects the certificate instead of insisting on it.
 * Rejects with `ProbeFailure` tls_handshake, or with what the signal means.
 */
export function startTls({ socket: tcp, host, alpn, ca, profile, clock, onShown, signal }: TlsOptions): Promise<TlsSession> {
  return new Promise((resolve, reject) => {
    const fail = (failure: ProbeFailure) => {
      tcp.destroy();
      reject(signal.aborted ? abortFailure(signal) : failure);
    };
    if (signal.aborted) return fail(new ProbeFailure('tls_handshake'));
    let context: Context;
    try {
      context = contextOf(profile, ca);
    } catch (error) {
      return fail(new ProbeFailure('unsupported', 'the terms of TLS', { cause: error }));
    }
    const { roots, secureContext, strengthJudged } = context;
    let shown: Shown | undefined;
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
    // Node decodes the whole chain for that call, a seventh of a probe's CPU. Unused: we read the X509Certificate.
    socket.getPeerCertificate = (() => ({})) as typeof socket.getPeerCertificate;
    const onError = (error: NodeJS.ErrnoException & { reason?: string }) =>
      fail(
        asksForCertificate(socket)
          ? certificateWanted() // without a cause: other parameters would not help
          : new ProbeFailure('tls_handshake', error.code === 'ECONNRESET' ? lost(error) : (error.reason ?? error.code ?? ''), {
              cause: error,
            }),
      );
    const onClose = () => fail(new ProbeFailure('tls_handshake', 'the connection was closed'));
    socket.once('error', onError);
    socket.once('close', onClose);
    // What is thrown in an event of a socket ends the process.
    const look = (stapled: Buffer | null) => {
      try {
        lookAtCertificate(stapled);
      } catch (error) {
        socket.off('error', onError).on('error', () => {});
        fail(new ProbeFailure('tls_handshake', 'the certificate cannot be read', { cause: error }));
      }
    };
    const lookAtCertificate = (stapled: Buffer | null) => {
      const leaf = socket.getPeerX509Certificate();
      if (!leaf) return;
      const staple = stapled !== null && stapled.length > 0 ? stapled : undefined;
      const seen = { leaf, host, verdict: verdictOf(socket), strengthJudged, stapled: staple !== undefined };
      const machine = new Date();
      const now = clock.today?.() ?? machine;
      const isCorrected = Math.abs(now.getTime() - machine.getTime()) > SAME_CLOCK_MS;
      const certificate = judgeCertificate({ ...seen, roots, now, isCorrected });
      shown = { version: socket.getProtocol() ?? '', certificate, leaf, stapled: staple };
      onShown?.(shown);
    };
    // Comes in every handshake in which a certificate is shown, with a response or without, and ahead of whatever it ends with.
    socket.once('OCSPResponse', look);
    socket.once('secureConnect', () => {
      socket.off('error', onError).off('close', onClose);
      socket.on('error', () => {}); // as in the dialler: a late error must not end the process
      if (!shown) look(null);
      if (!shown) return fail(new ProbeFailure('tls_handshake', 'no certificate was shown'));
      const asks = asksForCertificate(socket);
      resolve({
        ...shown,
        socket,
        cipherSuite: socket.getCipher().standardName,
        group: groupOf(socket),
        alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : '',
        warnings: warningsOf(shown.version, socket, asks),
        asksForCertificate: asks,
      });
    });
  });
}

/** Node gives both ends of a connection one code. */
const lost = ({ syscall }: NodeJS.ErrnoException): string =>
  syscall === undefined ? 'the server closed the connection' : 'the server reset the connection';

export const certificateWanted = (): ProbeFailure => new ProbeFailure('tls_handshake', 'the server wants a client certificate');

/** Whether the server asks us for a certificate: only with that request does a client hear of its algorithms (RFC 8446 §4.3.2). */
const asksForCertificate = (socket: TLSSocket): boolean => (socket.getSharedSigalgs() ?? []).length > 0;

/** Node names a third of OpenSSL's verdicts, calls the others UNSPECIFIED, and keeps the text for itself. */
function verdictOf(socket: TLSSocket & { ssl?: { verifyError?(): NodeJS.ErrnoException | null } }): Verdict | undefined {
  const error = socket.ssl?.verifyError?.();
  return error ? { code: error.code ?? error.message, text: error.message } : undefined;
}

/** The certificates from the leaf up to a trusted root, else as far as the server sent them, or `further` ones reach. */
export const chainOf = (
  leaf: X509Certificate,
  ca: readonly string[],
  further: readonly X509Certificate[] = [],
): readonly X509Certificate[] => issuersOf(leaf, trustOf(ca).roots, new Date(), further);

/** Whether signatures of CAs lead from the first certificate to a trusted root, dates and names aside. */
export const endsInTrust = (chain: readonly X509Certificate[], ca: readonly string[]): boolean => isSigned(chain, trustOf(ca).roots);

const inOneLine = (pem: string): string => pem.replaceAll('\n', '');
const PUBLIC_ROOTS: ReadonlySet<string> = new Set(rootCertificates.map(inOneLine));

/** Whether a certificate is one of Mozilla's roots: of a public authority, to which the rules of browsers apply. */
export const isPublicRoot = (certificate: X509Certificate): boolean => PUBLIC_ROOTS.has(inOneLine(certificate.toString()));

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

function groupOf(socket: TLSSocket): string {
  const { type, name = '', size } = (socket.getEphemeralKeyInfo() ?? {}) as { type?: string; name?: string; size?: number };
  return type === 'DH' ? `DH, ${size} bits` : (GROUP_NAMES[name] ?? name);
}
const GROUP_NAMES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** The settings of a handshake. */
interface Context {
  roots: readonly string[];
  secureContext: SecureContext;
  /** Whether OpenSSL refuses weak keys and signatures. */
  strengthJudged: boolean;
}

/** Throws for certificates and keys that OpenSSL cannot read. */
function contextOf(profile: TlsProfile | TlsTerms, ca: readonly string[]): Context {
  if (typeof profile === 'string') {
    const { roots, [profile]: secureContext } = trustOf(ca);
    return { roots, secureContext, strengthJudged: profile === 'modern' };
  }
  const { minVersion = 'TLSv1.2', maxVersion, certificate, key } = profile;
  const roots = profile.roots === undefined ? trustOf(ca).roots : readCa(profile.roots);
  const old = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const secureContext = createSecureContext({
    ca: [...roots],
    minVersion,
    ...(old ? { ciphers: 'DEFAULT@SECLEVEL=0' } : { ciphers: ciphers(), ecdhCurve: GROUPS }),
    ...(maxVersion !== undefined && { maxVersion }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
  });
  return { roots, secureContext, strengthJudged: !old };
}

/** Throws for certificates and keys that OpenSSL cannot read, or that do not belong together. */
export const checkTerms = (terms: TlsTerms): void => void contextOf(terms, []);

/** Builds the trust store now, so that the first measurement does not pay for it. */
export function prepareTls(ca: readonly string[]): void {
  trustOf(ca);
}

/** Browsers ask for this suite first too, and SHA-256 costs less CPU than the SHA-384 of Node's first. */
const ciphers = (): string => [...new Set(['TLS_AES_128_GCM_SHA256', ...DEFAULT_CIPHERS.split(':')])].join(':');

const GROUPS = 'X25519:P-256:P-384:P-521';

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
      modern: createSecureContext({ ca: roots, ciphers: ciphers(), ecdhCurve: GROUPS }),
      legacy: createSecureContext({ ca: roots, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    };
    trusts.set(ca, found);
  }
  return found;
}
