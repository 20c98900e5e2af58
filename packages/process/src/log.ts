import { type Logger, pino } from 'pino';

export type { Logger };

/** The part of a logger that most code uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A logger to stderr, one JSON object a line with `fields` on each. `sync` writes a line before the call returns, which costs a busy process more. */
export const createLog = (level: string, fields: object, { sync }: { sync: boolean }): Logger =>
  pino({ level, base: fields }, pino.destination({ fd: 2, sync }));
