-- The free rerun that is under way for a key, and the lease of the gateway that makes it: one that ends without an answer,
-- or whose gateway dies, is given back.
ALTER TABLE idempotency_keys ADD COLUMN rerun_id uuid, ADD COLUMN rerun_lease uuid;
CREATE INDEX idempotency_keys_rerun ON idempotency_keys (rerun_id) WHERE rerun_id IS NOT NULL;
