import type { JSX } from 'preact';
import { isUnderWay, type Run } from '../api/runs.ts';
import { State } from '../look/state.tsx';
import { plainText } from '../report/shape.ts';
import { Text } from '../report/text.tsx';
import { Waterfall } from '../views/waterfall.tsx';
import { rounded, timeOf } from './columns.ts';
import { LocationTable } from './location-table.tsx';
import { expected, type LocationRow, rowsOf } from './rows.ts';
import { faultOf } from './state-of.ts';
import { WorldMap } from './world-map.tsx';

/** A measurement from many places: in a sentence, on the map, and in a table, while it fills. */
export function Everywhere({ run }: { run: Run }): JSX.Element {
  const rows = rowsOf(run);
  return (
    <section class="everywhere">
      <p class="summary" role="status">
        {sentence(run, rows)}
      </p>
      {rows.some(({ isSimulated }) => isSimulated) && <p class="muted">Simulated: these agents only pretend to be there.</p>}
      <WorldMap rows={rows} />
      <Failures rows={rows} />
      {run.operation.name === 'geo-request' && <Waterfall rows={rows} />}
      <LocationTable run={run} rows={rows} />
    </section>
  );
}

/** First what it says, in words. */
function sentence(run: Run, rows: readonly LocationRow[]): string {
  const answered = rows.filter(({ entry }) => entry !== undefined);
  const failed = answered.filter(({ state }) => state === 'failed');
  const times = answered.flatMap(({ entry, state }) => (state === 'failed' ? [] : (timeOf(run.operation.name, entry!) ?? [])));
  const ends = [...new Set([Math.min(...times), Math.max(...times)].map(rounded))];
  const range = times.length > 0 ? `, ${ends.join(' to ')} ms` : '';
  const count = `${answered.length - failed.length} of ${rows.length} location${rows.length === 1 ? '' : 's'} answered${range}`;
  const left = rows.length - answered.length;
  if (isUnderWay(run)) return rows.length === 0 ? 'Asking the locations …' : `${count}; ${left} still measuring`;
  if (rows.length === 0) return 'No location has measured. Choose others under Options, or look whether agents are connected.';
  const isUnnamed = run.state.value.is !== 'done' && expected(run) === undefined;
  const missing = isUnnamed
    ? ' before it ended; which others were asked is not known here, since words chose them'
    : left === 0
      ? ''
      : `; ${left} had not when it ended`;
  return failed.length === 0 ? `${count}${missing}.` : `${count}; ${failed.length} could not measure${missing}.`;
}

/** Failures by reason, with whose they are: our own are never blamed on the target. */
function Failures({ rows }: { rows: readonly LocationRow[] }): JSX.Element | null {
  const reasons = Map.groupBy(
    rows.filter(({ state }) => state === 'failed'),
    ({ entry }) => plainText(entry!['reason']),
  );
  if (reasons.size === 0) return null;
  return (
    <ul class="failures">
      {[...reasons].map(([reason, failed]) => (
        <li key={reason}>
          <State tone={failed[0]!.tone}>{`${failed.length} × ${reason}`}</State>{' '}
          {faultOf(failed[0]!.entry!) !== '' && <span class="fault">Cause: {faultOf(failed[0]!.entry!)}.</span>}{' '}
          <Text text={plainText(failed[0]!.entry!['error'])} chars={300} />
        </li>
      ))}
    </ul>
  );
}
