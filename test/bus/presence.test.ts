import type { BeatFrame } from '@vedette/bus/frames';
import type { Clock } from '@vedette/contract';
import { createPresence, type Bus, type BusMessage, type Presence } from '@vedette/bus';
import { beforeEach, describe, expect, it } from 'vitest';
import { countNothing } from '../../packages/bus/src/wire/events.ts';

let now: number;
let published: string[];
let deliver: (message: BusMessage) => void;
let change: (connected: boolean) => void;
let presence: Presence;
let told: string[];
let found: string[];
const clock: Clock = { now: () => now, sleep: () => new Promise(() => {}) };

/** A bus of memory: the test speaks for the agents. */
const bus: Bus = {
  connected: () => true,
  onChange(listener) {
    change = listener;
    return () => {};
  },
  publish(subject) {
    published.push(subject);
    return true;
  },
  subscribe(_subject, onMessage) {
    deliver = onMessage;
    return { unsubscribe() {}, drain: () => Promise.resolve() };
  },
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
  seenAs: () => [],
  closed: new Promise(() => {}),
};

beforeEach(() => {
  now = 1_000_000;
  published = [];
  told = [];
  found = [];
  const ejected = (location: string, agent: string, kind: string, ms: number) => void told.push(`${location} ${agent} ${kind} ${ms}`);
  presence = createPresence({ bus, clock, events: { ...countNothing, ejected }, onLocation: (id) => void found.push(id) });
});

function beat(location: string, agent: string, overrides: Partial<BeatFrame> = {}): void {
  const frame: BeatFrame = {
    agent,
    location,
    version: '1.0.0',
    protocol: { major: 1, minor_min: 0, minor_max: 1 },
    state: 'ready',
    capabilities: { kinds: ['ping'], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0 },
    slots: {},
    jobs: 0,
    simulated: false,
    event_loop_delay_ms: 0,
    icmp_overhead_ms: 0,
    clock_ms: 0,
    selftest: { failing: 0, witnesses: 3 },
    ...overrides,
  };
  deliver({ subject: `vedette.v1.beat.${location}.${agent}`, data: Buffer.from(JSON.stringify(frame)) });
}
/** Pins a job to an agent, and says to which. */
function pin(location = 'eu-fra'): string {
  const route = presence.route(location, 'ping');
  if (route.how !== 'pinned') return route.how;
  presence.pinned(location, route.agent);
  return route.agent;
}
const states = () => presence.agents().map(({ agent, state }) => `${agent} ${state}`);

it('asks all agents for a beat at the start and after each reconnect', () => {
  change(false);
  expect(published).toEqual(['vedette.v1.roll']);
  change(true);
  expect(published).toEqual(['vedette.v1.roll', 'vedette.v1.roll']);
});

describe('the states of an agent', () => {
  it('are what its beats say, until it falls silent', () => {
    for (const state of ['joining', 'ready', 'degraded', 'ready'] as const) {
      beat('eu-fra', 'a', { state });
      expect(states()).toEqual([`a ${state}`]);
    }
    const seen: string[] = [];
    for (const silent of [5_000, 5_001, 10_000, 10_001]) {
      now = 1_000_000 + silent;
      seen.push(...states());
    }
    expect(seen).toEqual(['a ready', 'a suspect', 'a suspect', 'a gone']);
    beat('eu-fra', 'a');
    expect(states()).toEqual(['a ready']);
  });

  it('do not age while we are cut off', () => {
    beat('eu-fra', 'a');
    now += 60_000;
    change(true);
    expect(states()).toEqual(['a ready']);
    now += 10_001;
    expect(states()).toEqual(['a gone']);
  });

  it('are forgotten after ten minutes', () => {
    beat('eu-fra', 'a');
    now += 600_001;
    beat('us-ash', 'b');
    expect(presence.agents().map(({ location }) => location)).toEqual(['us-ash']);
  });
});

