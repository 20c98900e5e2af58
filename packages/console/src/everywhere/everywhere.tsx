import type { JSX } from 'preact';
import { isUnderWay, type Run } from '../api/runs.ts';
import { State } from '../look/state.tsx';
import { plainText } from '../report/shape.ts';
import { ShortText, Text } from '../report/text.tsx';
import { Waterfall } from '../views/waterfall.tsx';
import { rounded } from './columns.ts';
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
      <div class="overview">
        <WorldMap rows={rows} />
        <div>
          <Failures run={run} rows={rows} />
          {rows.some(({ isSimulated }) => isSimulated) && <p class="muted">Simulated: these agents only pretend to be there.</p>}
        </div>
      </div>
      {run.operation.name === 'geo-request' && <Waterfall rows={rows} />}
      <LocationTable run={run} rows={rows} />
    </section>
  );
}

/** First what it says, in words. */
function sentence(run: Run, rows: readonly LocationRow[]): string {
  const answered = rows.filter(({ entry }) => entry !== undefined);
  const failed = answered.filter(({ state }) => state === 'failed');
  const times = answered.flatMap(({ ms }) => ms ?? []);
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

/** Failures by reason, with whose they are: our own are never blamed on the target. The box is there before anything fails: nothing moves. */
function Failures({ run, rows }: { run: Run; rows: readonly LocationRow[] }): JSX.Element {
  const came = new Map(run.entries.value.map((entry, i) => [entry, i]));
  const failed = rows.filter(({ state }) => state === 'failed').sort((a, b) => came.get(a.entry!)! - came.get(b.entry!)!);
  const reasons = Map.groupBy(failed, ({ entry }) => plainText(entry!['reason']));
  return (
    <div class="failures" role="region" aria-label="Failures" tabIndex={0}>
      {reasons.size === 0 && <p class="muted">{rows.some(({ entry }) => entry === undefined) ? 'No failures so far' : 'No failures'}</p>}
      <ul>
        {[...reasons].map(([reason, [first, ...more]]) => (
          <li key={reason}>
            <State tone={first!.tone}>{`${more.length + 1} × ${reason}`}</State>
            <span class="places">
              <ShortText text={[first!, ...more].map(({ city, id }) => city || id).join(', ')} chars={400} />
            </span>
            {faultOf(first!.entry!) !== '' && <span class="fault">Cause: {faultOf(first!.entry!)}.</span>}
            <Text text={plainText(first!.entry!['error'])} chars={300} />
          </li>
        ))}
      </ul>
    </div>
  );
}
