import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** The part of a logger that most code uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * A logger to stderr with process, machine and `fields` on each line: one JSON object a line, and for people where stderr is a terminal. `sync` writes a line before the
 * call returns, which costs a busy process more.
 */
export const createLog = (level: string, fields: object, { sync }: { sync: boolean }): Logger =>
  pino(
    { level, base: { pid: process.pid, hostname: hostname(), ...fields } },
    process.stderr.isTTY ? readable(process.stderr) : pino.destination({ fd: 2, sync }),
  );

/** The same on every line of a terminal. */
const UNSHOWN = ['pid', 'hostname'];

/** Writes lines for people: `12:34:56.789 warn gateway: message key=value …`. */
const readable = (out: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => void out.write(readableLine(line)),
});

interface Line extends Record<string, unknown> {
  level: number;
  time: number;
  name: string;
  msg?: string;
}

/** A line of pino's in that form. Values are JSON, but for plain words: what a stranger wrote moves no cursor. */
export function readableLine(line: string): string {
  const { level, time, name, msg = '', ...fields } = JSON.parse(line) as Line;
  const clock = new Date(time).toISOString().slice(11, 23);
  const pairs = Object.entries(fields)
    .filter(([key, value]) => !UNSHOWN.includes(key) && value !== undefined)
    .map(([key, value]) => ` ${key}=${valueText(value)}`);
  return `${clock} ${pino.levels.labels[level]} ${name}: ${msg.replace(CONTROL, ' ')}${pairs.join('')}\n`;
}

const CONTROL = /\p{Cc}+/gu;
const PLAIN = /^[\w.:/@+-]+$/;

const valueText = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value).replace(CONTROL, ' ');
