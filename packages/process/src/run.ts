import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

/** The work of a process, under way: in a process of its own, or inside a test. */
export interface Running {
  /** Where its listeners are, those that it has. */
  readonly addresses: { readonly api?: AddressInfo; readonly ops?: AddressInfo };
  /** Resolves, with the reason, when something is gone for good without which it cannot go on. */
  readonly lost: Promise<Error>;
  /** Ends everything in order; resolves when nothing of it is left. Called once. */
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Starts the work. Throws a `StartError` for what an operator must change; leaves nothing behind when it throws. */
export type Run = (env: Environment, args: readonly string[]) => Promise<Running>;

export interface ProcessOptions {
  /** Begins what is written to a terminal, as `vedette gateway`. */
  name: string;
  /** How it is started, for those who did otherwise. */
  command: string;
  /** Loads the work: only now, as it may not even load on an older Node. */
  load: () => Promise<Run>;
  /** Signals on which it stops, with status 0. */
  signals?: readonly NodeJS.Signals[];
}

const NODE_MAJOR = 26;

/** Makes this process that of `run`: environment and arguments in, signals and exit status out. */
export async function asProcess({ name, command, load, signals = ['SIGTERM', 'SIGINT'] }: ProcessOptions): Promise<void> {
  let running: Running | undefined;
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await running?.stop(); // nothing to end in order before it runs
    process.exit(0);
  };
  const fail = async (error: unknown): Promise<never> => {
    await tell(name, error);
    process.exit(1);
  };
  for (const signal of signals) process.on(signal, () => void (stopping ??= stop().catch(fail)));
  try {
    if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR)
      throw new StartError(`needs Node ${NODE_MAJOR} or newer, this is ${process.version}; start it with \`${command}\``);
    const run = await load();
    running = await run(process.env, process.argv.slice(2));
    const reason = await running.lost;
    if (stopping === undefined) await fail(reason);
  } catch (error) {
    await fail(error);
  }
}

/** Tells what an operator can change in words, and all that is known of the rest as a log line. */
async function tell(name: string, error: unknown): Promise<void> {
  if (error instanceof StartError) {
    process.stderr.write(`${name}: ${error.message}\n`);
    return;
  }
  const { createLog } = await import('./log.ts');
  createLog('fatal', { name }, { sync: true }).fatal({ err: error }, error instanceof Error ? error.message : String(error));
}
