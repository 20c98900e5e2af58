import type { X509Certificate } from 'node:crypto';
import { type ParsedHost, validity } from '@vedette/contract';
import type { judgeSent, RevocationVerdict, SslDetails } from '@vedette/mail/certificates';
import { findings, type Issue, listing, shown, sortIssues } from '@vedette/mail/findings';
import { type CertificateReport, demandsStaple, weakDigest, weakKey } from '@vedette/probes/tcp';
import type { Revocation } from '../shared/pages/revocation.ts';
import type { CompletedChain } from './complete.ts';
import { CAA_ISSUES, caaIssues, type JudgedCaa } from './caa.ts';
import type { DANE_STATES } from './dane.ts';
import { type JudgedScts, SCT_ISSUES, sctIssues } from './scts.ts';

/** Findings, in the order of the report. */
export const SSL_ISSUES = [
  'CERT_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_EXPIRES_SOON',
  'HOST_MISMATCH',
  'COMMON_NAME_ONLY',
  'SELF_SIGNED',
  'MISSING_INTERMEDIATE',
  'UNKNOWN_ISSUER',
  'UNTRUSTED_ROOT',
  'ISSUER_EXPIRED',
  'NOT_TRUSTED',
  'WEAK_KEY',
  'WEAK_SIGNATURE',
  'CHAIN_MISORDERED',
  'CHAIN_HAS_EXTRA',
  'CHAIN_HAS_ROOT',
  'CHAIN_HAS_EXPIRED',
  'REVOKED',
  'REVOCATION_UNKNOWN',
  'STAPLE_MISSING',
  'STAPLE_USELESS',
  ...SCT_ISSUES,
  ...CAA_ISSUES,
  'DANE_MISMATCH',
  'DANE_BOGUS',
  'DANE_NOT_SIGNED',
  'DANE_UNKNOWN',
  'OUTDATED_TLS',
] as const;
export type SslIssue = Issue<(typeof SSL_ISSUES)[number]>;

/** Facts that the judge goes by. */
export interface SslFacts {
  server: ParsedHost;
  now: Date;
  leaf: X509Certificate;
  details: Pick<SslDetails, 'name_match' | 'self_signed' | 'subject'>;
  certificate: CertificateReport;
  chain: CompletedChain;
  /** Certificates in the order in which they were sent. */
  sent: readonly X509Certificate[];
  sentFaults: ReturnType<typeof judgeSent>;
  revocation: Revocation;
  /** Verdict of the stapled response; undefined without one, and without a trusted issuer. */
  staple: RevocationVerdict | undefined;
  stapled: boolean;
  scts: JudgedScts;
  caa: JudgedCaa;
  dane: DaneFacts;
  /** The port is one of mail, where clients go by TLSA records. */
  isMail: boolean;
  /** Browsers are the clients, which look for SCTs. */
  isWeb: boolean;
  warnings: readonly string[];
}

export interface DaneFacts {
  state: (typeof DANE_STATES)[number];
  error: string;
  /** Mail servers go by a record in place of authorities: one of the key itself, or one of an authority of its own. */
  vouches: 'key' | 'authority' | '';
}

const DAY_MS = 86_400_000;
/** Renewal is late with less than this, and with less than a sixth of the lifetime, whichever is shorter: six-day certificates are renewed daily. */
const SOON_MS = 14 * DAY_MS;
const SOON_SHARE = 1 / 6;

const { error, warning, information } = findings<(typeof SSL_ISSUES)[number]>();

/** Judges the certificates of a server. Clients that verify refuse a server with an error. */
export function judgeSsl(facts: SslFacts): SslIssue[] {
  const faults = [...dateIssues(facts), ...trustIssues(facts), ...strengthIssues(facts), ...mustStapleIssues(facts)];
  const { valid, error: words } = facts.certificate;
  if (!valid && faults.length === 0) faults.push(error('NOT_TRUSTED', `${words}. Have it issued anew, without that fault`));
  return sortIssues(
    [
      ...faults,
      ...chainIssues(facts),
      ...statusIssues(facts),
      ...sctIssues(facts.scts, facts.isWeb),
      ...caaIssues(facts.caa, facts.server.host),
      ...otherIssues(facts),
    ],
    SSL_ISSUES,
  );
}

