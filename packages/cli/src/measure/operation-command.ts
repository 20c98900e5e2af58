import type { Quota } from '@vedette/client';
import type { OperationInfo } from '@vedette/client/catalogue';
import { Command, InvalidArgumentError } from 'commander';
import type { Desk } from './desk.ts';
import { ALIASES } from './names.ts';
import { bodyOf, declare, type Parameter, parametersOf } from './parameters.ts';

interface Flags extends Record<string, unknown> {
  json?: boolean;
  watch?: number | true;
  failIf?: string;
  out?: string;
  file?: string;
  resume?: string;
  profile?: string;
}

const WATCH_S = 10;
const GRACE_MS = 30_000;
/** An item of a list may wait so long before it begins. */
const LIST_MS = 600_000;

const shortName = (operation: string): string => Object.keys(ALIASES).find((short) => ALIASES[short] === operation) ?? operation;

/** The command of one operation, made from its row in the catalogue. */
export function operationCommand(operation: OperationInfo, desk: Desk): Command {
  const { name, summary, description, credits, credits_note: note, group } = operation;
  const short = shortName(name);
  const command = new Command(short)
    .summary(summary)
    .description(`${description}\n\nCosts ${credits} credit${credits === 1 ? '' : 's'}${note === undefined ? '' : `; ${note}`}.`)
    .helpGroup(`${group}:`);
  if (short !== name) command.alias(name);
  const parameters = parametersOf(operation);
  declare(command, parameters, operation.bulk);
  command
    .option('--fail-if <cel>', 'exit with 1 if this condition on the report is true')
    .option('--watch [seconds]', `ask again and again: ${WATCH_S} s between two requests, or as many as given`, seconds)
    .option('--profile <name>', 'profile of `vedette login`');
  if (operation.bulk)
    command
      .option(
        '--file <list>',
        `ask about each ${operation.bulk} of a list, one a line; - is standard input. Prints a line of JSON for each`,
      )
      .option('--resume <output>', 'write the lines of a list to this file, and ask about items without an answer in it alone');
  if (operation.files) command.option('--out <file>', 'save the files of the report');
  return command.action(async (...given: unknown[]) => {
    const args = given.slice(0, parameters.filter(({ isArgument }) => isArgument).length) as string[];
    // commander gives every `--no-…` a value, whether or not it stands there.
    const named = Object.entries(command.optsWithGlobals<Flags>()).filter(
      ([flag]) => command.getOptionValueSourceWithGlobals(flag) === 'cli',
    );
    desk.exit(await run(operation, parameters, args, Object.fromEntries(named), desk));
  });
}

/** Asks, once or until something ends it. Help loads nothing of it. */
async function run(operation: OperationInfo, parameters: readonly Parameter[], args: string[], flags: Flags, desk: Desk): Promise<number> {
  const [{ createClient }, { measure }, { readBase64, saveFiles }, { EXIT, tellError }] = await Promise.all([
    import('@vedette/client'),
    import('./measure.ts'),
    import('./files.ts'),
    import('./exit-codes.ts'),
  ]);
  const { json = false, watch, failIf, out: file, file: list, resume, profile } = flags;
  const { env, out, err, progress, fetch, sleep } = desk;
  const signal = desk.interrupted();
  try {
    const condition = failIf === undefined ? undefined : (await import('./fail-if.ts')).conditionOf(failIf, operation.name);
    if (operation.bulk) checkItems(operation, args, flags);
    const body = await bodyOf(parameters, args, flags, readBase64);
    const last: { quota?: Quota } = {};
    const { url, key } = desk.profile(profile);
    const client = createClient({
      url,
      key,
      fetch: limited(fetch, operation.deadline_ms + (list === undefined ? 0 : LIST_MS)),
      onQuota: (quota) => void (last.quota = quota),
    });
    if (list !== undefined) {
      const [{ itemsIn, measureList }, { ListFile }] = await Promise.all([import('./list.ts'), import('./list-file.ts')]);
      const items = await itemsIn(list, () => desk.input);
      const lines = resume === undefined ? undefined : new ListFile(resume, [url, key, operation.name]);
      return await measureList({ client, operation, body, items, condition, signal, out, err, env, sleep, file: lines });
    }
    const save = file === undefined ? undefined : (report: object) => saveFiles(report, file);
    const options = { client, operation, body, json, condition, save, signal, out, env, progress, quota: () => last.quota };
    for (;;) {
      const code = await measure(options);
      if (watch === undefined || code !== EXIT.answered) return code;
      await sleep((watch === true ? WATCH_S : watch) * 1000, signal);
    }
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    const flagOf = (param: string): string => {
      const given = parameters.find(({ path }) => path.join('.') === param.replace(/\[\d+\]$/, ''));
      return given === undefined ? param : `${given.isArgument ? '' : '--'}${given.flag}`;
    };
    return tellError(error, shortName(operation.name), { json, progress, flagOf });
  }
}

/** One item, or a list of them, and a list once. */
function checkItems({ bulk = '', request }: OperationInfo, args: string[], { file, watch, resume, ...flags }: Flags): void {
  const isArgument = request.required?.includes(bulk) === true;
  const item = isArgument ? args[0] : flags[bulk];
  if ((isArgument && item === undefined && file === undefined) || (item !== undefined && file !== undefined))
    throw new InvalidArgumentError(`give one ${bulk}, or a list of them by --file`);
  if (file === undefined && resume !== undefined) throw new InvalidArgumentError('--resume goes on with a list: give it by --file');
  if (file !== undefined && watch !== undefined) throw new InvalidArgumentError('--watch asks about one item, not about a list');
}

/** Each try ends a while after the operation's own deadline: a gateway that has died says nothing. */
function limited(fetch: Desk['fetch'], deadlineMs: number): Desk['fetch'] {
  return (input, init = {}) => {
    const limit = AbortSignal.timeout(deadlineMs + GRACE_MS);
    return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
  };
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number >= 1 && number <= 86_400)) throw new InvalidArgumentError('It is a number of seconds, from 1 to 86400.');
  return number;
}
