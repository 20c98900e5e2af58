import type { KeyList } from '@vedette/client';
import type { JSX } from 'preact';
import { visible } from '../text/index.ts';

const NAME_CHARS = 80;

/** The accounts as choices of a list. */
export const AccountChoices = ({ accounts }: Pick<KeyList, 'accounts'>): JSX.Element => (
  <>
    {accounts.map(({ id, name }) => (
      <option key={id} value={id}>
        {visible(name === id ? id : `${name.slice(0, NAME_CHARS)} (${id})`)}
      </option>
    ))}
  </>
);
