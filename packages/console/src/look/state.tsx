import type { JSX } from 'preact';
import { ShortText } from '../report/text.tsx';
import type { Tone } from './tone.ts';

const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13z',
  warn: 'M8 1.5L15 14H1z',
  bad: 'M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z',
  none: 'M2 7h12v2H2z',
};
const MARKS: Readonly<Record<Tone, string>> = {
  good: 'M4.8 8.2l2.2 2.2l4.2-4.6',
  warn: 'M8 6v3.6M8 11.4v1',
  bad: 'M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8',
  none: '',
};

export function Shape({ tone }: { tone: Tone }): JSX.Element {
  return (
    <svg class={`shape ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[tone]} />
      {MARKS[tone] !== '' && <path class="mark" d={MARKS[tone]} />}
    </svg>
  );
}

/** A state in a word with its shape. */
export function State({ tone, children }: { tone: Tone; children: string }): JSX.Element {
  return (
    <span class={`state ${tone}`}>
      <Shape tone={tone} />
      <ShortText text={children} />
    </span>
  );
}
