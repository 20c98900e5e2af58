-- Rows that need a page each: whether one can be added tells whether a charge could be. Removed every minute.
CREATE TABLE write_checks (filler text NOT NULL);
ALTER TABLE write_checks ALTER COLUMN filler SET STORAGE PLAIN;
