-- Which plans may scan the ports of hosts, where the operator allows it at all. The operator's own account may.
ALTER TABLE plans ADD COLUMN port_scan boolean NOT NULL DEFAULT false;
UPDATE plans SET port_scan = true WHERE id = 'bootstrap';
