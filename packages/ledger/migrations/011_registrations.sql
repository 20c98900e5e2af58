-- What registries said of domains and AS numbers: a cache, bounded in rows and in bytes, that all gateways share. Of an owner's address
-- there is a digest, and never the address.
CREATE TABLE registrations (
  kind text NOT NULL CHECK (kind IN ('domain', 'autnum')),
  name text NOT NULL CHECK (length(name) <= 253),
  answer jsonb NOT NULL CHECK (pg_column_size(answer) <= 32768),
  heard_at timestamptz NOT NULL DEFAULT now(),
  fresh_until timestamptz NOT NULL,
  kept_until timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);
CREATE INDEX registrations_kept_until ON registrations (kept_until);
CREATE INDEX registrations_heard_at ON registrations (heard_at);
