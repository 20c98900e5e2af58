import type { AgentView, Presence } from '@vedette/bus';
import type { NameAnswer } from '@vedette/probes/health';
import { expect, it } from 'vitest';
import { straysOf } from '../../packages/gateway/src/fleet/name-comparison.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';

const NAME = 'f.root-servers.net';
const TRUE = '192.5.5.241';
const LIE = '10.6.6.6';

type Heard = [location: string, answer: string | undefined, state?: AgentView['state']];

const straysAmong = (ours: string | undefined, heard: readonly Heard[]) => {
  const names = (answer: string | undefined): NameAnswer[] => (answer === undefined ? [] : [{ name: NAME, answer }]);
  const agents = heard.map(([location, answer, state = 'ready'], at) => ({ location, agent: `a${at}`, state, names: names(answer) }));
  const presence = { agents: () => agents } as unknown as Presence;
  return straysOf(fakeHealth({ names: names(ours) }), presence).map(({ location, answer, others }) => [location, answer, others]);
};

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
