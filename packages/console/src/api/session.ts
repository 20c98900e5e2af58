import { computed, effect, signal, untracked } from '@preact/signals';

/** Dies with the tab, and no browser sends it by itself: there is nothing to forge a request with. */
const KEY = 'vedette-key';

/** The API key of this tab; empty before sign-in, and where a person has signed in. */
export const key = signal(sessionStorage.getItem(KEY) ?? '');

/** A person who has signed in at the operator's provider. The browser has a cookie that no script reads. */
export interface Person {
  name: string;
  role: string;
}

export const person = signal<Person | null>(null);

/** How people sign in here, where they can. */
export interface Provider {
  /** Where they begin. */
  login: string;
  /** The host of the provider. */
  name: string;
  isReady: boolean;
}

export const provider = signal<Provider | undefined>(undefined);

export const isSignedIn = computed(() => key.value !== '' || person.value !== null);

/** Names the reader: who got an answer, and who may see it. */
export const reader = computed(() => `${key.value} ${person.value?.name ?? ''}`);

/** Credits that are left, as the last answer said. */
export const creditsLeft = signal<number | undefined>(undefined);

export function signIn(value: string): void {
  sessionStorage.setItem(KEY, value);
  key.value = value;
  refusedKey.value = '';
}

/** Why the gateway took the key or the sign-in no more, for the sign-in page. */
export const refusedKey = signal('');

/** Whether the sitting waits for the next sign-in. */
export const isSittingKept = signal(false);

/** Runs once the reader has signed out. After a refusal the sitting goes on as soon as there is a good key. */
export const onSignOut = (forget: () => void): void =>
  void effect(() => {
    if (!isSignedIn.value && !isSittingKept.value) untracked(forget);
  });

/** Forgets who is signed in. With a reason, the sitting is kept for the next sign-in. */
export function signOut(why = '', keepsSitting = why !== ''): void {
  sessionStorage.removeItem(KEY);
  isSittingKept.value = keepsSitting;
  refusedKey.value = why;
  key.value = '';
  person.value = null;
  creditsLeft.value = undefined;
}
