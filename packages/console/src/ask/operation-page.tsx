import type { VedetteError } from '@vedette/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { creditsOf, type Field, type Operation } from '../api/operations.ts';
import { closedBy, reasonOf } from '../api/permissions.ts';
import { fetchKept, isUnderWay, type Run } from '../api/runs.ts';
import { Everywhere } from '../everywhere/everywhere.tsx';
import { Prose } from '../look/prose.tsx';
import { State } from '../look/state.tsx';
import { isObject } from '../report/shape.ts';
import { Text } from '../report/text.tsx';
import { Report } from '../report/report.tsx';
import { FromPlaces } from '../views/from-places.tsx';
import { takesEither } from '../subject/index.ts';
import { requestOf } from './address.ts';
import { FieldInput } from './field.tsx';
import { askAndShow, runOf, takeRunOf } from './run-page.ts';

/** An operation with its form, and below it what it has answered. */
export function OperationPage({ operation, search }: { operation: Operation; search: string }): JSX.Element {
  const run = runOf(operation, search);
  useEffect(() => takeRunOf(operation, search), [operation, search]);
  return (
    <main class="operation">
      <header>
        <h1>{operation.summary}</h1>
        <p class="muted">
          <code>{operation.name}</code> · {creditsOf(operation)}
          {operation.credits_note && <Prose text={`; ${operation.credits_note}`} />}
        </p>
      </header>
      <OperationForm
        key={`${operation.name}${search}${run?.id ?? ''}`}
        operation={operation}
        given={run?.request ?? requestOf(operation, search)}
        run={run}
      />
      {run && <Answer key={run.id} run={run} />}
    </main>
  );
}

/** Which of an operation's reports have entries that `Everywhere` shows. */
const LISTS = ['locations', 'propagation'];

function Answer({ run }: { run: Run }): JSX.Element {
  const state = run.state.value;
  useEffect(() => {
    if (state.is === 'left') void fetchKept(run);
  }, [run]);
  return (
    <div class="answer">
      <Progress run={run} />
      {run.chosen.value.length + run.entries.value.length > 0 && <Everywhere run={run} />}
      {state.is === 'done' && run.entries.value.length > 0 && isObject(state.report) && <FromPlaces run={run} report={state.report} />}
      {state.is === 'failed' && <Refused refusal={state.refusal} />}
      {state.is === 'done' && isObject(state.report) && (
        <Report run={run} report={state.report} shown={run.entries.value.length > 0 ? LISTS : []} />
      )}
    </div>
  );
}

/** One line that keeps its height, whatever it says: nothing below it moves. */
function Progress({ run }: { run: Run }): JSX.Element {
  const { is } = run.state.value;
  const at = (): string => run.at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <p class="running" role="status">
      {is === 'running' && (
        <>
          <span class="pulse" aria-hidden="true" /> Asking; it takes at most {Math.ceil(run.operation.deadline_ms / 1000)} s.
          <button type="button" class="small" onClick={() => run.stop()}>
            Stop
          </button>
        </>
      )}
      {is === 'waiting' && (
        <>
          Waiting: other requests of this tab run.
          <button type="button" class="small" onClick={() => run.stop()}>
            Stop
          </button>
        </>
      )}
      {is === 'left' && 'Looking whether the gateway still has the answer; this costs nothing.'}
      {is === 'gone' &&
        `The gateway has no answer to this run any more: it keeps one for ten minutes, for the account that asked. Asking again is a new run, for ${creditsOf(run.operation, run.request)}.`}
      {is === 'stopped' && 'Stopped. The request costs its price once anything was sent for it.'}
      {is === 'done' && `Answered; asked on ${at()}.`}
      {is === 'failed' && `Asked on ${at()}.`}
    </p>
  );
}

/** Advice by the code of a refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  insufficient_credits: 'The account has no credits left. Its operator can add some, or they come back with the next month.',
  role_not_allowed: 'Ask the operator for another role.',
  unreachable: 'Look whether `npm start` still runs; then ask again. Asking the same again within ten minutes costs nothing more.',
  unknown_operation: 'This system does not offer the operation: its operator has switched it off.',
};

function Refused({ refusal }: { refusal: VedetteError }): JSX.Element {
  return (
    <div class="refused" role="alert">
      <State tone="warn">Not answered</State>
      <p>
        <Text text={refusal.message} />
      </p>
      <p class="muted">
        {refusal.status === 0 ? '' : `Status ${refusal.status}, `}
        <code>{refusal.code}</code>.{refusal.status >= 400 && ' This cost nothing.'}
        {refusal.retryAfterMs !== undefined && ` Try again in ${Math.ceil(refusal.retryAfterMs / 1000)} s.`} {ADVICE[refusal.code] ?? ''}
      </p>
    </div>
  );
}

function OperationForm({
  operation,
  given,
  run,
}: {
  operation: Operation;
  given: Readonly<Record<string, unknown>>;
  run: Run | undefined;
}): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(given);
  const required = operation.fields.filter((field) => isFirst(operation, field));
  const options = operation.fields.filter((field) => !isFirst(operation, field));
  const state = run?.state.value;
  const problem = (name: string) =>
    state?.is === 'failed' && state.refusal.param?.split(/[[.]/)[0] === name ? state.refusal.message : undefined;
  const input = (field: Field): JSX.Element => (
    <FieldInput
      key={field.name}
      field={field}
      id={`field-${field.name}`}
      value={values[field.name]}
      problem={problem(field.name)}
      onChange={(value) =>
        setValues((before) => Object.fromEntries(Object.entries({ ...before, [field.name]: value }).filter(([, one]) => one !== undefined)))
      }
    />
  );
  const isAsking = run !== undefined && isUnderWay(run);
  const by = closedBy(operation);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAsking && by === undefined) askAndShow(operation, values);
      }}
    >
      <div class="first">
        {required.map(input)}
        <button type="submit" class="primary" aria-disabled={isAsking || by !== undefined}>
          Ask · {creditsOf(operation, values)}
        </button>
      </div>
      {by !== undefined && (
        <p class="closed">
          <State tone="warn">Not offered</State> {reasonOf(by)}.
        </p>
      )}
      {options.length > 0 && (
        <details class="more" open={options.some(({ name }) => name in given || problem(name) !== undefined)}>
          <summary>Options</summary>
          <div class="fields">{options.map(input)}</div>
        </details>
      )}
      {run === undefined && (
        <p class="muted">
          <Prose text={operation.description} />
        </p>
      )}
    </form>
  );
}

/** Fields that stand in front: those that are required, or all ways to name the subject. */
const isFirst = (operation: Operation, { name, required }: Field): boolean =>
  required || (takesEither(operation) && /^(?:ip|url|image_.*)$/.test(name));
