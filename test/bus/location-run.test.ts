import type { Reason } from '@vedette/contract';
import type { ReplyFrame } from '@vedette/bus/frames';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fleet } from '../../packages/bus/src/presence/fleet.ts';
import { LocationRun, type RunAction, type RunEvent } from '../../packages/bus/src/ask/location-run.ts';
import { runs } from '../runs.ts';

/** A fleet by the hand of the test: ready agents, last heard first. */
class FakeFleet implements Fleet {
  agents: string[];
  dead = new Set<string>();
  heard = new Map<string, number>();
  since = 0;
  ackMs = 10;
  constructor(...agents: string[]) {
    this.agents = agents;
  }
  twin(_location: string, _kind: string, _needs: string | undefined, except: readonly string[], heardSince: number) {
    return this.agents.find((agent) => !except.includes(agent) && (this.heard.get(agent) ?? 0) > heardSince);
  }
  takers() {
    return this.agents.length;
  }
  ackLimitMs() {
    return Math.max(150, 3 * this.ackMs);
  }
  heardAt(_location: string, agent: string) {
    return this.heard.get(agent) ?? 0;
  }
  heardSince(_location: string, agent: string | undefined, since: number) {
    return (agent === undefined ? this.agents : [agent]).some((one) => (this.heard.get(one) ?? 0) > since);
  }
  isDead(_location: string, agent: string | undefined) {
    return agent === undefined ? this.dead.size === this.agents.length : this.dead.has(agent);
  }
  listeningSince() {
    return this.since;
  }
}

const NONCES = ['', 'nonce-of-attempt-1', 'nonce-of-attempt-2'];
const DEADLINE = 9_850;

/** Plays events, and keeps what came out. Attempt 2 has the same nonce however often it is made. */
function play(fleet: FakeFleet, options: { agent?: string; tokens?: number } = {}) {
  let tokens = options.tokens ?? 10;
  const hedges = { take: () => tokens-- > 0 };
  let attempts = 0;
  const run = new LocationRun({
    job: 'job1',
    location: 'eu-fra',
    kind: 'ping',
    needs: undefined,
    family: undefined,
    createNonce: () => NONCES[(attempts = Math.min(attempts + 1, 2))]!,
    agent: options.agent,
    deadline: DEADLINE,
    minBudgetMs: 1_000,
    now: 0,
    check: (result) => result !== 'nonsense',
    fleet,
    hedges,
  });
  const actions: RunAction[] = [];
  const step = (now: number, event: RunEvent) => {
    actions.push(...run.step(event, now));
  };
  return { run, actions, step, tick: (now: number) => step(now, { type: 'tick' }) };
}

const head = (agent: string, attempt = 1) => ({ job: 'job1', attempt, nonce: NONCES[attempt]!, agent });
const event = (frame: ReplyFrame, attempt = frame.attempt): RunEvent => ({ type: 'frame', attempt, frame });
const ack = (agent: string, attempt = 1) => event({ type: 'ack', ...head(agent, attempt) });
const final = (agent: string, attempt = 1, result: unknown = 'measured') => event({ type: 'final', ...head(agent, attempt), result });
const nack = (agent: string, reason: 'busy' | 'draining' | 'unsupported' | 'invalid', attempt = 1, retry_after_ms?: number) =>
  event({ type: 'nack', ...head(agent, attempt), reason, ...(retry_after_ms !== undefined && { retry_after_ms }) });
const noResponders = (attempt = 1): RunEvent => ({ type: 'no_responders', attempt });
/** `good`: it ended with a final as it should be. */
const done = (outcome: object, hedge?: object, good = 'result' in outcome) => ({ type: 'done', outcome, good, hedge });
const fault = (agent: string) => ({ type: 'fault', agent });
const doubt = { type: 'doubt' };
/** Attempt 2, published at this time. */
const dispatch = (agent: string, reason: string, at: number) => ({
  type: 'dispatch',
  attempt: 2,
  agent,
  nonce: NONCES[2],
  leftMs: DEADLINE - at,
  reason,
});
const lost = (agent: string) => ({ agent, failure: { reason: 'agent_lost', error: 'The agent stopped answering' } });

