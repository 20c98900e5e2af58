-- Keys for one purpose, and plans whose Prometheus scrapes cost nothing. NULL: no restriction.
ALTER TABLE api_keys
  ADD COLUMN allowed_operations text[],
  ADD COLUMN allowed_cidrs text[];
ALTER TABLE plans ADD COLUMN unmetered_probe boolean NOT NULL DEFAULT false;
