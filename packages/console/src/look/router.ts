import { effect, signal } from '@preact/signals';
import { sitting } from '../api/session.ts';

/** What a page of the history has beside its address. */
interface PageState {
  /** The run that it shows: an address does not tell two files apart. */
  run?: string;
  /** The sitting that made it. */
  sitting?: string;
}

const stateOf = (): PageState => (history.state as PageState | null) ?? {};

/** Where we are. The question of another sitting is not the reader's: its page becomes the first one, and its address goes. */
function here(): { path: string; search: string; run: string } {
  const { sitting: made = sitting.peek() } = stateOf();
  if (made !== sitting.peek()) history.replaceState(null, '', '/');
  return { path: location.pathname, search: location.search, run: stateOf().run ?? '' };
}

/** Where we are. */
export const route = signal(here());

/** Shows the page that is open, which becomes part of the sitting `name`. Without one it is left. */
function arrive(name: string): void {
  route.value = here();
  if (name !== '') history.replaceState({ ...stateOf(), sitting: name }, '');
}

// A part of a page (`#…`) that the browser goes to is a page of the history, too.
addEventListener('popstate', () => arrive(sitting.peek()));
effect(() => arrive(sitting.value));

/** Goes to a page of ours. */
export function goTo(address: string, { run }: { run?: string | undefined } = {}): void {
  const made = sitting.peek();
  const state: PageState = { ...(made !== '' && { sitting: made }), ...(run !== undefined && { run }) };
  history.pushState(state, '', address);
  const isOther = location.pathname !== route.peek().path;
  route.value = here();
  if (isOther) scrollTo(0, 0);
}