function dateIssues({ leaf, now, dane }: SslFacts): SslIssue[] {
  const { from, to } = validity(leaf);
  const refused = dane.vouches === 'key' ? information : error;
  if (to < now)
    return [refused('CERT_EXPIRED', `The certificate was valid until ${day(to)}. Renew it, and have the server load the new one`)];
  if (from > now)
    return [
      refused(
        'CERT_NOT_YET_VALID',
        `The certificate is valid from ${day(from)} on. Use the previous one until then, or check the clock of the issuer`,
      ),
    ];
  const left = to.getTime() - now.getTime();
  if (left >= Math.min(SOON_MS, (to.getTime() - from.getTime()) * SOON_SHARE)) return [];
  return [warning('CERT_EXPIRES_SOON', `The certificate is valid until ${day(to)}. Renew it now, and check why renewal is late`)];
}

/** Reasons why no chain leads to a trusted root, or why the certificate is not for the host. */
function trustIssues({ server, leaf, details, certificate, chain, now, dane }: SslFacts): SslIssue[] {
  const { path, fetched, trusted, isRooted } = chain;
  const last = path.at(-1)!;
  // A key that DNSSEC vouches for needs no authority, and may be of any age and name (RFC 7671 §5.1): it is a remark for those who do not know DANE.
  const refused = dane.vouches === '' ? error : information;
  const unlessKey = dane.vouches === 'key' ? information : error;
  const issues: SslIssue[] = [];
  if (!details.name_match) {
    const isCommonName = details.subject.common_name.toLowerCase() === server.host && leaf.subjectAltName === undefined;
    issues.push(
      isCommonName
        ? unlessKey(
            'COMMON_NAME_ONLY',
            `${server.host} stands in the common name alone, which clients ignore. Have it issued with the name in subjectAltName`,
          )
        : unlessKey(
            'HOST_MISMATCH',
            `The certificate is not for ${server.host}. Have one issued for this name, or send the right one for it (SNI)`,
          ),
    );
  }
  if (certificate.valid) return issues;
  if (details.self_signed && !trusted)
    issues.push(refused('SELF_SIGNED', 'The certificate is signed by its own key. Have one issued by an authority that clients trust'));
  else if (trusted && fetched.length > 0)
    issues.push(
      refused(
        'MISSING_INTERMEDIATE',
        `The server does not send ${listing(fetched.map(nameOf))}. Browsers fetch it, other clients fail: append it to the certificate file`,
      ),
    );
  else if (!trusted && isRooted)
    issues.push(
      refused(
        'NOT_TRUSTED',
        `The issuers lead to ${nameOf(last)} by name, but ${path.slice(1).every(({ ca }) => ca) ? 'a signature does not verify' : 'one of them is not an authority'}. Have it issued anew by an authority`,
      ),
    );
  else if (!trusted && last.checkIssued(last))
    issues.push(
      refused(
        'UNTRUSTED_ROOT',
        `The chain ends in ${nameOf(last)}, which clients do not trust. Use a public authority, or install this root on clients`,
      ),
    );
  else if (!trusted)
    issues.push(
      refused(
        'UNKNOWN_ISSUER',
        `The issuer ${named(last.issuer)} is not trusted, and was neither sent nor found. Append the issuer's certificates to the certificate file`,
      ),
    );
  const old = path.slice(1).filter((issuer) => validity(issuer).to < now);
  if (trusted && old.length > 0)
    issues.push(unlessKey('ISSUER_EXPIRED', `${listing(old.map(nameOf))} has expired. Append the issuer's current certificate instead`));
  return issues;
}

function strengthIssues({ chain: { path }, dane }: SslFacts): SslIssue[] {
  const refused = dane.vouches === '' ? error : information;
  return path.flatMap((certificate) => {
    const key = weakKey(certificate);
    const digest = weakDigest(certificate);
    return [
      ...(key === undefined
        ? []
        : [refused('WEAK_KEY', `${nameOf(certificate)} has a key that is too weak (${key}). Use RSA with 2048 bits or more, or P-256`)]),
      ...(digest === undefined
        ? []
        : [refused('WEAK_SIGNATURE', `${nameOf(certificate)} has a signature that is too weak (${digest}). Have it issued with SHA-256`)]),
    ];
  });
}

