import { styleText } from 'node:util';
import { cut } from './printable.ts';

/** A line, and how it is set off. */
export interface Line {
  text: string;
  style?: 'bold' | 'dim' | 'red' | 'yellow';
}

/** The part of a terminal that a live table needs. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';

/** Whether lines of this terminal can be drawn again. */
export const isLive = (terminal: Terminal, env: Readonly<Record<string, string | undefined>>): boolean =>
  terminal.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb';

/** Lines at the end of a terminal that are drawn again and again, at most ten times a second. `close` leaves the last ones there, and shows the cursor. */
export class LiveLines {
  readonly #terminal: Terminal;
  readonly #hasColors: boolean;
  #drawn = 0;
  #lines: readonly Line[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, hasColors: boolean) {
    this.#terminal = terminal;
    this.#hasColors = hasColors;
    terminal.write(HIDE);
  }

  show(lines: readonly Line[]): void {
    this.#lines = lines;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw(this.#fitting());
    }, REDRAW_MS);
  }

  close(lines: readonly Line[] = this.#lines): void {
    clearTimeout(this.#timer);
    this.#draw(lines);
    this.#terminal.write(SHOW);
  }

  /** The cursor cannot go above the screen: as many lines as fit are drawn, the last one among them, and the rest is counted. */
  #fitting(): Line[] {
    const room = Math.max(2, (this.#terminal.rows ?? 24) - 1);
    if (this.#lines.length <= room) return [...this.#lines];
    const left = Math.max(0, room - 2);
    return [...this.#lines.slice(0, left), { text: `… ${this.#lines.length - left - 1} more lines`, style: 'dim' }, this.#lines.at(-1)!];
  }

  #draw(lines: readonly Line[]): void {
    const columns = this.#terminal.columns ?? 80;
    const back = this.#drawn > 0 ? `\x1b[${this.#drawn}F\x1b[J` : '';
    this.#terminal.write(back + lines.map((line) => `${styled(line, columns, this.#hasColors)}\n`).join(''));
    this.#drawn = lines.length;
  }
}

/** A line cut to the columns, in its style where there are colours. */
function styled({ text, style }: Line, columns: number, hasColors: boolean): string {
  const short = cut(text, columns);
  return style === undefined || !hasColors ? short : styleText(style, short, { validateStream: false });
}
