import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { partsOf } from '../text/index.ts';

/** A longer text is cut; a page with 100 kB in one cell would not scroll. */
const SHOWN_CHARS = 2000;

/** A stranger's text where a button has no room, as in another button: safe as `Text`, and what is longer is left out. */
export const ShortText = ({ text, chars = 100 }: { text: string; chars?: number }): JSX.Element => (
  <bdi class="text">
    {partsOf(text.slice(0, chars)).map((part) => (part.isHidden ? <span class="hidden-char">{part.text}</span> : part.text))}
    {text.length > chars && '…'}
  </bdi>
);

/** A text that a stranger may have written: it stays text, what is invisible in it is named, and it cannot turn what stands beside it. */
export function Text({ text, chars = SHOWN_CHARS }: { text: string; chars?: number }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= chars ? text : text.slice(0, chars);
  return (
    <bdi class="text">
      {partsOf(shown).map((part) => (part.isHidden ? <span class="hidden-char">{part.text}</span> : part.text))}
      {shown.length < text.length && (
        <>
          …{' '}
          <button type="button" class="small" onClick={() => setWhole(true)}>
            show all {text.length} characters
          </button>
        </>
      )}
    </bdi>
  );
}
