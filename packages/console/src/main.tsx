import { render } from 'preact';
import { askWho, failureInAddress } from './api/people.ts';
import { key, refusedKey } from './api/session.ts';
import { App } from './app.tsx';

/** Shows the pages; first, without a key, asks whether a person is signed in. */
async function start(): Promise<void> {
  const failure = failureInAddress();
  if (key.value === '') {
    await askWho(true);
    refusedKey.value = failure;
  }
  render(<App />, document.querySelector('#app')!);
}

void start();
