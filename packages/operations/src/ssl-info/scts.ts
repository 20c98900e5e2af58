import type { X509Certificate } from 'node:crypto';
import { ProbeFailure, shown, validity } from '@vedette/contract';
import { type LogList, type LOG_STATES, operatorAt } from '@vedette/intel/transparency';
import {
  certificateEntry,
  type CountedSct,
  issuedChain,
  meetsChromePolicy,
  precertificateEntry,
  readCertificate,
  readSctList,
  type Sct,
  sctFault,
  type SctSource,
  sctsOf,
  stapledSctsOf,
  validityText,
} from '@vedette/mail/certificates';
import { findings, type Issue, listing } from '@vedette/mail/findings';
import { askForScts } from '@vedette/probes/tls';
import type { CentralContext } from '../kit/index.ts';
import type { SslQuery } from './query.ts';

export const SCT_STATES = ['valid', 'invalid', 'unknown_log', 'not_checked'] as const;
/** Findings about SCTs, in the order of the report. */
export const SCT_ISSUES = ['SCT_UNREADABLE', 'SCT_INVALID', 'SCT_TOO_FEW'] as const;
export const SCT_POLICIES = ['met', 'not_met', 'unknown', 'not_required'] as const;

interface SctEntry {
  source: SctSource;
  log_id: string;
  log: string;
  operator: string;
  log_state: (typeof LOG_STATES)[number] | '';
  timestamp: string;
  state: (typeof SCT_STATES)[number];
  error: string;
}

/** SCTs of a certificate, and whether they are enough for browsers. */
export interface JudgedScts {
  entries: readonly SctEntry[];
  /** The list in the certificate is well-formed. */
  isReadable: boolean;
  policy: (typeof SCT_POLICIES)[number];
  /** Reason why the policy is unknown. */
  error: string;
}

export const NO_SCTS: JudgedScts = { entries: [], isReadable: true, policy: 'not_required', error: '' };

export interface SctFacts {
  query: Pick<SslQuery, 'host' | 'port' | 'starttls' | 'server'>;
  /** Address that answered; empty: it is not asked for more. */
  address: string;
  /** Certificates from the leaf up. */
  path: readonly X509Certificate[];
  /** Browsers ask for SCTs: the path leads to the root of a public authority. */
  isPublic: boolean;
  /** Stapled OCSP response, DER. */
  stapled: Uint8Array | undefined;
}

/** Chrome's own list is at most some weeks old; what is missing in an older one of ours may be a new log. */
const LIST_DAYS_MAX = 14;
const DAY_MS = 86_400_000;
const ASK_MS = 3_000;
const NAME_MAX_CHARS = 200;
const NO_LIST = 'this gateway has no list of logs';

/** Verifies the SCTs of a certificate, and asks the server for those of the handshake where the others are too few. */
export async function judgeScts({ query, address, path, isPublic, stapled }: SctFacts, context: CentralContext): Promise<JudgedScts> {
  const leaf = path[0] && readCertificate(path[0].raw);
  if (!leaf) return NO_SCTS;
  const [, issuer] = issuedChain(path);
  const list = context.transparency.list();
  const now = context.today();
  const inside = sctsOf(leaf);
  const found = [
    ...verified('certificate', inside ?? [], issuer && precertificateEntry(leaf, issuer), list, now),
    ...verified('ocsp', (stapled && issuer && stapledSctsOf(stapled, leaf, issuer)) ?? [], certificateEntry(leaf), list, now),
  ];
  const around = { isReadable: inside !== undefined, error: '' };
  const entries = found.map(({ entry }) => entry);
  const { from, to } = validity(leaf.x509);
  if (!isPublic || now < from || now > to) return { ...around, entries, policy: 'not_required' };
  const unknown = (error: string): JudgedScts => ({ ...around, entries, policy: 'unknown', error });
  if (!list) return unknown(NO_LIST);
  const lifetime = to.getTime() - from.getTime();
  const isMet = (some: readonly Verified[]) => meetsChromePolicy(some.flatMap(({ promise }) => promise ?? []), lifetime); // prettier-ignore
  if (isMet(found)) return { ...around, entries, policy: 'met' };
  if (now.getTime() - list.published.getTime() > LIST_DAYS_MAX * DAY_MS) return unknown('the list of logs is too old');
  if (address === '') return unknown('the SCTs that the server may send by TLS are not known: locations do not ask for them');
  const more = await askServer({ query, address }, context);
  if (!more) return unknown('the SCTs that the server may send by TLS are not known: it gave no answer in TLS 1.2');
  const sent = verified('tls', more, certificateEntry(leaf), list, now);
  // Another certificate may have been shown in TLS 1.2: its SCTs are not of this one.
  if (sent.some(({ entry }) => entry.state === 'invalid'))
    return unknown('the SCTs that the server sends by TLS are of another certificate');
  return { ...around, entries: [...entries, ...sent.map(({ entry }) => entry)], policy: isMet([...found, ...sent]) ? 'met' : 'not_met' };
}

