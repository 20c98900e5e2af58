import { locations } from '../api/locations.ts';
import { FAULTS } from '../api/operations.ts';
import type { Entry, Run } from '../api/runs.ts';
import type { Tone } from '../look/state.tsx';
import { outputOf } from './columns.ts';

/** A location of a run: one that has answered, or one that is still asked. */
export interface LocationRow {
  id: string;
  city: string;
  /** Its agent only pretends to be there. */
  isSimulated: boolean;
  entry: Entry | undefined;
  tone: Tone;
  /** The state in a word. */
  state: string;
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');

const OURS = 'our own system';

/** The cause of an entry's failure, in words. */
export const faultOf = (entry: Entry): string => FAULTS[string(entry['reason'])] ?? '';

function stateOf(entry: Entry | undefined): { tone: Tone; state: string } {
  if (entry === undefined) return { tone: 'none', state: 'waiting' };
  if (string(entry['error']) !== '') return { tone: faultOf(entry) === OURS ? 'warn' : 'bad', state: 'failed' };
  const { percent_packet_loss: loss, reached, error_message: message, state } = outputOf(entry);
  if (loss === 100) return { tone: 'bad', state: 'no reply' };
  if (typeof loss === 'number' && loss > 0) return { tone: 'warn', state: 'losses' };
  if (reached === false) return { tone: 'warn', state: 'not reached' };
  if (string(message) !== '') return { tone: 'warn', state: 'with errors' };
  if (state === 'closed' || state === 'filtered') return { tone: 'bad', state };
  return { tone: 'good', state: 'answered' };
}

const rowOf = (id: string, { city_name, simulated }: Entry, entry: Entry | undefined): LocationRow => ({
  id,
  city: string(city_name),
  isSimulated: simulated === true,
  entry,
  ...stateOf(entry),
});

/** Ids that a request names one by one; undefined where it selects by words that only the gateway resolves. */
function expected({ request }: Run): readonly string[] | undefined {
  const known = locations.value;
  const wanted = request['locations'];
  if (!Array.isArray(wanted)) return [...known.values()].filter(({ asked_by_default }) => asked_by_default).map(({ id }) => id);
  return wanted.every((id) => known.has(String(id))) ? wanted.map(String) : undefined;
}

/** Every location that was asked, by city: each has its row before it answers, so that nothing moves. */
export function rowsOf(run: Run): LocationRow[] {
  const answered = new Map(run.entries.value.map((entry) => [string(entry['location']), entry]));
  const isRunning = run.state.value.is === 'running';
  const waiting = isRunning ? (expected(run) ?? []).filter((id) => !answered.has(id)) : [];
  const rows = [
    ...[...answered].map(([id, entry]) => rowOf(id, entry, entry)),
    ...waiting.map((id) => rowOf(id, { ...locations.value.get(id) }, undefined)),
  ];
  return rows.sort((a, b) => a.city.localeCompare(b.city, 'en') || a.id.localeCompare(b.id, 'en'));
}
