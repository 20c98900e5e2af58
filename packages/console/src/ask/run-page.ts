import type { Operation } from '../api/operations.ts';
import { loadLocations } from '../api/locations.ts';
import { type Run, runOfKey, runs, start } from '../api/runs.ts';
import { goTo, route } from '../look/router.ts';
import { addressOf, requestOf, runKeyOf } from './address.ts';

/** Sends a request and goes to its page. */
export function askAndShow(operation: Operation, request: Readonly<Record<string, unknown>>): void {
  // A location may have come or gone since; a key that may not list them has no map, and all else.
  if (operation.stream === 'locations') loadLocations().catch(() => undefined);
  goTo(addressOf(operation, request), { run: start(operation, request).id });
}

/** The run that this page shows: that of its place in the history, or the one that its address names by its key. */
export const runOf = (operation: Operation, search: string): Run | undefined => {
  const key = runKeyOf(search);
  return runs.value.find(
    (run) => run.operation === operation && (route.value.run === '' ? run.sending.key === key : run.id === route.value.run),
  );
};

/** Puts the run of an address into the sitting. Asks nothing: the page reads the answer that the gateway keeps. */
export function takeRunOf(operation: Operation, search: string): void {
  const key = runKeyOf(search);
  if (key !== undefined && route.peek().run === '') runOfKey(operation, requestOf(operation, search), key);
}
