import { signal } from '@preact/signals';

/** Dies with the tab, and no browser sends it by itself: there is nothing to forge a request with. */
const KEY = 'vedette-key';

/** The API key of this tab; empty before sign-in. */
export const key = signal(sessionStorage.getItem(KEY) ?? '');

/** Credits that are left, as the last answer said. */
export const creditsLeft = signal<number | undefined>(undefined);

export function signIn(value: string): void {
  sessionStorage.setItem(KEY, value);
  key.value = value;
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  key.value = '';
  creditsLeft.value = undefined;
}
