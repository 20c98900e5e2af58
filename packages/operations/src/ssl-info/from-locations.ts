import { createHash } from 'node:crypto';
import { REASONS } from '@vedette/contract';
import { issuedChain, judgeOcsp } from '@vedette/mail/certificates';
import { alpnOf, chainOf, lookOf, sentWith, type TcpResult, tcpProbe, type TlsLook } from '@vedette/probes/tcp';
import { type Static, Type } from 'typebox';
import { type CentralContext, distributed, type Reply } from '../kit/index.ts';
import { type CaaAnswers, readCaa } from './caa.ts';
import { readTlsa, type TlsaRecords } from './dane.ts';
import { Differences, differencesOf } from './differences.ts';
import { readSslQuery, SSL_HEAD, type SslQuery } from './query.ts';
import { askIssuers, type IssuersWord, reportOf } from './report.ts';
import { SslAtLocation, SslReport } from './schema.ts';

type Report = Static<typeof SslReport>;
type Fields = Static<typeof SslAtLocation>;

/**
 * The DNS may take half of it, and the other half suffices for the witnesses of an agent's resolver, which have five seconds. The rest of the
 * deadline of ssl-info is for missing certificates and revocation.
 */
const MEASURED_MS = 11_000;
/** Two addresses of the host are tried at once: one of them may be dead. */
const ATTEMPTS = 2;
/** Different chains for which lists, responders and missing certificates are asked for: a hostile server shows a new one each time. Reports of one chain share the answers. */
const ASKED_MAX = 4;
const DAY_MS = 86_400_000;

/** A handshake of a location, judged. */
interface Judged {
  fields: Fields;
  report: Report;
}

/** The common work of a request's locations. */
interface Session {
  records: { tlsa: TlsaRecords; caaAnswers: CaaAnswers };
  /** The report of a host without a certificate. */
  none: Report;
  /** Chains that issuers were asked about. */
  asked: Set<string>;
  /** The word of the issuers by the chain, and by what was stapled to it: further locations ask nothing. */
  issuers: Map<string, Promise<IssuersWord>>;
  /** Reports by everything that a judge goes by: locations that saw the same share one. */
  reports: Map<string, Promise<Report>>;
  judged: Map<TcpResult, Judged>;
}

/** ssl-info of the handshakes that agents make. Each is judged here, as one of the service itself is. */
export const sslFromLocations = distributed({
  ...SSL_HEAD,
  cost: 7,
  deadline_ms: MEASURED_MS,
  read: readSslQuery,
  response: Type.Object({ ...SslReport.properties, differences: Differences }),
  entries: 'locations',
  probe: tcpProbe,
  connects: ({ port }: SslQuery) => ({ port, times: ATTEMPTS }),
  job: ({ host, port, server, starttls }: SslQuery) => ({
    host: host.host,
    port,
    family: 0 as const,
    attempts: ATTEMPTS,
    ...(starttls !== undefined && { starttls }),
    tls: {
      alpn: starttls === undefined ? alpnOf(port) : [],
      show: true,
      ...(server.host !== host.host && { server_name: server.host }),
    },
  }),
  entry: {
    schema: SslAtLocation,
    of: (_query: SslQuery, { result }, judged: Judged | undefined) => judged?.fields ?? emptyFields(result),
  },
  async lookUp(query: SslQuery, result, context, beside?: Promise<Session>): Promise<Judged | undefined> {
    const look = readable(result);
    const session = await beside;
    return session && look?.shown && (await judge(query, { ...look, failure: undefined }, result, { session, context }));
  },
  async beside(query: SslQuery, context): Promise<Session> {
    const { host, port, server } = query;
    const [tlsa, caaAnswers] = await Promise.all([readTlsa(host, port, context), readCaa(server, context)]);
    const records = { tlsa, caaAnswers };
    const nothing = { address: '', shown: undefined, session: undefined, failure: undefined };
    const none = await reportOf(query, { look: nothing, ...records }, context);
    return { records, none, asked: new Set(), issuers: new Map(), reports: new Map(), judged: new Map() };
  },
  report(_query: SslQuery, replies, { judged, none }: Session) {
    const seen = replies.flatMap((reply) => {
      const found = reply.result && judged.get(reply.result);
      return found ? [{ ...found, reply, location: reply.location.id }] : [];
    });
    const reliable = seen.filter(({ reply }) => isReliable(reply));
    const compared = reliable.length > 0 ? reliable : seen;
    const [most] = [...Map.groupBy(compared, ({ report }) => report).values()].toSorted((a, b) => b.length - a.length);
    const [first] = most ?? [];
    const reply = first?.reply ?? replies.find(isOfTarget) ?? replies[0];
    const unseen = replies.filter(({ result }) => !result || !judged.has(result));
    const silent = unseen.filter((reply) => isOfTarget(reply) && isReliable(reply)).length;
    const others = { silent, failed: unseen.length - silent, unreliable: seen.length - compared.length };
    return { ...(first?.report ?? none), ...handshakeOf(reply), differences: differencesOf(compared, others) };
  },
});

/** The failure is of the target, or of its DNS. */
const isOfTarget = ({ failure }: Reply): boolean => failure !== undefined && REASONS[failure.reason].source !== 'vantage';

