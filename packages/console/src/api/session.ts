import { effect, signal, untracked } from '@preact/signals';

/** Dies with the tab, and no browser sends it by itself: there is nothing to forge a request with. */
const KEY = 'vedette-key';

/** The API key of this tab; empty before sign-in. */
export const key = signal(sessionStorage.getItem(KEY) ?? '');

/** Credits that are left, as the last answer said. */
export const creditsLeft = signal<number | undefined>(undefined);

export function signIn(value: string): void {
  sessionStorage.setItem(KEY, value);
  key.value = value;
  refusedKey.value = '';
}

/** Why the gateway took the key no more, for the sign-in page. */
export const refusedKey = signal('');

/** Runs once the reader has signed out. After a refusal the sitting goes on as soon as there is a good key. */
export const onSignOut = (forget: () => void): void =>
  void effect(() => {
    if (key.value === '' && refusedKey.value === '') untracked(forget);
  });

export function signOut(why = ''): void {
  sessionStorage.removeItem(KEY);
  refusedKey.value = why;
  key.value = '';
  creditsLeft.value = undefined;
}
