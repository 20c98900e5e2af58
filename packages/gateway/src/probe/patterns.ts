import { createContext, runInContext } from 'node:vm';
import { fromRe2 } from '@vedette/contract';
import { FileProblem, type Section } from './yaml-section.ts';

const PATTERN_MAX_CHARS = 1024;
/** Records are short, and nobody else is served meanwhile; a busy machine may take a thread its core away for some of it. */
const MATCHING_MS = 100;

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

/**
 * What `match` says, which runs the operator's patterns over a stranger's text; undefined where it was stopped. The one way to stop a RegExp of
 * V8 in its own thread is the time limit of a script.
 */
export function matchedInTime(match: () => boolean): boolean | undefined {
  const sandbox = createContext({ match });
  try {
    return runInContext('match()', sandbox, { timeout: MATCHING_MS }) === true;
  } catch (error) {
    // An error of the sandbox: none of our own class.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
