import type { Operation } from '../api/operations.ts';
import { type Run, runs, start } from '../api/runs.ts';
import { goTo } from '../look/router.ts';
import { addressOf } from './address.ts';

/** Sends a request and goes to its page. */
export function askAndShow(operation: Operation, request: Readonly<Record<string, unknown>>): void {
  start(operation, request);
  goTo(addressOf(operation, request));
}

/** The newest run of this page's address, if this sitting has one. */
export const runAt = (address: string): Run | undefined =>
  runs.value.find(({ operation, request }) => addressOf(operation, request) === address);
