import { Enum, ID_PATTERN, MAX_DENIED, PROBE_KINDS, REASONS } from '@vedette/contract';
import { Type, type Static } from 'typebox';

/**
 * The bus protocol between gateway and agents (docs/protocol.md). JSON over core NATS, at most once. The major version is
 * in the subjects; unknown fields are ignored, so a newer minor version may add some. Every frame is checked on both sides.
 * `needed` is the minor version without which an agent is not asked: what came later is optional, and shows in its result.
 */
export const PROTOCOL = { major: 1, minor: 5, needed: 1 } as const;

/** A frame larger than this is refused unread. */
export const MAX_FRAME_BYTES = 256 * 1024;

export const Id = Type.String({ pattern: ID_PATTERN });
const Reason = Enum(Object.keys(REASONS) as (keyof typeof REASONS)[]);

/** Reasons since 1.3: gateways older than that take `unsupported` for them. */
export const REASONS_SINCE_3: ReadonlySet<string> = new Set<keyof typeof REASONS>(['no_ipv6', 'icmp_blocked']);

const NACK_REASONS = ['busy', 'unsupported', 'invalid', 'draining'] as const;

export const CANCEL_REASONS = ['loser', 'client_gone', 'deadline'] as const;

/** gateway → agent, on `vedette.v1.job.<kind>.<location>[.<agent>]`; the reply subject is `_INBOX.<gateway>.<job>.<location>.<attempt>`. */
export const JobFrame = Type.Object({
  v: Type.String({ description: 'Protocol version, major.minor' }),
  job: Id,
  attempt: Type.Integer({ minimum: 1, maximum: 2 }),
  /** Repeated in every frame back, so that only a receiver of the job can answer it. */
  nonce: Type.String({ minLength: 16, maxLength: 64 }),
  kind: Type.String({ minLength: 1, maxLength: 32 }),
  /** Time left, ms; relative, since clocks skew. */
  budget_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
  /** No target is contacted for the job before its go: the same attempt once more, without this. Since 1.1. */
  parked: Type.Optional(Type.Boolean()),
  spec: Type.Record(Type.String(), Type.Unknown()),
});
export type JobFrame = Static<typeof JobFrame>;

/** gateway → agents of a location, on `vedette.v1.cancel.<location>`. Attempt 0 cancels every attempt of the job. */
export const CancelFrame = Type.Object({
  job: Id,
  attempt: Type.Integer({ minimum: 0, maximum: 2 }),
  reason: Enum(CANCEL_REASONS),
});
export type CancelFrame = Static<typeof CancelFrame>;

const ReplyHead = { job: Id, attempt: Type.Integer({ minimum: 1, maximum: 2 }), nonce: Type.String({ maxLength: 64 }), agent: Id };
export const FailureShape = Type.Object({ reason: Reason, error: Type.String({ minLength: 1, maxLength: 400 }) });

/** agent → gateway: taken, and running. */
export const AckFrame = Type.Object({ type: Type.Literal('ack'), ...ReplyHead });
/** agent → gateway: a result, a failure, or both (a partial measurement). */
export const FinalFrame = Type.Object({
  type: Type.Literal('final'),
  ...ReplyHead,
  result: Type.Optional(Type.Unknown()),
  failure: Type.Optional(FailureShape),
});
/** agent → gateway: not taken. */
export const NackFrame = Type.Object({
  type: Type.Literal('nack'),
  ...ReplyHead,
  reason: Enum(NACK_REASONS),
  retry_after_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
});
export type AckFrame = Static<typeof AckFrame>;
export type FinalFrame = Static<typeof FinalFrame>;
export type NackFrame = Static<typeof NackFrame>;
export type ReplyFrame = AckFrame | FinalFrame | NackFrame;

/** Listeners that are told at most, and of each so many addresses and ports. */
export const MAX_LISTENERS = { count: 8, addresses: 64, ports: 16 } as const;

/** gateway → all agents and gateways, on `vedette.v1.denied`: every few seconds, and when an agent joins. */
export const DeniedFrame = Type.Object({
  /** Absent, with its listeners, of a gateway older than they are. */
  gateway: Type.Optional(Id),
  /** Wall clock of the gateway, epoch ms. Since 1.3. */
  clock_ms: Type.Optional(Type.Number()),
  networks: Type.Array(Type.String({ maxLength: 43, description: 'CIDR' }), { maxItems: MAX_DENIED }),
  /** Digests of names, each of which stands for everything below it too; absent of a gateway older than they are. */
  names: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }), { maxItems: MAX_DENIED })),
  /** Where the gateway itself, the bus and the database listen. */
  listeners: Type.Optional(
    Type.Array(
      Type.Object({
        addresses: Type.Array(Type.String({ maxLength: 45 }), { maxItems: MAX_LISTENERS.addresses }),
        ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { maxItems: MAX_LISTENERS.ports }),
      }),
      { maxItems: MAX_LISTENERS.count },
    ),
  ),
});
export type DeniedFrame = Static<typeof DeniedFrame>;

