import { type AccountUsage, ApiError, type Clock } from '@vedette/contract';
import { type Admin, createAdmin } from './admin/admin.ts';
import { createMeasurementStore, type MeasurementStore } from './audit/measurements.ts';
import { audit, type Discrepancy } from './credits/audit.ts';
import { countedCredits, type Held } from './credits/counted.ts';
import { type Credits, createCredits } from './credits/credits.ts';
import { expireIdempotencyKeys, type ReadAnswer, readAnswer } from './credits/idempotency.ts';
import { createInDoubt } from './credits/in-doubt.ts';
import type { Disk } from './embedded/disk-reserve.ts';
import { createQuotas, type Quota, type Quotas } from './credits/quotas.ts';
import { createSweeps } from './credits/sweeps.ts';
import { readUsage } from './credits/usage.ts';
import { expireUsage } from './credits/usage-by-key.ts';
import { countNothing, type LedgerEvents } from './store/events.ts';
import { type Authenticator, BOOTSTRAP, type BootstrapKey, createAuthenticator } from './keys/authenticate.ts';
import { createInvalidations, type Invalidations } from './keys/invalidations.ts';
import { createLastUse } from './keys/last-use.ts';
import { createSessions, type Sessions } from './keys/sessions.ts';
import { type CoolDowns, createCoolDowns } from './limits/cool-downs.ts';
import { createDenyList, type DenyList } from './limits/deny-list.ts';
import { createLockouts, type Lockouts } from './limits/lockouts.ts';
import { expireBuckets, type Rate, type RateDecision, take } from './limits/rate.ts';
import type { Log } from '@vedette/process/log';
import { createLeases, type Leases } from './credits/leases.ts';
import { createLocations, type Locations } from './store/locations.ts';
import { migrate } from './store/migrate.ts';
import { createPassiveDns, PASSIVE_DNS_LIMITS, type PassiveDnsLimits, type PassiveDnsStore } from './passive-dns/passive-dns.ts';
import { createRegistrations, type Registrations } from './registrations/registrations.ts';
import { createWriteCheck, type WriteCheck } from './store/write-check.ts';
import { openStore, type Store } from './store/store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long the first answers may take: while the pools connect, a busy machine is slower than a pulse may be. */
const FIRST_ANSWERS_MS = 15 * SECOND;

export interface LedgerOptions {
  /** A PostgreSQL connection string. */
  url: string;
  clock: Clock;
  log: Log;
  /** How long the measurement log is kept; 0 switches it off. */
  auditDays?: number;
  /** How much passive DNS is kept. */
  passiveDns?: PassiveDnsLimits;
  /** The key that is valid at every start, and its credits per month. */
  bootstrap?: BootstrapKey;
  /** The id of the account that pays for signed-in people. */
  peopleAccount?: string;
  /** Hears what is counted. */
  events?: LedgerEvents;
  /** The disk of the database. Undefined: another server's, which is not looked at. */
  disk?: Disk | undefined;
}

/** Accounts, keys, credits and limits. Any number of ledgers, in any number of gateways, share one database. */
export interface Ledger
  extends
    Pick<Authenticator, 'authenticate' | 'recall' | 'admit'>,
    Credits,
    Pick<Leases, 'gateways'>,
    Pick<Lockouts, 'recordInvalidKey' | 'blockedFor'> {
  /** The account's balance as this gateway saw it last; it is known once the account has authenticated. */
  quota: (account: { id: string }) => Quota | undefined;
  /** The answer that an account has paid for under an Idempotency-Key; undefined where none is kept. Throws `ApiError` ledger_unavailable. */
  keptAnswer(account: { id: string }, key: string): Promise<ReadAnswer | undefined>;
  /** Throws `ApiError` ledger_unavailable, or key_unknown when the account is gone. */
  usage(account: { id: string }): Promise<AccountUsage>;
  sessions: Sessions;
  /** Takes one request from a bucket shared by all gateways. */
  take(bucket: string, rate: Rate): Promise<RateDecision>;
  coolDowns: CoolDowns;
  /** Whether the operator refuses to contact this host. */
  isDenied: DenyList['has'];
  /** All of those. */
  denied: Pick<DenyList, 'networks' | 'names'>;
  /** Every location that was prepared or seen, until an operator removes it. */
  knownLocations: Locations['ids'];
  noteLocations: Locations['note'];
  /** The registries' answers, shared by all gateways. */
  registrations: Pick<Registrations, 'get' | 'put'>;
  /** Compares balances and sums with the rows they come from; also done every hour, and logged. */
  audit(): Promise<Discrepancy[]>;
  /** Whether the database took the last write that was tried, every few seconds. */
  isWritable: WriteCheck['isWritable'];
  commitMs: WriteCheck['commitMs'];
  /** Whether the disk of an embedded database is nearly full: answers for repetitions, and passive DNS, are not kept. */
  isDiskShort: Disk['isShort'];
  connections: Store['connections'];
  /** Credits that are held for requests of this gateway now. */
  held: () => Held;
  /** Holds and charges of which the database did not say what became. */
  inDoubt: () => number;
  shortOfCredits: Quotas['short'];
  /** Resolves while the database answers. */
  ping(): Promise<void>;
  /** Writes to the measurement log. Throws `ApiError` ledger_unavailable. */
  addMeasurements: MeasurementStore['add'];
  passiveDns: PassiveDnsStore;
  invalidations: Invalidations;
  admin: Admin;
  close(): Promise<void>;
}