describe('the plain way', () => {
  it('acks, and ends with the final', () => {
    const { actions, step } = play(new FakeFleet('a'));
    step(12, ack('a'));
    step(700, final('a'));
    expect(actions).toEqual([{ type: 'acked', attempt: 1, agent: 'a', ms: 12 }, done({ agent: 'a', result: 'measured' })]);
  });

  it('takes a final that overtook its ack', () => {
    const { actions, step } = play(new FakeFleet('a'));
    step(10, final('a'));
    step(11, ack('a'));
    expect(actions).toEqual([done({ agent: 'a', result: 'measured' })]);
  });

  it('says in our own words what an agent reports', () => {
    const { actions, step } = play(new FakeFleet('a'));
    const failure = { reason: 'icmp_timeout', error: `No echo reply came back: a\u001b[31m.test${'!'.repeat(300)}` } as const;
    step(10, event({ type: 'final', ...head('a'), failure }));
    const error = `No echo reply came back: a [31m.test${'!'.repeat(189)}…`;
    expect(actions).toEqual([done({ agent: 'a', failure: { reason: 'icmp_timeout', error } }, undefined, true)]);
  });

  it('ends at the deadline and cancels', () => {
    const { actions, step, tick } = play(new FakeFleet('a'));
    step(10, ack('a'));
    actions.length = 0;
    tick(DEADLINE);
    const error = 'The agent stopped answering: no result before the deadline';
    expect(actions).toEqual([
      doubt, // some agent's own budget ended before
      { type: 'cancel', attempt: 1, reason: 'deadline' },
      done({ agent: 'a', failure: { reason: 'agent_lost', error } }),
    ]);
  });

  it('ends at once when the client has gone, or the bus', () => {
    const gone = play(new FakeFleet('a'));
    gone.step(10, ack('a'));
    gone.step(20, { type: 'cancel' });
    expect(gone.actions.slice(1)).toEqual([
      { type: 'cancel', attempt: 1, reason: 'client_gone' },
      done({ agent: 'a', failure: { reason: 'cancelled', error: 'The measurement was cancelled' } }),
    ]);
    const cut = play(new FakeFleet('a'));
    cut.step(20, { type: 'bus_lost' });
    const error = 'The agent stopped answering: the connection to the message bus was lost';
    expect(cut.actions).toEqual([done({ agent: '', failure: { reason: 'agent_lost', error } })]);
  });
});

