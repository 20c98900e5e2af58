-- People who are signed in. Of a session only the hash of its id is kept; a row is of no use to a thief.
CREATE TABLE sessions (
  id_sha256 bytea PRIMARY KEY CHECK (length(id_sha256) = 32),
  -- The person as the provider knows it: `sub` of its ID token.
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  name text NOT NULL CHECK (length(name) <= 200),
  role text NOT NULL CHECK (role IN ('viewer', 'analyst', 'operator')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Precise to the minute.
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_of_person ON sessions (subject, created_at);
