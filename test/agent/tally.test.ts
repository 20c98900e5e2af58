import type { BeatFrame } from '@vedette/bus/frames';
import { expect, it } from 'vitest';
import { Tally } from '../../packages/agent/src/tally.ts';
import { readBeat, writeBeat } from '../../packages/bus/src/wire/frames.ts';

const BEAT: BeatFrame = {
  agent: 'fra-1',
  location: 'eu-fra',
  version: '0.1.0',
  protocol: { major: 1, minor_min: 0, minor_max: 1 },
  state: 'ready',
  capabilities: { kinds: ['ping'], v4: true, v6: false, icmp: 'kernel', h2: true, h3: false, vpn: 0 },
  slots: { ping: { used: 0, max: 64 } },
  jobs: 0,
  simulated: false,
  event_loop_delay_ms: 0,
  icmp_overhead_ms: 0,
  clock_ms: 1_800_000_000_000,
  selftest: { failing: 0, witnesses: 3 },
};

const IPV4 = { duplicate: 1, late: 0, foreign: 7 };
const IPV6 = { duplicate: 0, late: 0, foreign: 2 };

it('adds up what happened, and a beat with it is one to a gateway', () => {
  const tally = new Tally(
    {
      counters: new Map([
        [4, IPV4],
        [6, IPV6],
      ]),
    },
    1_800_000_000_000,
    '0123456789ab-changed',
  );
  tally.finished('ping', 'ok', 700);
  tally.finished('ping', 'ok', 800);
  tally.finished('ping', 'icmp_timeout', 2_000);
  tally.finished('http', 'internal', 5);
  tally.refused('busy');
  tally.refused('invalid_frame');
  tally.cancelled('loser');
  const { process: figures, counts } = tally.figures();
  expect(counts).toEqual({
    runs: { ping: { ms: 3_500, ends: { ok: 2, icmp_timeout: 1 } }, http: { ms: 5, ends: { internal: 1 } } },
    refused: { busy: 1, invalid_frame: 1 },
    cancelled: { loser: 1 },
    icmp_strays: { duplicate: 1, foreign: 9 },
  });
  expect(figures).toMatchObject({ node: process.version, commit: '0123456789ab-changed', started_ms: 1_800_000_000_000 });
  expect(figures.resident_bytes).toBeGreaterThan(10_000_000);
  expect(figures.cpu_ms).toBeGreaterThan(0);
  const beat = { ...BEAT, process: figures, counts };
  expect(readBeat(Buffer.from(writeBeat(beat)))).toEqual(beat);
});