describe('a location', () => {
  it('is told when an agent is heard where none was known', () => {
    beat('eu-fra', 'a');
    beat('eu-fra', 'b');
    beat('us-ash', 'c');
    expect(found).toEqual(['eu-fra', 'us-ash']);
  });
  it('beats while no agent there is suspect, whatever we may have missed', () => {
    beat('eu-fra', 'a');
    now += 5_000;
    beat('us-ash', 'b');
    expect(presence.beating()).toEqual(['eu-fra', 'us-ash']);
    now += 1;
    expect(presence.beating()).toEqual(['us-ash']);
    change(true);
    expect(presence.beating()).toEqual(['us-ash']);
    beat('us-ash', 'b', { state: 'draining' }); // it goes, and is not to be remembered for that
    expect(presence.beating()).toEqual([]);
  });
  it('is simulated where an agent of it says so', () => {
    beat('eu-fra', 'a', { simulated: true });
    beat('us-ash', 'b');
    expect(['eu-fra', 'us-ash', 'sg-sin'].map((id) => presence.isSimulated(id))).toEqual([true, false, false]);
  });
});

describe('how a location is asked', () => {
  const route = (kind = 'ping') => presence.route('eu-fra', kind);

  it('not at all when nobody is there, or nobody can', () => {
    expect(route()).toEqual({ how: 'none', why: 'no_agent' });
    beat('eu-fra', 'a');
    expect(route('vpn')).toEqual({ how: 'none', why: 'unsupported' });
    expect(presence.route('eu-fra', 'ping', 'vpn')).toEqual({ how: 'none', why: 'no_vpn_exit' });
    expect(presence.route('eu-fra', 'ping', '1.1')).toEqual({ how: 'any' });
    expect(presence.route('eu-fra', 'ping', '1.2')).toEqual({ how: 'none', why: 'unsupported' });
    now += 10_001;
    expect(route()).toEqual({ how: 'none', why: 'no_agent' });
  });

  it('without a name when all are well', () => {
    beat('eu-fra', 'a');
    beat('eu-fra', 'b');
    expect(route()).toEqual({ how: 'any' });
  });

  it.each([
    ['degraded', { state: 'degraded' }],
    ['of another protocol', { protocol: { major: 1, minor_min: 0, minor_max: 0 } }],
    ['without this kind', { capabilities: { kinds: ['dns'], v4: true, v6: true, icmp: 'none', h2: true, h3: false, vpn: 0 } }],
  ] as const)('by name when one is %s', (_what, overrides) => {
    beat('eu-fra', 'a', overrides as Partial<BeatFrame>);
    beat('eu-fra', 'b');
    expect([route(), route()]).toEqual([
      { how: 'pinned', agent: 'b' },
      { how: 'pinned', agent: 'b' },
    ]);
  });

  it('as one that is well, unless what most such jobs need is down at all that are ready', () => {
    const isWell = () => presence.isWell('eu-fra', 'ping');
    const lost = (down: string[]) => ({
      capabilities: { kinds: ['ping'], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0, down },
    });
    expect(isWell()).toBe(false);
    beat('eu-fra', 'a', lost(['icmp6', 'tcp4']));
    expect(isWell()).toBe(true);
    beat('eu-fra', 'a', lost(['icmp4']));
    expect(isWell()).toBe(false);
    beat('eu-fra', 'b', { state: 'degraded' });
    expect(isWell()).toBe(false);
    beat('eu-fra', 'c');
    expect(isWell()).toBe(true);
  });

  it('as one that is well for IPv6 where an agent has not lost it, and by the name of that one', () => {
    const here = (agent: string, v6: boolean, down?: string[]) =>
      beat('eu-fra', agent, {
        capabilities: { kinds: ['ping', 'http'], v4: true, v6, icmp: 'kernel', h2: true, h3: false, vpn: 0, ...(down && { down }) },
      });
    const isWell = (kind: string) => presence.isWell('eu-fra', kind, undefined, 6);
    here('a', false);
    expect([isWell('ping'), presence.isWell('eu-fra', 'ping'), presence.route('eu-fra', 'ping', undefined, 6)]).toEqual([
      false,
      true,
      { how: 'any' },
    ]);
    here('a', true, ['icmp6', 'icmp4']);
    expect([isWell('ping'), isWell('http')]).toEqual([false, true]);
    here('a', true, []);
    expect(isWell('ping')).toBe(true);
    here('a', true); // older than 1.3: what is not known is there
    expect(isWell('ping')).toBe(true);
    here('b', false);
    expect(presence.route('eu-fra', 'ping', undefined, 6)).toEqual({ how: 'pinned', agent: 'a' });
    expect(presence.route('eu-fra', 'ping')).toEqual({ how: 'any' });
    expect([presence.takers('eu-fra', 'ping', undefined, 6), presence.twin('eu-fra', 'ping', undefined, [], 0, 6)]).toEqual([1, 'a']);
  });

  it('by name, in turn, past one whose beat is overdue', () => {
    for (const agent of ['a', 'b', 'c']) beat('eu-fra', agent);
    now += 3_001;
    beat('eu-fra', 'b');
    beat('eu-fra', 'c');
    expect([pin(), pin()].toSorted()).toEqual(['b', 'c']);
  });

  it('by name, in turn, at each location, however often somebody looks before a job is pinned', () => {
    const capabilities: BeatFrame['capabilities'] = { kinds: [], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0 };
    for (const location of ['eu-fra', 'us-ash']) {
      beat(location, 'a');
      beat(location, 'b');
      beat(location, 'c', { capabilities });
    }
    const asked = Array.from({ length: 3 }, () => {
      expect(route()).toEqual(route());
      return [pin('eu-fra'), pin('us-ash')].join(' ');
    });
    expect(asked).toEqual(['a a', 'b b', 'a a']);
  });

  it('without a name while one leaves and the next has not beaten yet', () => {
    beat('eu-fra', 'a', { state: 'draining' });
    expect(route()).toEqual({ how: 'any' });
    beat('eu-fra', 'b', { state: 'joining' });
    expect(route()).toEqual({ how: 'any' });
  });
});

