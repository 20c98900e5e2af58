import { ApiError } from '@vedette/contract';
import type { Reply } from '@vedette/operations/kit';
import type { Catalogue } from '../locations/locations.ts';
import { Exposition, type Labels, seconds } from './exposition.ts';
import type { Outcome } from './outcome.ts';

/** The outcome of a location, for probe_locations. */
const STATES = ['answered', 'failed', 'agent_lost', 'down'] as const;
type State = (typeof STATES)[number];

/**
 * The series of one scrape. A location that failed has its own, and takes nothing from the others'. Throws `ApiError` no_agent where none of
 * them has a word on the target: Prometheus then shows the scrape as failed, and no target as down.
 */
export function expose<R>(
  replies: readonly Reply<R>[],
  judge: (reply: Reply<R>) => Outcome,
  { place }: Catalogue,
  locationLabel: string,
): string {
  const exposition = new Exposition(locationLabel);
  const counts = new Map<State, number>(STATES.map((state) => [state, 0]));
  let blind: Outcome['failed'];
  for (const reply of replies) {
    const location = reply.location.id;
    const { failed, tookMs = reply.took_ms, samples } = judge(reply);
    const state = stateOf(failed);
    counts.set(state, counts.get(state)! + 1);
    const isOurs = failed?.isOurs === true;
    if (isOurs) blind = failed;
    exposition.add(location, ['probe_success', failed ? 0 : 1]);
    exposition.add(location, ['probe_agent_ok', isOurs || reply.agent_state === 'degraded' ? 0 : 1]);
    exposition.add(location, ['probe_duration_seconds', tookMs === undefined ? NaN : seconds(tookMs)]);
    exposition.add(location, ['probe_location_info', 1, { ...placeLabels(place(location)), simulated: String(reply.simulated) }]);
    if (failed) {
      exposition.add(location, ['probe_failure_info', 1, { reason: failed.reason }]);
      exposition.comment(`${location}: ${failed.error}`);
    }
    for (const sample of samples) exposition.add(location, sample);
  }
  if (blind && counts.get('answered') === 0 && counts.get('failed') === 0) throw new ApiError('no_agent', blind.error);
  for (const [state, count] of counts) exposition.add(undefined, ['probe_locations', count, { state }]);
  return exposition.toString();
}

function stateOf(failed: Outcome['failed']): State {
  if (!failed) return 'answered';
  if (!failed.isOurs) return 'failed';
  return failed.reason === 'no_agent' ? 'down' : 'agent_lost';
}

/** Empty for an unknown place: no server is at 0, 0. */
function placeLabels({ continent_code, country_code, city_name, latitude, longitude }: ReturnType<Catalogue['place']>): Labels {
  const known = latitude !== 0 || longitude !== 0;
  return {
    continent: continent_code,
    country: country_code,
    city: city_name,
    latitude: known ? String(latitude) : '',
    longitude: known ? String(longitude) : '',
  };
}
