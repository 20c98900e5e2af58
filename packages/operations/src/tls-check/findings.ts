import { type TlsScan, type Version, weaknessOf } from '@vedette/probes/tls';

/** The grades, from best to worst. */
export const GRADES = ['A+', 'A', 'A-', 'B', 'C', 'F'] as const;
export type Grade = (typeof GRADES)[number];

interface Finding {
  type: 'error' | 'warning' | 'information';
  /** The best grade with it; absent where it does not matter to the grade. */
  cap?: Grade;
  /** Details for the end of the message, or an empty text; undefined without the finding. `isMail` for SMTP. */
  seen(scan: TlsScan, isMail: boolean): string | undefined;
  message: string;
}

const OLD = ['sslv3', 'tls1_0', 'tls1_1', 'tls1_2'] as const;
const MIN_DH_BITS = 2048; // RFC 9325 §4.1
const BROKEN_DH_BITS = 1024; // weakdh.org

const offered = (version: Version) => (scan: TlsScan) => (scan.versions[version] === 'yes' ? '' : undefined);
const when = (is: boolean): string | undefined => (is ? '' : undefined);

/** Suites of a kind, of all versions: their names, or undefined. */
function suitesWhere({ suites }: TlsScan, isMeant: (suite: { name: string; exchange: string }) => boolean): string | undefined {
  const names = OLD.flatMap((version) => suites[version]?.suites ?? []).filter(isMeant);
  const [first] = names;
  if (!first) return undefined;
  const distinct = new Set(names.map(({ name }) => name));
  return distinct.size === 1 ? first.name : `${first.name} and ${distinct.size - 1} more`;
}

const weak = (weakness: string) => (scan: TlsScan) => suitesWhere(scan, (suite) => weaknessOf(suite) === weakness);
const has = (scan: TlsScan, ...versions: Version[]): boolean => versions.some((version) => scan.versions[version] === 'yes');
const lacks = (scan: TlsScan, ...versions: Version[]): boolean => versions.every((version) => scan.versions[version] === 'no');
const isKnown = ({ versions, suites }: TlsScan): boolean =>
  OLD.every((version) => versions[version] === 'no' || suites[version]?.complete === true);

