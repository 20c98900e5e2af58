import { ApiError, type Clock, formatIp, parseIp } from '@vedette/contract';
import { MAX_CONTACT_ADDRESSES, MAX_CONTACTS } from '@vedette/bus/frames';
import type { Ledger, NewMeasurement } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import type { Metrics } from '../metrics/metrics.ts';
import type { Target } from '../shares/targets.ts';

const WRITE_EVERY_MS = 1_000;
/** Rows that are written at once. */
const MAX_BATCH = 1_000;
/** Rows that wait while the database is away; beyond them the oldest requests are lost. */
const MAX_WAITING = 50_000;
/** Addresses kept of one request: a name that has more is told enough by these. */
const MAX_ADDRESSES = 16;

/** A request for which something was sent. */
export interface Departure {
  requestId: string;
  account: string;
  key: string;
  client: string;
  operation: string;
  targets: readonly Target[];
  /** The subject of the first question, when no field names a target: for an e-mail address, the domain. */
  firstQuestion: string;
  /** The contacted hosts, as far as they are known. */
  contacted: ReadonlySet<string> | undefined;
  /** Hosts beside the targets that were contacted, each with its addresses. */
  hosts: ReadonlyMap<string, ReadonlySet<string>>;
  locations: readonly string[];
  /** When its work began, by our clock. */
  started: number;
  status: number;
}

/** Tells the database what was measured for whom, once a second and off the way of any request. */
export interface MeasurementLog {
  record(departure: Departure): void;
  /** Writes what waits, as far as the database takes it. */
  close(): Promise<void>;
}

export interface MeasurementLogDeps {
  ledger: Ledger;
  clock: Clock;
  metrics: Metrics;
  log: Log;
}

export function createMeasurementLog({ ledger, clock, metrics, log }: MeasurementLogDeps): MeasurementLog {
  let waiting: Departure[] = [];
  /** Rows of those that wait. */
  let rows = 0;
  let complained = false;
  const stop = new AbortController();

  /** Takes the oldest off until they come to so many rows. */
  const takeRows = (least: number): Departure[] => {
    let [count, taken] = [0, 0];
    while (taken < least && count < waiting.length) taken += sizeOf(waiting[count++]!);
    rows -= taken;
    return waiting.splice(0, count);
  };
  const lose = (count: number): void => {
    if (count > 0) metrics.measurementsLost.inc(takeRows(count).length);
  };

  /** Writes what waits, the oldest first; false when the database would not take it. */
  async function write(): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = takeRows(MAX_BATCH);
      const now = clock.now();
      try {
        await ledger.addMeasurements(batch.flatMap((departure) => rowsOf(departure, now)));
        complained = false;
      } catch (err) {
        const isAway = err instanceof ApiError;
        if (!complained || !isAway) log.warn({ err }, 'the measurement log cannot be written');
        complained = true;
        // Rows that the database refuses for their content would be refused again.
        if (isAway) {
          waiting = batch.concat(waiting);
          rows += batch.reduce((sum, departure) => sum + sizeOf(departure), 0);
        } else metrics.measurementsLost.inc(batch.length);
        lose(rows - MAX_WAITING);
        return false;
      }
    }
    return true;
  }

  async function writeOnAndOn(): Promise<void> {
    while (!stop.signal.aborted) {
      await clock.sleep(WRITE_EVERY_MS, stop.signal).catch(() => undefined);
      await write();
    }
  }
  const writing = writeOnAndOn();

  return {
    record(departure) {
      waiting.push(departure);
      rows += sizeOf(departure);
      // Not one by one: to move them all is dear.
      if (rows > MAX_WAITING + MAX_BATCH) lose(rows - MAX_WAITING);
    },
    async close() {
      stop.abort();
      await writing;
      if (!(await write())) lose(rows);
    },
  };
}

/** Rows of a request, at most: a page that leads to many hosts has hundreds. */
const sizeOf = ({ targets, contacted, hosts }: Departure): number =>
  Math.max(1, targets.length) * Math.max(1, Math.min(MAX_ADDRESSES, contacted?.size ?? 0)) +
  Math.min(MAX_CONTACTS, hosts.size) * MAX_CONTACT_ADDRESSES;

/** A row for each target and each host that it led to, and for each address that was contacted for it. */
function rowsOf(
  { requestId, targets, firstQuestion, contacted, hosts: beside, started, ...departure }: Departure,
  now: number,
): NewMeasurement[] {
  const hosts = targets.length === 0 ? [{ kind: 'name', host: firstQuestion }] : targets;
  // An agent says what it contacted, and may be stolen.
  const seen = [...(contacted ?? [])].slice(0, MAX_ADDRESSES).flatMap((address) => parseIp(address) ?? []);
  const row = (target: string, address: string | null): NewMeasurement => ({
    ...departure,
    request_id: requestId,
    target,
    address,
    age_ms: now - started,
  });
  const ofTargets = hosts.flatMap(({ kind, host }) => {
    const addresses = kind === 'name' ? seen.map(formatIp) : [host];
    return (addresses.length === 0 ? [null] : addresses).map((address) => row(host, address));
  });
  const ofOthers = [...beside].slice(0, MAX_CONTACTS).flatMap(([host, addresses]) =>
    [...addresses]
      .slice(0, MAX_CONTACT_ADDRESSES)
      .flatMap((address) => parseIp(address) ?? [])
      .map((address) => row(host, formatIp(address))),
  );
  return [...ofTargets, ...ofOthers];
}
