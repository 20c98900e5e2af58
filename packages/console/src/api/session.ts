import { computed, effect, signal, untracked } from '@preact/signals';
import { newIdempotencyKey } from '@vedette/client';

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
const SITTING = 'vedette-sitting';

const ofPerson = (id: string): string => `person ${id}`;
const ofKey = (value: string): string => `key ${value}`;
const storedPerson = sessionStorage.getItem(SITTING_OF);

/** Whose sitting the tab has: that of a person or of a key. Empty without one. */
const sittingOf = signal(storedPerson !== null ? ofPerson(storedPerson) : key.peek() === '' ? '' : ofKey(key.peek()));

/** A random name of the sitting, which pages of the history carry: those of another sitting are not shown. Empty without a sitting. */
export const sitting = signal(sittingOf.peek() === '' ? '' : (sessionStorage.getItem(SITTING) ?? nameSitting()));

function nameSitting(): string {
  const name = newIdempotencyKey();
  sessionStorage.setItem(SITTING, name);
  return name;
}

// The browser may show a page again as it was left, with all that it holds. Another page of the tab may have had another reader since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || (sessionStorage.getItem(SITTING) ?? '') === sitting.peek()) return;
  document.body.replaceChildren();
  location.reload();
});

/** Goes on with the tab's sitting if it is this reader's; forgets another one's. */
function takeSitting(of: string): void {
  if (sittingOf.peek() === of) return;
  signOut();
  sittingOf.value = of;
  sitting.value = nameSitting();
}

/** Goes on with a person's sitting, or begins one. */
export function takePerson(next: Person): void {
  takeSitting(ofPerson(next.id));
  sessionStorage.setItem(SITTING_OF, next.id);
  person.value = next;
  refusedKey.value = '';
}

export function signIn(value: string): void {
  takeSitting(ofKey(value));
  sessionStorage.setItem(KEY, value);
  key.value = value;
  refusedKey.value = '';
}

/** Why the gateway took the key or the sign-in no more, for the sign-in page. */
export const refusedKey = signal('');

/** Whether the sitting waits for the next sign-in; after a reload, until the gateway has said who is signed in. */
export const isSittingKept = signal(storedPerson !== null);

/** Runs once the reader has signed out. After a refusal the sitting goes on if the same reader signs in. */
export const onSignOut = (forget: () => void): void =>
  void effect(() => {
    if (!isSignedIn.value && !isSittingKept.value) untracked(forget);
  });

/** Forgets who is signed in. With a reason, the sitting is kept for the next sign-in of the same reader. */
export function signOut(why = '', keepsSitting = why !== ''): void {
  sessionStorage.removeItem(KEY);
  if (!keepsSitting) {
    sessionStorage.removeItem(SITTING_OF);
    sessionStorage.removeItem(SITTING);
    sittingOf.value = '';
    sitting.value = '';
  }
  isSittingKept.value = keepsSitting;
  refusedKey.value = why;
  key.value = '';
  person.value = null;
  creditsLeft.value = undefined;
}