describe('what the state machine asks', () => {
  it('a twin is another ready agent, the one heard last', () => {
    beat('eu-fra', 'a');
    now += 10;
    beat('eu-fra', 'b');
    now += 10;
    beat('eu-fra', 'c', { state: 'degraded' });
    expect(presence.twin('eu-fra', 'ping', undefined, [], 0)).toBe('b');
    expect(presence.twin('eu-fra', 'ping', undefined, ['b'], 0)).toBe('a');
    expect(presence.twin('eu-fra', 'ping', undefined, ['b'], 1_000_000)).toBeUndefined();
    expect(presence.twin('eu-fra', 'ping', undefined, ['a', 'b'], 0)).toBeUndefined();
    expect(presence.takers('eu-fra', 'ping', undefined)).toBe(2);
  });

  it('an ack may take three times as long as usual, 150 ms at least', () => {
    beat('eu-fra', 'a');
    beat('eu-fra', 'b');
    expect(presence.ackLimitMs('eu-fra', 'a')).toBe(150);
    presence.heard('eu-fra', 'a', 200);
    presence.heard('eu-fra', 'b', 20);
    expect([presence.ackLimitMs('eu-fra', 'a'), presence.ackLimitMs('eu-fra', 'b'), presence.ackLimitMs('eu-fra', undefined)]).toEqual([
      600, 150, 600,
    ]);
    presence.heard('eu-fra', 'a', 120); // smoothed: 200 − 80 / 8
    expect(presence.agents()[0]!.ack_ms).toBe(190);
  });

  it('a short stall of ours moves silence on, but does not keep the dead alive', () => {
    beat('eu-fra', 'a');
    for (let stall = 0; stall < 11; stall += 1) {
      now += 1_000;
      presence.stalled(200);
    }
    expect(presence.listeningSince()).toBe(now);
    expect(presence.isDead('eu-fra', 'a')).toBe(true);
    beat('eu-fra', 'a');
    now += 30_000;
    presence.stalled(30_000);
    expect(presence.isDead('eu-fra', 'a')).toBe(false);
  });
});

