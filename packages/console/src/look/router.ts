import { signal } from '@preact/signals';

/** The id of the run that this page of the history shows: an address does not tell two files apart. */
const shownRun = (): string => (history.state as { run?: string } | null)?.run ?? '';

const here = () => ({ path: location.pathname, search: location.search, run: shownRun() });

/** Where we are. */
export const route = signal(here());

addEventListener('popstate', () => {
  route.value = here();
});

/** Goes to a page of ours. */
export function goTo(address: string, { run }: { run?: string | undefined } = {}): void {
  history.pushState(run === undefined ? null : { run }, '', address);
  const isOther = location.pathname !== route.peek().path;
  route.value = here();
  if (isOther) scrollTo(0, 0);
}

/** Leads to the first page from one that is not the next reader's: Back does not return to it. */
export function startOver(): void {
  history.replaceState(null, '', '/');
  route.value = here();
}
