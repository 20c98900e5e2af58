import type { Operation } from '../api/operations.ts';
import { loadLocations } from '../api/locations.ts';
import { type Run, runs, start } from '../api/runs.ts';
import { goTo, route } from '../look/router.ts';
import { addressOf } from './address.ts';

/** Sends a request and goes to its page. */
export function askAndShow(operation: Operation, request: Readonly<Record<string, unknown>>): void {
  // A location may have come or gone since; a key that may not list them has no map, and all else.
  if (operation.stream === 'locations') loadLocations().catch(() => undefined);
  goTo(addressOf(operation, request), { run: start(operation, request).id });
}

/** The run that this page shows, if this sitting has it. */
export const runOf = (operation: Operation): Run | undefined =>
  runs.value.find((run) => run.id === route.value.run && run.operation === operation);