describe('the slots of a location', () => {
  const slots = (max: number): Partial<BeatFrame> => ({ slots: { ping: { used: 0, max } } });

  it('are those of its agents that are well', () => {
    beat('eu-fra', 'a', slots(64));
    beat('eu-fra', 'b', { ...slots(32), state: 'degraded' });
    beat('eu-fra', 'c', { ...slots(8), state: 'draining' });
    beat('eu-fra', 'd', { ...slots(4), protocol: { major: 2, minor_min: 0, minor_max: 0 } });
    beat('us-ash', 'e', slots(16));
    expect(presence.slots('eu-fra', 'ping')).toBe(96);
    expect(presence.slots('eu-fra', 'ping', 'vpn')).toBe(0);
    expect(presence.slots('eu-fra', 'http')).toBe(0);
    expect(presence.slots('sg-sin', 'ping')).toBe(0);
    now += 5_001;
    expect(presence.slots('eu-fra', 'ping')).toBe(0);
  });
  it('are not believed beyond what an agent can have', () => {
    beat('eu-fra', 'a', slots(1e9));
    expect(presence.slots('eu-fra', 'ping')).toBe(1_024);
  });
});

it('keeps a bounded number of agents, whatever names somebody makes up', () => {
  for (let n = 0; n < 150; n += 1) beat('eu-fra', `agent-${n}`);
  expect(presence.agents().length).toBe(100);
  for (let n = 0; n < 2_100; n += 1) beat(`loc-${n}`, 'a');
  expect(presence.beating().length).toBe(2_000);
});

describe('a location whose agents are all degraded', () => {
  beforeEach(() => {
    beat('eu-fra', 'a', { state: 'degraded' });
    beat('eu-fra', 'b', { state: 'degraded' });
  });

  it('is asked by its queue group: none is better than the other, and one may have gone unheard', () => {
    expect(presence.route('eu-fra', 'ping')).toEqual({ how: 'any' });
  });
  it('goes on with the one that stays when the other leaves', () => {
    beat('eu-fra', 'a', { state: 'draining' });
    expect(presence.route('eu-fra', 'ping')).toEqual({ how: 'any' });
  });
  it('has the other one stand in', () => {
    expect(presence.twin('eu-fra', 'ping', undefined, ['a'], -Infinity)).toBe('b');
  });
});

