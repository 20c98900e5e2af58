import { X509Certificate } from 'node:crypto';
import { type ParsedHost, shown, validity } from '@vedette/contract';

/** A TLS client's verdict on a server's certificate. */
export interface CertificateReport {
  /** The chain ends in a trusted root, every certificate in it is current and strong enough, and the leaf is for this host. */
  valid: boolean;
  /** The defect, in words; empty when the certificate is valid. */
  error: string;
  /** ISO 8601, UTC; empty for dates that cannot be read. */
  not_before: string;
  not_after: string;
}

/** The last finding of OpenSSL's verification: X509_V_ERR_… as Node names it, and OpenSSL's own text. */
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
  /** Trusted roots, PEM. */
  roots: readonly string[];
  now: Date;
  /** OpenSSL judged dates by a clock of this machine that is wrong, and not by `now`. */
  isCorrected: boolean;
}

const NAMES_MAX_CHARS = 120;
const CHAIN_MAX = 16;
/**
 * 112 bits of security, as OpenSSL's level 2 asks for: so many has RSA by the formula of NIST's FIPS 140-2 IG 7.5 (SP 800-56B, appendix D), which
 * OpenSSL rounds to eight. Keys of 2048 bits may come out a few shorter.
 */
const MIN_RSA_BITS = 1963;
const MIN_CURVE_BITS = 224;

/** The chain from the leaf up as OpenSSL sees it: to the trusted root, else as far as the server sent it. */
type Chain = readonly X509Certificate[];

