import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** A program in a terminal of its own, and what a person sees there. */
export interface Screen {
  /** The lines on the screen and above it, without trailing spaces and empty lines at the end. */
  lines(): string[];
  /** Whether a cell of this line has a colour of its own. */
  isColoured(line: number): boolean;
  /** Everything that the program wrote, with its escape sequences. */
  written(): string;
  type(text: string): void;
  /** Its exit code. */
  ended: Promise<number>;
}

/** Runs a program in a pseudo-terminal of this size. */
export function openScreen(
  [program, ...args]: [string, ...string[]],
  { columns = 100, rows = 30, env }: { columns?: number; rows?: number; env: Record<string, string> },
): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = spawn(program, args, { name: 'xterm-256color', cols: columns, rows, env });
  let written = '';
  let drawn = Promise.resolve();
  pty.onData((data) => {
    written += data;
    drawn = new Promise((resolve) => terminal.write(data, resolve));
  });
  const line = (index: number) => terminal.buffer.active.getLine(index);
  return {
    lines() {
      const all = Array.from({ length: terminal.buffer.active.length }, (_, index) => line(index)?.translateToString(true) ?? '');
      return all.slice(0, all.findLastIndex((text) => text !== '') + 1);
    },
    isColoured: (index) =>
      Array.from({ length: columns }, (_, column) => line(index)?.getCell(column)).some((cell) => cell && !cell.isFgDefault()),
    written: () => written,
    type: (text) => pty.write(text),
    ended: new Promise((resolve) =>
      pty.onExit(({ exitCode }) => {
        // The last output may still be on its way.
        setTimeout(() => void drawn.then(() => resolve(exitCode)), 50);
      }),
    ),
  };
}