describe('an agent that fails', () => {
  const route = (kind = 'ping') => presence.route('eu-fra', kind);
  const fail = (agent: string, times: number) => {
    for (let n = 0; n < times; n += 1) presence.fault('eu-fra', agent, 'ping');
  };
  const named = () => [pin(), pin()].toSorted();
  const twins = () => {
    beat('eu-fra', 'a');
    beat('eu-fra', 'b');
  };
  const pass = (ms: number) => {
    now += ms;
    twins();
  };
  beforeEach(twins);

  it('three times is left out while its twin does well, of that kind of job alone', () => {
    for (const agent of ['a', 'b'])
      beat('eu-fra', agent, { capabilities: { kinds: ['ping', 'dns'], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0 } });
    fail('a', 2);
    expect(named()).toEqual(['a', 'b']); // so that we know whether it fails again
    fail('a', 1);
    expect(told).toEqual(['eu-fra a ping 30000']);
    expect([route(), route()]).toEqual([
      { how: 'pinned', agent: 'b' },
      { how: 'pinned', agent: 'b' },
    ]);
    expect(route('dns')).toEqual({ how: 'any' });
    expect(presence.agents().map(({ agent, ejected }) => [agent, ejected])).toEqual([
      ['a', ['ping']],
      ['b', []],
    ]);
    fail('a', 5); // what it had at work
    expect(told.length).toBe(1);
  });

  it('comes back for a trial, and stays out twice as long each time that it fails it', () => {
    fail('a', 2);
    for (const out of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      fail('a', 1);
      expect(told.at(-1)).toBe(`eu-fra a ping ${out}`);
      pass(out - 1);
      expect(route()).toEqual({ how: 'pinned', agent: 'b' });
      pass(1);
      expect(named()).toEqual(['a', 'b']);
    }
    for (let n = 0; n < 4; n += 1) presence.good('eu-fra', 'a', 'ping');
    fail('a', 3);
    expect(told.at(-1)).toBe('eu-fra a ping 30000'); // it had made good
  });

  it('now and then is not left out, one that fails every other job is', () => {
    for (let n = 0; n < 50; n += 1) {
      fail('a', 1);
      presence.good('eu-fra', 'a', 'ping');
      presence.good('eu-fra', 'a', 'ping');
    }
    expect(told).toEqual([]);
    for (let n = 0; n < 5; n += 1) {
      fail('a', 1);
      presence.good('eu-fra', 'a', 'ping');
    }
    expect(told).toEqual(['eu-fra a ping 30000']);
  });

  it('is kept where the others fail as well, or are not there', () => {
    for (let n = 0; n < 10; n += 1) {
      fail('a', 1);
      fail('b', 1);
    }
    expect(told).toEqual([]); // it is the job, not the agent
    beat('us-ash', 'c');
    for (let n = 0; n < 10; n += 1) presence.fault('us-ash', 'c', 'ping');
    expect(presence.route('us-ash', 'ping')).toEqual({ how: 'any' });
    expect(told).toEqual([]);
  });

  it('is asked again when its twin goes, and stands in where its twin is busy', () => {
    fail('a', 3);
    expect(presence.twin('eu-fra', 'ping', undefined, [], -Infinity)).toBe('b');
    expect(presence.twin('eu-fra', 'ping', undefined, ['b'], -Infinity)).toBe('a');
    now += 3_001;
    beat('eu-fra', 'a');
    expect(route()).toEqual({ how: 'pinned', agent: 'a' });
  });

  it('unseen, since any could have taken the job, makes us name one of them for half a minute', () => {
    presence.doubt('eu-fra');
    expect(named()).toEqual(['a', 'b']);
    pass(30_000);
    expect(route()).toEqual({ how: 'any' });
    beat('us-ash', 'c');
    presence.doubt('us-ash');
    expect(presence.route('us-ash', 'ping')).toEqual({ how: 'any' }); // there is only one
  });
});

describe('whose wall clock is wrong', () => {
  const DAYS = 86_400_000;
  const TODAY = 1_800_000_000_000;
  it.each<[what: string, skews: number[], own: number | undefined]>([
    ['three locations agree, and we do not', [-400 * DAYS, -400 * DAYS + 2_000, -400 * DAYS], 400 * DAYS],
    ['three of four agree', [400 * DAYS, 0, 400 * DAYS, 400 * DAYS], -400 * DAYS],
    ['all are right within a minute', [0, 59_000, -3_000], 0],
    ['one location is wrong', [0, -400 * DAYS, 1_000, 0], 0],
    ['two locations are too few', [-400 * DAYS, -400 * DAYS], undefined],
    ['half of them are too few', [-400 * DAYS, -400 * DAYS, -400 * DAYS, 0, 0, 0], undefined],
    ['no two agree', [1 * DAYS, 2 * DAYS, 3 * DAYS], undefined],
  ])('%s', (_what, skews, own) => {
    const mistaken = createPresence({ bus, clock, today: () => TODAY });
    skews.forEach((skew, index) => beat(`place-${index}`, 'a', { clock_ms: TODAY + skew }));
    expect(mistaken.ownSkewMs()).toBe(own);
    // Agents are told apart from us by the clock that most have.
    expect(mistaken.agents().map(({ clock_skew_ms }) => clock_skew_ms)).toEqual(skews.map((skew) => skew + (own ?? 0)));
    expect(mistaken.clockSkewMs('place-0', 'a')).toBe(skews[0]! + (own ?? 0));
  });
});
