import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { VedetteError } from '@vedette/client';
import { tryKey } from '../api/client.ts';
import { refusedKey, signIn } from '../api/session.ts';
import { useFocus } from './focus.ts';

/** Takes an API key. It stays in this tab. */
export function SignIn(): JSX.Element {
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
      </form>
    </main>
  );
}
