import { effect, type Signal, signal } from '@preact/signals';
import { newIdempotencyKey, VedetteError } from '@vedette/client';
import { ask } from './client.ts';
import type { Operation } from './operations.ts';
import { onSignOut } from './session.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** One request of this sitting, and what has come of it so far. */
export interface Run {
  id: string;
  operation: Operation;
  request: Readonly<Record<string, unknown>>;
  at: Date;
  /** The idempotency key, and when it was sent first. */
  sending: { key: string; since: number };
  state: Signal<RunState>;
  /** Entries of locations in the order in which they came. */
  entries: Signal<readonly Entry[]>;
  stop(): void;
}

export type RunState =
  | { is: 'waiting' }
  | { is: 'running' }
  | { is: 'done'; report: Readonly<Record<string, unknown>> }
  | { is: 'failed'; refusal: VedetteError }
  | { is: 'stopped' };

/** The requests of this sitting, the newest first. They are in the page's memory alone. */
export const runs = signal<readonly Run[]>([]);

/** The number of runs that are kept: reports of pictures have megabytes. */
const KEPT = 30;

onSignOut(() => {
  for (const run of runs.peek()) run.stop();
  runs.value = [];
});

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

/** Sends a request. Entries are handed on once a frame, however many come. */
export function start(operation: Operation, request: Readonly<Record<string, unknown>>): Run {
  const abort = new AbortController();
  const sending = sendingOf(operation, request);
  const entries = signal<readonly Entry[]>([]);
  const state = signal<RunState>({ is: running < MAX_RUNNING ? 'running' : 'waiting' });
  const run: Run = {
    id: newIdempotencyKey(),
    operation,
    request,
    at: new Date(),
    sending,
    state,
    entries,
    stop: () => abort.abort(),
  };
  runs.value = [run, ...runs.peek()].slice(0, KEPT);
  let arrived: Entry[] = [];
  let frame = 0;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (arrived.length === 0) return;
    entries.value = [...entries.peek(), ...arrived];
    arrived = [];
  };
  // A hidden tab gets no frames.
  const onEntry = (entry: Entry): void => {
    arrived.push(entry);
    if (document.hidden) flush();
    else frame ||= requestAnimationFrame(flush);
  };
  document.addEventListener('visibilitychange', flush, { signal: abort.signal });
  const options = { signal: abort.signal, idempotencyKey: sending.key, ...(operation.stream && { onEntry }) };
  const finish = async (): Promise<void> => {
    await whenFree(abort.signal);
    if (!abort.signal.aborted) state.value = { is: 'running' };
    const end = await ask(operation.name, request, options).then(
      (report): RunState => ({ is: 'done', report: report as Entry }),
      (error: unknown): RunState => {
        if (abort.signal.aborted) return { is: 'stopped' };
        return {
          is: 'failed',
          refusal: error instanceof VedetteError ? error : new VedetteError('The answer cannot be read', { status: 0, code: 'unreadable' }),
        };
      },
    );
    startNext();
    flush();
    state.value = end;
    abort.abort();
  };
  void finish();
  return run;
}