/** Connects, brings the schema up to date and starts the ledger's upkeep. Throws when the database does not keep its commits. */
export async function createLedger({
  url,
  clock,
  log,
  bootstrap,
  auditDays = 30,
  passiveDns = PASSIVE_DNS_LIMITS,
  peopleAccount = BOOTSTRAP,
  events = countNothing,
  disk = ENDLESS,
}: LedgerOptions): Promise<Ledger> {
  const store = openStore(url, log);
  const measurements = createMeasurementStore(store, { days: auditDays });
  const archives = { measurements, passiveDns: createPassiveDns(store, passiveDns, disk) };
  try {
    await store.withClient(migrate);
    await measurements.keepDays();
    await patiently(clock, async () => {
      await assertDurable(store);
      if (bootstrap) await ensureBootstrapAccount(store, bootstrap);
    });
    return await openOn(store, archives, { clock, log, bootstrap, peopleAccount, events, disk });
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

/** Reads until the database answers, or has not for too long: then throws its last `ApiError` ledger_unavailable. */
async function patiently(clock: Clock, read: () => Promise<unknown>): Promise<void> {
  for (const start = clock.now(); ; await clock.sleep(SECOND / 4))
    try {
      await read();
      return;
    } catch (error) {
      const isAway = error instanceof ApiError && error.code === 'ledger_unavailable';
      if (!isAway || clock.now() - start > FIRST_ANSWERS_MS) throw error;
    }
}

interface Opened extends Pick<LedgerOptions, 'clock' | 'log'> {
  bootstrap: BootstrapKey | undefined;
  peopleAccount: string;
  events: LedgerEvents;
  disk: Disk;
}

/** The ledger of a database that is up to date, once it has read what it needs. */
async function openOn(
  store: Store,
  { measurements, passiveDns }: { measurements: MeasurementStore; passiveDns: PassiveDnsStore },
  { clock, log, bootstrap, peopleAccount, events, disk }: Opened,
): Promise<Ledger> {
  const quotas = createQuotas();
  const leases = createLeases(store, clock);
  const inDoubt = createInDoubt(store, log);
  const credits = countedCredits(createCredits({ store, quotas, inDoubt, lease: leases.id, disk, clock, events }), clock, events);
  const sweeps = createSweeps({ store, leases, inDoubt, log, events });
  const lastUse = createLastUse(store);
  const authenticator = createAuthenticator({ store, lastUse, quotas, clock, bootstrap });
  const sessions = createSessions(store, quotas, peopleAccount);
  const lockouts = createLockouts({ store, clock });
  const denyList = createDenyList(store);
  const locations = createLocations(store);
  const registrations = createRegistrations(store);
  const writeCheck = createWriteCheck(store, clock);
  const invalidations = createInvalidations({ authenticator, lockouts, denyList, locations, log });
  // One that cannot be written is one that `isWritable` tells of.
  await patiently(clock, () =>
    Promise.all([leases.renew(), lockouts.refresh(), denyList.refresh(), locations.refresh(), writeCheck.run().catch(() => undefined)]),
  );

  const upkeep = startUpkeep(clock, log, events, [
    [SECOND / 4, leases.renew],
    [SECOND / 4, sweeps.dead],
    [SECOND / 2, lockouts.refresh],
    [SECOND, sweeps.late],
    [2 * SECOND, writeCheck.run],
    [2 * SECOND, () => disk.check()], // by itself: on a full disk a write may hang
    [10 * SECOND, denyList.refresh],
    [10 * SECOND, locations.refresh],
    [MINUTE, () => all(lockouts.expire(), expireBuckets(store), expireIdempotencyKeys(store), leases.forget(), writeCheck.clear())],
    [MINUTE, passiveDns.sweep],
    [MINUTE, () => all(lastUse.write(), sessions.expire())],
    [60 * MINUTE, () => all(measurements.keepDays(), registrations.expire(), expireUsage(store))],
    [60 * MINUTE, () => auditAndLog(store, log, events)],
  ]);
  return {
    ...authenticator,
    ...credits,
    gateways: leases.gateways,
    recordInvalidKey: lockouts.recordInvalidKey,
    blockedFor: lockouts.blockedFor,
    quota: ({ id }) => quotas.get(id),
    keptAnswer: (account, key) => readAnswer(store, account, key),
    usage: ({ id }) => usageOf(store, id),
    sessions,
    take: (bucket, rate) => take(store, bucket, rate),
    coolDowns: createCoolDowns(store),
    isDenied: denyList.has,
    denied: denyList,
    knownLocations: locations.ids,
    noteLocations: locations.note,
    registrations,
    audit: () => audit(store),
    isWritable: writeCheck.isWritable,
    commitMs: writeCheck.commitMs,
    isDiskShort: () => disk.isShort(),
    connections: store.connections,
    inDoubt: inDoubt.count,
    shortOfCredits: quotas.short,
    ping: async () => void (await store.durable.query({ text: 'SELECT 1' })),
    addMeasurements: measurements.add,
    passiveDns,
    invalidations,
    admin: createAdmin({ store, lockouts, denyList, locations, measurements, publish: invalidations.publish }),
    async close() {
      await upkeep.stop();
      await lastUse.write().catch((err: unknown) => log.warn({ err }, 'the last use of some keys is not known'));
      // Where the database is away the others find out by themselves that this one has ended.
      await sweeps
        .own()
        .then(leases.end)
        .catch((err: unknown) => log.warn({ err }, 'the lease was not given back'));
      await store.close();
    },
  };
}

const ENDLESS: Disk = { check: async () => undefined, isShort: () => false };

/** Throws `ApiError` key_unknown when the account is gone. */
async function usageOf(store: Store, id: string): Promise<AccountUsage> {
  const usage = await readUsage(store, id);
  if (!usage) throw new ApiError('key_unknown');
  return usage;
}

/** Several works as one. */
const all = async (...works: Promise<unknown>[]): Promise<void> => void (await Promise.all(works));

/** Does each work again and again, so long after it was done the last time. One that fails again and again is told of once. */
function startUpkeep(
  clock: Clock,
  log: Log,
  events: LedgerEvents,
  works: readonly (readonly [periodMs: number, work: () => Promise<void>])[],
) {
  const end = new AbortController();
  const loops = works.map(async ([periodMs, work]) => {
    let failing = false;
    for (;;) {
      await clock.sleep(periodMs, end.signal).catch(() => undefined);
      if (end.signal.aborted) return;
      try {
        await work();
        failing = false;
      } catch (err) {
        events.upkeepFailed();
        if (!failing) log.warn(err instanceof ApiError ? { reason: err.message } : { err }, 'upkeep of the ledger failed');
        failing = true;
      }
    }
  });
  return {
    async stop(): Promise<void> {
      end.abort();
      await Promise.all(loops);
    },
  };
}

async function auditAndLog(store: Store, log: Log, events: LedgerEvents): Promise<void> {
  const discrepancies = await audit(store);
  events.audited(discrepancies.length);
  for (const discrepancy of discrepancies) log.error(discrepancy, 'the ledger does not add up');
}

/** A server whose acknowledged commits may vanish cannot hold credits. */
async function assertDurable({ durable }: Store): Promise<void> {
  const [settings] = await durable.query<{ fsync: string; synchronous_commit: string }>({
    text: `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit`,
  });
  if (settings!.fsync !== 'on' || settings!.synchronous_commit === 'off')
    throw new Error(
      `PostgreSQL runs with fsync=${settings!.fsync}, synchronous_commit=${settings!.synchronous_commit}: it would lose charges`,
    );
}

async function ensureBootstrapAccount({ durable }: Store, { monthlyCredits }: BootstrapKey): Promise<void> {
  await durable.query({
    text: `WITH plan AS (
        INSERT INTO plans (id, monthly_credits, unmetered_probe, port_scan) VALUES ($1, $2, true, true)
        ON CONFLICT (id) DO UPDATE SET monthly_credits = excluded.monthly_credits
      )
      INSERT INTO accounts (id, name, plan_id, period_ends) VALUES ($1, $1, $1, next_reset(now(), 1)) ON CONFLICT DO NOTHING`,
    values: [BOOTSTRAP, monthlyCredits],
  });
}
