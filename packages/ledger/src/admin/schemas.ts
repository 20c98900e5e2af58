import { ID_PATTERN } from '@vedette/contract';
import { type Static, Type } from 'typebox';

const MAX_CREDITS = 1_000_000_000_000_000;

/** Text that PostgreSQL stores and a terminal shows as it is. */
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';

const Id = (description: string) => Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', description });
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: PRINTABLE, description });
const Credits = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_CREDITS, description });
const closed = { additionalProperties: false };

/** The thing that a path names, which need not exist. */
export const Param = Type.String({ pattern: PRINTABLE, maxLength: 253 });
export const PlanId = Id('Its name');

export const PlanBody = Type.Object(
  {
    monthly_credits: Credits('Credits per period'),
    overage_allowed: Type.Optional(Type.Boolean({ description: 'Accounts may switch overage on; default false' })),
    overage_limit: Type.Optional(Credits('Credits beyond the monthly ones, at most; default 0')),
    unmetered_probe: Type.Optional(Type.Boolean({ description: 'Prometheus scrapes through /probe cost nothing; default false' })),
    port_scan: Type.Optional(Type.Boolean({ description: 'Accounts may use port-scan, where VEDETTE_PORT_SCAN is on; default false' })),
  },
  closed,
);
export type PlanBody = Static<typeof PlanBody>;

export const AccountBody = Type.Object(
  {
    id: Type.Optional(Id('A name of your own for it; default random')),
    name: Name('Whose it is'),
    plan: Id('Id of its plan'),
    overage_enabled: Type.Optional(
      Type.Boolean({ description: 'Go on after the monthly credits, where the plan allows it; default false' }),
    ),
    reset_day: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31, description: 'Day of the month, UTC, on which credits are renewed; default 1' }),
    ),
  },
  closed,
);
export type AccountBody = Static<typeof AccountBody>;

export const AccountPatch = Type.Partial(Type.Omit(AccountBody, ['id']), { ...closed, minProperties: 1 });
export type AccountPatch = Static<typeof AccountPatch>;

export const SuspendBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 200, pattern: PRINTABLE, description: 'Why, for whoever reads it later' })) },
  closed,
);
export type SuspendBody = Static<typeof SuspendBody>;

/** A body that says nothing. */
export const NoBody = Type.Object({}, closed);

export const KeyBody = Type.Object(
  {
    account: Id('Id of the account that pays'),
    name: Name('Purpose of the key'),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Days until the key expires; default: never' })),
    allowed_operations: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Operations and permissions of the key; default: all operations',
      }),
    ),
    allowed_cidrs: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, description: 'Client networks; default: anywhere' }),
    ),
  },
  closed,
);
export type KeyBody = Static<typeof KeyBody>;

export const RotateBody = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Number({ minimum: 0, maximum: 168, description: 'Hours for which the old key still works; default 24' }),
    ),
  },
  closed,
);
export type RotateBody = Static<typeof RotateBody>;

export const DenyBody = Type.Object(
  {
    target: Type.String({ minLength: 1, maxLength: 253, description: 'A domain, with everything below it, or a CIDR' }),
    reason: Name('Why'),
  },
  closed,
);
export type DenyBody = Static<typeof DenyBody>;

export const LocationBody = Type.Object(
  { id: Type.String({ pattern: ID_PATTERN, description: 'Id of a location, as its agents have it' }) },
  closed,
);
export type LocationBody = Static<typeof LocationBody>;

const Instant = (description: string) =>
  Type.Refine(
    Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d)?(Z|[+-](0\\d|1[0-4]):[0-5]\\d)?)?$', description }),
    isInstant,
    () => 'is no date, or no time of day',
  );

/** JavaScript takes 30 February for 2 March, and PostgreSQL has no year 0. */
function isInstant(text: string): boolean {
  const day = text.slice(0, 10);
  return !Number.isNaN(Date.parse(text)) && !day.startsWith('0000') && new Date(day).toISOString().startsWith(day);
}

const Span = {
  since: Type.Optional(Instant('Not before; ISO 8601, UTC where it names no zone')),
  until: Type.Optional(Instant('Before; ISO 8601, UTC where it names no zone')),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: 'At most so many, up to 1000; default 100' })),
};

/** Query parameters, thus text. */
export const ActsQuery = Type.Object({ ...Span, subject: Type.Optional(Type.String({ maxLength: 253, pattern: PRINTABLE })) }, closed);
export type ActsQuery = Static<typeof ActsQuery>;
export const MeasurementsQuery = Type.Object(
  {
    ...Span,
    target: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'A host, or a CIDR' })),
    subdomains: Type.Optional(Type.String({ pattern: '^(true|false)$', description: 'Names below the target too; default false' })),
    account: Type.Optional(Id('Id of an account')),
  },
  closed,
);
export type MeasurementsQuery = Static<typeof MeasurementsQuery>;

/** Times are ISO 8601, UTC. */
export interface Plan extends Required<PlanBody> {
  id: string;
}

export interface AccountSummary {
  id: string;
  name: string;
  plan: string;
  overage_enabled: boolean;
  reset_day: number;
  created_at: string;
  monthly_credits: number;
  /** Charged in the current period. */
  spent: number;
  /** Reserved by requests that run now. */
  held: number;
  next_reset: string;
  /** Null: it is not suspended. */
  suspended_at: string | null;
  suspended_reason: string | null;
}

export interface KeySummary {
  id: string;
  account: string;
  name: string;
  state: 'active' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  rotated_from: string | null;
  /** Precise to the minute; null: never used. */
  last_used_at: string | null;
  allowed_operations: string[] | null;
  allowed_cidrs: string[] | null;
}

/** A key just made: the only time that its text is seen. */
export interface NewKey extends KeySummary {
  key: string;
}