/** Findings by code. docs/issues/tls-check.md has them with what to change; a test compares type and cap. */
export const FINDINGS = {
  SSLV2_OFFERED: {
    type: 'error',
    cap: 'F',
    seen: offered('sslv2'),
    message:
      'The server speaks SSL 2.0, which has been broken since 1996 and endangers its key in all versions (DROWN, RFC 6176). Switch it off',
  },
  SSLV3_OFFERED: {
    type: 'error',
    cap: 'C',
    seen: offered('sslv3'),
    message: 'The server speaks SSL 3.0, whose encryption can be undone by others on the way (POODLE, RFC 7568). Switch it off',
  },
  TLS1_0_OFFERED: {
    type: 'warning',
    cap: 'B',
    seen: offered('tls1_0'),
    message: 'The server speaks TLS 1.0, which is deprecated (RFC 8996). Switch it off',
  },
  TLS1_1_OFFERED: {
    type: 'warning',
    cap: 'B',
    seen: offered('tls1_1'),
    message: 'The server speaks TLS 1.1, which is deprecated (RFC 8996). Switch it off',
  },
  MODERN_TLS_MISSING: {
    type: 'error',
    cap: 'C',
    seen: (scan) => when(lacks(scan, 'tls1_2', 'tls1_3')),
    message: 'The server speaks neither TLS 1.2 nor TLS 1.3, so browsers refuse it. Switch both on',
  },
  TLS1_3_MISSING: {
    type: 'information',
    cap: 'A-',
    seen: (scan) => when(lacks(scan, 'tls1_3')),
    message: 'The server does not speak TLS 1.3 (RFC 8446), which is quicker and encrypts the certificate. Switch it on',
  },
  ANONYMOUS_SUITES: {
    type: 'error',
    cap: 'F',
    seen: (scan, isMail) => (isMail ? undefined : weak('anonymous')(scan)),
    message: 'The server accepts suites without a certificate: others can pretend to be it. Remove aNULL from its suites',
  },
  ANONYMOUS_SUITES_IN_MAIL: {
    type: 'information',
    cap: 'A',
    seen: (scan, isMail) => (isMail ? weak('anonymous')(scan) : undefined),
    message:
      'The mail server accepts suites without a certificate, as Postfix does by default. Only senders that check no certificate offer them, so they lose nothing',
  },
  NULL_SUITES: {
    type: 'error',
    cap: 'F',
    seen: weak('null'),
    message: 'The server accepts suites without encryption. Remove eNULL from its suites',
  },
  EXPORT_SUITES: {
    type: 'error',
    cap: 'F',
    seen: weak('export'),
    message: 'The server accepts export suites, which were made to be broken (FREAK, Logjam). Remove EXPORT from its suites',
  },
  DES_SUITES: {
    type: 'error',
    cap: 'F',
    seen: weak('des'),
    message: 'The server accepts DES or RC2, whose keys can be tried out. Remove them from its suites',
  },
  RC4_SUITES: {
    type: 'error',
    cap: 'C',
    seen: weak('rc4'),
    message: 'The server accepts RC4, which is prohibited (RFC 7465). Remove it from its suites',
  },
  TRIPLE_DES_SUITES: {
    type: 'warning',
    cap: 'C',
    seen: weak('triple_des'),
    message: 'The server accepts 3DES, whose blocks are too short for long connections (Sweet32). Remove it from its suites',
  },
  OLD_CIPHER_SUITES: {
    type: 'warning',
    cap: 'B',
    seen: weak('old_cipher'),
    message: 'The server accepts IDEA or SEED, which no client of today needs. Remove them from its suites',
  },
  FORWARD_SECRECY_MISSING: {
    type: 'warning',
    cap: 'B',
    seen: (scan) =>
      when(
        lacks(scan, 'tls1_3') &&
          has(scan, ...OLD) &&
          isKnown(scan) &&
          !OLD.some((version) => scan.suites[version]?.suites.some((suite) => suite.forwardSecrecy)),
      ),
    message: 'No suite has forward secrecy: a stolen key opens all recorded connections. Add suites with ECDHE',
  },
  AEAD_MISSING: {
    type: 'warning',
    cap: 'B',
    seen: (scan) =>
      when(lacks(scan, 'tls1_3') && has(scan, 'tls1_2') && isKnown(scan) && !scan.suites.tls1_2?.suites.some(({ aead }) => aead)),
    message: 'No suite has authenticated encryption. Add suites with GCM or ChaCha20',
  },
  STATIC_RSA_SUITES: {
    type: 'information',
    cap: 'A',
    seen: (scan) => suitesWhere(scan, ({ exchange }) => exchange === 'RSA'),
    message:
      'The server accepts suites in which the client encrypts with the key of the certificate. They have no forward secrecy, and attacks of the ROBOT class need one. A hello does not tell whether they work here. Remove them where no old client needs them',
  },
  CBC_SUITES: {
    type: 'information',
    cap: 'A',
    seen: (scan) =>
      has(scan, 'tls1_2') ? suitesWhere(scan, ({ name }) => name.includes('_CBC_') && weaknessOf({ name }) === undefined) : undefined,
    message:
      'The server accepts suites with CBC, which are hard to implement without leaks (Lucky 13). Only clients from before 2014 need them',
  },
  DH_BELOW_1024: {
    type: 'error',
    cap: 'F',
    seen: ({ dhBits }) => (dhBits > 0 && dhBits < BROKEN_DH_BITS ? `${dhBits} bits` : undefined),
    message: 'The prime of the Diffie-Hellman exchange is so short that it can be broken (Logjam). Use one of 2048 bits, or ECDHE only',
  },
  DH_BELOW_2048: {
    type: 'warning',
    cap: 'B',
    seen: ({ dhBits }) => (dhBits >= BROKEN_DH_BITS && dhBits < MIN_DH_BITS ? `${dhBits} bits` : undefined),
    message: 'The prime of the Diffie-Hellman exchange has less than 2048 bits (RFC 9325 §4.1). Use a longer one, or ECDHE only',
  },
  COMPRESSION_OFFERED: {
    type: 'error',
    cap: 'C',
    seen: ({ compression }) => when(compression === 'yes'),
    message: 'The server compresses within TLS, which betrays secrets by their length (CRIME). Switch it off',
  },
  RENEGOTIATION_INSECURE: {
    type: 'error',
    cap: 'C',
    seen: ({ secureRenegotiation }) => when(secureRenegotiation === 'no'),
    message:
      'The server does not know secure renegotiation (RFC 5746): others may put words in front of those of its clients. Update its software',
  },
  FALLBACK_UNSIGNALLED: {
    type: 'information',
    seen: (scan) => when(scan.fallbackScsv === 'no' && has(scan, 'sslv3', 'tls1_0', 'tls1_1')),
    message:
      'The server does not notice a client that was talked down to an older version (RFC 7507). Switch the old versions off, or update its software',
  },
  HEARTBEAT_OFFERED: {
    type: 'information',
    seen: ({ heartbeat }) => when(heartbeat === 'yes'),
    message:
      'The server accepts heartbeats (RFC 6520), which hardly any software uses. OpenSSL before 1.0.1g leaked its memory through them (Heartbleed); a hello does not tell whether this one does. Make sure that it is newer',
  },
  EXTENDED_MASTER_SECRET_MISSING: {
    type: 'information',
    seen: ({ extendedMasterSecret }) => when(extendedMasterSecret === 'no'),
    message: 'The server does not bind sessions to their handshake (RFC 7627). Update its software',
  },
  SHA1_SIGNATURES: {
    type: 'information',
    seen: ({ signatures }) => signatures.find((name) => /sha1$|md5$/.test(name)),
    message: 'The server signs with SHA-1 or MD5 for clients that ask for it (RFC 9155). Take these signature algorithms away',
  },
  CLIENT_ORDER: {
    type: 'information',
    seen: (scan) =>
      when(
        OLD.some((version) => {
          const listed = scan.suites[version];
          return listed?.order === 'client' && listed.suites.some((suite) => weaknessOf(suite) !== undefined || !suite.forwardSecrecy);
        }),
      ),
    message:
      "The server follows its client's order of suites although it accepts weaker ones. Have it prefer its own order, or remove the weaker ones",
  },
  POST_QUANTUM_MISSING: {
    type: 'information',
    seen: (scan) => when(has(scan, 'tls1_3') && scan.postQuantum === 'no'),
    message:
      'The server has no post-quantum group: what is recorded today may be read by the computers of tomorrow. Add X25519MLKEM768 (OpenSSL 3.5)',
  },
  SCAN_INCOMPLETE: {
    type: 'information',
    seen: (scan) => scan.stopped && STOPPED[scan.stopped],
    message: 'The scan did not come to its end, so what it did not come to is unknown',
  },
} as const satisfies Record<string, Finding>;