async function askServer({ query, address }: Pick<SctFacts, 'query' | 'address'>, context: CentralContext): Promise<Sct[] | undefined> {
  const { host, port, starttls, server } = query;
  const { dialler, clock, signal } = context;
  try {
    const octets = await askForScts({
      server: { address, host: host.host, port, starttls },
      serverName: server.kind === 'name' ? server.host : undefined,
      dialler,
      clock,
      ms: ASK_MS,
      signal,
    });
    return octets && (octets.length === 0 ? [] : readSctList(octets));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProbeFailure) return undefined;
    throw error;
  }
}

interface Verified {
  entry: SctEntry;
  /** Defined for a promise that holds. */
  promise: CountedSct | undefined;
}

function verified(source: SctSource, scts: readonly Sct[], signed: Buffer | undefined, list: LogList | undefined, now: Date): Verified[] {
  return scts.map((sct) => {
    const { timestamp } = sct;
    const logId = sct.logId.toString('hex');
    const log = list?.logs.get(logId);
    const entry = {
      source,
      log_id: logId,
      log: log ? shown(log.name, NAME_MAX_CHARS) : '',
      operator: log ? shown(operatorAt(log, timestamp), NAME_MAX_CHARS) : '',
      log_state: log?.state ?? ('' as const),
      timestamp: validityText(timestamp),
    };
    const not = (state: SctEntry['state'], error = ''): Verified => ({ entry: { ...entry, state, error }, promise: undefined });
    if (!list) return not('not_checked', NO_LIST);
    if (!log) return not('unknown_log');
    if (!signed) return not('not_checked', 'the certificate of the issuer is missing');
    const fault = sctFault(sct, signed, log.key, now);
    if (fault !== '') return not('invalid', fault);
    return { entry: { ...entry, state: 'valid', error: '' }, promise: { source, logId, log, timestamp } };
  });
}

const { error, warning, information } = findings<(typeof SCT_ISSUES)[number]>();

/** Judges the SCTs for browsers; other clients do not look for any. */
export function sctIssues({ isReadable, entries, policy }: JudgedScts, isWeb: boolean): Issue<(typeof SCT_ISSUES)[number]>[] {
  const invalid = entries.filter(({ state }) => state === 'invalid');
  const refused = isWeb ? error : information;
  const cure = invalid.every(({ source }) => source === 'ocsp')
    ? 'It is in the stapled response: tell the authority'
    : 'Have the certificate issued anew';
  return [
    ...(isReadable ? [] : [error('SCT_UNREADABLE', 'The list of SCTs in the certificate is malformed. Have it issued anew')]),
    ...(invalid.length > 0
      ? [warning('SCT_INVALID', `An SCT of ${listing(invalid.map(({ log }) => `"${log}"`))} does not hold: ${invalid[0]!.error}. ${cure}`)]
      : []),
    ...(policy === 'not_met'
      ? [
          refused(
            'SCT_TOO_FEW',
            'The certificate has too few valid SCTs of logs that browsers know, so browsers refuse it. Have it issued anew, with SCTs of two operators',
          ),
        ]
      : []),
  ];
}