describe('silence before the ack', () => {
  it('asks an agent heard since after 150 ms, takes the first answer, cancels the loser', () => {
    const fleet = new FakeFleet('a', 'b');
    fleet.heard.set('b', 100);
    const { actions, step, tick, run } = play(fleet);
    tick(149);
    expect(actions).toEqual([]);
    expect(run.wakeAt).toBe(150);
    tick(150);
    step(160, ack('b', 2));
    step(200, ack('a'));
    step(300, final('b', 2));
    step(301, final('a'));
    expect(actions).toEqual([
      doubt,
      dispatch('b', 'no_ack', 150),
      { type: 'acked', attempt: 2, agent: 'b', ms: 10 },
      { type: 'acked', attempt: 1, agent: 'a', ms: 200 },
      { type: 'cancel', attempt: 1, reason: 'loser' },
      done({ agent: 'b', result: 'measured' }, { reason: 'no_ack', won: true }),
    ]);
  });

  it('asks all for a beat when none was heard since, and the first that beats for the job', () => {
    const fleet = new FakeFleet('a', 'b');
    const { actions, step, tick } = play(fleet);
    tick(150);
    tick(170);
    fleet.heard.set('b', 180);
    tick(190);
    step(210, final('b', 2));
    expect(actions).toEqual([
      { type: 'roll' },
      doubt,
      dispatch('b', 'no_ack', 190),
      { type: 'cancel', attempt: 1, reason: 'loser' },
      done({ agent: 'b', result: 'measured' }, { reason: 'no_ack', won: true }),
    ]);
  });

  it('sends the job once more when nobody beats', () => {
    const { actions, tick } = play(new FakeFleet('a', 'b'));
    for (let now = 150; now <= 400; now += 50) tick(now);
    expect(actions).toEqual([{ type: 'roll' }, doubt, { type: 'resend', attempt: 1, agent: undefined }]);
  });

  it('knows the silent one when it was named, and asks the other at once', () => {
    const { actions, tick } = play(new FakeFleet('a', 'b'), { agent: 'a' });
    tick(150);
    expect(actions).toEqual([dispatch('b', 'no_ack', 150)]);
  });

  it('waits three times as long as the agents usually take', () => {
    const fleet = new FakeFleet('b', 'a');
    fleet.heard.set('b', 100);
    fleet.ackMs = 200;
    const { actions, tick } = play(fleet);
    tick(599);
    expect(actions).toEqual([]);
    tick(600);
    expect(actions).toEqual([doubt, dispatch('b', 'no_ack', 600)]);
  });

  it('asks the same agent again when there is no other: the server tells when it is gone', () => {
    const { actions, tick, step } = play(new FakeFleet('a'));
    tick(150);
    step(151, noResponders());
    step(152, noResponders(2));
    expect(actions).toEqual([
      { type: 'resend', attempt: 1, agent: undefined },
      { type: 'roll' },
      { type: 'unreachable' },
      dispatch('a', 'no_responders', 151),
      { type: 'unreachable' },
      done(lost(''), { reason: 'no_responders', won: false }),
    ]);
  });

  it('gives up an agent that is alone and frozen: 2.8 s without the beat that all were asked for', () => {
    for (const agent of [undefined, 'a']) {
      const { actions, tick } = play(new FakeFleet('a'), agent === undefined ? {} : { agent });
      const asked = [{ type: 'resend', attempt: 1, agent }, { type: 'roll' }];
      tick(150);
      tick(2_799);
      expect(actions).toEqual(asked);
      tick(2_800);
      expect(actions).toEqual([...asked, done(lost(''))]);
    }
  });

  it('waits for one that beats, and until presence gives it up', () => {
    const fleet = new FakeFleet('a');
    const { actions, tick } = play(fleet);
    tick(150);
    fleet.heard.set('a', 160);
    tick(5_000);
    expect(actions).toEqual([{ type: 'resend', attempt: 1, agent: undefined }, { type: 'roll' }]);
    fleet.dead.add('a');
    tick(9_000);
    expect(actions.slice(2)).toEqual([done(lost(''))]);
  });

  it('tries the next when the hedge finds nobody', () => {
    const fleet = new FakeFleet('a', 'b', 'c');
    fleet.heard.set('a', 100);
    const { actions, tick, step } = play(fleet);
    tick(150);
    step(151, noResponders(2));
    step(152, noResponders(2));
    step(160, ack('c', 2));
    step(200, final('c', 2));
    expect(actions).toEqual([
      doubt,
      dispatch('a', 'no_ack', 150),
      { type: 'unreachable' },
      dispatch('b', 'no_responders', 151),
      { type: 'unreachable' },
      dispatch('c', 'no_responders', 152),
      { type: 'acked', attempt: 2, agent: 'c', ms: 8 },
      { type: 'cancel', attempt: 1, reason: 'loser' },
      done({ agent: 'c', result: 'measured' }, { reason: 'no_ack', won: true }),
    ]);
  });

  it('does not hedge without a token', () => {
    const { actions, tick } = play(new FakeFleet('a', 'b'), { tokens: 0 });
    for (let now = 150; now < 2_500; now += 50) tick(now);
    expect(actions).toEqual([{ type: 'roll' }, doubt, { type: 'resend', attempt: 1, agent: undefined }]);
    const named = play(new FakeFleet('a', 'b'), { agent: 'a', tokens: 0 });
    for (let now = 150; now < 2_500; now += 50) named.tick(now);
    expect(named.actions).toEqual([{ type: 'resend', attempt: 1, agent: 'a' }]);
  });

  it('asks the other one without a token when the one that was named is gone', () => {
    const { actions, step, tick } = play(new FakeFleet('a', 'b'), { agent: 'a', tokens: 0 });
    tick(150);
    step(151, noResponders());
    step(400, final('b', 2));
    expect(actions).toEqual([
      { type: 'resend', attempt: 1, agent: 'a' },
      { type: 'unreachable' },
      dispatch('b', 'no_responders', 151),
      done({ agent: 'b', result: 'measured' }, { reason: 'no_responders', won: true }),
    ]);
  });

  it('counts from when we ourselves were listening', () => {
    const fleet = new FakeFleet('a', 'b');
    const { actions, tick } = play(fleet, { agent: 'a' });
    fleet.since = 100;
    tick(150);
    expect(actions).toEqual([]);
    tick(250);
    expect(actions).toEqual([dispatch('b', 'no_ack', 250)]);
  });
});

