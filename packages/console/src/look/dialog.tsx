import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  title: string;
  /** Called for Escape as well; the focus goes back to where it was. */
  close: () => void;
  /** Escape does nothing: what is shown would be lost. */
  isKept?: boolean;
  children: ComponentChildren;
}

/** A dialog that holds the focus until it is closed. */
export function Dialog({ title, close, isKept = false, children }: Props): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    // While it is still in the page: else the focus is lost.
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onKeyDown={(event) => {
        // Chromium lets a second Escape through, whatever `cancel` says.
        if (event.key === 'Escape') event.preventDefault();
        if (event.key === 'Escape' && !isKept) close();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!isKept) close();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
