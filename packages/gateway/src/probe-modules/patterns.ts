import { type Context, createContext, runInContext } from 'node:vm';
import { fromRe2 } from '@vedette/probes/patterns';
import { FileProblem, type Section } from './yaml-section.ts';

const PATTERN_MAX_CHARS = 1024;
/**
 * No other request is served meanwhile. Records are short: a good pattern takes none of it that is worth naming, also where a busy machine
 * takes a core away.
 */
const MATCHING_MS = 250;

/** A list of patterns in the syntax of RE2. Throws `FileProblem`. */
export const patternsOf = (section: Section, key: string): string[] => section.texts(key).map((text) => checked(text, section, key));

/** One that must be there. */
export function patternOf(section: Section, key: string): string {
  const text = section.text(key);
  if (text === undefined) throw new FileProblem(section.line, `${key} is missing`);
  return checked(text, section, key);
}

function checked(text: string, section: Section, key: string): string {
  if (text.length > PATTERN_MAX_CHARS) throw new FileProblem(section.lineOf(key), `${key}: more than ${PATTERN_MAX_CHARS} characters`);
  try {
    fromRe2(text);
    return text;
  } catch (error) {
    throw section.problem(key, error);
  }
}

/** Looks for the operator's patterns in strangers' texts, for one scrape: all of its locations have the time in common. */
export class Matching {
  readonly #sandbox = { match: () => false };
  #context: Context | undefined;
  #leftMs = MATCHING_MS;

  /** The result of `match`; undefined when it was stopped. The one way to stop a RegExp of V8 in its own thread is the time limit of a script. */
  inTime(match: () => boolean): boolean | undefined {
    const timeout = Math.floor(this.#leftMs);
    if (timeout < 1) return undefined;
    const context = (this.#context ??= createContext(this.#sandbox));
    this.#sandbox.match = match;
    const started = performance.now();
    try {
      return runInContext('match()', context, { timeout }) === true;
    } catch (error) {
      // An error of the sandbox: none of our own class.
      if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    } finally {
      this.#leftMs -= performance.now() - started;
    }
  }
}
