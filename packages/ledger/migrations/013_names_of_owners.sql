-- Names noted before this do not tell how many accounts asked about them, and one account's names are shown to nobody else. Imports are to be made again.
TRUNCATE passive_dns, passive_dns_imports;
UPDATE passive_dns_size SET rows = 0;

-- Finds a name, and those below it, at every address: what an owner who opted out wants deleted.
CREATE INDEX passive_dns_name ON passive_dns (reverse(name));
