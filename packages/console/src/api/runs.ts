import { effect, signal } from '@preact/signals';
import { newIdempotencyKey, VedetteError } from '@vedette/client';
import { ask, readKept } from './client.ts';
import { forgetRun, forgetRuns, keepRun, type RestoredRun, storedRuns } from './kept-runs.ts';
import type { Operation } from './operations.ts';
import { loadPermissions } from './permissions.ts';
import type { Entry, Run, RunState } from './run.ts';
import { onSignOut } from './session.ts';

export type { Entry, Run } from './run.ts';

const nothing = (): void => undefined;

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null;

/** The entries of locations that a report has. */
function entriesOf({ stream }: Operation, end: RunState): readonly Entry[] {
  const list = stream === 'locations' && end.is === 'done' ? (end.report['locations'] ?? end.report['propagation']) : [];
  return Array.isArray(list) ? (list as unknown[]).filter(isEntry) : [];
}

const restored = ({ end, ...rest }: RestoredRun): Run => ({
  ...rest,
  state: signal(end),
  chosen: signal([]),
  entries: signal(entriesOf(rest.operation, end)),
  stop: nothing,
});

/** The requests of this sitting, the newest first. */
export const runs = signal<readonly Run[]>(storedRuns().map(restored));

/** Puts a run first; the oldest ones are forgotten. */
function add(run: Run): void {
  const all = [run, ...runs.peek()];
  for (const old of all.slice(KEPT)) forgetRun(old);
  runs.value = all.slice(0, KEPT);
  keepRun(run, runs.peek());
}

/** The number of runs that are kept: reports of pictures have megabytes. */
const KEPT = 30;

onSignOut(() => {
  for (const run of runs.peek()) run.stop();
  runs.value = [];
  forgetRuns();
});

export function forgetSitting(): void {
  runs.value = runs.peek().filter((run) => run.state.peek().is === 'running' || run.state.peek().is === 'waiting');
  forgetRuns();
}

/** The gateway knows a key of a request for so long. */
const FREE_AGAIN_MS = 600_000;

/** The key that a request is sent with: that of the same one before, if its answer did not arrive. */
function sendingOf(operation: Operation, request: Run['request']): Run['sending'] {
  const body = JSON.stringify(request);
  const before = runs.peek().find((run) => run.operation === operation && JSON.stringify(run.request) === body);
  const end = before?.state.peek();
  const isUnanswered = end?.is === 'failed' && end.refusal.status === 0;
  return before && isUnanswered && Date.now() - before.sending.since < FREE_AGAIN_MS
    ? before.sending
    : { key: newIdempotencyKey(), since: Date.now() };
}

/** Requests that run at a time: a browser has six connections to a host, and pages need some. */
const MAX_RUNNING = 4;
let running = 0;
/** Requests that begin, in their order, when others end. */
const queue = new Set<() => void>();

/** Resolves when a request may begin, or is stopped before. */
async function whenFree(stopped: AbortSignal): Promise<void> {
  if (running < MAX_RUNNING) {
    running += 1;
    return;
  }
  await new Promise<void>((resolve) => {
    const begin = (): void => {
      running += 1;
      resolve();
    };
    queue.add(begin);
    stopped.addEventListener('abort', () => queue.delete(begin) && begin());
  });
}

function startNext(): void {
  running -= 1;
  const [next] = queue;
  if (next === undefined || running >= MAX_RUNNING) return;
  queue.delete(next);
  next();
}

export const isUnderWay = ({ state }: Run): boolean => state.value.is === 'running' || state.value.is === 'waiting';

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** A request whose page is left is broken off, and may cost its price. */
effect(() => {
  if (runs.value.some(isUnderWay)) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});

const refusalOf = (error: unknown): VedetteError =>
  error instanceof VedetteError ? error : new VedetteError('The answer cannot be read', { status: 0, code: 'unreadable' });

const CLOSED: ReadonlySet<string> = new Set(['operation_not_allowed', 'role_not_allowed', 'unknown_operation']);

/** Sends a request. Entries are handed on once a frame, however many come. */
export function start(operation: Operation, request: Readonly<Record<string, unknown>>): Run {
  const abort = new AbortController();
  const sending = sendingOf(operation, request);
  const chosen = signal<readonly Entry[]>([]);
  const entries = signal<readonly Entry[]>([]);
  const state = signal<RunState>({ is: running < MAX_RUNNING ? 'running' : 'waiting' });
  const run: Run = {
    id: newIdempotencyKey(),
    operation,
    request,
    at: new Date(),
    sending,
    state,
    chosen,
    entries,
    stop: () => abort.abort(),
  };
  add(run);
  let arrived: Entry[] = [];
  let frame = 0;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (arrived.length === 0) return;
    entries.value = [...entries.peek(), ...arrived];
    arrived = [];
  };
  const onEvent = {
    chosen: (locations: readonly Entry[]): void => void (chosen.value = locations),
    entry(entry: Entry): void {
      arrived.push(entry);
      // A hidden tab gets no frames.
      if (document.hidden) flush();
      else frame ||= requestAnimationFrame(flush);
    },
  };
  document.addEventListener('visibilitychange', flush, { signal: abort.signal });
  const options = { signal: abort.signal, idempotencyKey: sending.key, ...(operation.stream && { onEvent }) };
  const finish = async (): Promise<void> => {
    await whenFree(abort.signal);
    if (!abort.signal.aborted) state.value = { is: 'running' };
    const end = await ask(operation.name, request, options).then(
      (report): RunState => ({ is: 'done', report: report as Entry }),
      (error: unknown): RunState => {
        if (abort.signal.aborted) return { is: 'stopped' };
        return { is: 'failed', refusal: refusalOf(error) };
      },
    );
    startNext();
    flush();
    // The key or the plan has changed meanwhile.
    if (end.is === 'failed' && CLOSED.has(end.refusal.code)) void loadPermissions();
    // A stored answer comes without its locations.
    if (entries.peek().length === 0) entries.value = entriesOf(operation, end);
    state.value = end;
    if (runs.peek().includes(run)) keepRun(run, runs.peek());
    abort.abort();
  };
  void finish();
  return run;
}

/** Returns the run of a link's key. Its answer is still to be read. */
export function runOfKey(operation: Operation, request: Run['request'], idempotencyKey: string): Run {
  const known = runs.peek().find((run) => run.sending.key === idempotencyKey && run.operation === operation);
  if (known) return known;
  const run = restored({
    id: newIdempotencyKey(),
    operation,
    request,
    at: new Date(),
    sending: { key: idempotencyKey, since: Date.now() },
    end: { is: 'left' },
  });
  add(run);
  return run;
}

/** Reads the answer that the gateway keeps of a run: nothing is asked again, and nothing is charged. */
export async function fetchKept(run: Run): Promise<void> {
  const next = await readKept(run.sending.key).then(
    ({ operation, asked_at, report }) =>
      operation === run.operation.name
        ? restored({ ...run, at: new Date(asked_at), end: { is: 'done', report } })
        : restored({ ...run, end: { is: 'gone' } }),
    (error: unknown) => {
      const refusal = refusalOf(error);
      return restored({ ...run, end: refusal.status === 404 ? { is: 'gone' } : { is: 'failed', refusal } });
    },
  );
  runs.value = runs.peek().map((one) => (one.id === run.id ? next : one));
  keepRun(next, runs.peek());
}
