import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { forgetSitting, type Run, runs } from '../api/runs.ts';
import { addressOf, requestOf } from '../ask/address.ts';
import type { Asked } from '../export/index.ts';
import { SaveAs, SITTING_FORMATS } from '../export/save-report.tsx';
import { Indicated } from '../indicators/indicated.tsx';
import { Link } from '../look/link.tsx';
import { goTo } from '../look/router.ts';
import { State } from '../look/state.tsx';
import type { Tone } from '../look/tone.ts';
import { headlineOf } from '../report/headline.ts';
import { plainText } from '../report/shape.ts';
import { Members } from '../report/value.tsx';
import { graphOf } from './graph.ts';
import { indicatorRows } from '../export/sitting.ts';
import { Picture } from './picture.tsx';

/** A run with an answer, for files and for the picture: without passwords and files of its request. */
function askedOf({ operation, request, at, sending, state }: Run): Asked | undefined {
  const end = state.value;
  if (end.is !== 'done') return undefined;
  const search = addressOf(operation, request).split('?')[1] ?? '';
  return { key: sending.key, operation: operation.name, request: requestOf(operation, search), report: end.report, at };
}

/** The questions of this sitting with the indicators of their answers: a picture, tables and files. */
export function InvestigatePage(): JSX.Element {
  const all = runs.value;
  const ends = all.map(({ state }) => state.value);
  const answers = useMemo(
    () =>
      all
        .map(askedOf)
        .filter((asked) => asked !== undefined)
        .toReversed(),
    [all, ...ends],
  );
  const graph = useMemo(() => graphOf(answers), [answers]);
  const rows = useMemo(() => indicatorRows(answers), [answers]);
  const show = (key: string): void => {
    const run = all.find(({ sending }) => sending.key === key);
    if (run) goTo(addressOf(run.operation, run.request), { run: run.id });
  };
  return (
    <main class="investigate">
      <header>
        <h1>This sitting</h1>
        <p class="muted">What you asked in this tab, and what the answers name. It stays in the tab, and ends with it.</p>
      </header>
      {all.length === 0 ? (
        <p class="empty">
          Nothing was asked yet. <Link to="/">Ask something</Link>
        </p>
      ) : (
        <>
          <div class="tools">
            <SaveAs formats={SITTING_FORMATS} name="vedette-sitting" answers={() => answers} />
            <button type="button" class="small" onClick={forgetSitting}>
              Clear
            </button>
          </div>
          {graph.nodes.length > 0 && <Picture graph={graph} show={show} />}
          {graph.hidden > 0 && <p class="muted">The table has {graph.hidden} more.</p>}
          <Questions all={all} />
          {rows.length > 0 && <Members path={[]} value={{ indicators: rows }} />}
        </>
      )}
    </main>
  );
}

const STATES: Readonly<Record<Run['state']['value']['is'], [tone: Tone, word: string]>> = {
  waiting: ['none', 'waiting'],
  running: ['none', 'running'],
  done: ['none', 'answered'],
  failed: ['warn', 'not answered'],
  stopped: ['warn', 'stopped'],
  left: ['none', 'not loaded'],
  gone: ['none', 'no longer kept'],
};

function Questions({ all }: { all: readonly Run[] }): JSX.Element {
  return (
    <section class="part">
      <h2>Questions</h2>
      <div class="scroll" role="region" aria-label="Questions" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Asked</th>
              <th scope="col">Operation</th>
              <th scope="col">About</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {all.map((run) => (
              <Question key={run.id} run={run} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Question({ run: { id, operation, request, at, state } }: { run: Run }): JSX.Element {
  const end = state.value;
  const headline = end.is === 'done' ? headlineOf(end.report) : undefined;
  const [tone, word] = STATES[end.is];
  const about = plainText(Object.values(request).find((value) => typeof value === 'string' && value.length < 300) ?? '');
  return (
    <tr>
      <td>
        <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en-GB')}</time>
      </td>
      <td>
        <Link to={addressOf(operation, request)} run={id}>
          {operation.name}
        </Link>
      </td>
      <td>{about === '' ? '–' : <Indicated name="about" text={about} />}</td>
      <td>
        <State tone={headline?.tone ?? tone}>{headline === undefined || headline.word === '' ? word : headline.word}</State>
      </td>
    </tr>
  );
}
