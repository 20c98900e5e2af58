import type { AgentView, Presence } from '@vedette/bus';
import type { NameAnswer } from '@vedette/probes/health';
import { expect, it } from 'vitest';
import { ownStraysOf, straysOf } from '../../packages/gateway/src/fleet/name-comparison.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';

const NAME = 'f.root-servers.net';
const TRUE = '192.5.5.241';
const LIE = '10.6.6.6';

type Heard = [location: string, answer: string | undefined, state?: AgentView['state']];

const seen = (ours: string | undefined, heard: readonly Heard[]) => {
  const names = (answer: string | undefined): NameAnswer[] => (answer === undefined ? [] : [{ name: NAME, answer }]);
  const agents = heard.map(([location, answer, state = 'ready'], at) => ({ location, agent: `a${at}`, state, names: names(answer) }));
  const presence = { agents: () => agents } as unknown as Presence;
  return [fakeHealth({ names: names(ours) }), presence] as const;
};
const straysAmong = (ours: string | undefined, heard: readonly Heard[]) =>
  straysOf(...seen(ours, heard)).map(({ location, answer, others }) => [location, answer, others]);

it.each<[what: string, ours: string | undefined, heard: Heard[], strays: unknown[]]>([
  [
    'one disagrees with two others and the gateway',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', LIE],
    ],
    [['c', LIE, 2]],
  ],
  [
    'one sells names that do not exist',
    'NXDOMAIN',
    [
      ['a', 'NXDOMAIN'],
      ['b', LIE],
      ['c', 'NXDOMAIN'],
    ],
    [['b', LIE, 2]],
  ],
  [
    'one of two agents of a location',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
      ['c', LIE],
    ],
    [['c', LIE, 2]],
  ],
  [
    'all agree',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
    ],
    [],
  ],
  [
    'only one other agrees with the gateway',
    TRUE,
    [
      ['a', TRUE],
      ['b', LIE],
    ],
    [],
  ],
  [
    'two agents of one location are one location',
    TRUE,
    [
      ['a', TRUE],
      ['a', TRUE],
      ['b', LIE],
    ],
    [],
  ],
  [
    'the gateway is the one that disagrees',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
    ],
    [],
  ],
  [
    'the gateway has no answer',
    undefined,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', LIE],
    ],
    [],
  ],
  [
    'a name that depends on the place',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', LIE],
      ['d', LIE],
    ],
    [],
  ],
  [
    'silence is no lie',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', undefined],
    ],
    [],
  ],
  [
    'what an agent said before it fell silent',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', LIE, 'suspect'],
    ],
    [],
  ],
])('%s', (_what, ours, heard, strays) => {
  expect(straysAmong(ours, heard)).toEqual(strays);
});

it.each<[what: string, ours: string | undefined, heard: Heard[], isNamed: boolean]>([
  [
    'all three locations agree on another answer',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
    ],
    true,
  ],
  [
    'names that do not exist are sold to the gateway alone',
    LIE,
    [
      ['a', 'NXDOMAIN'],
      ['b', 'NXDOMAIN'],
      ['c', 'NXDOMAIN'],
    ],
    true,
  ],
  [
    'one of four locations has the answer of the gateway',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
      ['d', LIE],
    ],
    false,
  ],
  [
    'the locations have answers of their own',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', '192.0.2.1'],
    ],
    false,
  ],
  [
    'there are two locations',
    LIE,
    [
      ['a', TRUE],
      ['a', TRUE],
      ['b', TRUE],
    ],
    false,
  ],
  [
    'one of the three is silent',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', undefined],
    ],
    false,
  ],
  [
    'one of the three is not heard any more',
    LIE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE, 'suspect'],
    ],
    false,
  ],
  [
    'all agree',
    TRUE,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
    ],
    false,
  ],
  [
    'the gateway has no answer',
    undefined,
    [
      ['a', TRUE],
      ['b', TRUE],
      ['c', TRUE],
    ],
    false,
  ],
])('the gateway is named or not: %s', (_what, ours, heard, isNamed) => {
  const others = heard.length;
  const named = { name: NAME, answer: LIE, expected: heard[0]![1], others };
  expect(ownStraysOf(...seen(ours, heard))).toEqual(isNamed ? [named] : []);
});
