import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Attempt, type AttemptState } from '../../packages/bus/src/ask/attempt.ts';
import type { Fleet } from '../../packages/bus/src/presence/fleet.ts';

const ACK_LIMIT_MS = 200;
let beatAt: number;
let listeningSince: number;
const fleet: Fleet = {
  twin: () => undefined,
  takers: () => 1,
  ackLimitMs: () => ACK_LIMIT_MS,
  heardAt: () => beatAt,
  heardSince: () => false,
  isDead: () => false,
  listeningSince: () => listeningSince,
};

/** An attempt sent at 1000, taken at 1010 by what follows, and asked at 1600. */
function attemptIn(state: AttemptState): Attempt {
  beatAt = listeningSince = 0;
  const attempt = new Attempt({ number: 1, nonce: 'n', agent: undefined, sentAt: 1_000, location: 'eu-fra', fleet });
  if (state === 'acked' || state === 'asked') attempt.heard('a', 1_010);
  if (state === 'asked') attempt.ask(1_600);
  attempt.state = state;
  return attempt;
}

/** By state: when silence begins to mean something, with nothing else heard, with a beat at 1700, and with our own ears open since 1800. */
const SILENT_AT: Record<AttemptState, readonly [alone: number, afterBeat: number, afterStall: number]> = {
  sent: [1_200, 1_200, 2_000],
  rolled: [1_200, 1_200, 2_000],
  overdue: [1_550, 1_550, 2_350],
  acked: [1_560, 2_250, 2_350],
  asked: [1_800, 2_250, 2_350],
  lost: [Infinity, Infinity, Infinity],
  over: [Infinity, Infinity, Infinity],
};
const STATES = Object.keys(SILENT_AT) as AttemptState[];

describe.each(STATES)('an attempt that is %s', (state) => {
  it('is silent for too long', () => {
    const attempt = attemptIn(state);
    const alone = attempt.silentAt();
    beatAt = 1_700;
    const afterBeat = attempt.silentAt();
    listeningSince = 1_800;
    expect([alone, afterBeat, attempt.silentAt()]).toEqual(SILENT_AT[state]);
  });

  it('is at work again with a frame of its agent', () => {
    const attempt = attemptIn(state);
    attempt.heard('a', 5_000);
    expect([attempt.state, attempt.agent, attempt.taken, attempt.silentAt()]).toEqual(['acked', 'a', true, 5_550]);
  });
});

it('of a render is sent again and again, and is lost after a silence of five seconds', () => {
  beatAt = listeningSince = 0;
  const silence = { ms: 1_500, againMs: 1_500, lostMs: 5_000 };
  const attempt = new Attempt({ number: 7, nonce: 'n', agent: undefined, sentAt: 0, location: 'pdf', fleet, silence });
  attempt.heard('key.renderer', 1_000);
  const asked: number[] = [];
  for (let now = attempt.silentAt(); now < 10_000 && !attempt.isLost(now); now = attempt.silentAt()) {
    asked.push(now);
    attempt.ask(now);
  }
  expect([asked, attempt.silentAt()]).toEqual([[2_500, 4_000, 5_500], 6_000]);
  beatAt = 5_900;
  expect([attempt.isLost(6_000), attempt.silentAt()]).toEqual([false, 7_400]);
});

it('is answered by the agent that has it alone, with its nonce', () => {
  const attempt = attemptIn('sent');
  expect([attempt.isAnsweredBy('n', 'a'), attempt.isAnsweredBy('n', 'b'), attempt.isAnsweredBy('m', 'a')]).toEqual([true, true, false]);
  attempt.heard('a', 1_010);
  expect([attempt.isAnsweredBy('n', 'a'), attempt.isAnsweredBy('n', 'b'), attempt.isAnsweredBy('m', 'a')]).toEqual([true, false, false]);
});

it('has the states of the page of the protocol, in its order', () => {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| State \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  expect(table.match(/(?<=^\| `)\w+/gm)).toEqual(STATES);
});
