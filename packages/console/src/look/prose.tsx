import type { JSX } from 'preact';

/** A sentence of ours with `code` in backticks. */
export const Prose = ({ text }: { text: string }): JSX.Element => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
);
