import { FAULTS } from '../api/operations.ts';
import type { Tone } from '../look/tone.ts';
import { isObject, type Members } from '../report/shape.ts';
import { outputOf } from './columns.ts';

export const string = (value: unknown): string => (typeof value === 'string' ? value : '');

const OURS = 'our own system';

/** The cause of an entry's failure, in words. */
export const faultOf = (entry: Members): string => FAULTS[string(entry['reason'])] ?? '';

/** Ways of an entry to have answered, and not well; each is a warning. */
const WARNINGS: readonly [state: string, holds: (output: Members) => boolean][] = [
  ['not reached', ({ reached }) => reached === false],
  ['with errors', ({ error_message: message }) => string(message) !== ''],
  ['error of the server', ({ status_code: status }) => Number(status) >= 500],
  ['black hole', ({ ipv4, ipv6 }) => [ipv4, ipv6].some((family) => isObject(family) && family['state'] === 'black_hole')],
  ['other answer', ({ expect_matched: matched }) => matched === false],
  ['with errors', ({ response }) => Array.isArray(response) && response.some((one) => isObject(one) && string(one['error']) !== '')],
];

/** States of a port that lets no connection in. */
const SHUT: readonly unknown[] = ['closed', 'filtered', 'reset', 'refused', 'rejected'];

export function stateOf(entry: Members | undefined, isRunning: boolean): { tone: Tone; state: string } {
  if (entry === undefined) return { tone: 'none', state: isRunning ? 'waiting' : 'not answered' };
  if (string(entry['error']) !== '') return { tone: faultOf(entry) === OURS ? 'warn' : 'bad', state: 'failed' };
  const output = outputOf(entry);
  const { percent_packet_loss: loss, state } = output;
  if (loss === 100) return { tone: 'bad', state: 'no reply' };
  if (typeof loss === 'number' && loss > 0) return { tone: 'warn', state: 'losses' };
  if (typeof state === 'string' && SHUT.includes(state)) return { tone: 'bad', state };
  const warning = WARNINGS.find(([, holds]) => holds(output));
  if (warning !== undefined) return { tone: 'warn', state: warning[0] };
  return { tone: 'good', state: 'answered' };
}
