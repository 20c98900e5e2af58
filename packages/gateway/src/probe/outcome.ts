import { type Failure, parseIp, type Reason, REASONS } from '@vedette/contract';
import type { Reply } from '@vedette/operations/kit';
import type { Sample } from './exposition.ts';

/** Why a measurement fails its module, beside the reasons of docs/reference/errors.md. `reason` of probe_failure_info is one of both. */
export const VERDICTS = {
  unexpected_status: 'The status is not one that the module wants',
  unexpected_http_version: 'The HTTP version is not one that the module wants',
  unexpected_tls: 'The answer came over TLS, which the module does not want',
  missing_tls: 'The answer came without TLS, which the module wants',
  unexpected_response: 'What the target says fails an expect of the module',
  unexpected_bytes: 'What the target says is not the expect_bytes of the module',
  unexpected_end: 'The target ended the connection before the module did',
  unexpected_body: 'The body fails a pattern of the module',
  unexpected_header: 'A header fails a pattern of the module',
  pattern_timeout: 'Looking for the patterns of the module took too long',
  unexpected_rcode: 'The response code is not one that the module wants',
  unexpected_records: 'The records fail a pattern of the module',
  target_not_reached: 'The path ends before the target, or the target does not answer',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** Why a probe failed. */
interface Failed {
  reason: Reason | Verdict;
  error: string;
  /** It says nothing about the target. */
  isOurs: boolean;
}

/** The module's verdict on one location's reply. */
export interface Outcome {
  /** Undefined: the probe was a success. */
  failed: Failed | undefined;
  /** The duration as measured at the location; undefined when it is unknown. */
  tookMs: number | undefined;
  samples: readonly Sample[];
}

export const verdict = (reason: Verdict): Failed => ({ reason, error: VERDICTS[reason], isOurs: false });
export const failedBy = (reason: Reason): Failed => failed({ reason, error: REASONS[reason].sentence });

/** The failure in the agents' reply, if any. */
export const failureOf = ({ failure }: Reply): Failed | undefined => failure && failed(failure);

const failed = ({ reason, error }: Failure): Failed => ({ reason, error, isOurs: REASONS[reason].source === 'vantage' });

/** Series of blackbox_exporter that are there whatever comes of a probe: 0 as long as nothing was measured. */
export type AlwaysThere = readonly Sample[];

/** The address of one that was never contacted. */
export const NO_ADDRESS: AlwaysThere = [
  ['probe_ip_protocol', 0],
  ['probe_ip_addr_hash', 0],
];

/**
 * The samples, with a 0 for each that the exporter always has and that was not measured: what a target that is down is alerted by. Where we failed
 * ourselves nothing is said of the target.
 */
export function withZeros(outcome: Outcome, always: AlwaysThere): Outcome {
  if (outcome.failed?.isOurs || !outcome.failed) return outcome;
  const names = new Set(outcome.samples.filter(([, value]) => Number.isFinite(value)).map(nameOf));
  return { ...outcome, samples: [...outcome.samples, ...always.filter((sample) => !names.has(nameOf(sample)))] };
}

const nameOf = ([family, , labels]: Sample): string => `${family} ${labels?.['phase'] ?? ''}`;

/** A duration for each phase. */
export const phasesOf = (family: Sample[0], phases: readonly string[]): AlwaysThere => phases.map((phase) => [family, 0, { phase }]);

/** The contacted address, as blackbox_exporter has it; empty without one. */
export function addressSamples(address: string): Sample[] {
  const ip = parseIp(address);
  if (!ip) return [];
  const octets = ip.version === 4 ? 4 : 16;
  const bytes = Array.from({ length: octets }, (_, i) => Number((ip.value >> BigInt(8 * (octets - 1 - i))) & 0xffn));
  return [
    ['probe_ip_protocol', ip.version],
    ['probe_ip_addr_hash', fnv1a(bytes)],
  ];
}

/** FNV-1a of 32 bits. */
function fnv1a(bytes: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