describe('silence after the ack', () => {
  const asked = { type: 'resend', attempt: 1, agent: 'a' };

  it('asks the silent agent by name, and another one where the server says that it is gone, for no hedge', () => {
    const fleet = new FakeFleet('a', 'b');
    const { actions, step, tick } = play(fleet, { tokens: 0 });
    step(10, ack('a'));
    fleet.heard.set('a', 260);
    tick(600);
    expect(actions.slice(1)).toEqual([]);
    tick(810);
    step(811, noResponders());
    step(1_000, final('b', 2));
    expect(actions.slice(1)).toEqual([
      asked,
      { type: 'unreachable' },
      dispatch('b', 'no_responders', 811),
      { type: 'cancel', attempt: 1, reason: 'loser' },
      done({ agent: 'b', result: 'measured' }, { reason: 'no_responders', won: true }),
    ]);
  });

  it('hedges where nobody says anything: it may be frozen', () => {
    const { actions, step, tick } = play(new FakeFleet('a', 'b'));
    step(10, ack('a'));
    for (let now = 560; now < 710; now += 20) tick(now);
    expect(actions.slice(1)).toEqual([asked]);
    tick(710);
    step(1_000, final('b', 2));
    expect(actions.slice(2)).toEqual([
      dispatch('b', 'no_beats', 710),
      { type: 'cancel', attempt: 1, reason: 'loser' },
      done({ agent: 'b', result: 'measured' }, { reason: 'no_beats', won: true }),
    ]);
  });

  it('waits on for an agent that acks once more, and asks again when it falls silent again', () => {
    const { actions, step, tick } = play(new FakeFleet('a', 'b'));
    step(10, ack('a'));
    tick(560);
    step(600, ack('a'));
    tick(1_149);
    expect(actions.slice(1)).toEqual([asked]);
    tick(1_150);
    expect(actions.slice(1)).toEqual([asked, asked]);
  });

  it('gives up without another agent, at once where the server says that it is gone', () => {
    const gone = play(new FakeFleet('a'));
    gone.step(10, ack('a'));
    gone.tick(560);
    gone.step(561, noResponders());
    expect(gone.actions.slice(1)).toEqual([asked, { type: 'unreachable' }, done(lost('a'))]);
    const frozen = play(new FakeFleet('a'));
    frozen.step(10, ack('a'));
    frozen.tick(560);
    frozen.tick(710);
    expect(frozen.actions.slice(1)).toEqual([asked, done(lost('a'))]);
  });

  it('gives up without a token', () => {
    const { actions, step, tick } = play(new FakeFleet('a', 'b'), { tokens: 0 });
    step(10, ack('a'));
    tick(560);
    tick(710);
    expect(actions.slice(1)).toEqual([asked, done(lost('a'))]);
  });

  it('does not believe a server that spoke of an earlier try', () => {
    const { actions, step, tick } = play(new FakeFleet('a'));
    tick(150);
    step(160, ack('a'));
    step(161, noResponders());
    expect(actions.slice(2)).toEqual([{ type: 'acked', attempt: 1, agent: 'a', ms: 160 }]);
  });

  it('never hedges a slow target: the agent beats', () => {
    const fleet = new FakeFleet('a', 'b');
    const { actions, step, tick } = play(fleet);
    step(10, ack('a'));
    for (let now = 250; now + 250 < DEADLINE; now += 250) {
      fleet.heard.set('a', now);
      tick(now + 200);
    }
    expect(actions).toEqual([{ type: 'acked', attempt: 1, agent: 'a', ms: 10 }]);
  });

  it.each([
    { how: 'frozen', reason: 'no_beats', at: 710, happens: { type: 'tick' } },
    { how: 'unreachable', reason: 'no_responders', at: 561, happens: noResponders() },
  ] as const)('still takes the answer of an agent that was $how and given up for another', ({ reason, at, happens }) => {
    const { actions, step, tick } = play(new FakeFleet('a', 'b'));
    step(10, ack('a'));
    tick(560);
    step(at, happens);
    step(800, final('a'));
    expect(actions.slice(-3)).toEqual([
      dispatch('b', reason, at),
      { type: 'cancel', attempt: 2, reason: 'loser' },
      done({ agent: 'a', result: 'measured' }, { reason, won: false }),
    ]);
  });
});

