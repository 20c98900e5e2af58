import type { Engine, Feed, Fleet, FleetAgent } from '@vedette/client';
import type { Tone } from '../look/tone.ts';

/** How good each state is: of agents, renderers and locations, of feeds, of engines. */
const TONES: Readonly<Record<string, Tone>> = {
  ready: 'good',
  degraded: 'warn',
  joining: 'none',
  draining: 'none',
  suspect: 'warn',
  gone: 'bad',
  down: 'bad',
  outdated: 'bad',
  fresh: 'good',
  imported: 'good',
  'as shipped': 'none',
  old: 'warn',
  failing: 'warn',
  'not loaded': 'bad',
  off: 'none',
  good: 'good',
  partly: 'warn',
  resting: 'warn',
  'switched off': 'bad',
  works: 'good',
  fails: 'bad',
};
export const toneOf = (state: string): Tone => TONES[state] ?? 'none';

/** The state of an agent or a renderer. */
export const stateOfPeer = ({ state, outdated }: { state: string; outdated: boolean }): string => (outdated ? 'outdated' : state);

/** The result of an agent's self-test in a few words. */
export function selfTestOf({ self_tests: tests }: Pick<FleetAgent, 'self_tests'>): { tone: Tone; word: string } {
  const failing = tests.filter(({ result }) => result === 'fails').map(({ name }) => name);
  if (failing.length > 0) return { tone: 'bad', word: `fails: ${failing.join(', ')}` };
  const works = tests.filter(({ result }) => result === 'works').length;
  return works === 0 ? { tone: 'none', word: 'untested' } : { tone: 'good', word: `${works} ${works === 1 ? 'works' : 'work'}` };
}

/** A feed that was not confirmed for so many of its periods is old. */
const OLD_PERIODS = 3;

export function stateOfFeed({ enabled, origin, problem, age_seconds: age, every_hours: every }: Feed): string {
  if (!enabled && origin !== 'imported') return 'off';
  if (origin === 'none') return 'not loaded';
  if (problem !== '') return 'failing';
  if (origin === 'source' && age > OLD_PERIODS * every * 3_600) return 'old';
  return { shipped: 'as shipped', imported: 'imported', source: 'fresh' }[origin];
}

export const stateOfEngine = ({ state }: Pick<Engine, 'state'>): string =>
  state === 'off' ? 'switched off' : state === 'disabled' ? 'off' : state;

const RANK: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, good: 2, none: 3 };

/** Orders what needs attention before what is well, and that before what is off. */
export const byTone = (a: Tone, b: Tone): number => RANK[a] - RANK[b];

/** Seconds, minutes, hours or days, as people say them. */
export function ago(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** Slots in use, and all of them, over all kinds of probes. */
export const slotsOf = (agents: readonly Pick<FleetAgent, 'slots'>[]): { used: number; max: number } => ({
  used: agents.flatMap(({ slots }) => slots).reduce((sum, { used }) => sum + used, 0),
  max: agents.flatMap(({ slots }) => slots).reduce((sum, { max }) => sum + max, 0),
});

/** Lists parts that are impaired, and locations that are not well, for the operator's attention. */
export const attentionOf = ({ impaired, locations }: Pick<Fleet, 'impaired' | 'locations'>): { tone: Tone; word: string; text: string }[] =>
  [
    ...impaired.map(({ part, reason }) => ({ tone: 'warn' as const, word: part, text: reason })),
    ...locations
      .filter(({ state }) => state === 'down' || state === 'degraded')
      .map(({ id, state, down }) => ({
        tone: state === 'down' ? ('bad' as const) : ('warn' as const),
        word: id,
        text:
          state === 'down'
            ? 'no agent is connected'
            : `degraded${down.length === 0 ? '' : `: ${down.join(', ')} ${down.length === 1 ? 'fails' : 'fail'}`}`,
      })),
  ].toSorted((a, b) => byTone(a.tone, b.tone));
