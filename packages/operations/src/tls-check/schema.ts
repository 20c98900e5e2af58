import { count, Enum, text } from '@vedette/contract';
import { VERSIONS } from '@vedette/probes/tls';
import { Type } from 'typebox';
import { Issues } from '../kit/index.ts';
import { STARTTLS_ASKED } from '../ssl-info/index.ts';
import { FINDING_CODES, GRADES } from './findings.ts';

const TOLD = ['yes', 'no', 'unknown', 'not_applicable'] as const;
const told = (description: string) => Enum(TOLD, { description });
const version = (name: string) => told(`Whether the server speaks ${name}. \`unknown\` if the scan stopped before it knew`);

const Suites = Type.Object(
  {
    version: Enum(VERSIONS, { description: 'Protocol version' }),
    order: Enum(['server', 'client', 'unknown'], {
      title: 'TlsOrder',
      description: 'Side whose order of suites decides. `unknown` for a single suite',
    }),
    complete: Type.Boolean({ description: 'The server accepts no other suite that tls-check knows' }),
    suites: Type.Array(
      Type.Object(
        {
          name: text('IANA name of the suite'),
          code: text('Code of the suite, such as `0xc02f`'),
          bits: Type.Integer({ description: 'Key bits of the cipher; 0 without encryption' }),
          forward_secrecy: Type.Boolean({ description: 'A stolen key of the server does not open recorded connections' }),
          aead: Type.Boolean({ description: 'Authenticated encryption: GCM, CCM or ChaCha20-Poly1305' }),
          weakness: Enum(['', 'anonymous', 'null', 'export', 'des', 'rc4', 'triple_des', 'old_cipher'], {
            title: 'TlsWeakness',
            description: 'Reason why the suite is weak; empty if it is not',
          }),
        },
        { title: 'TlsSuite' },
      ),
      { description: 'Suites as the server prefers them; in the order of tls-check if the server follows its client' },
    ),
  },
  { title: 'TlsSuites' },
);

export const TlsReport = Type.Object({
  host: text('Host from the request'),
  port: Type.Integer({ description: 'TCP port of the server' }),
  starttls: Enum(STARTTLS_ASKED, { description: 'Protocol in which the server was asked for TLS; none if TLS began at once' }),
  ip_address: text('Address that was scanned; empty if there is none'),
  tls_found: Type.Boolean({ description: 'The server answered a hello of SSL or TLS' }),
  grade: Enum(['', ...GRADES], {
    title: 'TlsGrade',
    description: 'Grade by the worst finding; empty without TLS, or if the scan did not learn all versions and weak suites',
  }),
  grade_caps: Type.Array(
    Type.Object(
      {
        code: Enum(FINDING_CODES, { title: 'TlsFinding', description: 'Finding' }),
        grade: Enum(GRADES, { title: 'TlsBestGrade', description: 'Best grade with this finding' }),
      },
      { title: 'TlsGradeCap' },
    ),
    { description: 'Findings that limit the grade, the strictest first' },
  ),
  protocols: Type.Object(
    {
      sslv2: version('SSL 2.0'),
      sslv3: version('SSL 3.0'),
      tls1_0: version('TLS 1.0'),
      tls1_1: version('TLS 1.1'),
      tls1_2: version('TLS 1.2'),
      tls1_3: version('TLS 1.3'),
    },
    { description: 'Protocol versions' },
  ),
  preferred_protocol: Enum(['', ...VERSIONS], {
    description: 'Version that the server chooses if a client offers TLS 1.0 to TLS 1.3; empty if it answers no such client',
  }),
  cipher_suites: Type.Array(Suites, { description: 'Suites of each version, the newest version first. SSL 2.0 is not listed' }),
  groups: Type.Array(Type.String(), { description: 'Groups of the key exchange, as the server prefers them' }),
  groups_complete: Type.Boolean({ description: 'The server has no other group that tls-check knows' }),
  post_quantum: told('Whether a group is post-quantum, such as X25519MLKEM768'),
  dh_bits: Type.Integer({ description: 'Bits of the shortest Diffie-Hellman prime below TLS 1.3; 0 if none was seen' }),
  signature_algorithms: Type.Array(Type.String(), { description: 'Signature schemes of the server in TLS 1.2, as it prefers them' }),
  signature_algorithms_complete: Type.Boolean({ description: 'The server has no other signature scheme that tls-check knows' }),
  signature_algorithms_tls1_3: Type.Array(Type.String(), {
    description: 'Signature schemes of the server in TLS 1.3, in the order of tls-check. They depend on the keys of its certificates',
  }),
  signature_algorithms_tls1_3_complete: Type.Boolean({
    description: 'The server has no other signature scheme of TLS 1.3 that tls-check knows',
  }),
  alpn: Type.Array(Type.String(), { description: 'Protocols that the server chooses by ALPN, as it prefers them' }),
  alpn_complete: Type.Boolean({ description: 'The server chooses no other protocol that tls-check knows' }),
  session_tickets: told('Whether the server issues session tickets up to TLS 1.2'),
  session_tickets_tls1_3: told('Whether the server issues tickets in TLS 1.3'),
  session_resumption_by_ticket: told('Whether a session up to TLS 1.2 was resumed by its ticket'),
  session_resumption_by_id: told('Whether a session up to TLS 1.2 was resumed by its id'),
  session_resumption_tls1_3: told('Whether a session of TLS 1.3 was resumed by its ticket'),
  secure_renegotiation: told('Whether the server knows secure renegotiation (RFC 5746)'),
  compression: told('Whether the server compresses within TLS'),
  fallback_scsv: told(
    'Whether the server notices a client that was talked down to an older version (RFC 7507); `not_applicable` with one version',
  ),
  extended_master_secret: told('Whether the server binds sessions to their handshake (RFC 7627)'),
  encrypt_then_mac: told('Whether the server authenticates ciphertext with CBC suites (RFC 7366)'),
  heartbeat: told('Whether the server accepts heartbeats (RFC 6520). No heartbeat is sent'),
  ocsp_stapling: told('Whether the server sent an OCSP response along'),
  ech: told('Whether the DNS has a key for Encrypted Client Hello (RFC 9849); `not_applicable` for addresses and with `starttls`'),
  answers_without_sni_only: Type.Boolean({ description: 'The server answered only hellos without its name' }),
  issues_found: Issues('TlsIssue', FINDING_CODES),
  connections: count('Number of connections of the scan'),
  complete: Type.Boolean({ description: 'The scan came to its end' }),
  error: text('Reason why there is no TLS; empty if there is'),
  reason: text('Reason code why there is no TLS; empty if there is'),
});
