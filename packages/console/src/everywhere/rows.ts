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
const made = new WeakMap<Entry, { isRunning: boolean; row: LocationRow }>();

interface Named {
  location?: unknown;
  city_name?: unknown;
  simulated?: unknown;
}

/** `named`: the entry, or what was told of its location before. */
function rowOf(operation: string, named: Entry, entry: Entry | undefined, isRunning: boolean): LocationRow {
  const before = made.get(named);
  if (before?.isRunning === isRunning) return before.row;
  const { location, city_name, simulated }: Named = named;
  const said = stateOf(entry, isRunning);
  const ms = entry === undefined || said.state === 'failed' ? undefined : timeOf(operation, entry);
  const row = { id: string(location), city: string(city_name), isSimulated: simulated === true, entry, ms, ...said };
  made.set(named, { isRunning, row });
  return row;
}

const ORDER = new Intl.Collator('en');

/** Every location that was chosen, by city: each has its row before it answers, so that nothing moves. */
export function rowsOf({ operation, chosen, entries, state }: Run): LocationRow[] {
  const answered = new Map(entries.value.map((entry) => [entry['location'], entry]));
  const isRunning = state.value.is === 'running';
  const rows = [
    ...[...answered.values()].map((entry) => rowOf(operation.name, entry, entry, false)),
    ...chosen.value.filter((one) => !answered.has(one['location'])).map((one) => rowOf(operation.name, one, undefined, isRunning)),
  ];
  return rows.sort((a, b) => ORDER.compare(a.city, b.city) || ORDER.compare(a.id, b.id));
}
