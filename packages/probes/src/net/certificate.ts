import { X509Certificate } from 'node:crypto';
import type { ParsedHost } from '@vedette/contract';

/** What a TLS client thinks of the certificate it was shown. */
export interface CertificateReport {
  /** The chain ends in a trusted root, every certificate in it is current and strong enough, and the leaf is for this host. */
  valid: boolean;
  /** What is wrong, in words; empty when it is valid. */
  error: string;
  /** ISO 8601, UTC. */
  not_before: string;
  not_after: string;
}

/** What OpenSSL's verification found last: X509_V_ERR_… as Node names it, and OpenSSL's own text. */
export interface Verdict {
  code: string;
  text: string;
}

export interface Shown {
  leaf: X509Certificate;
  host: ParsedHost;
  /** Undefined where the chain holds. */
  verdict: Verdict | undefined;
  /** Whether keys and signatures were held against today's strength: OpenSSL does not where it is to connect to anything. */
  strengthJudged: boolean;
  /** Whether the server sent an OCSP response with it. */
  stapled: boolean;
  /** What is trusted, PEM. */
  roots: readonly string[];
  /** OpenSSL judged by the same clock. */
  now: Date;
}

const NAMES_MAX_CHARS = 120;
const CHAIN_MAX = 16;
/** 112 bits of security, as OpenSSL's level 2 asks for and every browser: NIST SP 800-57 part 1, table 2. */
const MIN_RSA_BITS = 2048;
const MIN_CURVE_BITS = 224;

/** The chain from the leaf up, as far as the server sent it. */
type Chain = readonly X509Certificate[];

