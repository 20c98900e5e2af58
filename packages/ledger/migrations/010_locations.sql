-- Every location that an agent was heard from or that was prepared, until an operator removes it. A row that is removed stays, so
-- that a gateway's key file, which names what was prepared with it, does not bring it back: an agent does.
CREATE TABLE locations (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  known_since timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz,
  removed_at timestamptz
);
