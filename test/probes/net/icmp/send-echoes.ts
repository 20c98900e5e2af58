/** Runs one engine in the network it is started in: `node send-echoes.ts kernel '{"count":4,…}' <address>…` prints what came of it as JSON. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EchoShape } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { openKernelEngine } from '../../../../packages/probes/src/net/icmp/kernel/engine.ts';
import { openNetPingEngine } from '../../../../packages/probes/src/net/icmp/net-ping/engine.ts';
import { pinged, type Pinged } from './pinged.ts';

const [name, optionsText, ...addresses] = process.argv.slice(2);
const { linger_ms = 0, ...options } = JSON.parse(optionsText!) as {
  count: number;
  interval_ms: number;
  wait_ms: number;
  linger_ms?: number;
  shape?: EchoShape;
};
const engine = await (name === 'kernel' ? openKernelEngine : openNetPingEngine)(systemClock);
const results: Record<string, Pinged> = {};
await Promise.all(addresses.map(async (address) => (results[address] = await pinged(engine.echoes(address, options)))));
if (linger_ms > 0) {
  // What comes late is read when the next echo leaves.
  await sleep(linger_ms);
  await pinged(engine.echoes('127.0.0.1', { ...options, count: 1 }));
}
process.stdout.write(JSON.stringify({ results, counters: engine.counters?.get(4) }));
// Neither engine is closed: idle, it must not keep the process.
