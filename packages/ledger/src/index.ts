export type { Admin } from './admin/admin.ts';
export { type AdminRoute, adminRoutes, assertKnown } from './admin/routes.ts';
export type { AdminAct, Operator } from './audit/acts.ts';
export type { LoggedMeasurement, NewMeasurement } from './audit/measurements.ts';
export type { AccountBrands } from './admin/accounts.ts';
export { type AccountSummary, KeyBody, type KeySummary, type NewKey, type Plan, RotateBody } from './admin/schemas.ts';
export { backUp } from './backup/back-up.ts';
export { restore } from './backup/restore.ts';
export type { Discrepancy } from './credits/audit.ts';
export type { Reservation } from './credits/holds.ts';
export { MAX_KEPT_ANSWER } from './credits/idempotency.ts';
export { DirectoryHeldError, holdingDirectory, lockDirectory } from './embedded/directory-lock.ts';
export type { Disk } from './embedded/disk-reserve.ts';
export { type HeldPostgres, holdPostgres, reachEmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded.ts';
export type { PostgresServer } from './embedded/postgres.ts';
export { type Account, type Person, ROLES, type Role } from './keys/authenticate.ts';
export type { LedgerEvents } from './store/events.ts';
export { generateKey } from './keys/key-format.ts';
export { allows, assertAllowed } from './keys/permissions.ts';
export { createLedger, type Ledger, type LedgerOptions } from './ledger.ts';
export type { KnownLocation } from './store/locations.ts';
export {
  MAX_PAGES,
  NAMES_PER_PAGE,
  type PassiveDnsImport,
  type PassiveDnsStatus,
  type PassiveDnsStore,
  type Sighting,
  type WrittenRows,
} from './passive-dns/passive-dns.ts';
export { networkOf } from './limits/client-address.ts';
export type { DeniedTarget } from './limits/deny-list.ts';
export { type KeySource, type Lockout, LOCKOUT_LIMIT } from './limits/lockouts.ts';
