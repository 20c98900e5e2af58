-- The answer that a request with an Idempotency-Key had: sent again as long as its charge stands.
ALTER TABLE idempotency_keys ADD COLUMN answer text;
