-- Who did what: acts of operators, and what was measured for whom.

-- One row per act, written by the transaction of the act itself. Rows are read and never changed, not even by ourselves.
CREATE TABLE admin_acts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  done_at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  address text NOT NULL,
  act text NOT NULL,
  subject text NOT NULL,
  detail jsonb NOT NULL
);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER admin_acts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_acts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row per request and address that was contacted for it, at least one per request; a day is a partition, which goes as a
-- whole. Names compare by their bytes, read backwards: those below a domain then stand together.
CREATE TABLE measurements (
  started_at timestamptz NOT NULL,
  request_id uuid NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  client text NOT NULL,
  operation text NOT NULL,
  target text COLLATE "C" NOT NULL,
  address inet,
  locations text[] NOT NULL,
  status smallint NOT NULL
) PARTITION BY RANGE (started_at);
CREATE INDEX measurements_time ON measurements USING brin (started_at) WITH (pages_per_range = 32);
CREATE INDEX measurements_target ON measurements (reverse(target), started_at);
CREATE INDEX measurements_address ON measurements (address, started_at) WHERE address IS NOT NULL;
CREATE INDEX measurements_account ON measurements (account_id, started_at);

-- An account may be suspended, and a key tells when it was last of use, to the minute.
ALTER TABLE accounts ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text;
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;
