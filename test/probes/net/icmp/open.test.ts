import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@vedette/probes/net';
import { openIcmpEngine } from '../../../../packages/probes/src/net/icmp/open.ts';
import { openNetPingEngine } from '../../../../packages/probes/src/net/icmp/net-ping/engine.ts';
import { pinged } from './pinged.ts';

const OPTIONS = { count: 2, interval_ms: 10, wait_ms: 500 };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('the engine chosen here', () => {
  it('is the kernel one, calibrated, without a note', async () => {
    const notes: string[] = [];
    const engine = (await openIcmpEngine({ clock: systemClock, onNote: (note) => notes.push(note) }))!;
    closing.push(() => engine.close());
    expect({ name: engine.name, v4: engine.v4, v6: engine.v6, notes }).toEqual({ name: 'kernel', v4: true, v6: true, notes: [] });
    expect(engine.overhead_ms).toBeGreaterThan(0);
    expect((await pinged(engine.echoes('127.0.0.1', OPTIONS))).echoes).toEqual(['64/64', '64/64']);
  });

  it('ends echoes on their way when it is closed, and takes no more', async () => {
    const engine = (await openIcmpEngine({ clock: systemClock }))!;
    const unread = pinged(engine.echoes('127.0.0.1', { count: 1, interval_ms: 10, wait_ms: 60_000 }));
    await engine.close();
    expect(await unread).toEqual({ echoes: ['lost'], rtts_ms: [] });
    await expect(pinged(engine.echoes('127.0.0.1', OPTIONS))).rejects.toThrow('the engine was closed');
  });

  it('sends nothing more for a job that was under way when it was closed', async () => {
    const engine = (await openIcmpEngine({ clock: systemClock }))!;
    const underWay = pinged(engine.echoes('127.0.0.1', { count: 3, interval_ms: 20, wait_ms: 500 }));
    await engine.close();
    await expect(underWay).rejects.toThrow('the engine was closed');
  });
});

/** The processes that a net-ping engine of ours runs in. */
const netPingPids = (): number[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('net-ping/child'))
    .map(Number);

describe('the net-ping engine', () => {
  it('rejects the echoes of a process that dies, and starts the next', async () => {
    const engine = await openNetPingEngine(systemClock);
    closing.push(() => engine.close());
    const [pid, ...others] = netPingPids();
    expect(others).toEqual([]);
    process.kill(pid!, 'SIGSTOP');
    const unanswered = pinged(engine.echoes('127.0.0.1', { count: 1, interval_ms: 10, wait_ms: 60_000 }));
    process.kill(pid!, 'SIGKILL');
    await expect(unanswered).rejects.toThrow('the net-ping process ended');
    const both = await Promise.all([pinged(engine.echoes('127.0.0.1', OPTIONS)), pinged(engine.echoes('::1', OPTIONS))]);
    expect(both.map(({ echoes }) => echoes)).toEqual([
      ['64/64', '64/64'],
      ['0/64', '0/64'],
    ]);
    expect(netPingPids()).toHaveLength(1);
  });

  it('takes its process with it when it is closed', async () => {
    const engine = await openNetPingEngine(systemClock);
    expect(netPingPids()).toHaveLength(1);
    await engine.close();
    await expect.poll(netPingPids).toEqual([]);
    await expect(pinged(engine.echoes('127.0.0.1', OPTIONS))).rejects.toThrow('the engine was closed');
  });
});
