import { type ChildOptions, startChild } from '@vedette/process/child';
import type { Log } from '@vedette/process/log';
import { backOff, supervise, type Supervised } from '@vedette/process/supervise';

export interface Role extends Pick<ChildOptions, 'command' | 'args' | 'env' | 'cwd' | 'graceMs' | 'rights'> {
  name: string;
}

export interface Supervisor {
  start(role: Role): void;
  /** How often a role has ended by itself, or could not be started. */
  failures(name: string): number;
  /** Has a child read its configuration again. */
  reload(name: string): void;
  /** Stops one child for good; resolves when it has gone. */
  end(name: string): Promise<void>;
  /** Stops every child, the first started last, and resolves when all have gone. */
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 500;

/** Keeps children running: one that ends is started again, later and later while it keeps failing. */
export function createSupervisor(log: Log): Supervisor {
  const running = new Map<string, Supervised>();
  const failed = new Map<string, number>();
  return {
    start({ name, ...role }) {
      const start = () => startChild({ ...role, endSignal: 'SIGTERM' });
      const count = (): void => void failed.set(name, (failed.get(name) ?? 0) + 1);
      const first = start();
      if (!first.endsWithUs) log.warn({ role: name }, 'setpriv(1) is not installed: this child stays when we are killed');
      const supervised = supervise(first, {
        again: start,
        delayMs: backOff(FIRST_DELAY_MS),
        onEnd({ code, signal, error }, delay_ms) {
          count();
          if (error) log.error({ err: error, delay_ms }, `${name} cannot be started; trying again`);
          else log.warn({ code, signal, delay_ms }, `${name} ended; starting it again`);
        },
        onFailure(err, delay_ms) {
          count();
          log.error({ err, delay_ms }, `${name} cannot be started; trying again`);
        },
      });
      running.set(name, supervised);
    },
    failures: (name) => failed.get(name) ?? 0,
    reload: (name) => running.get(name)?.signal('SIGHUP'),
    async end(name) {
      await running.get(name)?.stop();
    },
    async stop() {
      const [first, ...others] = running.values();
      await Promise.all(others.map((child) => child.stop()));
      await first?.stop(); // the bus: the others say good-bye over it
    },
  };
}
