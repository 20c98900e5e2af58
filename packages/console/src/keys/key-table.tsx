import type { Key, KeyList } from '@vedette/client';
import type { JSX, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { State } from '../look/state.tsx';
import type { Tone } from '../look/tone.ts';
import { ShortText } from '../report/text.tsx';
import { visible } from '../text/index.ts';

const TONES: Readonly<Record<Key['state'], Tone>> = { active: 'good', expired: 'none', revoked: 'none' };

interface Props {
  /** Takes the focus when its element has gone. */
  heading: RefObject<HTMLHeadingElement | null>;
  list: KeyList;
  create: () => void;
  act: (is: 'rotate' | 'revoke', key: Key) => void;
}

/** The keys, newest first; those that have ended only on request. */
export function KeyTable({ heading, list: { keys, accounts, may_change: mayChange }, create, act }: Props): JSX.Element {
  const [isAll, setAll] = useState(false);
  const ended = keys.filter(({ state }) => state !== 'active');
  const shown = keys.filter(({ state }) => isAll || state === 'active').toReversed();
  const hasAccounts = accounts.length > 1;
  const names = [
    'Name',
    ...(hasAccounts ? ['Account'] : []),
    'State',
    'Last used (UTC)',
    'Expires (UTC)',
    'Operations',
    'Networks',
    ...(mayChange ? ['Actions'] : []),
  ];
  return (
    <section class="part">
      <h2 ref={heading} tabIndex={-1}>
        Keys
      </h2>
      <div class="tools">
        {mayChange && (
          <button type="button" class="primary" onClick={create}>
            Create a key
          </button>
        )}
        {ended.length > 0 && (
          <button type="button" class="small" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Hide ended keys' : `Show ${ended.length} ended`}
          </button>
        )}
        {!mayChange && <p class="muted">Only operators create, rotate and revoke keys.</p>}
      </div>
      {shown.length === 0 ? (
        <p>
          {mayChange
            ? 'No key is active here. Create one to let a program use the API.'
            : 'The account has no active key besides that of the settings.'}
        </p>
      ) : (
        <div class="scroll" role="region" aria-label="Keys" tabIndex={0}>
          <table class="key-table">
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((key) => (
                <Row key={key.id} subject={key} hasAccounts={hasAccounts} act={mayChange ? act : undefined} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface RowProps {
  subject: Key;
  hasAccounts: boolean;
  /** Undefined for readers who may change nothing. */
  act: Props['act'] | undefined;
}

const Row = ({ subject, hasAccounts, act }: RowProps): JSX.Element => (
  <tr>
    <th scope="row">
      <ShortText text={subject.name} chars={60} />{' '}
      <small class="id">
        <ShortText text={subject.id} />
      </small>
    </th>
    {hasAccounts && (
      <td>
        <ShortText text={subject.account} />
      </td>
    )}
    <td>
      <State tone={TONES[subject.state]}>{subject.state}</State>
    </td>
    <td class="number">{subject.last_used_at === null ? 'never' : minuteOf(subject.last_used_at)}</td>
    <td class="number">{subject.expires_at === null ? 'never' : minuteOf(subject.expires_at)}</td>
    <td>
      <Restriction names={subject.allowed_operations} all="all" />
    </td>
    <td>
      <Restriction names={subject.allowed_cidrs} all="any" />
    </td>
    {act && <td class="actions">{subject.state === 'active' && <Actions subject={subject} act={act} />}</td>}
  </tr>
);

/** A key of an operator is replaced on the machine of a gateway. */
const isOperators = ({ allowed_operations: names }: Key): boolean => names?.includes('operator') === true;

const Actions = ({ subject, act }: { subject: Key; act: Props['act'] }): JSX.Element => (
  <>
    {!isOperators(subject) && (
      <button type="button" class="small" onClick={() => act('rotate', subject)}>
        Rotate
        <span class="off-screen">
          {' '}
          <ShortText text={subject.name} />
        </span>
      </button>
    )}{' '}
    <button type="button" class="small" onClick={() => act('revoke', subject)}>
      Revoke
      <span class="off-screen">
        {' '}
        <ShortText text={subject.name} />
      </span>
    </button>
  </>
);

/** `2026-11-28T14:05:00Z` as `2026-11-28 14:05`, in UTC as everywhere in the API. */
const minuteOf = (time: string): string => visible(time.slice(0, 16).replace('T', ' '));

const Restriction = ({ names, all }: { names: readonly string[] | null; all: string }): JSX.Element =>
  names === null ? <span class="muted">{all}</span> : <ShortText text={names.join(', ')} chars={120} />;
