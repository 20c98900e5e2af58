import type { Static, TObject } from 'typebox';
import type { Clock, Dialler, Exit, IcmpEngine, Patterns, Resolver, TargetLimits } from './ports.ts';

export const PROBE_KINDS = ['ping', 'http', 'dns', 'vpn', 'trace', 'tcp', 'mtu', 'scan'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** The ports of a probe: its network, its clock, and its time limit. */
export interface ProbePorts {
  resolver: Resolver;
  icmp: IcmpEngine;
  dialler: Dialler;
  limits: TargetLimits;
  patterns: Patterns;
  /** Whether the operator denies a name (lower-case A-labels): asked of those that no gateway judged, such as a redirect's. */
  isDenied(name: string): boolean;
  clock: Clock;
  exits: readonly Exit[];
  /** The health of our own network, for what a probe sends by other ways than dialler and echoes; absent: nothing is tested. */
  health?: {
    /**
     * Whether our own side is to blame (`bad`) for a silence that began at `since`, on `clock`: witnesses are asked at once, unless they were
     * after that. A target may be blamed for silence unless it is `bad`.
     */
    doubt(capability: `${'icmp' | 'tcp' | 'udp'}${4 | 6}`, since: number): Promise<'good' | 'bad' | 'unknown'>;
    /** A target has answered, which refutes witnesses that never did. */
    heard(capability: `${'icmp' | 'tcp' | 'udp'}${4 | 6}`): void;
  };
  /** Extra trust anchors beside Mozilla's, PEM (VEDETTE_CA_FILE). */
  ca: readonly string[];
  /** Our identity over HTTP. */
  userAgent: string;
  /** Aborts when the budget ends or no caller waits any more; sockets close with it. */
  signal: AbortSignal;
  /** The rest of the deadline when the probe starts. End with what was measured a little before. */
  budget_ms: number;
}

/** One kind of measurement: a job in, a result out. It throws `ProbeFailure` where it cannot measure. */
export interface Probe<J extends TObject = TObject, R extends TObject = TObject> {
  kind: ProbeKind;
  references: readonly string[];
  job: J;
  result: R;
  /** Smallest budget with which the job is worth starting; with less the gateway sheds it. */
  min_budget_ms: number;
  /** How many jobs of this kind one agent runs at a time. */
  slots: number;
  /** A port that not every machine has: an agent without it does not offer this kind. */
  needs?: 'icmp' | 'paths';
  /** The protocol version without which an agent does not know the job, or ignores a part of it; undefined where every agent will do. */
  since?(job: Static<J>): `1.${number}` | undefined;
  /** The family in which the job contacts its target, where the job itself says so; absent where jobs of the kind do not. */
  family?(job: Static<J>): 4 | 6 | undefined;
  /** The address that a result shows to have been contacted; empty when it shows none. */
  contacted?(result: Static<R>): string;
  run(job: Static<J>, ports: ProbePorts): Promise<Static<R>>;
}

export const defineProbe = <J extends TObject, R extends TObject>(probe: Probe<J, R>): Probe<J, R> => probe;
