import { computed, effect, signal, untracked } from '@preact/signals';

/** Dies with the tab, and no browser sends it by itself: there is nothing to forge a request with. */
const KEY = 'vedette-key';

/** The API key of this tab; empty before sign-in, and where a person has signed in. */
export const key = signal(sessionStorage.getItem(KEY) ?? '');

/** A person who has signed in at the operator's provider. The browser has a cookie that no script reads. */
export interface Person {
  /** Names the person for good, as the measurement log does. */
  id: string;
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
export const reader = computed(() => `${key.value} ${person.value?.id ?? ''}`);

/** Credits that are left, as the last answer said. */
export const creditsLeft = signal<number | undefined>(undefined);

/** The id of the person whose sitting the tab has. It stands there as long as the sitting does. */
const SITTING_OF = 'vedette-sitting-of';

/** Whose sitting the tab has: a person's id; empty for that of an API key. */
export const sittingOf = signal(sessionStorage.getItem(SITTING_OF) ?? '');

/** Goes on with the tab's sitting if it is this reader's; forgets another one's. */
export function takeSitting(id: string): void {
  if (sittingOf.peek() === id) return;
  signOut();
  sittingOf.value = id;
  if (id !== '') sessionStorage.setItem(SITTING_OF, id);
}

export function signIn(value: string): void {
  takeSitting('');
  sessionStorage.setItem(KEY, value);
  key.value = value;
  refusedKey.value = '';
}

/** Why the gateway took the key or the sign-in no more, for the sign-in page. */
export const refusedKey = signal('');

/** Whether the sitting waits for the next sign-in; after a reload, until the gateway has said who is signed in. */
export const isSittingKept = signal(sittingOf.peek() !== '');

/** Runs once the reader has signed out. After a refusal the sitting goes on as soon as there is a good key. */
export const onSignOut = (forget: () => void): void =>
  void effect(() => {
    if (!isSignedIn.value && !isSittingKept.value) untracked(forget);
  });

/** Forgets who is signed in. With a reason, the sitting is kept for the next sign-in. */
export function signOut(why = '', keepsSitting = why !== ''): void {
  sessionStorage.removeItem(KEY);
  if (!keepsSitting) {
    sessionStorage.removeItem(SITTING_OF);
    sittingOf.value = '';
  }
  isSittingKept.value = keepsSitting;
  refusedKey.value = why;
  key.value = '';
  person.value = null;
  creditsLeft.value = undefined;
}