describe('an agent that breaks', () => {
  const failed = (agent: string, reason: Reason, error: string, attempt = 1) =>
    event({ type: 'final', ...head(agent, attempt), failure: { reason, error } });
  const broken = (attempt = 1): RunEvent => ({ type: 'broken', attempt });
  const won = { reason: 'broken', won: true };
  const ours = (seen: string) => ({ reason: 'internal', error: `The measurement failed for a reason of our own${seen}` });

  it.each([
    ['a result that breaks its schema', final('a', 1, 'nonsense'), ours(': the agent sent an invalid result')],
    ['a failure of its own', failed('a', 'internal', 'a stack trace'), ours('')],
    [
      'a measurement given up',
      failed('a', 'cancelled', 'The measurement was cancelled: gone'),
      { reason: 'cancelled', error: 'The measurement was cancelled: gone' },
    ],
    ['what only we may say', failed('a', 'agent_busy', 'x'), { reason: 'agent_busy', error: 'The agents of this location are busy' }],
  ])('has %s measured by another, for a hedge', (_what, answer, failure) => {
    const { actions, step } = play(new FakeFleet('a', 'b'));
    step(5, ack('a'));
    step(10, answer);
    step(20, final('b', 2));
    expect(actions.slice(1)).toEqual([doubt, dispatch('b', 'broken', 10), done({ agent: 'b', result: 'measured' }, won)]);
    const without = play(new FakeFleet('a', 'b'), { tokens: 0 });
    without.step(10, answer);
    expect(without.actions).toEqual([doubt, done({ agent: 'a', failure })]);
  });

  it('is not replaced when too little time is left', () => {
    const { actions, step } = play(new FakeFleet('a', 'b'));
    step(DEADLINE - 1_000, final('a', 1, 'nonsense'));
    expect(actions).toEqual([doubt, done({ agent: 'a', failure: ours(': the agent sent an invalid result') })]);
  });

  it('is known by its frames once it is bound or named, and costs no hedge before its ack', () => {
    const named = play(new FakeFleet('a', 'b'), { agent: 'a', tokens: 0 });
    named.step(10, broken());
    named.step(20, final('b', 2));
    expect(named.actions).toEqual([
      { type: 'invalid' },
      fault('a'),
      dispatch('b', 'broken', 10),
      done({ agent: 'b', result: 'measured' }, won),
    ]);
    const three = play(new FakeFleet('a', 'b', 'c'), { agent: 'a', tokens: 0 });
    three.step(10, broken());
    three.step(20, broken(2));
    three.step(30, broken(2));
    expect(three.actions).toEqual([
      { type: 'invalid' },
      fault('a'),
      dispatch('b', 'broken', 10),
      { type: 'invalid' },
      fault('b'),
      dispatch('c', 'broken', 20),
      { type: 'invalid' },
      fault('c'),
      done({ agent: '', failure: ours(': the agent sent an invalid frame') }, { reason: 'broken', won: false }),
    ]);
    const unknown = play(new FakeFleet('a', 'b'));
    unknown.step(10, broken());
    expect(unknown.actions).toEqual([{ type: 'invalid' }]);
    const alone = play(new FakeFleet('a'));
    alone.step(5, ack('a'));
    alone.step(10, broken());
    expect(alone.actions.slice(1)).toEqual([
      { type: 'invalid' },
      doubt,
      done({ agent: 'a', failure: ours(': the agent sent an invalid frame') }),
    ]);
  });

  it.each([
    ['a result', final('a', 1, 'nonsense')],
    ['a refusal', nack('a', 'invalid')],
  ])('is blamed for %s where it was named: else another may have spoken in its name', (_what, answer) => {
    const blamed = [{}, { agent: 'a' }].map((options) => {
      const { actions, step } = play(new FakeFleet('a', 'b'), options);
      step(10, answer);
      return actions.find(({ type }) => type === 'fault' || type === 'doubt');
    });
    expect(blamed).toEqual([doubt, fault('a')]);
  });

  it('is blamed for a missing ack where it was named and beats on', () => {
    const fleet = new FakeFleet('a', 'b');
    fleet.heard.set('a', 100);
    const { actions, tick } = play(fleet, { agent: 'a' });
    tick(150);
    expect(actions).toEqual([fault('a'), dispatch('b', 'no_ack', 150)]);
  });

  it('is not blamed at the deadline when it was we who did not listen', () => {
    const fleet = new FakeFleet('a');
    const { actions, step, tick } = play(fleet);
    step(10, ack('a'));
    fleet.since = 5_000;
    tick(DEADLINE);
    expect(actions.filter(({ type }) => type === 'fault')).toEqual([]);
  });

  it.each([
    ['icmp_timeout', 'No echo reply came back: 4 sent to 192.0.2.1', 'No echo reply came back: 4 sent to 192.0.2.1'],
    ['icmp_timeout', 'Pay here: https://evil.test', 'No echo reply came back'],
    ['target_limited', 'This target is being measured too often: 192.0.2.1', 'This target is being measured too often: 192.0.2.1'],
    ['target_limited', 'This target is being measured too often: pay here', 'This target is being measured too often'],
    ['unsupported', 'The agent cannot do this measurement: ask evil', 'The agent cannot do this measurement'],
  ] as const)('says %s "%s" as "%s"', (reason, said, error) => {
    const { actions, step } = play(new FakeFleet('a'));
    step(10, failed('a', reason, said));
    expect(actions).toEqual([done({ agent: 'a', failure: { reason, error } }, undefined, true)]);
  });
});

