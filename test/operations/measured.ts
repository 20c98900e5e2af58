import type { DistributedOperation, Reply, Report, TargetForms } from '@vedette/operations/kit';
import type { Static, TObject } from 'typebox';
import { read } from './answer.ts';

const FRANKFURT = {
  continent_code: 'EU',
  continent_name: 'Europe',
  country_code: 'DE',
  country_name: 'Germany',
  city_name: 'Frankfurt am Main',
};
/** What is known of a location that is in no catalogue. */
const NOWHERE = { continent_code: '', continent_name: '', country_code: '', country_name: '', city_name: '' };

/** Two locations, as a report shows them. */
export const PLACES = { 'eu-fra': FRANKFURT, 'sat-1': NOWHERE };

/** A reply from one of them: by a ready agent that is where it says, unless told otherwise. */
export const replyFrom = <R>(id: keyof typeof PLACES, reply: Partial<Reply<R>>): Reply<R> => ({
  location: { id, ...PLACES[id] },
  agent_state: 'ready',
  simulated: false,
  ...reply,
});

/** The report that a gateway makes of these replies. */
export function reportOf<Q extends TObject, T extends TargetForms, V, J extends TObject, R extends TObject>(
  operation: DistributedOperation<Q, T, V, J, R, undefined>,
  request: Static<Q>,
  replies: Reply<Static<R>>[],
): Report {
  const query = read(operation, request);
  const entries = replies.map((reply) => operation.entry(query, reply));
  return operation.report(query, entries, replies, undefined);
}
