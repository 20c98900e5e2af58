import { key, type Person, person, provider, signOut, takePerson } from './session.ts';

const ownAnswer = async (path: string, method = 'GET'): Promise<unknown> => {
  const response = await fetch(path, { method, credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${path} has status ${response.status}`);
  return response.json();
};

interface Me {
  sign_in: 'off' | 'ready' | 'unavailable';
  login?: string;
  provider?: string;
  person: Person | null;
}

/** Asks who is signed in by a cookie. If the gateway does not answer, nothing changes. `atStart`: a sitting without a person is not kept. */
export async function askWho(atStart = false): Promise<void> {
  try {
    const me = (await ownAnswer('/auth/me')) as Me;
    provider.value = me.sign_in === 'off' ? undefined : { login: me.login!, name: me.provider!, isReady: me.sign_in === 'ready' };
    if (key.peek() !== '') return;
    const before = person.peek();
    if (me.person === null) {
      if (before !== null) signOut('Your session has ended');
      else if (atStart) signOut();
      return;
    }

    takePerson(me.person);
  } catch {
    // The sign-in page says what goes wrong with a key.
  }
}

// Tabs share the cookie: who has signed in again in another tab, or as another person, goes on as that one here.
addEventListener('focus', () => {
  if (key.peek() === '') void askWho();
});

/** Tells the other tabs that the person has signed out. */
const signedOut = new BroadcastChannel('vedette-signed-out');
signedOut.addEventListener('message', () => {
  if (person.peek() !== null) signOut();
});

/** Signs out: a person here, and at the provider where that can be. */
export async function endSession(): Promise<void> {
  if (person.peek() === null) return signOut();
  try {
    const { continue_at: end } = (await ownAnswer('/auth/logout', 'POST')) as { continue_at: string };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    signedOut.postMessage('');
    signOut();
    if (new URL(end).origin !== location.origin) location.assign(end);
  } catch {
    signOut('The gateway did not answer: you may still be signed in.', false);
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  expired: 'The sign-in took too long, or began in another window. Try again.',
  refused: 'The provider did not sign you in, or its answer was not valid.',
  no_role: 'You are known to the provider, but none of your groups has a role here. Ask the operator.',
  unavailable: 'Signing in does not work at the moment. Try again, or use an API key.',
};

/** Why the provider led back without a sign-in; empty if it did not. The address keeps nothing of it. */
export function failureInAddress(): string {
  const code = new URLSearchParams(location.search).get('sign_in');
  if (code === null || location.pathname !== '/') return '';
  history.replaceState(null, '', '/');
  return SENTENCES[code] ?? '';
}
