import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild, stopChild } from './child.ts';

export interface Role {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How long it may take to stop. */
  graceMs: number;
}

export interface Supervisor {
  start(role: Role): void;
  /** Stops every child, the first started last, and resolves when all have gone. */
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const STEADY_MS = 60_000;

/** Keeps children running: one that ends is started again, later and later while it keeps failing. */
export function createSupervisor(note: (message: string, details: object) => void): Supervisor {
  const running = new Map<string, { role: Role; child: Child }>();
  const stopped = new AbortController();

  const run = async (role: Role): Promise<void> => {
    for (let failures = 0; !stopped.signal.aborted;) {
      const child = startChild(role.name, role.command, role.args, role.env);
      running.set(role.name, { role, child });
      const startedAt = performance.now();
      const { code, signal } = await child.gone;
      if (stopped.signal.aborted) return;
      if (performance.now() - startedAt > STEADY_MS) failures = 0;
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures++);
      note(`${role.name} ended; starting it again`, { code, signal, delay_ms: delay });
      await sleep(delay, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  return {
    start: (role) => void run(role),
    async stop() {
      stopped.abort();
      const [first, ...others] = running.values();
      await Promise.all(others.map(({ role, child }) => stopChild(child, role.graceMs)));
      if (first) await stopChild(first.child, first.role.graceMs); // the bus: the others say good-bye over it
    },
  };
}
