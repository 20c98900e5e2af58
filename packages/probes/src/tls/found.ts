import type { StopCause } from './exchange.ts';
import type { Suite } from './suites.ts';

/** A fact that a scan may fail to learn; `not_applicable` where it is about a version, or a kind of suite, that the server does not have. */
export type Told = 'yes' | 'no' | 'unknown' | 'not_applicable';

export const VERSIONS = ['sslv2', 'sslv3', 'tls1_0', 'tls1_1', 'tls1_2', 'tls1_3'] as const;
export type Version = (typeof VERSIONS)[number];

/** The suites of one version. */
export interface VersionSuites {
  /** The suites in the order of the server; in ours, where it follows its clients. */
  suites: Suite[];
  /** The side whose order decides. */
  order: 'server' | 'client' | 'unknown';
  /** No other suite that we know is accepted. */
  complete: boolean;
  /** Each kind of weak suite that is accepted has one in `suites` at least. */
  weakKnown: boolean;
}

/** The facts that a scan has learned; the others are unknown. */
export interface Found {
  versions: Record<Version, Told>;
  /** The version of a hello that offers all from TLS 1.0 to TLS 1.3; empty without an answer. */
  preferred: Version | '';
  /** The server answers only hellos without its name. */
  withoutName: boolean;
  suites: Partial<Record<Version, VersionSuites>>;
  groups: string[];
  /** All groups that the server has are in `groups`. */
  groupsKnown: boolean;
  postQuantum: Told;
  alpn: string[];
  alpnKnown: boolean;
  signatures: string[];
  signaturesKnown: boolean;
  /** Signature schemes of TLS 1.3 in our order: the server's choice is encrypted. */
  signatures13: string[];
  signatures13Known: boolean;
  /** The shortest prime of a Diffie-Hellman exchange; 0 where none was seen. */
  dhBits: number;
  secureRenegotiation: Told;
  compression: Told;
  heartbeat: Told;
  extendedMasterSecret: Told;
  encryptThenMac: Told;
  stapling: Told;
  fallbackScsv: Told;
  tickets: Told;
  resumesByTicket: Told;
  resumesById: Told;
  tickets13: Told;
  resumes13: Told;
  /** Why the scan ended before its end. */
  stopped: StopCause | undefined;
}

const all = <K extends string, V>(keys: readonly K[], value: V) => Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>;

export const nothingFound = (): Found => ({
  versions: all(VERSIONS, 'unknown'),
  preferred: '',
  withoutName: false,
  suites: {},
  groups: [],
  groupsKnown: false,
  postQuantum: 'unknown',
  alpn: [],
  alpnKnown: false,
  signatures: [],
  signaturesKnown: false,
  signatures13: [],
  signatures13Known: false,
  dhBits: 0,
  ...all(
    ['secureRenegotiation', 'compression', 'heartbeat', 'extendedMasterSecret', 'encryptThenMac', 'stapling', 'fallbackScsv'],
    'unknown',
  ),
  ...all(['tickets', 'resumesByTicket', 'resumesById', 'tickets13', 'resumes13'], 'unknown'),
  stopped: undefined,
});