function chainIssues({ sent, sentFaults: { surplus, isMisordered, roots }, chain: { path }, now }: SslFacts): SslIssue[] {
  const used = new Set(path.map(({ fingerprint256 }) => fingerprint256));
  const old = sent.slice(1).filter((certificate) => validity(certificate).to < now && !used.has(certificate.fingerprint256));
  return [
    ...(isMisordered
      ? [
          warning(
            'CHAIN_MISORDERED',
            'The certificates are not in order, which old clients refuse. Put each one before the one of its issuer',
          ),
        ]
      : []),
    ...(surplus.length > 0
      ? [
          warning(
            'CHAIN_HAS_EXTRA',
            `The server sends certificates that do not belong to the chain: ${listing(surplus.map(nameOf))}. Remove them`,
          ),
        ]
      : []),
    ...(roots.length > 0
      ? [
          information(
            'CHAIN_HAS_ROOT',
            `The server sends the root ${listing(roots.map(nameOf))}, which clients have or do not trust. It may be removed`,
          ),
        ]
      : []),
    ...(old.length > 0
      ? [warning('CHAIN_HAS_EXPIRED', `The server sends certificates that have expired: ${listing(old.map(nameOf))}. Remove them`)]
      : []),
  ];
}

const mustStapleIssues = ({ leaf, stapled }: SslFacts): SslIssue[] =>
  !stapled && demandsStaple(leaf)
    ? [
        error(
          'STAPLE_MISSING',
          'The certificate demands a stapled OCSP response (must-staple), and the server sends none. Switch stapling on',
        ),
      ]
    : [];

function statusIssues({ revocation, staple }: SslFacts): SslIssue[] {
  const issues: SslIssue[] = [];
  if (revocation.state === 'revoked')
    issues.push(error('REVOKED', 'The certificate, or one above it, was revoked by its issuer. Have a new one issued, with a new key'));
  if (revocation.state === 'unknown')
    issues.push(information('REVOCATION_UNKNOWN', `${revocation.error}. Nothing to change, unless it lasts`));
  if (staple?.state === 'unknown')
    issues.push(
      warning('STAPLE_USELESS', `The stapled OCSP response tells nothing: ${staple.why}. Check that the server can reach the responder`),
    );
  return issues;
}

function otherIssues({ dane, isMail, warnings }: SslFacts): SslIssue[] {
  return [
    ...(dane.state === 'mismatch'
      ? [
          isMail
            ? error(
                'DANE_MISMATCH',
                'No TLSA record agrees with the certificate, so mail servers with DANE refuse it. Publish the record of the key in use',
              )
            : information(
                'DANE_MISMATCH',
                'No TLSA record agrees with the certificate. Hardly any client of this port looks: publish the record of the key in use, or remove the others',
              ),
        ]
      : []),
    ...(dane.state === 'bogus' ? [error('DANE_BOGUS', `The TLSA records fail DNSSEC: ${dane.error}. Have the zone signed anew`)] : []),
    ...(dane.state === 'not_signed'
      ? [
          warning(
            'DANE_NOT_SIGNED',
            'TLSA records are published, but the zone is not signed, so clients ignore them. Sign it, and publish its DS record',
          ),
        ]
      : []),
    ...(dane.state === 'unknown' ? [information('DANE_UNKNOWN', `TLSA records could not be read: ${dane.error}`)] : []),
    ...warnings
      .filter((text) => !text.includes('client certificate'))
      .map((text) => warning('OUTDATED_TLS', `${text}. Switch on TLS 1.2 and TLS 1.3`)),
  ];
}

const day = (date: Date): string => (Number.isNaN(date.getTime()) ? 'an unreadable date' : date.toISOString().slice(0, 10));

const nameOf = ({ subject }: X509Certificate): string => named(subject);

/** The quoted common name, or another of the names, of a distinguished name as OpenSSL writes it. */
function named(distinguished: string): string {
  const lines = distinguished.split('\n');
  const name = ['CN=', 'O=']
    .map((key) => lines.find((line) => line.startsWith(key))?.slice(key.length))
    .find((found) => found !== undefined);
  return `"${shown(name ?? lines.join(', '))}"`;
}
