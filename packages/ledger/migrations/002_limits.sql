-- What stands before the credits: blocked addresses, rate limits, targets that must not be contacted, free reruns.

-- An IPv4 address or an IPv6 /64, with its invalid keys since `window_started`.
CREATE TABLE lockouts (
  network text PRIMARY KEY,
  failures integer NOT NULL,
  window_started timestamptz NOT NULL,
  blocked_until timestamptz
);
CREATE INDEX lockouts_blocked ON lockouts (blocked_until) WHERE blocked_until IS NOT NULL;

-- GCRA: the theoretical arrival time of a bucket's next request. Losing these in a crash harms nobody.
CREATE UNLOGGED TABLE rate_limits (
  bucket text PRIMARY KEY,
  arrival timestamptz NOT NULL
) WITH (fillfactor = 50);

-- A domain name with everything below it, or a CIDR.
CREATE TABLE deny_list (
  target text PRIMARY KEY,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The request that a client's Idempotency-Key stands for, while it may be repeated.
CREATE TABLE idempotency_keys (
  account_id text NOT NULL,
  key text NOT NULL,
  operation text NOT NULL,
  body_sha256 bytea NOT NULL,
  reservation_id uuid NOT NULL,
  reruns integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
