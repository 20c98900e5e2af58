import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { creditsOf } from '../api/operations.ts';
import { isOpen } from '../api/permissions.ts';
import { onSignOut } from '../api/session.ts';
import { addressOf } from '../ask/address.ts';
import { NotOffered } from '../ask/not-offered.tsx';
import { askAndShow } from '../ask/run-page.ts';
import { Copy } from '../look/copy.tsx';
import { Link } from '../look/link.tsx';
import { ShortText } from '../report/text.tsx';
import { type Indicator, offersOf, subjectOf } from '../subject/index.ts';
import { defanged } from '../text/index.ts';

/** The indicator whose menu is open, and the button that opened it. */
const opened = signal<{ indicator: Indicator; button: HTMLElement | SVGElement } | undefined>(undefined);
const forget = (): void => {
  opened.value = undefined;
};
onSignOut(forget);
// Back leads to a page that does not have its button.
addEventListener('popstate', forget);

export function openMenu(indicator: Indicator, button: HTMLElement | SVGElement): void {
  opened.value = { indicator, button };
}

const GAP_PX = 4;

/** Puts the menu below its button, above it where there is more room, and inside the window. */
function place(menu: HTMLElement, button: Element): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const fitsBelow = bottom + GAP_PX + height <= innerHeight || top < innerHeight - bottom;
  const y = fitsBelow ? Math.min(bottom + GAP_PX, innerHeight - height) : top - GAP_PX - height;
  menu.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - width))}px`;
  menu.style.top = `${Math.max(0, y)}px`;
}

/** Up and Down lead from one button to the next, as Tab does. */
function move(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a')];
  stops.at((stops.indexOf(document.activeElement as HTMLElement) + step) % stops.length)?.focus();
}

/** The menu of an indicator: to copy it, or to ask about it. The page has one, in front of all else. */
export function IndicatorMenu(): JSX.Element | null {
  const menu = useRef<HTMLDivElement>(null);
  const open = opened.value;
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null || open === undefined) return;
    element.showPopover();
    place(element, open.button);
    element.querySelector('button')?.focus();
  }, [open]);
  if (open === undefined) return null;
  const { indicator, button } = open;
  const subject = subjectOf(indicator);
  const offers = subject === undefined ? [] : offersOf(subject);
  const close = (): void => menu.current?.hidePopover();
  return (
    <div
      ref={menu}
      key={`${indicator.kind} ${indicator.value}`}
      popover="auto"
      role="dialog"
      aria-label="What to do with it"
      class="menu"
      onKeyDown={move}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState !== 'closed') return;
        const isHere = document.activeElement === document.body || menu.current?.contains(document.activeElement);
        opened.value = undefined;
        if (isHere && button.isConnected) button.focus();
      }}
    >
      <p class="subject">
        <ShortText text={indicator.value} chars={200} />
      </p>
      <div class="tools">
        <Copy text={() => indicator.value}>Copy</Copy>
        <Copy text={() => defanged(indicator.value)}>Copy defanged</Copy>
      </div>
      {offers.length === 0 && <p class="muted">No operation takes it.</p>}
      <ul class="offers">
        {offers
          .filter(({ operation }) => isOpen(operation))
          .map(({ operation, request, isComplete }) => (
            <li key={operation.name}>
              {isComplete && (
                <button
                  type="button"
                  class="offer"
                  onClick={() => {
                    close();
                    askAndShow(operation, request);
                  }}
                >
                  <span>{operation.summary}</span> <span class="price">{creditsOf(operation, request)}</span>
                </button>
              )}
              <Link to={addressOf(operation, request)} class={isComplete ? 'options' : 'offer'} onFollow={close}>
                {isComplete ? (
                  <>
                    options<span class="off-screen"> of {operation.name}</span>
                  </>
                ) : (
                  operation.summary
                )}
              </Link>
            </li>
          ))}
      </ul>
      <NotOffered operations={offers.map(({ operation }) => operation)} />
    </div>
  );
}
