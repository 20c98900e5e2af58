import type { AddressInfo } from 'node:net';
import { giveBackMemoryWhenSettled } from './memory.ts';
import { RELEASE } from './settings/release.ts';
import { StartError } from './settings/start-error.ts';

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

/** Starts the work, with arguments that the process takes. Throws a `StartError` for what an operator must change; leaves nothing behind when it throws. */
export type Run = (env: Environment, args: readonly string[]) => Promise<Running>;

export interface ProcessOptions {
  /** Begins what is written to a terminal, as `vedette gateway`. */
  name: string;
  /** Fields of all its log lines that are known without its settings; its last line carries them too. */
  log: object;
  /** How it is started, for those who did otherwise. */
  command: string;
  /** The arguments that it takes, beside --help and --version, each with what it is for. */
  takes?: Readonly<Record<string, string>>;
  /** Loads the work: only now, as it may not even load on an older Node. */
  load: () => Promise<Run>;
  /** Signals on which it stops, with status 0. */
  signals?: readonly NodeJS.Signals[];
}

const NODE_MAJOR = 26;
const ARGUMENT_WIDTH = 13;

/** Makes this process that of `run`: environment and arguments in, signals and exit status out. */
export async function asProcess({ name, log, command, takes = {}, load, signals = ['SIGTERM', 'SIGINT'] }: ProcessOptions): Promise<void> {
  let running: Running | undefined;
  let stopping: Promise<never> | undefined;
  const last = (error: unknown): Promise<void> => tell(error, { name, log });
  const fail = async (error: unknown): Promise<never> => {
    await last(error);
    process.exit(1);
  };
  const end = async (status: number): Promise<never> => {
    await running?.stop(); // nothing to end in order before it runs
    process.exit(status);
  };
  const stop = (status: number): Promise<never> => (stopping ??= end(status).catch(fail));
  for (const signal of signals) process.on(signal, () => void stop(0));
  try {
    const args = process.argv.slice(2);
    const text = tellOfItself(args, { name, command, takes });
    if (text !== undefined) {
      process.stdout.write(`${text}\n`);
      process.exit(0);
    }
    if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR)
      throw new StartError(`needs Node ${NODE_MAJOR} or newer, this is ${process.version}; start it with \`${command}\``);
    const run = await load();
    running = await run(process.env, args);
    giveBackMemoryWhenSettled((err) => void noteKeptMemory(err, log));
    const reason = await running.lost;
    if (stopping !== undefined) return;
    await last(reason); // first: to end in order may take long
    await stop(1);
  } catch (error) {
    await fail(error);
  }
}

/** The message when the process must not start; undefined when it may. Throws a `StartError` on an argument that it does not take. */
function tellOfItself(
  args: readonly string[],
  { name, command, takes }: Required<Pick<ProcessOptions, 'name' | 'command' | 'takes'>>,
): string | undefined {
  const all = { ...takes, '--help': 'say this', '--version': 'say the version' };
  const unknown = args.filter((arg) => !Object.hasOwn(all, arg));
  if (unknown.length > 0)
    throw new StartError(
      `unknown argument: ${unknown.join(' ')}; there are ${Object.keys(all).join(', ')}, and settings (docs/settings.md)`,
    );
  if (args.includes('--help'))
    return [
      `${command}${command.startsWith('npm ') ? ' --' : ''} [arguments], with settings in the environment (docs/settings.md)`,
      ...Object.entries(all).map(([arg, what]) => `  ${arg.padEnd(ARGUMENT_WIDTH)}${what}`),
    ].join('\n');
  if (!args.includes('--version')) return undefined;
  const { version, commit } = RELEASE;
  return `${name} ${version}${commit === undefined ? '' : ` (${commit})`}`;
}

/** Costs memory alone, so it is told to those who look for it. */
async function noteKeptMemory(err: unknown, log: object): Promise<void> {
  if (process.env['VEDETTE_LOG_LEVEL'] !== 'debug' && process.env['VEDETTE_LOG_LEVEL'] !== 'trace') return;
  const { createLog } = await import('./ops/log.ts');
  createLog('debug', log, { sync: true }).debug({ err }, 'the memory of the start was not given back');
}

/** Tells what an operator can change in words, and all that is known of the rest as a log line, unless the log is to be silent. */
async function tell(error: unknown, { name, log }: Pick<ProcessOptions, 'name' | 'log'>): Promise<void> {
  if (error instanceof StartError) {
    process.stderr.write(`${name}: ${error.message}\n`);
    return;
  }
  const { createLog } = await import('./ops/log.ts');
  const level = process.env['VEDETTE_LOG_LEVEL'] === 'silent' ? 'silent' : 'fatal';
  createLog(level, log, { sync: true }).fatal({ err: error }, error instanceof Error ? error.message : String(error));
}
