import { judgeEntry } from '@vedette/client/entries';
import { causeOf } from '../api/operations.ts';
import type { Tone } from '../look/tone.ts';
import type { Members } from '../report/shape.ts';

export const string = (value: unknown): string => (typeof value === 'string' ? value : '');

const OURS = causeOf('no_agent');

/** The cause of an entry's failure, in words. */
export const faultOf = (entry: Members): string => causeOf(string(entry['reason']));

export function stateOf(entry: Members | undefined, isRunning: boolean): { tone: Tone; state: string } {
  if (entry === undefined) return { tone: 'none', state: isRunning ? 'waiting' : 'not answered' };
  if (string(entry['error']) !== '') return { tone: faultOf(entry) === OURS ? 'warn' : 'bad', state: 'failed' };
  return judgeEntry(entry);
}
