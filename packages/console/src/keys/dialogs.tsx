import type { Key, KeyList, NewKey } from '@vedette/client';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { key as ownKey } from '../api/session.ts';
import { Copy } from '../look/copy.tsx';
import { Dialog } from '../look/dialog.tsx';
import { ShortText, Text } from '../report/text.tsx';
import { AccountChoices } from './account-choices.tsx';

interface Closing {
  close: () => void;
  /** The keys have changed. */
  done: () => void;
}

/** One call to the API at a time, and why it failed. While it is under way the dialog stays open: its answer has a key that is shown once. */
function useSending(leave: () => void) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const send = async (work: () => Promise<void>): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem((error as Error).message);
    }
    setSending(false);
  };
  return { isSending, problem, send, close: () => void (isSending || leave()) };
}

interface FormProps {
  sending: ReturnType<typeof useSending>;
  submit: () => Promise<void>;
  word: string;
  children: ComponentChildren;
}

const Form = ({ sending: { isSending, problem, send, close }, submit, word, children }: FormProps): JSX.Element => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      void send(submit);
    }}
  >
    {children}
    <p role="alert" class="problem">
      {problem === '' ? '\u00a0' : <Text text={problem} chars={400} />}
    </p>
    <p class="buttons">
      <button type="submit" class="primary" aria-disabled={isSending}>
        {word}
      </button>
      <button type="button" aria-disabled={isSending} onClick={close}>
        Cancel
      </button>
    </p>
  </form>
);

/** The key, this once. */
function Secret({ made, close }: { made: NewKey; close: () => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title="The new key" close={close} isKept>
      <p>Copy it now: it is shown this once. The service keeps only a hash of it.</p>
      <p class="secret">
        <input ref={field} type="text" readOnly value={made.key} aria-label="The new key" spellcheck={false} />
        <Copy text={() => made.key}>Copy the key</Copy>
      </p>
      <p class="buttons">
        <button type="button" class="primary" onClick={close}>
          I have kept it
        </button>
      </p>
    </Dialog>
  );
}

/** Makes a key and shows it once. */
export function CreateDialog({ list, account, close, done }: Closing & { list: KeyList; account: string }): JSX.Element {
  const sending = useSending(close);
  const [made, setMade] = useState<NewKey | undefined>(undefined);
  const [payer, setPayer] = useState(account === '' ? (list.accounts[0]?.id ?? '') : account);
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const [operations, setOperations] = useState<ReadonlySet<string>>(new Set());
  const [networks, setNetworks] = useState('');
  if (made) return <Secret made={made} close={close} />;
  const submit = async (): Promise<void> => {
    const cidrs = networks.split(/[\s,]+/).filter(Boolean);
    const body = {
      account: payer,
      name: name.trim(),
      ...(days !== '' && { expires_in_days: Number(days) }),
      ...(operations.size > 0 && { allowed_operations: [...operations] }),
      ...(cidrs.length > 0 && { allowed_cidrs: cidrs }),
    };
    setMade(await call<NewKey>('/v2/keys', body));
    done();
  };
  const toggle = (one: string, isOn: boolean) =>
    setOperations(new Set(isOn ? [...operations, one] : [...operations].filter((each) => each !== one)));
  return (
    <Dialog title="Create a key" close={sending.close}>
      <Form sending={sending} submit={submit} word="Create the key">
        <p class="field">
          <label for="key-account">Account that pays</label>
          <select id="key-account" value={payer} onChange={(event) => setPayer(event.currentTarget.value)}>
            <AccountChoices accounts={list.accounts} />
          </select>
        </p>
        <Field id="key-name" label="Name" help="What the key is for, such as the name of a program" value={name} set={setName} required />
        <Field
          id="key-days"
          label="Days until it expires"
          help="Empty: it does not expire. 3650 at the most"
          value={days}
          set={setDays}
          pattern="[1-9]\d{0,3}"
        />
        <Field
          id="key-networks"
          label="Client networks"
          help="Such as 192.0.2.0/24, 2001:db8::/32. Empty: from anywhere"
          value={networks}
          set={setNetworks}
        />
        <details>
          <summary>{operations.size === 0 ? 'Operations: all' : `Operations: ${operations.size}`}</summary>
          <div class="permissions">
            {list.permissions.map((one) => (
              <label key={one}>
                <input type="checkbox" checked={operations.has(one)} onChange={(event) => toggle(one, event.currentTarget.checked)} />
                <ShortText text={one} />
              </label>
            ))}
          </div>
        </details>
      </Form>
    </Dialog>
  );
}

interface FieldProps {
  id: string;
  label: string;
  help: string;
  value: string;
  set: (value: string) => void;
  required?: boolean;
  pattern?: string;
}

const Field = ({ id, label, help, value, set, ...rest }: FieldProps): JSX.Element => (
  <p class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      type="text"
      autocomplete="off"
      maxLength={200}
      value={value}
      aria-describedby={`${id}-help`}
      onInput={(event) => set(event.currentTarget.value)}
      {...rest}
    />
    <small id={`${id}-help`}>{help}</small>
  </p>
);

/** The key of this tab is its middle part: `vdt_<id>_…`. */
const isOwn = ({ id }: Key): boolean => ownKey.peek().split('_')[1] === id;

const Subject = ({ subject }: { subject: Key }): JSX.Element => (
  <>
    <p>
      <strong>
        <ShortText text={subject.name} chars={200} />
      </strong>{' '}
      <code>{subject.id}</code> of account <ShortText text={subject.account} />
    </p>
    {isOwn(subject) && <p class="problem">This is the key that you are signed in with.</p>}
  </>
);

/** Makes the successor of a key; the old one goes on until the overlap ends. */
export function RotateDialog({ subject, close, done }: Closing & { subject: Key }): JSX.Element {
  const sending = useSending(close);
  const [made, setMade] = useState<NewKey | undefined>(undefined);
  const [hours, setHours] = useState('24');
  if (made) return <Secret made={made} close={close} />;
  const submit = async (): Promise<void> => {
    setMade(await call<NewKey>('/v2/keys/rotate', { id: subject.id, overlap_hours: Number(hours) }));
    done();
  };
  return (
    <Dialog title="Rotate a key" close={sending.close}>
      <Form sending={sending} submit={submit} word="Rotate the key">
        <Subject subject={subject} />
        <p>A new key with the same rights takes its place. Give it to the program before the old one ends.</p>
        <Field
          id="key-hours"
          label="Hours for which the old key still works"
          help="0 ends it at once. 168 at the most"
          value={hours}
          set={setHours}
          required
          pattern="\d{1,3}"
        />
      </Form>
    </Dialog>
  );
}

/** Asks once more before a key ends. */
export function RevokeDialog({ subject, close, done }: Closing & { subject: Key }): JSX.Element {
  const sending = useSending(close);
  const submit = async (): Promise<void> => {
    await call('/v2/keys/revoke', { id: subject.id });
    close();
    done();
  };
  return (
    <Dialog title="Revoke a key" close={sending.close}>
      <Form sending={sending} submit={submit} word="Revoke the key">
        <Subject subject={subject} />
        <p>Every gateway refuses it within a second. This cannot be undone. Requests under way end, and are paid.</p>
      </Form>
    </Dialog>
  );
}
