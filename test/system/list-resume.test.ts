import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../free-ports.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { ROOT } from '../repo/pages.ts';
import { type MoneyWorld, type Payer, startMoneyWorld } from './money/world.ts';

vi.setConfig({ testTimeout: 180_000 });

const ITEMS = 200;
const SOON = { timeout: 60_000 };
const folder = mkdtempSync(join(tmpdir(), 'vedette-lists-'));
let server: TestServer;
let world: MoneyWorld;

beforeAll(async () => {
  server = await startServer('embedded');
  world = await startMoneyWorld(await createDatabase(server));
});
afterAll(async () => {
  await world?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** A list of mailboxes whose server takes its time, and a payer of its own. */
async function listOf(name: string) {
  const [list, output] = [join(folder, name), join(folder, `${name}.ndjson`)];
  writeFileSync(list, Array.from({ length: ITEMS }, (_, i) => `user@0-${name}-${i}.example.org\n`).join(''));
  const lines = () => (existsSync(output) ? readFileSync(output, 'utf8').split('\n').filter(Boolean) : []);
  return { list, output, lines, payer: await world.payer(1_000) };
}

interface Run {
  child: ChildProcess;
  ended: Promise<{ code: number | null; told: string }>;
}

/** `vedette email --file <list> --resume <output>`. */
function run(url: string, { apiKey }: Payer, list: string, output: string): Run {
  const env = { PATH: process.env['PATH'], HOME: folder, VEDETTE_URL: url, VEDETTE_API_KEY: apiKey };
  const child = spawn(join(ROOT, 'vedette'), ['email', '--file', list, '--resume', output], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const told = text(child.stderr);
  return { child, ended: new Promise((resolve) => child.once('exit', (code) => void told.then((all) => resolve({ code, told: all })))) };
}

/** Every item has one report, and was charged once. */
async function expectPaidOnce({ accountId }: Payer, lines: string[]): Promise<void> {
  const reports = lines.map((line) => JSON.parse(line) as { index: number; status: number });
  expect(reports.map(({ status }) => status)).toEqual(Array.from({ length: ITEMS }, () => 200));
  expect(new Set(reports.map(({ index }) => index)).size).toBe(ITEMS);
  expect(await world.settledBalance(accountId, ({ held }) => held === 0)).toEqual({ held: 0, spent: ITEMS, entries: ITEMS });
  expect(await world.ledger.audit()).toEqual([]);
}

it('a gateway is killed midway: the command says what remains, and its repetition pays for that alone', async () => {
  const port = await freePort();
  const gateway = await world.startGateway(port);
  const { list, output, lines, payer } = await listOf('gateway');
  const first = run(gateway.url, payer, list, output);
  await expect.poll(() => lines().length, SOON).toBeGreaterThan(40);
  await gateway.kill();
  const broken = await first.ended;
  const came = lines().length;
  expect(came).toBeLessThan(ITEMS);
  expect(broken.code).toBe(5);
  expect(broken.told).toContain(`${came} of ${ITEMS} items: ${came} reports, 0 errors, ${came} credits\n`);
  expect(broken.told).toContain(`${ITEMS - came} items remain: the same command asks about them alone\n`);

  // At once: the successor has not yet given back what the dead one held.
  const successor = await world.startGateway(port);
  const again = await run(successor.url, payer, list, output).ended;
  expect(again).toMatchObject({ code: 0, told: expect.stringContaining(`${came} of ${ITEMS} items have an answer in ${output}\n`) });
  await expectPaidOnce(payer, lines());
  expect((await run(successor.url, payer, list, output).ended).told).toContain(`${ITEMS} reports, 0 errors, 0 credits now\n`);
  await successor.stop();
});

it.each([
  ['SIGKILL', null, ''],
  ['SIGINT', 130, ' remain: the same command asks about them alone'],
] as const)('the command is ended by %s midway: its repetition pays for what was not charged alone', async (signal, code, told) => {
  const gateway = await world.startGateway();
  const { list, output, lines, payer } = await listOf(signal.toLowerCase());
  const first = run(gateway.url, payer, list, output);
  await expect.poll(() => lines().length, SOON).toBeGreaterThan(40);
  first.child.kill(signal);
  const ended = await first.ended;
  expect(ended.code).toBe(code);
  expect(lines().length).toBeLessThan(ITEMS);
  expect(ended.told).toContain(told);
  expect(await run(gateway.url, payer, list, output).ended).toMatchObject({ code: 0 });
  await expectPaidOnce(payer, lines());
  await gateway.stop();
});
