import type { Key, KeyList, Usage } from '@vedette/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswers } from '../api/answers.ts';
import { Loading, Problem } from '../look/problem.tsx';
import { goTo } from '../look/router.ts';
import { AccountChoices } from './account-choices.tsx';
import { CreateDialog, RevokeDialog, RotateDialog } from './dialogs.tsx';
import { KeyTable } from './key-table.tsx';
import { UsageView } from './usage-view.tsx';
import { searchOf, viewOf } from './usage.ts';

type Act = { is: 'create' } | { is: 'rotate' | 'revoke'; subject: Key };

/** Keys and what was charged for them: of the own account; for operators of all. */
export function KeysPage({ search }: { search: string }): JSX.Element {
  const view = viewOf(search);
  const [act, setAct] = useState<Act | undefined>(undefined);
  const account = view.account === '' ? '' : `account=${view.account}`;
  const key = view.key === '' ? '' : `&key=${encodeURIComponent(view.key)}`;
  const { values, problem, isCurrent, reload } = useAnswers<[KeyList, Usage]>([
    `/v2/keys?${account}`,
    `/v2/usage?days=${view.days}${key}${account === '' ? '' : `&${account}`}`,
  ]);
  const close = () => setAct(undefined);
  const isLoaded = values !== undefined;
  // A dialog ends with the sign-in of its reader.
  useEffect(() => {
    if (!isLoaded) close();
  }, [isLoaded]);
  const done = () => void reload();
  const heading = useRef<HTMLHeadingElement>(null);
  const hadDialog = useRef(false);
  // The focus goes back to the button that opened the dialog, and is lost where that button has gone with its key.
  useEffect(() => {
    if (act) hadDialog.current = true;
    else if (hadDialog.current && document.activeElement === document.body) heading.current?.focus();
  }, [act, values]);
  return (
    <main class="keys">
      <h1>Keys and usage</h1>
      {problem && <Problem error={problem} retry={done} />}
      {values === undefined && !problem && <Loading />}
      {values && (
        <div class="keys" aria-busy={!isCurrent}>
          {values[0].may_change && values[0].accounts.length > 1 && (
            <Accounts
              accounts={values[0].accounts}
              chosen={view.account}
              choose={(id) => goTo(`/keys${searchOf({ ...view, account: id, key: '' })}`)}
            />
          )}
          <KeyTable
            heading={heading}
            list={values[0]}
            create={() => setAct({ is: 'create' })}
            act={(is, subject) => setAct({ is, subject })}
          />
          <UsageView usage={values[1]} view={view} />
          {act?.is === 'create' && <CreateDialog list={values[0]} account={view.account} close={close} done={done} />}
          {act?.is === 'rotate' && <RotateDialog subject={act.subject} close={close} done={done} />}
          {act?.is === 'revoke' && <RevokeDialog subject={act.subject} close={close} done={done} />}
        </div>
      )}
    </main>
  );
}

interface AccountsProps {
  accounts: KeyList['accounts'];
  chosen: string;
  choose: (id: string) => void;
}

const Accounts = ({ accounts, chosen, choose }: AccountsProps): JSX.Element => (
  <p class="field account">
    <label for="account">Account</label>
    <select id="account" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">All accounts</option>
      <AccountChoices accounts={accounts} />
    </select>
  </p>
);
