import type { X509Certificate } from 'node:crypto';
import type { Static } from 'typebox';
import { type ParsedHost, shown, validity } from '@vedette/contract';
import {
  type Certificate,
  isPrecertificate,
  judgeOcsp,
  judgeSent,
  issuedChain,
  keyUsageOf,
  policiesOf,
  purposesOf,
  readCertificate,
  spkiOf,
  sslDetails,
} from '@vedette/mail/certificates';
import { type CertificateReport, demandsStaple, distinguishedName, isPublicRoot, sentWith, type TlsLook } from '@vedette/probes/tcp';
import { createHash } from 'node:crypto';
import type { CentralContext } from '../kit/index.ts';
import { checkRevocation, type Revocation } from '../shared/pages/revocation.ts';
import { completeChain, type CompletedChain } from './complete.ts';
import { type CaaAnswers, judgeCaaOf, type JudgedCaa } from './caa.ts';
import { type DaneFacts, judgeSsl, type SslIssue } from './findings.ts';
import { judgeDane, type TlsaRecords } from './dane.ts';
import type { SslQuery } from './query.ts';
import { type JudgedScts, judgeScts, NO_SCTS } from './scts.ts';
import { CERTIFICATES_MAX, type SslReport } from './schema.ts';

type Report = Static<typeof SslReport>;
type Details = Report['ssl_details'];

const NAMES_MAX = 500;
const NAME_MAX_CHARS = 256;
/** Time for the lists and responders of a whole chain. */
const REVOCATION_MS = 4_000;
const NOTHING_ASKED: Revocation = { state: '', by: '', error: '' };

const NOT_ASKED: Revocation = { state: 'unknown', by: '', error: 'Too many different certificates were shown to ask about each' };

/** The handshake, and what the DNS says of the host. */
interface Seen {
  look: TlsLook;
  tlsa: TlsaRecords;
  caaAnswers: CaaAnswers;
  /** The word of the issuers, where they were asked already. */
  issuers?: Promise<IssuersWord>;
}

/** The look-ups for a chain: missing certificates, and revocation. */
export interface IssuersWord {
  chain: CompletedChain;
  revocation: Revocation;
}

/** Completes a chain and asks for revocation. Without `asks` nothing is fetched. */
export async function askIssuers(
  { leaf, stapled }: Pick<NonNullable<TlsLook['shown']>, 'leaf' | 'stapled'>,
  asks: boolean,
  context: CentralContext,
): Promise<IssuersWord> {
  const chain = await completeChain(leaf, asks, context);
  if (validity(leaf).to < context.today()) return { chain, revocation: NOTHING_ASKED };
  return { chain, revocation: await revocationOf(chain.trusted ? issuedChain(chain.path) : [], stapled, asks, context) };
}

