-- Holds belong to a living gateway: one row for each, which counts its signs of life. Losing some in a crash harms nobody.
CREATE TABLE leases (
  id uuid PRIMARY KEY,
  renewals bigint NOT NULL
) WITH (fillfactor = 50);

-- NULL: held by a gateway that knew no leases yet.
ALTER TABLE reservations ADD COLUMN lease uuid;
