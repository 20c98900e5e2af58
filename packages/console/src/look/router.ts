import { signal } from '@preact/signals';

/** Where we are. */
export const route = signal({ path: location.pathname, search: location.search });

addEventListener('popstate', () => {
  route.value = { path: location.pathname, search: location.search };
});

/** Goes to a page of ours. */
export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  const isOther = location.pathname !== route.peek().path;
  route.value = { path: location.pathname, search: location.search };
  if (isOther) scrollTo(0, 0);
}
