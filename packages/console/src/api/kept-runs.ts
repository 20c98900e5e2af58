import { VedetteError } from '@vedette/client';
import { addressOf, requestOf } from '../ask/address.ts';
import { operationOf } from './operations.ts';
import type { Run, RunState } from './run.ts';

/**
 * Runs of this sitting as the tab's session storage has them: they survive a reload, die with the tab, and leave the browser never. A request is kept as the address of
 * its page, which holds no password and no file.
 */

const PREFIX = 'vedette-run-';
/** Characters of one report, and of all: browsers have room for about five million. */
const MAX_REPORT = 400_000;
const MAX_ALL = 3_000_000;

interface StoredRun {
  operation: string;
  search: string;
  at: string;
  key: string;
  since: number;
  state: { is: RunState['is']; report?: unknown; message?: string; code?: VedetteError['code']; status?: number };
}

/** The parts of a run that are stored. */
export type RestoredRun = Pick<Run, 'id' | 'operation' | 'request' | 'at' | 'sending'> & { end: RunState };

const stored = ({ operation, request, at, sending, state }: Run, withReport: boolean): StoredRun => {
  const end = state.peek();
  const report = withReport && end.is === 'done' ? end.report : undefined;
  return {
    operation: operation.name,
    search: addressOf(operation, request).split('?')[1] ?? '',
    at: at.toISOString(),
    ...sending,
    state: {
      is: end.is,
      ...(report && { report }),
      ...(end.is === 'failed' && { message: end.refusal.message, code: end.refusal.code, status: end.refusal.status }),
    },
  };
};

const names = (): string[] => Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));

/** Writes a run; the reports of the oldest ones make room, then its own is left out. */
export function keepRun(run: Run, all: readonly Run[]): void {
  const whole = JSON.stringify(stored(run, true));
  const size = (): number => names().reduce((sum, name) => sum + (sessionStorage.getItem(name)?.length ?? 0), 0);
  const write = (one: Run, text: string): void => sessionStorage.setItem(PREFIX + one.id, text);
  try {
    if (whole.length > MAX_REPORT) return write(run, JSON.stringify(stored(run, false)));
    for (const old of all.toReversed()) {
      if (size() + whole.length <= MAX_ALL) break;
      if (old !== run && sessionStorage.getItem(PREFIX + old.id) !== null) write(old, JSON.stringify(stored(old, false)));
    }
    write(run, whole);
  } catch {
    // The browser has less room: the sitting goes on in memory.
  }
}

export const forgetRun = ({ id }: Pick<Run, 'id'>): void => sessionStorage.removeItem(PREFIX + id);

export function forgetRuns(): void {
  for (const name of names()) sessionStorage.removeItem(name);
}

/** Returns the end of a stored run. A run without a stored report is `left`: the gateway may have its answer. */
function endOf({ is, report, message = '', code = 'unreadable', status = 0 }: StoredRun['state']): RunState {
  if (is === 'done' && typeof report === 'object' && report !== null) return { is, report: report as Readonly<Record<string, unknown>> };
  if (is === 'failed') return { is, refusal: new VedetteError(message, { status, code }) };
  return is === 'stopped' ? { is } : { is: 'left' };
}

/** Returns the stored runs, the newest first. Forgets unreadable ones. */
export function storedRuns(): RestoredRun[] {
  const runs = names().flatMap((name): RestoredRun[] => {
    try {
      const { operation, search, at, key, since, state } = JSON.parse(sessionStorage.getItem(name)!) as StoredRun;
      const known = operationOf(operation)!;
      const id = name.slice(PREFIX.length);
      return [{ id, operation: known, request: requestOf(known, search), at: new Date(at), sending: { key, since }, end: endOf(state) }];
    } catch {
      sessionStorage.removeItem(name);
      return [];
    }
  });
  return runs.sort((a, b) => b.at.getTime() - a.at.getTime());
}