/** Makes the report of one handshake: completes the chain, asks for revocation, and judges. */
export async function reportOf(query: SslQuery, { look, tlsa, caaAnswers, issuers }: Seen, context: CentralContext): Promise<Report> {
  const { server, starttls = 'none', port } = query;
  const { shown: seen, session, failure, address } = look;
  const around = {
    host: query.requestedHost,
    ip: address,
    port,
    sni: server.kind === 'name' ? server.host : '',
    starttls,
    tls_version: seen?.version ?? '',
    cipher_suite: session?.cipherSuite ?? '',
    alpn: session?.alpn ?? '',
    error: failure?.message ?? '',
    reason: failure?.code ?? '',
  } as const;
  if (!seen)
    return {
      ...around,
      ...NO_CERTIFICATE,
      ssl_details: detailsOf(undefined, NO_SCTS, server, { valid: false, error: '' }, context),
      dane: judgeDane(tlsa, undefined),
      caa: shownCaa(judgeCaaOf(caaAnswers, { host: server.host, names: [], organization: '' })),
    };
  const { leaf, certificate, stapled } = seen;
  const sent = sentWith(leaf).slice(0, CERTIFICATES_MAX);
  const { chain, revocation } = await (issuers ?? askIssuers(seen, true, context));
  const issued = chain.trusted ? issuedChain(chain.path) : [];
  const now = context.today();
  const staple = stapled && issued[0] && issued[1] ? await judgeOcsp(stapled, issued[0], issued[1], now) : undefined;
  const dane = judgeDane(tlsa, { sent, path: chain.path, valid: certificate.valid });
  const scts = await judgeScts(
    { query, address, path: chain.path, isPublic: chain.trusted && isPublicRoot(chain.path.at(-1)!), stapled },
    context,
  );
  const details = detailsOf(leaf, scts, server, certificate, context);
  const caa = caaOf(caaAnswers, server, details, chain);
  const issues = judgeSsl({
    server,
    now,
    leaf,
    details,
    certificate,
    chain,
    sent,
    sentFaults: judgeSent(sent),
    revocation,
    staple,
    stapled: stapled !== undefined,
    scts,
    caa,
    dane: { state: dane.state, error: dane.error, vouches: vouches(query, dane) },
    isMail: MAIL_PORTS.includes(port),
    isWeb: starttls === 'none' && WEB_PORTS.includes(port),
    warnings: session?.warnings ?? [],
  });
  return {
    ...around,
    certificate_found: true,
    valid_ssl: certificate.valid,
    hostname_matches: details.name_match,
    ssl_details: details,
    chain_sent: sent.map((each) => entryOf(each, 'sent', context)),
    chain: chain.path.map((each) => entryOf(each, sourceOf(each, sent, chain), context)),
    chain_complete: chain.trusted,
    chain_issues: wordsOf(issues),
    chain_error: chain.error,
    stapled: stapled !== undefined,
    revoked: revocation.state === 'revoked',
    revocation: revocation.state,
    revocation_method: revocation.by === '' ? 'none' : revocation.by === 'staple' ? 'stapled' : revocation.by,
    revocation_error: revocation.error,
    dane,
    caa: shownCaa(caa),
    issues_found: issues,
  };
}

/** Lists and responders no longer say anything of a certificate that has expired. */
async function revocationOf(
  issued: readonly Certificate[],
  stapled: Uint8Array | undefined,
  asks: boolean,
  context: CentralContext,
): Promise<Revocation> {
  if (!asks && issued.length > 0) return NOT_ASKED;
  return await checkRevocation(issued, context, { stapled, total_ms: REVOCATION_MS });
}

const shownCaa = ({ state, domain, records, identifiers, error }: JudgedCaa): Report['caa'] => ({
  state,
  domain,
  records,
  identifiers,
  error,
});

/** A certificate for another name is not the one that is renewed for the host. */
const caaOf = (answers: CaaAnswers, { host }: ParsedHost, { san, issuer, name_match }: Details, { trusted }: CompletedChain): JudgedCaa =>
  judgeCaaOf(answers, {
    host,
    names: san.map((name) => name.toLowerCase()),
    organization: trusted && name_match ? ([issuer.organization].flat()[0] ?? '') : '',
  });

const NO_CERTIFICATE = {
  certificate_found: false,
  valid_ssl: false,
  hostname_matches: false,
  chain_sent: [],
  chain: [],
  chain_complete: false,
  chain_issues: [],
  chain_error: '',
  stapled: false,
  revoked: false,
  revocation: '',
  revocation_method: 'none',
  revocation_error: '',
  issues_found: [],
} satisfies Partial<Report>;

const WORDS: Partial<Record<SslIssue['code'], Report['chain_issues'][number]>> = {
  MISSING_INTERMEDIATE: 'incomplete',
  UNKNOWN_ISSUER: 'incomplete',
  CHAIN_MISORDERED: 'misordered',
  CHAIN_HAS_EXTRA: 'extra',
  CHAIN_HAS_ROOT: 'contains_root',
  CHAIN_HAS_EXPIRED: 'expired_intermediate',
  ISSUER_EXPIRED: 'expired_intermediate',
  WEAK_SIGNATURE: 'weak_signature',
};
const wordsOf = (issues: readonly SslIssue[]) => [...new Set(issues.flatMap(({ code }) => WORDS[code] ?? []))];

