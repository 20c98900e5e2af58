export { scan } from './probe.ts';
export { PORT_STATES, PORTS_MAX, SCAN_INTERVAL_MS, scanMs, type ScannedPort } from './job.ts';
