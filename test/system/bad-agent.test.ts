import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readFleet } from '@vedette/bus';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freeze } from '../bus/freeze.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';
import { processOf } from './processes.ts';

// What one agent's key, in other hands, takes from everybody else.
const FLOOD = fileURLToPath(new URL('beat-flood.ts', import.meta.url));
const CLIENTS = 6;
const SECONDS = 2;
let machine: OneMachine;
let target: Server;
let url: string;
beforeAll(async () => {
  target = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
  machine = await startOneMachine({ ...NO_BROWSER, VEDETTE_LIMITS: 'off' });
  const { port } = target.address() as { port: number };
  url = `http://127.0.0.1:${port}/`;
});
afterAll(async () => {
  await machine.stop();
  target.close();
});

const pidOf = (what: string) => processOf(machine.process.pid!, what);
/** Resident memory, MB. */
const residentMb = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const fleet = (...path: string[]) => join(machine.dataDir, 'fleet', ...path);
const natsUrl = () => `tls://127.0.0.1:${readFleet(fleet())!.ports.client}`;

/** Reports of all three locations that clients get while the work goes on. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const end = () => over.abort();
  work.then(end, end);
  const client = async () => {
    let answered = 0;
    while (!over.signal.aborted) {
      const response = await machine.post('geo-request', { url });
      const report = (await response.json()) as { locations?: { reason?: string }[] };
      if (response.status === 200 && report.locations?.every(({ reason = '' }) => reason === '')) answered += 1;
    }
    return answered;
  };
  const counts = await Promise.all(Array.from({ length: CLIENTS }, client));
  await work;
  return counts.reduce((sum, count) => sum + count, 0);
}

const flood = (agent: string, bytes: number, seconds: number) =>
  promisify(execFile)(process.execPath, [
    FLOOD,
    natsUrl(),
    fleet('keys', 'pretended-eu-fra.nkey'),
    fleet('ca.pem'),
    'eu-fra',
    agent,
    String(bytes),
    String(seconds),
  ]);

it.each([
  // 576 answers became 6, and the gateway grew by 190 MB; by 290 MB with the long ones.
  { what: 'under one name', agent: 'flood', bytes: 60 },
  { what: 'under names made up', agent: '', bytes: 60 },
  { what: 'of 60 KB each', agent: 'flood', bytes: 60_000 },
])('130,000 beats a second $what leave everybody their answers', async ({ agent, bytes }) => {
  await answeredDuring(sleep(300)); // warm
  const calm = await answeredDuring(sleep(SECONDS * 1_000));
  const [gateway, nats] = [pidOf('gateway'), pidOf('nats-server')];
  const before = [residentMb(gateway), residentMb(nats)] as const;
  const attacked = await answeredDuring(flood(agent, bytes, SECONDS));
  const grown = [residentMb(gateway) - before[0], residentMb(nats) - before[1]] as const;
  expect(grown[0]).toBeLessThan(64);
  expect(grown[1]).toBeLessThan(64);
  // The flood and the server that drops it take a processor of two for themselves.
  expect(attacked).toBeGreaterThan(calm / 4);
});

it('the flood is counted and logged with the location whose key it was', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${machine.opsPort}/metrics`)).text();
  expect(metrics).toMatch(/^vedette_gateway_beat_floods_total\{location="eu-fra"\} [1-9]/m);
  const told = machine
    .stderr()
    .split('\n')
    .filter((line) => line.includes('more beats than an agent sends'));
  expect(told[0]).toContain('"location":"eu-fra"');
  expect(told.length).toBeLessThanOrEqual(4);
});

it('a frozen bus is a 503 within a second', async () => {
  const nats = pidOf('nats-server');
  await freeze(nats);
  await sleep(1_000); // it took 2.6 s
  try {
    const response = await machine.post('geo-request', { url });
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'bus_unavailable' }]);
  } finally {
    process.kill(nats, 'SIGCONT');
  }
  for (let tries = 0; tries < 100 && (await machine.post('geo-request', { url })).status !== 200; tries += 1) await sleep(50);
  expect((await machine.post('geo-request', { url })).status).toBe(200);
});
