import { NETWORK_LISTS } from '@vedette/intel/addresses';
import type { BlacklistCheck, ListDays } from '@vedette/intel/ports';
import { BEING_LOADED } from '@vedette/intel/risk';
import { type Static, Type } from 'typebox';

/** What a report is made of: the sources that were asked, those that answered, and the others with the reason. */
export const Coverage = Type.Object(
  {
    asked: Type.Integer({ description: 'Number of sources that the report needs' }),
    answered: Type.Integer({ description: 'Number of these sources that answered, now or within the lifetime of a kept answer' }),
    missing: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name of the source: a blacklist engine, or another one of docs/scores.md' }),
          reason: Type.String({ description: 'Reason why the source did not answer' }),
        },
        { title: 'MissingSource' },
      ),
      { description: 'Sources without an answer. The report knows nothing that only these would have told' },
    ),
  },
  { title: 'Coverage', description: 'Sources of the report, with and without an answer' },
);

/** A source of a report. */
export interface Source {
  name: string;
  /** Why it has not answered; empty where it has. */
  problem: string;
}

/** The reason why an old list does not count as an answer; empty for a list that its source has confirmed. */
export const staleness = (day: string): string => (day === '' ? '' : `its list is of ${day}: no newer one could be fetched`);

export function coverageOf(sources: readonly Source[]): Static<typeof Coverage> {
  const missing = sources.filter(({ problem }) => problem !== '');
  return {
    asked: sources.length,
    answered: sources.length - missing.length,
    missing: missing.map(({ name, problem }) => ({ name, reason: problem })),
  };
}

type Heard = Pick<BlacklistCheck, 'results' | 'unanswered'>;

export const engineSources = ({ results, unanswered }: Heard): Source[] => [
  ...results.map(({ name }) => ({ name, problem: '' })),
  ...unanswered.map(({ name, why }) => ({ name, problem: why })),
];

/** The share of the engines to be asked that were not heard; 0 where none was to be asked. */
export function unheardShare({ results, unanswered }: Heard, isAwaiting = false): number {
  const share = unanswered.length === 0 ? 0 : unanswered.length / (results.length + unanswered.length);
  return isAwaiting || awaits({ unanswered }) ? Math.max(share, AWAITED_SHARE) : share;
}
/** One list that is still to come after a start may be the one that has the subject. */
const AWAITED_SHARE = 1 / 2;

/** Whether the list of an engine is being loaded. */
export const awaits = ({ unanswered }: Pick<Heard, 'unanswered'>): boolean => unanswered.some(({ why }) => why === BEING_LOADED);

/** The lists of networks as a source, while one of them is being loaded. */
export const awaitedNetworks = ({ isAwaited }: ListDays): Source[] =>
  NETWORK_LISTS.some(isAwaited) ? [{ name: 'networks', problem: BEING_LOADED }] : [];
