import type { Presence } from '@vedette/bus';
import type { Health } from '@vedette/probes/health';

/** A name to which a resolver has another answer than most. */
interface StrayName {
  name: string;
  answer: string;
  /** The answer of most, and how many other locations have it. */
  expected: string;
  others: number;
}

/** An agent whose resolver has another answer to a name than this gateway and most locations. */
export interface Stray extends StrayName {
  location: string;
  agent: string;
}

/** The least number of other locations that agree with the gateway. */
const OTHERS = 2;

/** The least number of locations that outvote the gateway, as with its clock. */
const OUTVOTE = 3;

/**
 * The agents whose resolver disagrees about a name with this gateway, two other locations and most of all that have an answer. A name of which half the
 * locations have another answer depends on the place: it accuses none.
 */
export function straysOf(health: Health, presence: Presence): Stray[] {
  const ours = health.names();
  if (ours.length === 0) return [];
  const answersTo = answersOf(presence);
  return ours.flatMap(({ name, answer: expected }) => {
    const answers = answersTo(name);
    const byLocation = Map.groupBy(answers, ({ location }) => location);
    const agreeing = [...byLocation.values()].filter((here) => here.every(({ answer }) => answer === expected)).length;
    if (agreeing < OTHERS || agreeing * 2 <= byLocation.size) return [];
    return answers
      .filter(({ answer }) => answer !== expected)
      .map(({ location, agent, answer }) => ({ location, agent, name, answer, expected, others: agreeing }));
  });
}

/** The names to which this gateway has another answer than all locations, three at least, which agree: it is its own resolver that lies. */
export function ownStraysOf(health: Health, presence: Presence): StrayName[] {
  const answersTo = answersOf(presence);
  return health.names().flatMap(({ name, answer }) => {
    const answers = answersTo(name);
    const others = new Set(answers.map(({ location }) => location)).size;
    const [expected = answer, ...further] = new Set(answers.map((each) => each.answer));
    return others < OUTVOTE || further.length > 0 || expected === answer ? [] : [{ name, answer, expected, others }];
  });
}

/** The answers of the agents that are heard, by name. */
const answersOf = (presence: Presence) => {
  const heard = presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded');
  return (name: string) =>
    heard.flatMap(({ location, agent, names }) => {
      const found = names?.find((each) => each.name === name);
      return found === undefined ? [] : [{ location, agent, answer: found.answer }];
    });
};

/** The sentence for operators. */
export const describeStray = ({ location, agent, name, answer, expected, others }: Stray): string =>
  `the resolver of ${agent} at ${location} answers ${answer} for ${name}; this gateway and ${others} other locations have ${expected}`;