/** The verdicts that are about one certificate of a chain. Each reads on from "The certificate …". */
const CHAIN_ERRORS: Record<string, (chain: Chain, shown: Shown) => string[]> = {
  CERT_HAS_EXPIRED: (chain, { now, roots }) =>
    dated(chain, roots, (cert) => (cert.validToDate < now ? `has expired (it was valid until ${day(cert.validToDate)})` : undefined)),
  CERT_NOT_YET_VALID: (chain, { now, roots }) =>
    dated(chain, roots, (cert) => (cert.validFromDate > now ? `is not valid yet (it will be from ${day(cert.validFromDate)})` : undefined)),
  DEPTH_ZERO_SELF_SIGNED_CERT: () => ['is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: () => ['ends in a root that is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT: () => ['has an unknown issuer'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => ['has an unknown issuer'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => ['has an unknown issuer, or the server does not send the intermediate certificate'],
  INVALID_CA: noCa,
  // OpenSSL's last word where one above is no CA, too.
  INVALID_PURPOSE: (chain) => (chain.slice(1).every(({ ca }) => ca) ? ['is not meant for servers, or one above it is not'] : noCa(chain)),
  PATH_LENGTH_EXCEEDED: () => ['has a longer chain than its issuer allows'],
  CERT_CHAIN_TOO_LONG: () => ['has a chain that is too long'],
  CERT_SIGNATURE_FAILURE: () => ['has a signature that does not verify, or one above it has'],
  CERT_REVOKED: () => ['was revoked'],
  CERT_UNTRUSTED: () => ['is not trusted'],
  CERT_REJECTED: () => ['was rejected'],
};

/** Those that Node calls UNSPECIFIED, by OpenSSL's text (`X509_verify_cert_error_string`). */
const UNSPECIFIED_ERRORS: Record<string, (chain: Chain) => string[]> = {
  'invalid CA certificate': noCa,
  'permitted subtree violation': () => ['is for a name that its issuer may not vouch for (name constraints)'],
  'excluded subtree violation': () => ['is for a name that its issuer may not vouch for (name constraints)'],
  'unhandled critical extension': () => ['has a critical extension that clients do not know, or one above it has'],
  // Found by `weaknesses` too, where the server sent the certificate that is meant.
  'EE certificate key too weak': () => [],
  'CA certificate key too weak': () => [],
  'CA signature digest algorithm too weak': () => [],
};

/** Joins OpenSSL's verdict on the chain with what it leaves out, and with whether the leaf is for the host (RFC 9525). */
export function judgeCertificate(shown: Shown): CertificateReport {
  const { leaf, host, verdict, stapled } = shown;
  const faults = verdict || !shown.strengthJudged ? chainFaults(shown) : [];
  if (!stapled && demandsStaple(leaf)) faults.push('demands an OCSP response stapled to it (must-staple), and the server sent none');
  // 'never': the common name has not counted since RFC 6125, and browsers ignore it. They take `*` for a whole label only.
  const matches = host.kind === 'name' ? leaf.checkHost(host.host, { subject: 'never', partialWildcards: false }) : leaf.checkIP(host.host);
  if (matches === undefined) faults.push(`is for ${namesOf(leaf)}, not for ${host.host}`);
  return {
    valid: faults.length === 0,
    error: faults.length === 0 ? '' : `The certificate ${faults.join(', and ')}`,
    not_before: leaf.validFromDate.toISOString(),
    not_after: leaf.validToDate.toISOString(),
  };
}

function chainFaults(shown: Shown): string[] {
  const { leaf, verdict } = shown;
  const chain = chainOf(leaf);
  const weak = weaknesses(chain);
  if (!verdict) return weak;
  const known = CHAIN_ERRORS[verdict.code] ?? UNSPECIFIED_ERRORS[verdict.text];
  const faults = [...(known?.(chain, shown) ?? []), ...weak];
  return faults.length === 0 ? [`does not verify (${verdict.text})`] : faults;
}

/** Servers may send their certificates in any order, and some that nobody needs. */
function chainOf(leaf: X509Certificate): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let next = leaf.issuerCertificate; next && sent.length < CHAIN_MAX; next = next.issuerCertificate) sent.push(next);
  const chain = [leaf];
  for (;;) {
    const last = chain.at(-1)!;
    const issuer = last.checkIssued(last) ? undefined : sent.find((cert) => !chain.includes(cert) && last.checkIssued(cert));
    if (!issuer) return chain;
    chain.push(issuer);
  }
}

/** What is wrong with the dates, certificate by certificate; where it is none that was sent, it is the root's. */
function dated(chain: Chain, roots: readonly string[], fault: (cert: X509Certificate) => string | undefined): string[] {
  const faults = chain.flatMap((cert, depth) => {
    const found = fault(cert);
    return found === undefined ? [] : [depth === 0 ? found : `stands below ${nameOf(cert)}, which ${found}`];
  });
  if (faults.length > 0) return faults;
  const last = chain.at(-1)!;
  const root = roots.map((pem) => new X509Certificate(pem)).find((cert) => last.checkIssued(cert) && fault(cert) !== undefined);
  return root ? [`stands below the root ${nameOf(root)}, which ${fault(root)!}`] : [];
}

function noCa(chain: Chain): string[] {
  const issuer = chain.find((cert, depth) => depth > 0 && !cert.ca);
  return [issuer ? `is issued by ${nameOf(issuer)}, which is not a CA` : 'was issued by a certificate that is not a CA'];
}

/** Keys that are too short, and signatures by a digest for which others can be made (RFC 9155, RFC 6151). */
const weaknesses = (chain: Chain): string[] =>
  chain.flatMap((cert, depth) => {
    const about = depth === 0 ? '' : `stands below ${nameOf(cert)}, which `;
    const key = weakKey(cert);
    // A root's signature of itself proves nothing, and nobody asks for it.
    const digest = cert.checkIssued(cert) ? undefined : WEAK_DIGEST.exec(cert.signatureAlgorithm ?? '')?.[1];
    return [
      ...(key === undefined ? [] : [`${about}has a key that is too weak (${key})`]),
      ...(digest === undefined ? [] : [`${about}has a signature that is too weak (${digest.toUpperCase().replace('SHA1', 'SHA-1')})`]),
    ];
  });
const WEAK_DIGEST = /(md[245]|sha1)(?!\d)/i;

function weakKey(cert: X509Certificate): string | undefined {
  try {
    const { asymmetricKeyType: type = '', asymmetricKeyDetails: { modulusLength, namedCurve } = {} } = cert.publicKey;
    if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) return `${type.toUpperCase()}, ${modulusLength} bits`;
    const curveBits = Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? MIN_CURVE_BITS);
    return curveBits < MIN_CURVE_BITS ? `the curve ${namedCurve}` : undefined;
  } catch {
    return undefined; // of a kind that OpenSSL cannot read: it has said so
  }
}

/** RFC 7633: the extension id-pe-tlsfeature, with status_request (5) among its features. */
const TLS_FEATURE = Buffer.from('06082b06010505070118', 'hex');
const STATUS_REQUEST = /^(?:\x01\x01\xff)?\x04.\x30.(?:\x02\x01[^\x05])*\x02\x01\x05/s; // oxlint-disable-line no-control-regex -- DER

function demandsStaple(leaf: X509Certificate): boolean {
  const { raw } = leaf;
  const at = raw.indexOf(TLS_FEATURE);
  return at >= 0 && STATUS_REQUEST.test(raw.toString('latin1', at + TLS_FEATURE.length));
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

/** What a certificate above the leaf is called, in quotes. */
function nameOf({ subject }: X509Certificate): string {
  const lines = subject.split('\n');
  const named = ['CN=', 'O=']
    .map((key) => lines.find((line) => line.startsWith(key))?.slice(key.length))
    .find((name) => name !== undefined);
  return `"${shortened(named ?? lines.join(', '))}"`;
}

function namesOf(leaf: X509Certificate): string {
  const names = (leaf.subjectAltName ?? '').replace(/(DNS|IP Address):/g, '');
  return names === '' ? 'no name' : shortened(names);
}

/** Strangers write these: characters that are not seen go. */
function shortened(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return clean.length > NAMES_MAX_CHARS ? `${clean.slice(0, NAMES_MAX_CHARS)}…` : clean;
}
