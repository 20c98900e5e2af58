import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { VedetteError } from '@vedette/client';
import { tryKey } from '../api/client.ts';
import { type Provider, provider, refusedKey, signIn } from '../api/session.ts';
import { Link } from './link.tsx';
import { useFocus } from './focus.ts';

/** Takes an API key, which stays in this tab, or leads to the operator's provider. */
export function SignIn({ hasSitting }: { hasSitting: boolean }): JSX.Element {
  const focused = useFocus();
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState(refusedKey.peek());
  const [isTrying, setTrying] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = value.trim();
    if (isTrying) return;
    if (!/^[\x21-\x7e]{8,128}$/.test(key)) return setProblem('An API key has 8 to 128 characters, without spaces.');
    setTrying(true);
    tryKey(key)
      .then(() => signIn(key))
      .catch((error: unknown) => {
        // A key of a few operations only is a good key.
        if (error instanceof VedetteError && error.code === 'operation_not_allowed') return signIn(key);
        setProblem(error instanceof VedetteError ? error.message : 'The gateway does not answer.');
      })
      .finally(() => setTrying(false));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>Vedette</h1>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          ref={focused}
          required
          value={value}
          aria-describedby="key-help"
          onInput={(event) => {
            setValue(event.currentTarget.value);
            setProblem('');
          }}
        />
        <p id="key-help" class="muted">
          It stays in this tab and is forgotten when the tab is closed. <code>npm start</code> prints one as <code>key=…</code>.
        </p>
        <p role="alert" class="problem">
          {problem === '' ? '\u00a0' : problem}
        </p>
        <button type="submit" class="primary" aria-disabled={isTrying}>
          Sign in
        </button>
        {provider.value && <ByProvider provider={provider.value} isFree={!hasSitting} />}
      </form>
    </main>
  );
}

/** Leads to the provider: from here, or, where something is kept that was typed, in another tab. */
function ByProvider({ provider: { login, name, isReady }, isFree }: { provider: Provider; isFree: boolean }): JSX.Element {
  if (!isReady) return <p class="muted">Signing in with {name} does not work at the moment.</p>;
  if (!isFree)
    return (
      <p>
        <Link to={login}>Sign in with {name}</Link> in a new tab, and come back: what you typed is kept here.
      </p>
    );
  const returnTo = encodeURIComponent(location.pathname + location.search);
  return (
    <button type="button" onClick={() => location.assign(`${login}?return_to=${returnTo}`)}>
      Sign in with {name}
    </button>
  );
}
