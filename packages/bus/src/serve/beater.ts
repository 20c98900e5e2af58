import { randomInt } from 'node:crypto';
import { type Clock, ENDED } from '@vedette/contract';

const IDLE_MS = 2_000;
const IDLE_JITTER_MS = 200;
const BUSY_MS = 250;

export interface Beater {
  /** Beats at once: the state changed, or a gateway asked. */
  now(): void;
  /** Jobs began or ended, so the next beat may be due earlier. */
  reconsider(): void;
  stop(): void;
}

/** Calls `beat` every 2 s ± 10 %, every 250 ms while `busy()`, and at once on demand. */
export function createBeater(clock: Clock, busy: () => boolean, beat: () => void): Beater {
  const stopped = new AbortController();
  let urgent = true;
  let wake = new AbortController();
  const loop = async () => {
    let last = clock.now();
    let idleMs = IDLE_MS;
    while (!stopped.signal.aborted) {
      const wait = urgent ? 0 : last + (busy() ? BUSY_MS : idleMs) - clock.now();
      if (wait <= 0) {
        urgent = false;
        beat();
        last = clock.now();
        idleMs = IDLE_MS - IDLE_JITTER_MS + randomInt(2 * IDLE_JITTER_MS);
      } else {
        wake = new AbortController();
        await clock.sleep(wait, wake.signal).catch(() => {}); // woken early
      }
    }
  };
  void loop();
  return {
    now() {
      urgent = true;
      wake.abort(ENDED);
    },
    reconsider: () => wake.abort(ENDED),
    stop() {
      stopped.abort();
      wake.abort(ENDED);
    },
  };
}