/** What an agent, or a renderer, says of itself. */
export const AGENT_STATES = ['joining', 'ready', 'degraded', 'draining'] as const;
/** Numbers by name, of a closed set of names. */
const counts = <N extends string>(names: readonly N[]) => {
  const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  return Type.Partial(Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<N, typeof Count>));
};
/** Why an agent refuses what it was sent. */
export const REFUSAL_REASONS = [...NACK_REASONS, 'invalid_frame'] as const;
export const STRAY_KINDS = ['duplicate', 'late', 'foreign'] as const;
/** How a run ended: by the reason that it gives, or well. */
export const RUN_ENDS = ['ok', ...(Object.keys(REASONS) as (keyof typeof REASONS)[])] as const;

/** The resources of an agent's own process. */
const BeatProcess = Type.Object({
  node: Type.String({ pattern: '^v[0-9A-Za-z.+-]{1,31}$' }),
  commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{7,64}(-changed)?$', description: 'That it was built of, where it was built' })),
  started_ms: Type.Number({ minimum: 0, description: 'Wall clock of the agent, epoch ms' }),
  resident_bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  cpu_ms: Type.Number({ minimum: 0 }),
});
export type BeatProcess = Static<typeof BeatProcess>;

const RunCounts = Type.Object({ ms: Type.Number({ minimum: 0, description: 'That all runs took together' }), ends: counts(RUN_ENDS) });

/** Counts since the start of an agent's process; zeros are left out. */
const BeatCounts = Type.Object({
  runs: Type.Partial(
    Type.Object(Object.fromEntries(PROBE_KINDS.map((kind) => [kind, RunCounts])) as Record<(typeof PROBE_KINDS)[number], typeof RunCounts>),
  ),
  refused: counts(REFUSAL_REASONS),
  cancelled: counts(CANCEL_REASONS),
  icmp_strays: counts(STRAY_KINDS),
});
export type BeatCounts = Static<typeof BeatCounts>;

const Slots = Type.Object({ used: Type.Integer({ minimum: 0 }), max: Type.Integer({ minimum: 0 }) });

/** agent → everyone, on `vedette.v1.beat.<location>.<agent>`: every 2 s ± 10 %, every 250 ms while jobs run, at once on a change. */
export const BeatFrame = Type.Object({
  agent: Id,
  location: Id,
  /** Version of the software. */
  version: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,32}$' }),
  protocol: Type.Object({ major: Type.Integer(), minor_min: Type.Integer(), minor_max: Type.Integer() }),
  state: Enum(AGENT_STATES),
  capabilities: Type.Object({
    kinds: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 32 }),
    v4: Type.Boolean(),
    v6: Type.Boolean(),
    icmp: Type.String({ maxLength: 32, description: 'Engine; `none` where the agent has no engine, or no witness answers an echo' }),
    h2: Type.Boolean(),
    h3: Type.Boolean(),
    vpn: Type.Integer({ minimum: 0, description: 'Exits configured' }),
    down: Type.Optional(
      Type.Array(Type.String({ maxLength: 32 }), { maxItems: 32, description: 'Capabilities that its witnesses find bad. Since 1.3' }),
    ),
    vpn_working: Type.Optional(Type.Integer({ minimum: 0, description: 'Exits that passed their last check' })),
  }),
  slots: Type.Partial(
    Type.Object(Object.fromEntries(PROBE_KINDS.map((kind) => [kind, Slots])) as Record<(typeof PROBE_KINDS)[number], typeof Slots>),
  ),
  jobs: Type.Integer({ minimum: 0, description: 'At work now; identical ones share a slot' }),
  simulated: Type.Boolean(),
  event_loop_delay_ms: Type.Number({ minimum: 0, description: 'p99 since the last beat' }),
  icmp_overhead_ms: Type.Number({ minimum: 0 }),
  /** Wall clock of the agent, epoch ms: only to show its skew. */
  clock_ms: Type.Number(),
  /** Witnesses of the latest self-test; the state says what that means. */
  selftest: Type.Object({ failing: Type.Integer({ minimum: 0 }), witnesses: Type.Integer({ minimum: 0 }) }),
  /** Answers of its resolvers for names with one answer everywhere: as `process`. Since 1.3. */
  names: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ pattern: '^[a-z0-9_.-]{1,253}$' }),
        answer: Type.String({ pattern: '^[0-9A-Z. ]{1,400}$', description: 'IPv4 addresses, NODATA or NXDOMAIN' }),
      }),
      { maxItems: 8 },
    ),
  ),
  /** Every 2 s, and not in each of the beats between. Since 1.2. */
  process: Type.Optional(BeatProcess),
  counts: Type.Optional(BeatCounts),
});
export type BeatFrame = Static<typeof BeatFrame>;
export type AgentState = (typeof AGENT_STATES)[number];