const STOPPED: Readonly<Record<NonNullable<TlsScan['stopped']>, string>> = {
  connections: 'all connections of a scan were used',
  server: 'the server, or a firewall before it, no longer answered what it had answered before',
  time: 'the time was over',
};

export type FindingCode = keyof typeof FINDINGS;
export const FINDING_CODES = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

export interface Issue {
  code: FindingCode;
  type: Finding['type'];
  message: string;
}

/** The findings of a scan, the worst first. */
export function findingsOf(scan: TlsScan, isMail: boolean): Issue[] {
  const rank = ({ type }: Issue) => ['error', 'warning', 'information'].indexOf(type);
  return Object.entries<Finding>(FINDINGS)
    .flatMap(([code, { type, message, seen }]) => {
      const detail = seen(scan, isMail);
      return detail === undefined ? [] : [{ code: code as FindingCode, type, message: detail === '' ? message : `${message}: ${detail}` }];
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The grade, and the findings that hold it down. Empty for a server whose versions or weak suites are not all known. */
export function gradeOf(scan: TlsScan, issues: readonly Issue[]): { grade: Grade | ''; caps: { code: FindingCode; grade: Grade }[] } {
  const caps = issues.flatMap(({ code }) => {
    const { cap }: Finding = FINDINGS[code];
    return cap === undefined ? [] : [{ code, grade: cap }];
  });
  const isJudged =
    Object.values(scan.versions).every((told) => told !== 'unknown') &&
    OLD.every((version) => scan.versions[version] === 'no' || scan.suites[version]?.weakKnown);
  if (!isJudged || Object.values(scan.versions).every((told) => told === 'no')) return { grade: '', caps };
  const worst = Math.max(0, ...caps.map(({ grade }) => GRADES.indexOf(grade)));
  return { grade: GRADES[worst]!, caps: caps.toSorted((a, b) => GRADES.indexOf(b.grade) - GRADES.indexOf(a.grade)) };
}
