import type { EngineStatus } from '@vedette/contract';
import type { Names, Networks, Urls } from '../ports/index.ts';
import { type Engine, listOfEngine } from './engine.ts';
import type { ZoneAsker } from './zone-asker.ts';

/** `asker`: undefined for lists in memory, and for zones that are not on. */
export function statusOf(
  engine: Engine,
  asker: ZoneAsker | undefined,
  { networks, names, urls }: { networks: Pick<Networks, 'hasList'>; names: Pick<Names, 'hasList'>; urls: Pick<Urls, 'hasList'> },
): EngineStatus {
  const { id, name, subject, terms, enabled, list } = engine;
  const about = { id, name, subject, source: engine.zone ?? list ?? '', servers: [], terms };
  if (!enabled) return { ...about, state: 'disabled', problem: '' };
  const loaded = { address: networks, name: names, url: urls }[subject].hasList(listOfEngine(engine));
  if (asker && loaded && !engine.key) return { ...about, source: listOfEngine(engine), state: 'good', problem: '' };
  if (!asker) {
    return { ...about, state: loaded ? 'good' : 'off', problem: loaded ? '' : 'its list is not loaded' };
  }
  const resting = asker.breaker !== 'closed';
  if (engine.key) return { ...about, state: resting ? 'resting' : 'keyed', problem: '' };
  const families = asker.health.map(([, health]) => health);
  const servers = [...new Set(families.flatMap((health) => health.servers).map((server) => server ?? 'our resolvers'))];
  const problem = families.find(({ problem }) => problem !== '')?.problem ?? '';
  return { ...about, servers, problem, state: resting ? 'resting' : worstOf(families.map(({ state }) => state)) };
}

function worstOf(states: readonly ('untried' | 'good' | 'off')[]): EngineStatus['state'] {
  if (states.every((state) => state === states[0])) return states[0] ?? 'off';
  return states.includes('good') ? 'partly' : 'off';
}