describe('refusals', () => {
  it.each(['busy', 'draining'] as const)('asks another agent once after %s', (reason) => {
    const { actions, step } = play(new FakeFleet('a', 'b', 'c'), { tokens: 0 });
    step(10, nack('a', reason));
    step(20, nack('b', reason, 2));
    expect(actions).toEqual([
      { type: 'refused', reason },
      dispatch('b', reason, 10),
      { type: 'refused', reason },
      done({ agent: '', failure: { reason: 'agent_busy', error: 'The agents of this location are busy' } }, { reason, won: false }),
    ]);
  });

  it.each([
    { first: 700, second: 300 },
    { first: 300, second: 700 },
    { first: 300, second: undefined },
    { first: undefined, second: 300 },
  ])('says when the first of two busy agents expects a slot: $first, $second', ({ first, second }) => {
    const { actions, step } = play(new FakeFleet('a', 'b'));
    step(10, nack('a', 'busy', 1, first));
    step(20, nack('b', 'busy', 2, second));
    const failure = { reason: 'agent_busy', error: 'The agents of this location are busy' };
    expect(actions.at(-1)).toEqual(done({ agent: '', failure, retryAfterMs: 300 }, { reason: 'busy', won: false }));
  });

  it('says nothing of a slot where a busy agent is not the reason', () => {
    const { actions, step } = play(new FakeFleet('a', 'b'));
    step(10, nack('a', 'busy', 1, 300));
    step(20, nack('b', 'unsupported', 2));
    const failure = { reason: 'unsupported', error: 'The agent cannot do this measurement: ping' };
    expect(actions.at(-1)).toEqual(done({ agent: '', failure }, { reason: 'busy', won: false }));
  });

  it.each([
    ['unsupported', { reason: 'unsupported', error: 'The agent cannot do this measurement: ping' }],
    ['invalid', { reason: 'internal', error: 'The measurement failed for a reason of our own: the agent refused the job' }],
  ] as const)('asks another agent after %s, and believes the second', (reason, failure) => {
    const alone = play(new FakeFleet('a'), { tokens: 0 });
    alone.step(10, nack('a', reason));
    expect(alone.actions).toEqual([{ type: 'refused', reason }, doubt, done({ agent: '', failure })]);
    const { actions, step } = play(new FakeFleet('a', 'b'), { tokens: 0 });
    step(10, nack('a', reason));
    step(20, nack('b', reason, 2));
    expect(actions).toEqual([
      { type: 'refused', reason },
      doubt,
      dispatch('b', reason, 10),
      { type: 'refused', reason },
      fault('b'),
      done({ agent: '', failure }, { reason, won: false }),
    ]);
  });

  it('says at once that nobody is there', () => {
    const { actions, step } = play(new FakeFleet());
    step(1, noResponders());
    const failure = { reason: 'no_agent', error: 'No agent is connected at this location' };
    expect(actions).toEqual([{ type: 'unreachable' }, done({ agent: '', failure })]);
  });

  it('asks an agent by name when all have left the queue group', () => {
    const { actions, step } = play(new FakeFleet('a'), { tokens: 0 });
    step(1, noResponders());
    step(10, nack('a', 'busy', 2));
    const failure = { reason: 'agent_busy', error: 'The agents of this location are busy' };
    expect(actions).toEqual([
      { type: 'unreachable' },
      dispatch('a', 'no_responders', 1),
      { type: 'refused', reason: 'busy' },
      done({ agent: '', failure }, { reason: 'no_responders', won: false }),
    ]);
  });
});

