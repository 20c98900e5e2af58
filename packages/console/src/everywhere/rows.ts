import { locations } from '../api/locations.ts';
import type { Entry, Run } from '../api/runs.ts';
import type { Tone } from '../look/tone.ts';
import { timeOf } from './columns.ts';
import { stateOf, string } from './state-of.ts';

/** A location of a run: one that has answered, or one that is still asked. */
export interface LocationRow {
  id: string;
  city: string;
  /** Its agent only pretends to be there. */
  isSimulated: boolean;
  entry: Entry | undefined;
  /** The time by which locations are compared, where one was measured. */
  ms: number | undefined;
  tone: Tone;
  /** The state in a word. */
  state: string;
}

/** The rows as they were made: a row without a change stays the same object, and is not drawn again. */
const made = new WeakMap<object, { isRunning: boolean; row: LocationRow }>();

interface Named {
  city_name?: unknown;
  simulated?: unknown;
}

/** `named`: the entry, or what is known of its location before. */
function rowOf(operation: string, id: string, named: Named, entry: Entry | undefined, isRunning: boolean): LocationRow {
  const before = made.get(named);
  if (before?.isRunning === isRunning && before.row.entry === entry && before.row.id === id) return before.row;
  const { city_name, simulated } = named;
  const said = stateOf(entry, isRunning);
  const ms = entry === undefined || said.state === 'failed' ? undefined : timeOf(operation, entry);
  const row = { id, city: string(city_name), isSimulated: simulated === true, entry, ms, ...said };
  made.set(named, { isRunning, row });
  return row;
}

const ORDER = new Intl.Collator('en');

/** Ids that a request names one by one; undefined where it selects by words that only the gateway resolves. */
export function expected({ request }: Run): readonly string[] | undefined {
  const known = locations.value;
  const wanted = request['locations'];
  if (!Array.isArray(wanted)) return [...known.values()].filter(({ asked_by_default }) => asked_by_default).map(({ id }) => id);
  return wanted.every((id) => known.has(String(id))) ? wanted.map(String) : undefined;
}

/** Every location that was asked, by city: each has its row before it answers, so that nothing moves. */
export function rowsOf(run: Run): LocationRow[] {
  const answered = new Map(run.entries.value.map((entry) => [string(entry['location']), entry]));
  const isRunning = run.state.value.is === 'running';
  // A report has an entry for each; without one, those that had not answered stay as such.
  const waiting = run.state.value.is === 'done' ? [] : (expected(run) ?? []).filter((id) => !answered.has(id));
  const rows = [
    ...[...answered].map(([id, entry]) => rowOf(run.operation.name, id, entry, entry, false)),
    ...waiting.map((id) => rowOf(run.operation.name, id, locations.value.get(id) ?? {}, undefined, isRunning)),
  ];
  return rows.sort((a, b) => ORDER.compare(a.city, b.city) || ORDER.compare(a.id, b.id));
}
