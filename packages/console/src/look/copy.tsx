import { useState } from 'preact/hooks';
import type { JSX } from 'preact';

/** Over plain HTTP there is no clipboard API but on the loopback; then a field that is selected does. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** A button that copies what `text` makes when it is pressed, and says so. Its width does not change. */
export function Copy({ text, children }: { text: () => string; children: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const press = async (): Promise<void> => {
    await copy(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="small" onClick={() => void press()}>
      <span class={isCopied ? 'swapped' : ''}>{children}</span>
      {isCopied && (
        <span class="over" role="status">
          ✓ copied
        </span>
      )}
    </button>
  );
}
