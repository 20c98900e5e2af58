import { VedetteError } from '@vedette/client';
import type { JSX } from 'preact';
import { Text } from '../report/text.tsx';
import { Prose } from './prose.tsx';
import { State } from './state.tsx';

const OPERATOR =
  'This page is for operators. The key that `npm start` prints is one; `vedette keys create --account … --name … --operations operator,keys,usage` makes another.';

/** The remedy, by the code of a refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  role_not_allowed: OPERATOR,
  operation_not_allowed:
    'The key is restricted to some operations. One with the permissions `keys` and `usage`, or without restrictions, may see this page.',
  unreachable: 'Look whether the gateway still runs.',
  ledger_unavailable: 'The gateway cannot reach its database. `vedette doctor` says why.',
};

/** Why a page has nothing to show, with what to do. */
export function Problem({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  const code = error instanceof VedetteError ? error.code : '';
  return (
    <div class="refused" role="alert">
      <State tone="warn">Not available</State>
      <p>
        <Text text={error.message} />
      </p>
      {ADVICE[code] !== undefined && (
        <p class="muted">
          <Prose text={ADVICE[code]} />
        </p>
      )}
      {retry && (
        <p>
          <button type="button" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

/** Stands where values are still on their way. */
export const Loading = (): JSX.Element => (
  <p class="running" role="status">
    <span class="pulse" /> Loading…
  </p>
);