/** Ports at which browsers are expected. */
const WEB_PORTS: readonly number[] = [443, 4443, 8443, 9443];
/** Ports of SMTP, POP3 and IMAP. */
const MAIL_PORTS: readonly number[] = [25, 110, 143, 465, 587, 993, 995];

/** Mail servers that know DANE go by it between themselves; other clients do not (RFC 7672). */
function vouches({ starttls, port }: SslQuery, { state, records }: Report['dane']): DaneFacts['vouches'] {
  if (starttls !== 'smtp' || port !== 25 || state !== 'valid') return '';
  const usages = records.filter(({ matches }) => matches).map(({ usage }) => usage);
  return usages.includes(3) ? 'key' : usages.includes(2) ? 'authority' : '';
}

function detailsOf(
  leaf: X509Certificate | undefined,
  scts: JudgedScts,
  host: ParsedHost,
  { valid, error }: Pick<CertificateReport, 'valid' | 'error'>,
  context: CentralContext,
): Details {
  const details = { ...sslDetails(leaf && { leaf: leaf.raw, host, valid }, context.today()), error };
  const certificate = leaf && readCertificate(leaf.raw);
  const names = leaf ? namesOf(leaf) : [];
  return {
    ...details,
    san: names.slice(0, NAMES_MAX),
    san_count: names.length,
    is_wildcard: names.some((name) => name.startsWith('*.')),
    not_before_ts: leaf ? secondsOf(validity(leaf).from) : 0,
    not_after_ts: leaf ? secondsOf(validity(leaf).to) : 0,
    key_usage: certificate ? keyUsageOf(certificate) : [],
    ext_key_usage: certificate ? purposesOf(certificate) : [],
    policies: certificate ? policiesOf(certificate) : [],
    must_staple: leaf !== undefined && demandsStaple(leaf),
    is_precertificate: certificate !== undefined && isPrecertificate(certificate),
    ocsp_urls: urlsOf(certificate?.ocspUrls),
    crl_urls: urlsOf(certificate?.crlUrls),
    ca_issuers: urlsOf(certificate?.issuerUrls),
    spki_sha256: leaf ? createHash('sha256').update(spkiOf(leaf)).digest('hex') : '',
    scts: [...scts.entries],
    sct_policy: scts.policy,
    sct_policy_error: scts.error,
    pem: leaf?.toString() ?? '',
  };
}

const URLS_MAX = 8;
const URL_MAX_CHARS = 1_024;
const urlsOf = (urls: readonly string[] = []): string[] => urls.slice(0, URLS_MAX).map((url) => shown(url, URL_MAX_CHARS));

const secondsOf = (date: Date): number => (Number.isNaN(date.getTime()) ? 0 : Math.floor(date.getTime() / 1_000));

/** Names and addresses of subjectAltName as OpenSSL writes it: those with a comma or a quotation mark are quoted. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(([, name = '']) => shown(name, NAME_MAX_CHARS));

const sourceOf = (certificate: X509Certificate, sent: readonly X509Certificate[], { fetched }: CompletedChain) => {
  const isIn = (list: readonly X509Certificate[]) => list.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256);
  return isIn(sent) ? 'sent' : isIn(fetched) ? 'fetched' : 'store';
};

function entryOf(
  certificate: X509Certificate,
  source: Report['chain'][number]['source'],
  { today }: CentralContext,
): Report['chain'][number] {
  const nobody: ParsedHost = { host: '', kind: 'name' };
  const { valid_from, valid_to, key_algorithm, key_size, algorithm, serial_number, fingerprint_sha256 } = sslDetails(
    { leaf: certificate.raw, host: nobody, valid: false },
    today(),
  );
  return {
    subject: shown(distinguishedName(certificate.subject), NAME_MAX_CHARS),
    issuer: shown(distinguishedName(certificate.issuer), NAME_MAX_CHARS),
    source,
    valid_from,
    valid_to,
    key_algorithm,
    key_size,
    algorithm,
    serial_number,
    fingerprint_sha256,
  };
}
