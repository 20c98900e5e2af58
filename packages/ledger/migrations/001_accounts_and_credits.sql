-- Accounts, keys and credits. Amounts are whole credits. Reservations and entries carry no foreign keys: every statement
-- that writes them holds the account's row lock already, and a check per row would cost more than the row.

-- The instant, strictly after `moment`, at which an account's next period begins: 00:00 UTC on the reset day, or on the
-- last day of a month that is shorter.
CREATE FUNCTION next_reset(moment timestamptz, reset_day integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
  SELECT min(reset)
  FROM generate_series(0, 1) AS months_ahead,
    LATERAL (SELECT date_trunc('month', moment AT TIME ZONE 'UTC') + make_interval(months => months_ahead) AS month) AS m,
    LATERAL (SELECT extract(day FROM month + interval '1 month' - interval '1 day')::integer AS days) AS d,
    LATERAL (SELECT (month + make_interval(days => least(reset_day, days) - 1)) AT TIME ZONE 'UTC' AS reset) AS r
  WHERE reset > moment
);

CREATE TABLE plans (
  id text PRIMARY KEY,
  monthly_credits bigint NOT NULL CHECK (monthly_credits BETWEEN 0 AND 1000000000000000),
  overage_allowed boolean NOT NULL DEFAULT false,
  overage_limit bigint NOT NULL DEFAULT 0 CHECK (overage_limit BETWEEN 0 AND 1000000000000000)
);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  plan_id text NOT NULL REFERENCES plans,
  overage_enabled boolean NOT NULL DEFAULT false,
  reset_day integer NOT NULL DEFAULT 1 CHECK (reset_day BETWEEN 1 AND 31),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The current period: what was charged in it, what is reserved now, and when it ends.
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  period_ends timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  name text NOT NULL,
  secret_sha256 bytea NOT NULL CHECK (length(secret_sha256) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_from text REFERENCES api_keys
);
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Holds in force: a row goes when its request is settled, released or late.
CREATE TABLE reservations (
  id uuid PRIMARY KEY,
  account_id text NOT NULL,
  cost bigint NOT NULL CHECK (cost > 0),
  operation text NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- The ledger: one row per charge, for ever. `period_ends` names the account's period that paid.
CREATE TABLE entries (
  reservation_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  cost bigint NOT NULL CHECK (cost > 0),
  operation text NOT NULL,
  charged_at timestamptz NOT NULL,
  period_ends timestamptz NOT NULL
);
CREATE INDEX entries_time ON entries USING brin (charged_at) WITH (pages_per_range = 32);

-- The same charges by UTC day, written by the same statement.
CREATE TABLE usage_daily (
  account_id text NOT NULL,
  day date NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);
