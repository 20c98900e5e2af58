-- The key that was charged; empty for charges from before keys were noted, and for those of gateways of that time.
ALTER TABLE entries ADD COLUMN key_id text NOT NULL DEFAULT '';

-- Sums of entries: a page about ninety days would otherwise read each of them.
CREATE TABLE usage_by_key (
  account_id text NOT NULL,
  day date NOT NULL,
  key_id text NOT NULL,
  operation text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  requests bigint NOT NULL CHECK (requests >= 0),
  PRIMARY KEY (account_id, day, key_id, operation)
) WITH (fillfactor = 50);
CREATE INDEX usage_by_key_day ON usage_by_key (day);

INSERT INTO usage_by_key
SELECT account_id, (charged_at AT TIME ZONE 'UTC')::date, key_id, operation, sum(cost), count(*) FROM entries
WHERE charged_at >= now() - interval '92 days' GROUP BY 1, 2, 3, 4;

-- By triggers, so that charges of older gateways count too. The accounts are locked by the statement that writes the entries: sums of one account
-- are changed by one transaction at a time.
CREATE FUNCTION add_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_by_key AS u
  SELECT account_id, (charged_at AT TIME ZONE 'UTC')::date, key_id, operation, sum(cost), count(*) FROM charged GROUP BY 1, 2, 3, 4
  ON CONFLICT (account_id, day, key_id, operation) DO UPDATE SET credits = u.credits + excluded.credits, requests = u.requests + excluded.requests;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_added AFTER INSERT ON entries REFERENCING NEW TABLE AS charged FOR EACH STATEMENT EXECUTE FUNCTION add_usage();

CREATE FUNCTION take_back_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usage_by_key u SET credits = u.credits - r.credits, requests = u.requests - r.requests
  FROM (
    SELECT account_id, (charged_at AT TIME ZONE 'UTC')::date AS day, key_id, operation, sum(cost) AS credits, count(*) AS requests
    FROM reversed GROUP BY 1, 2, 3, 4
  ) AS r
  WHERE u.account_id = r.account_id AND u.day = r.day AND u.key_id = r.key_id AND u.operation = r.operation;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_reversed AFTER DELETE ON entries REFERENCING OLD TABLE AS reversed FOR EACH STATEMENT EXECUTE FUNCTION take_back_usage();
