import type { BrowserCommand } from '../spawn.ts';

/** The first line of a connection: start a browser, whose protocol follows; end a tab; say what a browser that ended wrote last. */
export type HostRequest =
  | { launch: Omit<BrowserCommand, 'trustStore'>; trust?: Record<string, string> }
  | { killTab: number }
  | { lines: number };

/** The first line of the answer. */
export interface HostReply {
  pid?: number;
  lines?: readonly string[];
  error?: string;
}