/** The verdicts that are about one certificate of a chain. Each reads on from "The certificate …". */
const CHAIN_ERRORS: Record<string, (chain: Chain, now: Date) => string[]> = {
  CERT_HAS_EXPIRED: (chain, now) =>
    dated(chain, (cert) => (validity(cert).to < now ? `has expired (it was valid until ${day(validity(cert).to)})` : undefined)),
  CERT_NOT_YET_VALID: (chain, now) =>
    dated(chain, (cert) => (validity(cert).from > now ? `is not valid yet (it will be from ${day(validity(cert).from)})` : undefined)),
  DEPTH_ZERO_SELF_SIGNED_CERT: () => ['is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: () => ['ends in a root that is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT: () => ['has an unknown issuer'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => ['has an unknown issuer'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => ['has an unknown issuer, or the server does not send the intermediate certificate'],
  INVALID_CA: noCa,
  // Also OpenSSL's last finding when a certificate above is not a CA.
  INVALID_PURPOSE: (chain) =>
    chain.slice(1).every(({ ca }) => ca) ? [`is not meant for servers${chain.length > 1 ? ', or one above it is not' : ''}`] : noCa(chain),
  // OpenSSL finds this one too where a certificate above is not a CA.
  PATH_LENGTH_EXCEEDED: (chain) => (chain.slice(1).every(({ ca }) => ca) ? ['has a longer chain than its issuer allows'] : noCa(chain)),
  CERT_CHAIN_TOO_LONG: () => ['has a chain that is too long'],
  CERT_SIGNATURE_FAILURE: () => ['has a signature that does not verify, or one above it has'],
  CERT_REVOKED: () => ['was revoked'],
  CERT_UNTRUSTED: () => ['is not trusted'],
  CERT_REJECTED: () => ['was rejected'],
};

/** Errors that Node calls UNSPECIFIED, by OpenSSL's text (`X509_verify_cert_error_string`). */
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
export function judgeCertificate(seen: Shown): CertificateReport {
  const { leaf, host, verdict, strengthJudged, stapled, isCorrected } = seen;
  const faults = verdict || !strengthJudged || isCorrected ? chainFaults(seen) : [];
  if (!stapled && demandsStaple(leaf)) faults.push(NO_STAPLE);
  // 'never': the common name has not counted since RFC 6125, and browsers ignore it. They take `*` for a whole label only.
  const matches = host.kind === 'name' ? leaf.checkHost(host.host, { subject: 'never', partialWildcards: false }) : leaf.checkIP(host.host);
  if (matches === undefined)
    faults.push(
      isNamedAsDns(leaf, host) ? `has ${host.host} as a DNS name, not as an IP address` : `is for ${namesOf(leaf)}, not for ${host.host}`,
    );
  return {
    valid: faults.length === 0,
    error: sentenceOf(faults),
    not_before: isoDate(validity(leaf).from),
    not_after: isoDate(validity(leaf).to),
  };
}

const NO_STAPLE = 'demands an OCSP response stapled to it (must-staple), and the server sent none';
const sentenceOf = (faults: readonly string[]): string => (faults.length === 0 ? '' : `The certificate ${faults.join(', and ')}`);

/**
 * Defects that a check of chain, dates and name alone misses, as BoringSSL's over QUIC: weak keys and signatures, must-staple, and a host
 * named in the common name only. A sentence, or ''.
 */
export function faultsBesideChain(chain: Chain, { host }: ParsedHost, stapled: boolean): string {
  const leaf = chain[0]!;
  const faults = weaknesses(chain);
  if (!stapled && demandsStaple(leaf)) faults.push(NO_STAPLE);
  if (leaf.subjectAltName === undefined) faults.push(`is for no name, not for ${host}`);
  return sentenceOf(faults);
}

/** The chain from the leaf up, by roots in PEM (the same array each time: they are parsed once), what was sent, and `further` certificates. */
export const issuersOf = (
  leaf: X509Certificate,
  roots: readonly string[],
  now: Date,
  further: readonly X509Certificate[] = [],
): readonly X509Certificate[] => chainOf(leaf, certificatesOf(roots), now, further);

/** Whether the chain ends in one of the roots by signatures of CAs; dates, purposes and names are not judged. */
export const isSigned = (chain: Chain, roots: readonly string[]): boolean => untrusted(chain, certificatesOf(roots)).length === 0;

function chainFaults({ leaf, verdict, roots, now, isCorrected }: Shown): string[] {
  const trusted = certificatesOf(roots);
  const chain = chainOf(leaf, trusted, now);
  const weak = weaknesses(chain);
  if (isCorrected && (!verdict || DATE_VERDICTS.has(verdict.code))) {
    const dates = [...DATE_VERDICTS].flatMap((code) => CHAIN_ERRORS[code]!(chain, now));
    // OpenSSL's verdict on the dates may hide what it found before.
    return [...(verdict ? untrusted(chain, trusted) : []), ...dates, ...weak];
  }
  if (!verdict) return weak;
  const known = CHAIN_ERRORS[verdict.code] ?? UNSPECIFIED_ERRORS[verdict.text];
  // The verdict is OpenSSL's last finding, which may hide another one if the issuer is not trusted.
  const alone = isSelfSigned(leaf) && !trusted.some(({ raw }) => raw.equals(leaf.raw)) ? ['is self-signed'] : [];
  const faults = [...new Set([...alone, ...(known?.(chain, now) ?? []), ...weak])];
  return faults.length === 0 ? [`does not verify (${verdict.text})`] : faults;
}

const DATE_VERDICTS: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Whether a chain leads to a trusted root by signatures of CAs, dates aside. */
function untrusted(chain: Chain, trusted: Chain): string[] {
  const root = chain.at(-1)!;
  if (!trusted.some(({ raw }) => raw.equals(root.raw)))
    return [chain.length === 1 && isSelfSigned(root) ? 'is self-signed' : 'has an unknown issuer'];
  const isSound = chain.every(
    (cert, depth) => depth === chain.length - 1 || (chain[depth + 1]!.ca && cert.verify(chain[depth + 1]!.publicKey)),
  );
  return isSound ? [] : ['has a signature that does not verify, or one above it has'];
}

const parsed = new WeakMap<readonly string[], readonly X509Certificate[]>();

/** Parsed at the first fault: parsing them takes as long as some handshakes, and most certificates have none. */
function certificatesOf(roots: readonly string[]): readonly X509Certificate[] {
  let found = parsed.get(roots);
  if (!found) parsed.set(roots, (found = roots.map((pem) => new X509Certificate(pem))));
  return found;
}

function isCurrent(certificate: X509Certificate, now: Date): boolean {
  const { from, to } = validity(certificate);
  return from <= now && now <= to;
}

/** Servers may send certificates in any order, and unneeded ones: like OpenSSL, we prefer a trusted issuer to one that was sent. */
function chainOf(
  leaf: X509Certificate,
  trusted: readonly X509Certificate[],
  now: Date,
  further: readonly X509Certificate[] = [],
): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let next = leaf.issuerCertificate; next && sent.length < CHAIN_MAX; next = next.issuerCertificate) sent.push(next);
  const chain = [leaf];
  for (;;) {
    const last = chain.at(-1)!;
    if (last.checkIssued(last) || chain.length > CHAIN_MAX) return chain;
    const issued = (cert: X509Certificate) => !chain.includes(cert) && last.checkIssued(cert);
    const roots = trusted.filter(issued);
    const issuer = roots.find((root) => isCurrent(root, now)) ?? roots[0] ?? sent.find(issued) ?? further.find(issued);
    if (!issuer) return chain;
    chain.push(issuer);
  }
}

function isSelfSigned(leaf: X509Certificate): boolean {
  try {
    return leaf.checkIssued(leaf) && leaf.verify(leaf.publicKey);
  } catch {
    return false; // a key that OpenSSL cannot read
  }
}

/** The defects of the dates, certificate by certificate. */
const dated = (chain: Chain, fault: (cert: X509Certificate) => string | undefined): string[] =>
  chain.flatMap((cert, depth) => {
    const found = fault(cert);
    return found === undefined ? [] : [depth === 0 ? found : `stands below ${nameOf(cert)}, which ${found}`];
  });

function noCa(chain: Chain): string[] {
  const issuer = chain.find((cert, depth) => depth > 0 && !cert.ca);
  return [issuer ? `is issued by ${nameOf(issuer)}, which is not a CA` : 'was issued by a certificate that is not a CA'];
}

/** Keys that are too short, and signatures by a digest for which others can be made (RFC 9155, RFC 6151). */
const weaknesses = (chain: Chain): string[] =>
  chain.flatMap((cert, depth) => {
    const about = depth === 0 ? '' : `stands below ${nameOf(cert)}, which `;
    const key = weakKey(cert);
    const digest = weakDigest(cert);
    return [
      ...(key === undefined ? [] : [`${about}has a key that is too weak (${key})`]),
      ...(digest === undefined ? [] : [`${about}has a signature that is too weak (${digest})`]),
    ];
  });

/** The digest of a signature that others can be made for. A root's signature of itself proves nothing, and is not checked. */
export const weakDigest = (cert: X509Certificate): string | undefined =>
  cert.checkIssued(cert)
    ? undefined
    : WEAK_DIGEST.exec(cert.signatureAlgorithm ?? '')?.[1]
        ?.toUpperCase()
        .replace('SHA1', 'SHA-1');
const WEAK_DIGEST = /(md[245]|sha1)(?!\d)/i;

/** The kind and size of a key that is too short. */
export function weakKey(cert: X509Certificate): string | undefined {
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

/** Whether the certificate counts only beside an OCSP response that the server sends (must-staple). */
export function demandsStaple(leaf: X509Certificate): boolean {
  const { raw } = leaf;
  const at = raw.indexOf(TLS_FEATURE);
  return at >= 0 && STATUS_REQUEST.test(raw.toString('latin1', at + TLS_FEATURE.length));
}

/** Empty for a date of a certificate that cannot be read. */
export const isoDate = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString());
const day = (date: Date): string => isoDate(date).slice(0, 10);

/** The quoted name of a certificate above the leaf. */
function nameOf({ subject }: X509Certificate): string {
  const lines = subject.split('\n');
  const named = ['CN=', 'O=']
    .map((key) => lines.find((line) => line.startsWith(key))?.slice(key.length))
    .find((name) => name !== undefined);
  return `"${shown(named ?? lines.join(', '), NAMES_MAX_CHARS)}"`;
}

/** Clients compare an address with IP addresses alone (RFC 9525 §6.5). */
const isNamedAsDns = ({ subjectAltName = '' }: X509Certificate, { kind, host }: ParsedHost): boolean =>
  kind !== 'name' && subjectAltName.split(', ').includes(`DNS:${host}`);

function namesOf(leaf: X509Certificate): string {
  const names = (leaf.subjectAltName ?? '').replace(/(DNS|IP Address):/g, '');
  return names === '' ? 'no name' : shown(names, NAMES_MAX_CHARS);
}
