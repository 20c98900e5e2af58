-- Names that were seen at addresses, one row per pair. It is no money: it may be emptied at any time, and fills up again.
CREATE TABLE passive_dns (
  address inet NOT NULL,
  name text COLLATE "C" NOT NULL,
  last_seen timestamptz NOT NULL
);
-- Names are read backwards, so that those below a domain stand together and can be counted.
CREATE UNIQUE INDEX passive_dns_pair ON passive_dns (address, reverse(name));
-- A page is read from here alone, as long as the table is vacuumed.
CREATE INDEX passive_dns_page ON passive_dns (address, last_seen DESC, name);
-- What goes first.
CREATE INDEX passive_dns_age ON passive_dns (last_seen);
ALTER TABLE passive_dns SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- A few addresses have millions of names, and who plans by the average reads all of them for each name that is written there.
ALTER TABLE passive_dns ALTER COLUMN address SET (n_distinct = 100);

-- How many rows there are: to count them takes too long.
CREATE TABLE passive_dns_size (one boolean PRIMARY KEY DEFAULT true CHECK (one), rows bigint NOT NULL CHECK (rows >= 0));
INSERT INTO passive_dns_size (rows) VALUES (0);

-- How far each file has come, so that an import that was killed goes on where it was.
CREATE TABLE passive_dns_imports (
  id text PRIMARY KEY,
  file text NOT NULL,
  lines bigint NOT NULL DEFAULT 0,
  -- What became of the last of them, for who lost the answer.
  last jsonb NOT NULL DEFAULT '{}',
  began_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
