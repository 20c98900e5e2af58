import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { readPostmasterFile } from '../../packages/ledger/src/embedded/leftover.ts';
import type { Discrepancy } from '@vedette/ledger';
import { describeOnEveryEngine, TRIED_ENGINES } from '../ledger/engines.ts';
import { createDatabase, sql, startServer, type TestServer } from '../ledger/servers.ts';
import { type Load, send, startLoad, type Target } from './money/client.ts';
import { startMoneyWorld } from './money/world.ts';

// Servers start, die and recover here: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const CLIENTS = 8;
const PLENTY = 1e9;
const UNAVAILABLE = '503 ledger_unavailable';
/** Longer than a request waits for PostgreSQL. */
const FROZEN_MS = 4_000;

interface UnderLoad {
  target: Target;
  opsUrl: string;
  databaseUrl: string;
  load: Load;
}

/** What a fault did to the clients and to the ledger. */
interface Aftermath {
  /** How requests ended. */
  endings: string[];
  /** Delivered and not charged; entries beyond those; credits held once what was in doubt is given back. */
  uncharged: number;
  chargedForNothing: number;
  held: number;
  discrepancies: Discrepancy[];
}

const UNHARMED: Aftermath = { endings: [UNAVAILABLE, 'delivered'], uncharged: 0, chargedForNothing: 0, held: 0, discrepancies: [] };

/** Runs a fault while clients ask a gateway, and waits until they are served again. */
async function withstand(server: TestServer, fault: (underLoad: UnderLoad) => Promise<void>): Promise<Aftermath> {
  const databaseUrl = await createDatabase(server);
  const world = await startMoneyWorld(databaseUrl);
  try {
    const { url, opsUrl } = await world.startGateway();
    const { accountId, apiKey } = await world.payer(PLENTY);
    const load = startLoad({ url, apiKey }, CLIENTS);
    await served(load);
    await fault({ target: { url, apiKey }, opsUrl, databaseUrl, load });
    await served(load);
    await load.stop();

    const delivered = load.sent.filter(({ outcome }) => outcome.how === 'delivered').map(({ key }) => key);
    // What was in doubt is given back as soon as the database answers.
    const { entries, held } = await world.settledBalance(
      accountId,
      (balance) => balance.held === 0 && balance.entries === delivered.length,
    );
    const charged = (await world.chargesOf(delivered)).size;
    return {
      endings: [...endings(load)].sort(),
      uncharged: delivered.length - charged,
      chargedForNothing: entries - charged,
      held,
      discrepancies: await world.ledger.audit(),
    };
  } finally {
    await world.stop();
  }
}

const endings = ({ sent }: Load): Set<string> =>
  new Set(sent.map(({ outcome }) => (outcome.how === 'refused' ? `${outcome.status} ${outcome.code}` : outcome.how)));

/** Resolves when the clients have had some more answers. */
async function served(load: Load): Promise<void> {
  const delivered = () => load.sent.filter(({ outcome }) => outcome.how === 'delivered').length;
  const enough = delivered() + 20;
  await expect.poll(delivered, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
}

const refused = (load: Load): Promise<void> => expect.poll(() => endings(load).has(UNAVAILABLE), { timeout: 30_000 }).toBe(true);

async function postmasterOf({ layout }: TestServer): Promise<number> {
  return (await readPostmasterFile(layout.cluster))!.pid;
}

/** What /readyz misses; nothing where it says that it is ready. */
async function missing(opsUrl: string): Promise<string[]> {
  const response = await fetch(`${opsUrl}/readyz`);
  const { missing: reasons } = (await response.json()) as { missing: string[] };
  expect(response.status).toBe(reasons.length === 0 ? 200 : 503);
  return reasons;
}

/** Fills the file system that the server alone lives on, until requests are refused; then gives the space back. */
async function fillDisk(disk: string, { opsUrl, databaseUrl, load }: UnderLoad): Promise<void> {
  const filler = join(disk, 'filler');
  const { bavail, bsize } = await statfs(disk);
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
  // A server that still answers was called ready once, and was sent requests that it could only refuse. Where its WAL finds no room first, it is down.
  await expect.poll(async () => (await missing(opsUrl)).some((reason) => reason.startsWith('database')), { timeout: 30_000 }).toBe(true);
  // What is left in allocated WAL is used up by larger rows.
  for (let i = 0; i < 50 && !endings(load).has(UNAVAILABLE); i++) {
    const waste = 'CREATE TABLE IF NOT EXISTS waste AS SELECT repeat(md5(i::text), 50) FROM generate_series(1, 20000) AS i';
    for (const statement of [waste, 'SELECT pg_switch_wal()']) await sql(databaseUrl, statement).catch(() => undefined);
    await sleep(100);
  }
  await refused(load);
  await rm(filler);
  await expect.poll(() => missing(opsUrl), { timeout: 30_000 }).toEqual([]);
}

describeOnEveryEngine(
  'requests are refused with 503, none is lost or charged twice, and service returns by itself',
  (_database, server) => {
    it('when the server is killed and started again', async () => {
      const aftermath = await withstand(server(), async ({ load }) => {
        process.kill(await postmasterOf(server()), 'SIGKILL');
        await refused(load);
      });
      expect(aftermath).toEqual(UNHARMED);
    });

    it('when the server is frozen: whoever asks is told within a second, no longer after 4.1', async () => {
      let frozen: number[] = [];
      const thaw = (): void => frozen.splice(0).forEach((pid) => process.kill(pid, 'SIGCONT'));
      try {
        const aftermath = await withstand(server(), async ({ load, target }) => {
          const postmaster = await postmasterOf(server());
          const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
          frozen = [postmaster, ...children.trim().split(' ').map(Number)];
          for (const pid of frozen) process.kill(pid, 'SIGSTOP');
          const told = await send(target, { host: 'frozen.example.org', leaveAfterMs: 1_000 });
          expect(told).toEqual({ how: 'refused', status: 503, code: 'ledger_unavailable' });
          await sleep(FROZEN_MS);
          await refused(load);
          thaw();
        });
        expect(aftermath).toEqual(UNHARMED);
      } finally {
        thaw();
      }
    });
  },
);

// Making a small file system takes root.
describe.skipIf(process.getuid?.() !== 0).each(TRIED_ENGINES)('a full disk under %s PostgreSQL', (engine) => {
  it('refuses requests with 503 and charges nothing for them; service returns with the space', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=220m,mode=0711', 'tmpfs', disk]);
    try {
      const server = await startServer(engine, disk);
      try {
        expect(await withstand(server, (underLoad) => fillDisk(disk, underLoad))).toEqual(UNHARMED);
      } finally {
        await server.stop();
      }
    } finally {
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  });
});
