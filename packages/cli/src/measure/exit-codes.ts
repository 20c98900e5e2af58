import { VedetteError } from '@vedette/client';
import { errorStatuses } from '@vedette/client/catalogue';
import { printable, printableJson } from '../show/printable.ts';

/** Exit codes of measuring commands, as docs/command-line.md lists them. */
export const EXIT = { answered: 0, condition: 1, usage: 2, refused: 3, credits: 4, unavailable: 5, partial: 6, interrupted: 130 } as const;

/** The exit code that stands for an error. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof VedetteError)) return EXIT.usage;
  const { code } = error;
  // A stream that ends with an error has begun with a 200. A newer gateway may have codes that this command does not know.
  const known = Object.hasOwn(errorStatuses, code) ? errorStatuses[code] : undefined;
  const status = code === 'unreachable' || code === 'unreadable' ? 503 : (known ?? error.status);
  if (status === 402 || status === 429) return EXIT.credits;
  return status >= 400 && status < 500 ? EXIT.refused : EXIT.unavailable;
}

const REMEDIES = new Map(
  Object.entries({
    unreachable: 'Is a gateway running there? vedette login <url> names another one.',
    unreadable: 'Is this the address of a gateway? vedette login <url> names another one.',
    insufficient_credits: 'vedette account shows what is left, and when it is renewed.',
    method_not_allowed: 'Is this the address of the API, or that of the operators? vedette login <url> names another one.',
    unknown_location: 'vedette places lists the locations.',
    unknown_operation: 'The gateway has another version than this command.',
    operation_not_allowed: 'Ask the operator of the service for a key that may use it.',
    no_agent: 'vedette places shows which locations are down.',
  }),
);

/** The error with what to do about it. `flagOf` is the name of a parameter on the command line. */
function toldWith(
  error: unknown,
  command: string,
  flagOf: (param: string) => string,
): { error: string; code: string; request_id?: string; hint?: string } {
  if (!(error instanceof VedetteError)) return { error: (error as Error).message, code: 'usage' };
  const { code, message, param, requestId, retryAfterMs, status } = error;
  const hint =
    (status === 401 && 'vedette login <url> keeps another key.') ||
    REMEDIES.get(code) ||
    (param !== undefined && `vedette ${command} --help explains ${flagOf(param)}.`) ||
    (retryAfterMs !== undefined && `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`);
  return { error: message, code, ...(requestId !== undefined && { request_id: requestId }), ...(hint && { hint }) };
}

/** Tells an error on standard error. Returns the exit code that stands for it. */
export function tellError(
  error: unknown,
  command: string,
  { json, progress, flagOf }: { json: boolean; progress: (text: string) => void; flagOf: (param: string) => string },
): number {
  const told = toldWith(error, command, flagOf);
  progress(json ? printableJson(told) : [`vedette: ${told.error}`, told.hint ?? ''].map(printable).join('\n').trimEnd());
  return exitCodeOf(error);
}
