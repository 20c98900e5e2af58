import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;

/** Delay of the event loop: `p99Ms` is that since its last call, without the watcher's own interval. */
export function watchEventLoop(): Disposable & { p99Ms(): number } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    p99Ms() {
      const p99 = histogram.percentile(99) / NS_PER_MS - RESOLUTION_MS;
      histogram.reset();
      return Math.max(0, p99);
    },
    [Symbol.dispose]: () => void histogram.disable(),
  };
}