describe('frames that do not count', () => {
  const forged: [string, RunEvent][] = [
    ['another job', event({ type: 'final', ...head('a'), job: 'job2', result: 'forged' })],
    ['a wrong nonce', event({ type: 'final', ...head('a'), nonce: 'guessed-by-a-stranger', result: 'forged' })],
    ['an attempt that was never sent', event({ type: 'final', ...head('a', 2), result: 'forged' })],
    ['another attempt than its inbox', event({ type: 'final', ...head('a'), attempt: 2, result: 'forged' }, 1)],
    ['an agent that is not bound', final('b')],
    ['a refusal after the ack', nack('a', 'busy')],
  ];
  it.each(forged)('%s', (_what, frame) => {
    const { actions, step } = play(new FakeFleet('a', 'b'));
    step(10, ack('a'));
    step(20, frame);
    step(30, final('a'));
    expect(actions.slice(1)).toEqual([{ type: 'invalid' }, done({ agent: 'a', result: 'measured' })]);
  });

  it('an agent other than the one the job was pinned to', () => {
    const { actions, step } = play(new FakeFleet('a', 'b'), { agent: 'a' });
    step(10, ack('b'));
    expect(actions).toEqual([{ type: 'invalid' }]);
  });
});

describe('any order of anything', () => {
  const agents = ['a', 'b', 'stranger'];
  const frame = fc
    .record({
      type: fc.constantFrom('ack', 'final', 'nonsense', 'failed', 'broken', 'nack'),
      agent: fc.constantFrom(...agents),
      attempt: fc.constantFrom(1, 2),
      inbox: fc.constantFrom(1, 2),
      genuine: fc.boolean(),
      reason: fc.constantFrom('busy', 'draining', 'unsupported', 'invalid'),
    })
    .map(({ type, agent, attempt, inbox, genuine, reason }): RunEvent => {
      const from = { ...head(agent, attempt), ...(!genuine && { nonce: 'forged-forged-forged' }) };
      const body = {
        ack: { type: 'ack' },
        final: { type: 'final', result: genuine ? 'measured' : 'forged' },
        nonsense: { type: 'final', result: 'nonsense' },
        broken: { type: 'final', failure: { reason: 'internal', error: 'The measurement failed for a reason of our own' } },
        failed: { type: 'final', failure: { reason: 'icmp_timeout', error: 'No echo reply came back' } },
        nack: { type: 'nack', reason },
      }[type];
      return event({ ...body, ...from } as ReplyFrame, inbox);
    });
  const oddEvents: RunEvent[] = [
    { type: 'cancel' },
    { type: 'bus_lost' },
    noResponders(1),
    noResponders(2),
    { type: 'broken', attempt: 1 },
    { type: 'broken', attempt: 2 },
  ];
  const happening = fc.oneof(
    { weight: 6, arbitrary: frame },
    { weight: 3, arbitrary: fc.constant<RunEvent>({ type: 'tick' }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddEvents) },
  );
  const story = fc.array(
    fc.record({ after: fc.nat(800), event: happening, beat: fc.constantFrom('', 'a', 'b'), dies: fc.constantFrom('', '', '', 'a', 'b') }),
    {
      maxLength: 40,
    },
  );
  const fleetOf = fc.constantFrom([], ['a'], ['a', 'b'], ['b', 'a']);

  it('yields exactly one entry, by the deadline, from a genuine frame or a reason, with two agents at most', () => {
    fc.assert(
      fc.property(story, fleetOf, fc.option(fc.constantFrom('a', 'b'), { nil: undefined }), fc.nat(2), (events, names, agent, tokens) => {
        const fleet = new FakeFleet(...names);
        const { run, actions, step, tick } = play(fleet, { tokens, ...(agent !== undefined && { agent }) });
        let now = 0;
        for (const { after, event: next, beat, dies } of events) {
          now += after;
          if (beat) fleet.heard.set(beat, now);
          if (dies) fleet.dead.add(dies);
          if (run.wakeAt <= now) tick(now);
          step(now, next);
        }
        tick(Math.max(now, DEADLINE));
        tick(DEADLINE * 2);
        const endings = actions.filter(({ type }) => type === 'done') as Extract<RunAction, { type: 'done' }>[];
        expect(endings.length).toBe(1);
        expect(actions.at(-1)).toBe(endings[0]);
        const { result, failure } = endings[0]!.outcome;
        expect(result === undefined && failure === undefined).toBe(false);
        expect(['forged', 'nonsense']).not.toContain(result);
        const asked = actions.filter(({ type }) => type === 'dispatch');
        const again = new Set(['no_responders', 'broken']);
        expect(asked.filter((action) => action.type === 'dispatch' && !again.has(action.reason)).length).toBeLessThanOrEqual(1);
        expect(asked.length).toBeLessThanOrEqual(names.length);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
