-- Finds a name, and those below it, at every address: what an owner who opted out wants deleted.
CREATE INDEX passive_dns_name ON passive_dns (reverse(name));
