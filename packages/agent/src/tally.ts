import type { ServeEvents } from '@vedette/bus';
import { type BeatCounts, type BeatFrame, STRAY_KINDS } from '@vedette/bus/frames';
import type { ProbeKind } from '@vedette/contract';
import type { Engines } from '@vedette/probes/engines';

type Runs = NonNullable<BeatCounts['runs'][ProbeKind]>;

/** The counts of this process since its start, sent in its beats: agents open no port, so gateways show them to Prometheus. */
export class Tally {
  readonly #icmp: Pick<NonNullable<Engines['icmp']>, 'counters'> | undefined;
  readonly #startedMs: number;
  readonly #commit: string | undefined;
  readonly #runs: BeatCounts['runs'] = {};
  readonly #refused: BeatCounts['refused'] = {};
  readonly #cancelled: BeatCounts['cancelled'] = {};

  /** `startedMs`: epoch ms; `commit`: what this was built of, undefined in a checkout. */
  constructor(icmp: Pick<NonNullable<Engines['icmp']>, 'counters'> | undefined, startedMs: number, commit: string | undefined) {
    this.#icmp = icmp;
    this.#startedMs = startedMs;
    this.#commit = commit;
  }

  finished(kind: ProbeKind, end: Parameters<ServeEvents['finished']>[2], ms: number): void {
    const runs: Runs = (this.#runs[kind] ??= { ms: 0, ends: {} });
    runs.ms += ms;
    count(runs.ends, end);
  }

  refused(reason: Parameters<ServeEvents['refused']>[0]): void {
    count(this.#refused, reason);
  }

  cancelled(reason: Parameters<ServeEvents['cancelled']>[0]): void {
    count(this.#cancelled, reason);
  }

  /** The current counts for a beat. */
  figures(): Pick<Required<BeatFrame>, 'process' | 'counts'> {
    const { user, system } = process.cpuUsage();
    return {
      process: {
        node: process.version,
        ...(this.#commit !== undefined && { commit: this.#commit }),
        started_ms: this.#startedMs,
        resident_bytes: process.memoryUsage.rss(),
        cpu_ms: Math.round((user + system) / 1000),
      },
      counts: { runs: this.#runs, refused: this.#refused, cancelled: this.#cancelled, icmp_strays: this.#strays() },
    };
  }

  #strays(): BeatCounts['icmp_strays'] {
    const sums: BeatCounts['icmp_strays'] = {};
    for (const strays of this.#icmp?.counters?.values() ?? [])
      for (const kind of STRAY_KINDS) if (strays[kind] > 0) sums[kind] = (sums[kind] ?? 0) + strays[kind];
    return sums;
  }
}

function count<N extends string>(counts: Partial<Record<N, number>>, name: N): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
