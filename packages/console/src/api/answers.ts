import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call } from './client.ts';

/** Answers of paths that belong to one page: they come and change together, so that nothing moves twice. */
export interface Answers<T extends unknown[]> {
  /** Undefined until all are there; the last ones while others are on their way. */
  values: T | undefined;
  /** Why the last try failed. */
  problem: Error | undefined;
  /** Whether the values are those of these paths. */
  isCurrent: boolean;
  reload(): Promise<void>;
}

/** Asks for the paths, again when they change, and every `everyMs` while the tab is seen. */
export function useAnswers<T extends unknown[]>(paths: readonly string[], everyMs?: number): Answers<T> {
  const wanted = paths.join(' ');
  const [state, setState] = useState<{ of: string; values: T | undefined; problem: Error | undefined }>({
    of: '',
    values: undefined,
    problem: undefined,
  });
  const latest = useRef('');
  const reload = useCallback(async (): Promise<void> => {
    latest.current = wanted;
    let next: Pick<typeof state, 'problem'> & { values?: T };
    try {
      next = { values: (await Promise.all(wanted.split(' ').map((path) => call(path)))) as T, problem: undefined };
    } catch (error) {
      next = { problem: error as Error };
    }
    // An answer to what is no longer wanted comes too late.
    if (latest.current === wanted) setState((before) => ({ ...before, ...next, of: wanted }));
  }, [wanted]);
  useEffect(() => {
    void reload();
    const timer = everyMs === undefined ? undefined : setInterval(() => void (document.visibilityState === 'visible' && reload()), everyMs);
    return () => {
      latest.current = '';
      clearInterval(timer);
    };
  }, [reload, everyMs]);
  return { values: state.values, problem: state.problem, isCurrent: state.of === wanted, reload };
}
