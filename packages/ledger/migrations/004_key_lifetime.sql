-- How long a key was made to live: its successors live as long. NULL: for ever. Of a key that was rotated before, what is
-- left of `expires_at` tells the overlap only.
ALTER TABLE api_keys ADD COLUMN lifetime interval;
UPDATE api_keys k SET lifetime = expires_at - created_at WHERE NOT EXISTS (SELECT FROM api_keys s WHERE s.rotated_from = k.id);
