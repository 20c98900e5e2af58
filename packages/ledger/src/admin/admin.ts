import { type ActsFilter, type AdminAct, listActs, type Operator } from '../audit/acts.ts';
import type { MeasurementStore } from '../audit/measurements.ts';
import { readUsageByKey, type UsageByKey, type UsageFilter } from '../credits/usage-by-key.ts';
import type { Publish } from '../keys/invalidations.ts';
import type { DeniedTarget, DenyList } from '../limits/deny-list.ts';
import type { Lockout, Lockouts } from '../limits/lockouts.ts';
import type { KnownLocation, Locations } from '../store/locations.ts';
import type { Store } from '../store/store.ts';
import { type AccountAdmin, createAccountAdmin } from './accounts.ts';
import { actMaker } from './act.ts';
import { createKeyAdmin, type KeyAdmin } from './keys.ts';
import type { DenyBody, LocationBody } from './schemas.ts';

/** The actions of an operator; each that changes something names its actor. Changes reach the other gateways through the ledger's invalidations. */
export interface Admin extends AccountAdmin, KeyAdmin {
  listLockouts: () => Promise<Lockout[]>;
  clearLockout: (by: Operator, address: string) => Promise<{ cleared: boolean }>;
  listDenied: () => Promise<DeniedTarget[]>;
  deny: (by: Operator, body: DenyBody) => Promise<DeniedTarget>;
  allow: (by: Operator, target: string) => Promise<{ removed: boolean }>;
  listLocations: () => Promise<KnownLocation[]>;
  addLocation: (by: Operator, body: LocationBody) => Promise<KnownLocation>;
  removeLocation: (by: Operator, id: string) => Promise<{ removed: boolean }>;
  listActs: (filter: ActsFilter) => Promise<AdminAct[]>;
  listMeasurements: MeasurementStore['list'];
  /** Charges of some days by day, operation and key. */
  usageByKey: (filter: UsageFilter) => Promise<UsageByKey>;
}

export function createAdmin(options: {
  store: Store;
  lockouts: Lockouts;
  denyList: DenyList;
  locations: Locations;
  measurements: MeasurementStore;
  publish: Publish;
}): Admin {
  const { store, lockouts, denyList, locations, measurements, publish } = options;
  const act = actMaker(store, publish);
  return {
    ...createAccountAdmin(store, act),
    ...createKeyAdmin(store, act),
    listLockouts: lockouts.list,
    clearLockout: act('lockout.clear', async (database, address: string) => {
      const cleared = await lockouts.clear(database, address);
      return { result: { cleared }, subject: address, detail: { cleared }, changed: { kind: 'lockouts' } };
    }),
    listDenied: denyList.list,
    deny: act('target.deny', async (database, { target, reason }: DenyBody) => {
      const denied = await denyList.add(database, target, reason);
      return { result: denied, subject: denied.target, detail: { reason }, changed: { kind: 'deny_list' } };
    }),
    allow: act('target.allow', async (database, target: string) => {
      const removed = await denyList.remove(database, target);
      return { result: { removed }, subject: target, detail: { removed }, changed: { kind: 'deny_list' } };
    }),
    listLocations: locations.list,
    addLocation: act('location.add', async (database, { id }: LocationBody) => {
      const added = await locations.add(database, id);
      return { result: added, subject: id, detail: {}, changed: { kind: 'locations' } };
    }),
    removeLocation: act('location.remove', async (database, id: string) => {
      const removed = await locations.remove(database, id);
      return { result: { removed }, subject: id, detail: { removed }, changed: { kind: 'locations' } };
    }),
    listActs: (filter) => listActs(store, filter),
    listMeasurements: measurements.list,
    usageByKey: (filter) => readUsageByKey(store, filter),
  };
}
