import type { JSX } from 'preact';
import { isUnderWay, type Run } from '../api/runs.ts';
import { State } from '../look/state.tsx';
import { plainText } from '../report/shape.ts';
import { ShortText, Text } from '../report/text.tsx';
import { Waterfall } from '../views/waterfall.tsx';
import { rounded } from './columns.ts';
import { LocationTable } from './location-table.tsx';
import { type LocationRow, rowsOf } from './rows.ts';
import { ShownCertificates } from './shown-certificates.tsx';
import { faultOf } from './state-of.ts';
import { WorldMap } from './world-map.tsx';

/** A measurement from many places: in a sentence, on the map, and in a table, while it fills. What grows stands below, so that nothing moves. */
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
      {run.operation.name === 'ssl-info' && <ShownCertificates rows={rows} />}
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
  if (isUnderWay(run)) return `${count}; ${left} still measuring`;
  const missing = left === 0 ? '' : `; ${left} had not when it ended`;
  return failed.length === 0 ? `${count}${missing}.` : `${count}; ${failed.length} could not measure${missing}.`;
}

/** The reason why locations had not answered. */
function endOf({ state }: Run): string {
  const end = state.value;
  if (end.is === 'stopped') return 'the request was stopped';
  return end.is === 'failed' ? `the request ended with ${end.refusal.code}` : '';
}

/** Failures by reason, with whose they are: our own are never blamed on the target. Locations that never answered are among them. The box is there before anything fails: nothing moves. */
function Failures({ run, rows }: { run: Run; rows: readonly LocationRow[] }): JSX.Element {
  const came = new Map(run.entries.value.map((entry, i) => [entry, i]));
  const failed = rows.filter(({ state }) => state === 'failed').sort((a, b) => came.get(a.entry!)! - came.get(b.entry!)!);
  const reasons = Map.groupBy(failed, ({ entry }) => plainText(entry!['reason']));
  const waiting = rows.filter(({ entry }) => entry === undefined);
  const unanswered = isUnderWay(run) ? [] : waiting;
  return (
    <div class="failures" role="region" aria-label="Failures" tabIndex={0}>
      {reasons.size + unanswered.length === 0 && <p class="muted">{waiting.length > 0 ? 'No failures so far' : 'No failures'}</p>}
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
        {unanswered.length > 0 && (
          <li>
            <State tone="none">{`${unanswered.length} × not answered`}</State>
            <span class="places">
              <ShortText text={unanswered.map(({ city, id }) => city || id).join(', ')} chars={400} />
            </span>
            <span class="fault">Cause: {endOf(run)}.</span>
          </li>
        )}
      </ul>
    </div>
  );
}
