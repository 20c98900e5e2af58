import type { ComponentChildren, JSX } from 'preact';
import { Copy } from '../look/copy.tsx';
import { defanged } from '../text/index.ts';

/** The length from which a list can be filtered. */
export const FILTERED = 9;

interface Props {
  /** What is filtered, for screen readers: `the findings`. */
  name: string;
  count: number;
  wanted: string;
  setWanted: (wanted: string) => void;
  /** Rows and cells of what the filter leaves; called at a press. */
  cells: () => readonly (readonly string[])[];
  children?: ComponentChildren;
}

const lines = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n]/g, ' ')).join('\t')).join('\n');

/** A filter, and buttons that copy what it leaves; a short list has the buttons alone. */
export const ListTools = ({ name, count, wanted, setWanted, cells, children }: Props): JSX.Element => (
  <div class="tools">
    <Copy text={() => lines(cells())}>Copy</Copy>
    <Copy text={() => lines(cells().map((row) => row.map(defanged)))}>Copy defanged</Copy>
    {children}
    {/* Last: it comes when a list grows, and nothing moves. */}
    {count >= FILTERED && (
      <input
        type="search"
        placeholder={`Filter ${count}`}
        aria-label={`Filter ${name}`}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
    )}
  </div>
);

/** Whether a text has what is wanted, in any case. */
export const has = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());
