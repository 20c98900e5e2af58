import { openBus, subjects } from '@vedette/bus';
import type { BeatFrame } from '@vedette/bus/frames';
import { systemClock } from '@vedette/probes/net';

const BEAT_MS = 500;

/** An agent of an older version: it only beats. Notes the subjects of the jobs that come to its location. */
export interface OldAgent extends AsyncDisposable {
  jobs: string[];
}

/** Starts one at a location, which speaks up to this minor version of the protocol and measures these kinds. */
export async function startOldAgent(
  url: string,
  { location, minor, kinds }: { location: string; minor: number; kinds: string[] },
): Promise<OldAgent> {
  const beat: BeatFrame = {
    agent: 'old',
    location,
    version: '0.9.0',
    protocol: { major: 1, minor_min: 0, minor_max: minor },
    state: 'ready',
    capabilities: { kinds, v4: true, v6: false, icmp: 'kernel', h2: true, h3: false, vpn: 0 },
    slots: {},
    jobs: 0,
    simulated: false,
    event_loop_delay_ms: 0,
    icmp_overhead_ms: 0,
    clock_ms: Date.now(),
    selftest: { failing: 0, witnesses: 0 },
  };
  const bus = await openBus({ url, name: 'old', clock: systemClock });
  const jobs: string[] = [];
  bus.subscribe(subjects.job('*', location), ({ subject }) => void jobs.push(subject));
  const beats = setInterval(() => bus.publish(subjects.beat(location, 'old'), JSON.stringify(beat)), BEAT_MS);
  return {
    jobs,
    async [Symbol.asyncDispose]() {
      clearInterval(beats);
      await bus.close();
    },
  };
}