/** Other agents may be shown what their own network makes up. */
const isReliable = ({ agent_state }: Reply): boolean => agent_state !== 'degraded';

/** The handshake of one location, as the report shows it. */
function handshakeOf(reply: Reply<TcpResult> | undefined) {
  const { result, failure } = reply ?? {};
  return {
    ip: result?.ip_address ?? '',
    tls_version: result?.shown?.version ?? '',
    cipher_suite: result?.tls?.cipher_suite ?? '',
    alpn: result?.tls?.alpn ?? '',
    error: failure?.error ?? '',
    reason: failure?.reason ?? ('' as const),
  };
}

/** Undefined for certificates that cannot be read. */
function readable(result: TcpResult): ReturnType<typeof lookOf> | undefined {
  try {
    return lookOf(result);
  } catch {
    return undefined;
  }
}

const UNREADABLE = 'The agent sent certificates that cannot be read';

/** The fields of a location without a certificate. */
const emptyFields = ({ ip_address, shown, elapsed_ms }: TcpResult): Fields => ({
  ip: ip_address,
  certificate_found: false,
  valid_ssl: false,
  certificate_error: shown ? UNREADABLE : '',
  hostname_matches: false,
  fingerprint_sha256: '',
  subject: '',
  issuer: '',
  valid_to: '',
  days_left: 0,
  chain_sent: [],
  chain_complete: false,
  stapled: false,
  revoked: false,
  revocation: '',
  revocation_error: '',
  issues: [],
  tls_version: '',
  cipher_suite: '',
  alpn: '',
  elapsed_ms,
});

interface Around {
  session: Session;
  context: CentralContext;
}

async function judge(query: SslQuery, look: TlsLook, result: TcpResult, { session, context }: Around): Promise<Judged> {
  const { records, reports, judged } = session;
  const keys = await keysOf(look, context);
  let making = reports.get(keys.report);
  if (!making) {
    const issuers = issuersWord(look, keys, { session, context });
    // Without an address no server is asked for the SCTs of a handshake: it is the agent's word.
    making = reportOf(query, { look: { ...look, address: '' }, ...records, issuers }, context);
    making.catch(() => {}); // awaited below
    reports.set(keys.report, making);
  }
  const report = await making;
  const found = { report, fields: fieldsOf(report, result, context.today()) };
  judged.set(result, found);
  return found;
}

/** Asks once for each chain, and verdict of what was stapled to it. */
function issuersWord({ shown }: TlsLook, keys: Keys, { session: { asked, issuers }, context }: Around): Promise<IssuersWord> {
  const known = issuers.get(keys.stapled);
  if (known) return known;
  const asks = asked.has(keys.chain) || asked.size < ASKED_MAX;
  if (asks) asked.add(keys.chain);
  const asking = askIssuers(shown!, asks, context);
  issuers.set(keys.stapled, asking);
  return asking;
}

/** Hashes of what was shown, each of what the one before it is of, and more. */
interface Keys {
  chain: string;
  /** The chain, and the verdict of what was stapled to it: servers renew the response itself one by one. */
  stapled: string;
  /** All that a report depends on. */
  report: string;
}

async function keysOf({ shown, session }: TlsLook, context: CentralContext): Promise<Keys> {
  const { leaf, certificate, stapled } = shown!;
  const [own, issuer] = issuedChain(chainOf(leaf, context.ca));
  const staple = stapled && own && issuer && (await judgeOcsp(stapled, own, issuer, context.today())).state;
  const hash = createHash('sha256');
  const soFar = () => hash.copy().digest('hex');
  for (const { raw } of sentWith(leaf)) hash.update(raw);
  const chain = soFar();
  hash.update(`\n${stapled !== undefined}\n${staple}\n`);
  return { chain, stapled: soFar(), report: hash.update(`${certificate.error}\n${session?.warnings.join() ?? ''}`).digest('hex') };
}

function fieldsOf(report: Report, { ip_address, tls, shown, elapsed_ms }: TcpResult, now: Date): Fields {
  const { ssl_details, chain_sent } = report;
  const [leaf] = chain_sent;
  return {
    ip: ip_address,
    certificate_found: true,
    valid_ssl: report.valid_ssl,
    certificate_error: ssl_details.error,
    hostname_matches: report.hostname_matches,
    fingerprint_sha256: ssl_details.fingerprint_sha256,
    subject: leaf?.subject ?? '',
    issuer: leaf?.issuer ?? '',
    valid_to: ssl_details.valid_to,
    days_left: ssl_details.valid_to === '' ? 0 : Math.floor((ssl_details.not_after_ts * 1_000 - now.getTime()) / DAY_MS),
    chain_sent: chain_sent.map(({ fingerprint_sha256 }) => fingerprint_sha256),
    chain_complete: report.chain_complete,
    stapled: report.stapled,
    revoked: report.revoked,
    revocation: report.revocation,
    revocation_error: report.revocation_error,
    issues: report.issues_found.map(({ code }) => code),
    tls_version: shown?.version ?? '',
    cipher_suite: tls?.cipher_suite ?? '',
    alpn: tls?.alpn ?? '',
    elapsed_ms,
  };
}
