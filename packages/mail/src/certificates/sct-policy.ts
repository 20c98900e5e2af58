import { operatorAt, type TransparencyLog } from '@vedette/intel/transparency';

export const SCT_SOURCES = ['certificate', 'ocsp', 'tls'] as const;
export type SctSource = (typeof SCT_SOURCES)[number];

/** A promise with a signature that holds. */
export interface CountedSct {
  source: SctSource;
  /** Id of its log. */
  logId: string;
  log: TransparencyLog;
  timestamp: Date;
}

const DAY_MS = 86_400_000;
/** Certificates that are valid for longer need a third log. */
const LONG_LIVED_MS = 180 * DAY_MS;
const OPERATORS_MIN = 2;

/**
 * Whether a certificate has the promises that Chrome asks of public authorities (https://googlechrome.github.io/CertificateTransparency/ct_policy.html):
 * in the certificate two or three from distinct logs, one of them still in use, or beside it two of logs in use; by two operators. That one log be
 * of RFC 6962 is not asked, since those logs are being shut down.
 */
export function meetsChromePolicy(scts: readonly CountedSct[], lifetimeMs: number): boolean {
  const inside = scts.filter(({ source, log, timestamp }) => source === 'certificate' && (isInUse(log) || wasInUse(log, timestamp)));
  const beside = scts.filter(({ source, log }) => source !== 'certificate' && isInUse(log));
  const needed = lifetimeMs > LONG_LIVED_MS ? 3 : 2;
  return (inside.some(({ log }) => isInUse(log)) && isEnough(inside, needed)) || isEnough(beside, 2);
}

function isEnough(scts: readonly CountedSct[], needed: number): boolean {
  const logs = new Set(scts.map(({ logId }) => logId));
  const operators = new Set(scts.map(({ log, timestamp }) => operatorAt(log, timestamp)));
  return logs.size >= needed && operators.size >= OPERATORS_MIN;
}

const isInUse = ({ state }: TransparencyLog): boolean => state === 'qualified' || state === 'usable' || state === 'readonly';

const wasInUse = ({ state, since }: TransparencyLog, timestamp: Date): boolean => state === 'retired' && timestamp < since;
