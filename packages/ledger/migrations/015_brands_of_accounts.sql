-- Brands that an account protects, one a line, as its operator wrote them.
ALTER TABLE accounts ADD COLUMN brands text NOT NULL DEFAULT '' CHECK (length(brands) <= 20000);
