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

it('has the states of the page of the protocol, in its order', () => {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| State \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  expect(table.match(/(?<=^\| `)\w+/gm)).toEqual(STATES);
});
