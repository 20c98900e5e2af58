import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNkey, fleetToken, NEW_FLEET, writeFleet } from '@vedette/bus';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Machines on one switch: three hubs, two leaf nodes, two with agents, one with the gateway. Their namespaces have no way out. */
const SWITCH = `vfl${process.pid}`;
const MACHINES = ['hub-1', 'hub-2', 'hub-3', 'leaf-eu', 'leaf-us', 'agents', 'gateway'] as const;
type Machine = (typeof MACHINES)[number];
const address = (machine: Machine) => `10.77.0.${MACHINES.indexOf(machine) + 1}`;
const space = (machine: Machine) => `${SWITCH}-${machine}`;
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

const folder = mkdtempSync(join(tmpdir(), 'vedette-fleet-'));
const plan = {
  ...NEW_FLEET,
  hubs: [address('hub-1'), address('hub-2'), address('hub-3')],
  regions: { eu: { host: address('leaf-eu') }, us: { host: address('leaf-us') } },
  locations: { 'eu-fra': { region: 'eu' }, 'us-ash': { region: 'us' } },
};
const started: ChildProcess[] = [];

const inside = (machine: Machine, command: string[], options: { cwd?: string } = {}): ChildProcess => {
  const child = spawn('ip', ['netns', 'exec', space(machine), ...command], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
  });
  started.push(child);
  return child;
};
const server = (machine: Machine) => inside(machine, ['nats-server', '-c', 'nats-server.conf'], { cwd: join(folder, machine) });

const main = join(import.meta.dirname, 'fleet-process.ts');
/** What a process of fleet-process.ts says, line by line. */
function talk(machine: Machine, ...args: string[]) {
  const child = inside(machine, [process.execPath, '--disable-warning=ExperimentalWarning', main, ...args]);
  const lines: unknown[] = [];
  let rest = '';
  let errors = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    lines.push(...parts.map((line): unknown => JSON.parse(line)));
  });
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const says = async (line: unknown) => {
    for (let tries = 0; tries < 1_500 && child.exitCode === null; tries += 1) {
      if (lines.includes(line)) return;
      await sleep(20);
    }
    if (!lines.includes(line)) throw new Error(`it never said ${String(line)}: ${errors}`);
  };
  return { child, lines, says };
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const hubs = new Map<Machine, ChildProcess>();
beforeAll(async () => {
  ip('netns', 'add', SWITCH);
  ip('-n', SWITCH, 'link', 'add', 'sw', 'type', 'bridge');
  ip('-n', SWITCH, 'link', 'set', 'sw', 'up');
  for (const [n, machine] of MACHINES.entries()) {
    ip('netns', 'add', space(machine));
    ip('-n', SWITCH, 'link', 'add', `p${n}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space(machine));
    ip('-n', SWITCH, 'link', 'set', `p${n}`, 'master', 'sw', 'up');
    ip('-n', space(machine), 'addr', 'add', `${address(machine)}/24`, 'dev', 'eth0');
    ip('-n', space(machine), 'link', 'set', 'eth0', 'up');
    ip('-n', space(machine), 'link', 'set', 'lo', 'up');
  }
  writeFleet(folder, plan, { now: new Date() });
  for (const hub of ['hub-1', 'hub-2', 'hub-3'] as const) hubs.set(hub, server(hub));
  server('leaf-eu');
  server('leaf-us');
  await sleep(1_500);
  const agents = ['eu-fra', 'us-ash'].flatMap((location) =>
    ['1', '2'].map((n) => talk('agents', 'agent', fleetToken(folder, location), `${location}-${n}`)),
  );
  await Promise.all(agents.map(({ says }) => says('ready')));
});
afterAll(async () => {
  await Promise.all(started.map(kill));
  for (const name of [...MACHINES.map(space), SWITCH]) execFileSync('sh', ['-c', `ip netns del ${name} 2>/dev/null || :`]);
  rmSync(folder, { recursive: true });
});

const gatewayKey = join(folder, 'keys', 'gateway-1.nkey');
const hubUrl = (hub: Machine) => `tls://${address(hub)}:4222`;
/** The key of somebody, in a file. */
function keyFile(seed: string): string {
  const path = join(folder, `${createNkey().publicKey}.nkey`);
  writeFileSync(path, seed);
  return path;
}

const HUBS = ['hub-1', 'hub-2', 'hub-3'] as const;
const hubUrls = HUBS.map(hubUrl).join(',');
/** The hubs to which a machine has connections. */
const hubsOf = (machine: Machine) =>
  HUBS.filter(
    (hub) => execFileSync('ip', ['netns', 'exec', space(hub), 'ss', '-Htn', 'dst', address(machine)], { encoding: 'utf8' }) !== '',
  );

it.each([
  ['of a leaf node', 'leaf-eu'],
  ['of the gateway', 'gateway'],
] as const)('every request has one complete answer while a hub is killed, that %s', async (_what, whose) => {
  const gateway = talk('gateway', 'gateway', hubUrls, gatewayKey, '250');
  await gateway.says('ready');
  await sleep(2_000);
  const [killed] = hubsOf(whose).toSorted((a, b) => Number(hubsOf('gateway').includes(a)) - Number(hubsOf('gateway').includes(b)));
  await kill(hubs.get(killed!)!);
  await gateway.says('done');
  hubs.set(killed!, server(killed!));
  const told = gateway.lines.filter((line) => line !== 'ready' && line !== 'done');
  const answers = told.filter((line) => Array.isArray(line)) as [string, string][][];
  expect(told.length).toBe(250);
  // While a gateway has no bus it says so at once.
  const refused = told.filter((line) => !Array.isArray(line));
  expect(refused.filter((line) => JSON.stringify(line) !== '{"refused":"bus_unavailable"}')).toEqual([]);
  expect(refused.length).toBeLessThan(50); // a second's; mostly two
  expect(answers.filter((entries) => entries.map(([id]) => id).join(' ') !== 'eu-fra us-ash')).toEqual([]);
  const reasons = new Set(answers.flat().map(([, reason]) => reason));
  expect([...reasons].filter((reason) => !['ok', 'agent_lost', 'no_agent'].includes(reason))).toEqual([]);
  expect(answers.flat().filter(([, reason]) => reason === 'ok').length).toBeGreaterThan(250);
  await sleep(1_500);
});

it('a key of another region, of nobody, and of an agent at a hub are refused', async () => {
  const eu = readFileSync(join(folder, 'keys', 'agent-eu-fra.nkey'), 'utf8');
  const said = async (url: string, seed: string) => {
    const { child, lines } = talk('agents', 'intruder', url, keyFile(seed));
    await once(child, 'exit');
    return lines;
  };
  expect(await said(`tls://${address('leaf-eu')}:4222`, eu)).toEqual(['let in']);
  expect(await said(`tls://${address('leaf-us')}:4222`, eu)).toEqual([expect.stringMatching(/authorization/i)]);
  expect(await said(hubUrls, eu)).toEqual([expect.stringMatching(/authorization/i)]);
  expect(await said(hubUrls, createNkey().seed)).toEqual([expect.stringMatching(/authorization/i)]);
});
