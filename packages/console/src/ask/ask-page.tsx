import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { byGroup, creditsOf, OPERATIONS } from '../api/operations.ts';
import { isOpen, permissions } from '../api/permissions.ts';
import { runs } from '../api/runs.ts';
import { useFocus } from '../look/focus.ts';
import { Link } from '../look/link.tsx';
import { State } from '../look/state.tsx';
import type { Tone } from '../look/tone.ts';
import { plainText } from '../report/shape.ts';
import { Text } from '../report/text.tsx';
import { KIND_WORDS, type Offer, offersOf, type Subject, understand } from '../subject/index.ts';
import { addressOf } from './address.ts';
import { NotOffered } from './not-offered.tsx';
import { askAndShow } from './run-page.ts';
import { base64Of, kindOf } from './upload.ts';

/** One box that understands what is pasted, and offers what fits. */
export function AskPage(): JSX.Element {
  const focused = useFocus();
  const [text, setText] = useState('');
  const [file, setFile] = useState<{ name: string; subject: Subject } | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const subject = file?.subject ?? understand(text);
  const offers = useMemo(() => (subject === undefined ? [] : offersOf(subject)), [text, file]);
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const [taken] = files ?? [];
    if (taken === undefined) return;
    try {
      setFile({ name: taken.name, subject: { kind: kindOf(taken), value: await base64Of(taken) } });
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <main
      class="ask"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer?.files);
      }}
    >
      <form
        class="box"
        onSubmit={(event) => {
          event.preventDefault();
          // A press asks, and costs; this one only leads to what can be pressed.
          document.querySelector<HTMLElement>('.offers:not(.catalogue) .offer:is(button)')?.focus();
        }}
      >
        <h1>
          <label for="subject">What do you want to know about?</label>
        </h1>
        <input
          id="subject"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          ref={focused}
          value={text}
          placeholder="example.org, 192.0.2.1, https://…, jane@example.org, +44 …, AS64496"
          aria-describedby="understood"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setFile(undefined);
          }}
        />
        <p id="understood" role="status">
          {understood(text, file?.name, subject)}
        </p>
        <p class="upload">
          <label>
            Message, page or picture: drop it here, or choose it{' '}
            <input type="file" onChange={(event) => void take(event.currentTarget.files)} />
          </label>
        </p>
        {problem !== '' && <p role="alert">{problem}</p>}
      </form>
      {offers.length > 0 && <Offers offers={offers.filter(({ operation }) => isOpen(operation))} />}
      {offers.length > 0 && <NotOffered operations={offers.map(({ operation }) => operation)} />}
      {offers.length === 0 && <Sitting />}
      {offers.length === 0 && permissions.value !== undefined && <Catalogue />}
    </main>
  );
}

function understood(text: string, file: string | undefined, subject: Subject | undefined): string {
  if (subject !== undefined)
    return `${file === undefined ? 'This is' : `${file} is taken for`} a${/^[aeio]/i.test(KIND_WORDS[subject.kind]) ? 'n' : ''} ${KIND_WORDS[subject.kind]}.`;
  return text.trim() === '' ? '\u00a0' : 'No host, address, URL, mailbox, telephone or AS number yet.';
}

/** The operations that fit, by group; a press asks at once. */
function Offers({ offers }: { offers: readonly Offer[] }): JSX.Element {
  return (
    <div class="offers">
      {byGroup(offers, ({ operation }) => operation).map(([group, here]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {here.map(({ operation, request, isComplete }) => (
              <li key={operation.name}>
                {isComplete ? (
                  <button type="button" class="offer" onClick={() => askAndShow(operation, request)}>
                    <span>{operation.summary}</span> <span class="price">{creditsOf(operation, request)}</span>
                  </button>
                ) : (
                  <span class="offer">
                    <span>{operation.summary}</span> <span class="price">{creditsOf(operation, request)}</span>
                  </span>
                )}
                <Link to={addressOf(operation, request)} class="options">
                  options<span class="off-screen"> of {operation.name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The requests since the tab was opened. */
function Sitting(): JSX.Element | null {
  if (runs.value.length === 0) return null;
  return (
    <section class="sitting">
      <h2>Asked in this tab</h2>
      <ul>
        {runs.value.map(({ id, operation, request, at, state }) => (
          <li key={id}>
            <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en-GB')}</time>{' '}
            <Link to={addressOf(operation, request)} run={id}>
              {operation.name}
            </Link>{' '}
            <Text
              text={plainText(Object.values(request).find((value) => typeof value === 'string' && value.length < 300) ?? '')}
              chars={80}
            />{' '}
            <State
              tone={
                { done: 'good', running: 'none', waiting: 'none', failed: 'warn', stopped: 'warn', left: 'none', gone: 'none' }[
                  state.value.is
                ] as Tone
              }
            >
              {state.value.is}
            </State>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything that can be asked, for readers who have nothing to paste. */
const Catalogue = (): JSX.Element => (
  <div class="offers catalogue">
    {byGroup(OPERATIONS.filter(isOpen), (operation) => operation).map(([group, here]) => (
      <section key={group}>
        <h2>{group}</h2>
        <ul>
          {here.map((operation) => (
            <li key={operation.name}>
              <Link to={`/ask/${operation.name}`} class="offer">
                <span>{operation.summary}</span> <span class="price">{creditsOf(operation)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    ))}
    <NotOffered operations={OPERATIONS} />
  </div>
);
