import { describe, expect, it } from 'vitest';
import { EchoTable, type PendingEcho } from '../../../../packages/probes/src/net/icmp/echo-table.ts';
import type { EchoHeader } from '../../../../packages/probes/src/net/icmp/message.ts';
import type { EchoOutcome } from '../../../../packages/probes/src/net/icmp/pace.ts';

const REPLY: EchoOutcome = { reply: { rtt_ms: 1, ttl: 64, bytes: 64 } };

function tableOf(count: number) {
  const table = new EchoTable();
  const outcomes: EchoOutcome[] = [];
  const strays = { duplicate: 0, late: 0, wrong: 0 };
  const add = (sentAt = 0, wait_ms = 1000): PendingEcho =>
    table.add({ sockaddr: new Uint8Array(16), wait_ms, sentAt, stamp_ms: 0, strays, settle: (outcome) => void outcomes.push(outcome) });
  return { table, outcomes, strays, add, echoes: Array.from({ length: count }, () => add()) };
}
const headerOf = ({ seq, cookie }: Pick<PendingEcho, 'seq' | 'cookie'>): EchoHeader => ({
  request: false,
  reply: true,
  id: 1,
  seq,
  cookie,
});

const fromTarget = () => true;
const fromElsewhere = () => false;

describe('sequence numbers', () => {
  it('wrap, and pass over echoes still on their way', () => {
    const { table, echoes, add } = tableOf(1);
    const seqs = [echoes[0]!.seq];
    for (let i = 0; i < 0x10001; i++) {
      const echo = add();
      seqs.push(echo.seq);
      table.settle(echo, {});
    }
    expect(seqs.slice(0, 3)).toEqual([1, 2, 3]);
    expect(seqs.slice(0xfffd)).toEqual([0xfffe, 0xffff, 0, 2, 3]); // 1 is taken
    expect(table.pending).toBe(1);
  });

  it('are refused when half of them are taken', () => {
    const { add } = tableOf(0x8000);
    expect(() => add()).toThrow('too many echoes on their way');
  });

  it('never find an echo by number alone, unless the cookie was cut off', () => {
    const { table, echoes } = tableOf(2);
    const [one, other] = echoes as [PendingEcho, PendingEcho];
    expect(table.find(headerOf(one))).toBe(one);
    expect(table.find(headerOf({ seq: one.seq, cookie: other.cookie }))).toBeUndefined();
    expect(table.find({ ...headerOf(one), cookie: undefined })).toBe(one);
  });
});

describe('what ends an echo', () => {
  it('is its wait, to the millisecond', () => {
    const { table, outcomes, add } = tableOf(0);
    add(100, 50);
    add(100, 51);
    table.expire(150);
    expect([table.pending, outcomes]).toEqual([2, []]);
    table.expire(150.5);
    expect([table.pending, outcomes]).toEqual([1, [{}]]);
  });

  it('happens once: later replies are counted as what they are', () => {
    const { table, outcomes, strays, echoes } = tableOf(3);
    const [answered, expired, forged] = echoes as [PendingEcho, PendingEcho, PendingEcho];
    table.settle(answered, REPLY);
    table.settle(expired, {});
    table.countStray(headerOf(answered), fromTarget);
    table.countStray(headerOf(expired), fromTarget);
    table.countStray(headerOf(expired), fromTarget); // a copy of the late one
    table.countStray(headerOf({ seq: answered.seq, cookie: forged.cookie }), fromTarget);
    table.countStray(headerOf({ seq: 0x7777, cookie: forged.cookie }), fromTarget);
    expect(table.counters).toEqual({ duplicate: 2, late: 1, foreign: 2 });
    expect(strays).toEqual({ duplicate: 2, late: 1, wrong: 1 });
    expect(outcomes).toEqual([REPLY, {}]);
  });

  it('is no reply with another payload, nor one from another address: the job hears of those, not of what is neither', () => {
    const { table, outcomes, strays, echoes } = tableOf(3);
    const [pending, answered, other] = echoes as [PendingEcho, PendingEcho, PendingEcho];
    table.settle(answered, REPLY);
    table.countStray(headerOf({ seq: pending.seq, cookie: other.cookie }), fromTarget);
    table.countStray({ ...headerOf(pending), cookie: undefined }, fromTarget); // cut short
    table.countStray(headerOf(pending), fromElsewhere);
    table.countStray(headerOf(answered), fromElsewhere);
    table.countStray(headerOf({ seq: pending.seq, cookie: other.cookie }), fromElsewhere);
    expect(table.counters).toEqual({ duplicate: 0, late: 0, foreign: 5 });
    expect(strays).toEqual({ duplicate: 0, late: 0, wrong: 4 });
    expect([table.pending, outcomes]).toEqual([2, [REPLY]]);
  });

  it('is forgotten after a while', () => {
    const { table, echoes, add } = tableOf(1);
    table.settle(echoes[0]!, REPLY);
    for (let i = 0; i < 4096; i++) table.settle(add(), REPLY);
    table.countStray(headerOf(echoes[0]!), fromTarget);
    expect(table.counters).toEqual({ duplicate: 0, late: 0, foreign: 1 });
  });
});
