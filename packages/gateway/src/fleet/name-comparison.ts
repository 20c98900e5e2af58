import type { Presence } from '@vedette/bus';
import type { Health } from '@vedette/probes/health';

/** An agent whose resolver has another answer to a name than this gateway and most locations. */
export interface Stray {
  location: string;
  agent: string;
  name: string;
  /** The agent's answer. */
  answer: string;
  /** The gateway's, and how many other locations have it too. */
  expected: string;
  others: number;
}

/** The least number of other locations that agree with the gateway. */
const OTHERS = 2;

/**
 * The agents whose resolver disagrees about a name with this gateway, two other locations and most of all that have an answer. A name of which half the
 * locations have another answer depends on the place: it accuses none.
 */
export function straysOf(health: Health, presence: Presence): Stray[] {
  const ours = health.names();
  if (ours.length === 0) return [];
  const heard = presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded');
  return ours.flatMap(({ name, answer: expected }) => {
    const answers = heard.flatMap(({ location, agent, names }) => {
      const found = names?.find((each) => each.name === name);
      return found === undefined ? [] : [{ location, agent, answer: found.answer }];
    });
    const byLocation = Map.groupBy(answers, ({ location }) => location);
    const agreeing = [...byLocation.values()].filter((here) => here.every(({ answer }) => answer === expected)).length;
    if (agreeing < OTHERS || agreeing * 2 <= byLocation.size) return [];
    return answers
      .filter(({ answer }) => answer !== expected)
      .map(({ location, agent, answer }) => ({ location, agent, name, answer, expected, others: agreeing }));
  });
}

/** The sentence for operators. */
export const describeStray = ({ location, agent, name, answer, expected, others }: Stray): string =>
  `the resolver of ${agent} at ${location} answers ${answer} for ${name}; this gateway and ${others} other locations have ${expected}`;
