/**
 * Kills gateways with SIGKILL at random instants under load, some of which hangs up, and compares what clients saw with the ledger.
 * `npm run chaos:money [cycles]` does it at length, on both engines at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, ENGINES, sql, startServer } from '../../ledger/servers.ts';
import { send, type SentRequest, startLoad, type Target } from './client.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { type MoneyWorld, type Payer, startMoneyWorld } from './world.ts';

const CLIENTS = 8;
/** From the first request of the load to the kill. The successor takes about as long to start. */
const LONGEST_LIFE_MS = 1500;
/** Charged and not delivered when a gateway dies, of the requests that its clients wait for. Of all its requests it is the more the shorter it lived. */
const UNDELIVERED_PER_KILL = CLIENTS / 4;
const PLENTY = 1e12;

export interface ChaosReport {
  cycles: number;
  /** Requests sent, repetitions aside, and 200s read to their end. */
  requests: number;
  delivered: number;
  /** Left by their clients; of these, what had left for them as the DNS server saw, and was not charged though their gateway lived on. */
  left: number;
  freeRides: number;
  /** Delivered and not in the ledger. */
  uncharged: number;
  /** Entries of the ledger beyond one for each request. */
  doubled: number;
  /** Charged although the work was not done (of clients that left: not begun), or the client was refused. */
  chargedUnfinished: number;
  chargedRefused: number;
  /** Charged before the client had its answer, in all and of 100 charges at the instants of the kills. */
  undelivered: number;
  undeliveredPercent: number;
  /** Of these, repetitions with the Idempotency-Key that cost something. */
  paidAgain: number;
  /** Repetitions that did not end in a 200. */
  unserved: number;
  /** Credits held after the holds have expired. */
  heldAfterExpiry: number;
  /** Between balances, daily sums and entries; and between account-info's sums and the entries. */
  discrepancies: number;
  usageOff: number;
  seconds: number;
}

export async function runChaos(databaseUrl: string, cycles: number): Promise<ChaosReport> {
  const started = performance.now();
  const world = await startMoneyWorld(databaseUrl);
  try {
    // One that ends in peace leaves its compiled code to those that do not. In a run of system tests others do.
    if (process.env['NODE_COMPILE_CACHE'] === undefined) await (await world.startGateway()).stop();
    const payer = await world.payer(PLENTY);
    const count = {
      requests: 0,
      delivered: 0,
      left: 0,
      freeRides: 0,
      uncharged: 0,
      chargedUnfinished: 0,
      chargedRefused: 0,
      undelivered: 0,
      paidAgain: 0,
      unserved: 0,
    };
    const charges = new Set<string>();
    let chargedAtKill = 0;
    let gateway = await world.startGateway();

    for (let cycle = 0; cycle < cycles; cycle++) {
      const load = startLoad({ ...payer, url: gateway.url }, CLIENTS, { leaving: true });
      const successor = world.startGateway();
      await sleep(Math.random() * LONGEST_LIFE_MS);
      await gateway.kill();
      await load.stop();
      gateway = await successor;
      await expireHolds(world);

      const { sent } = load;
      const keys = sent.map(({ key }) => key);
      const charged = await world.chargesOf(keys);
      const { asked, answered } = world.witness;
      const left = sent.filter(({ outcome }) => outcome.how === 'left');
      const unanswered = sent.filter(({ outcome }) => outcome.how === 'broken' || outcome.how === 'left');
      const chargedOf = (how: SentRequest['outcome']['how']) => sent.filter(({ key, outcome }) => outcome.how === how && charged.has(key));
      const delivered = sent.filter(({ outcome }) => outcome.how === 'delivered').length;
      count.requests += sent.length;
      count.delivered += delivered;
      count.uncharged += delivered - chargedOf('delivered').length;
      count.undelivered += chargedOf('broken').length;
      count.chargedRefused += chargedOf('refused').length;
      count.left += left.length;
      count.freeRides += left.filter(({ key, host, settled }) => settled && asked.has(host) && !charged.has(key)).length;
      count.chargedUnfinished += sent.filter(
        ({ key, host, outcome }) => charged.has(key) && !(outcome.how === 'left' ? asked : answered).has(host),
      ).length;
      chargedAtKill += charged.size;

      await Promise.all(
        unanswered.map(async (request) => {
          const outcome = await repeat(world, { ...payer, url: gateway.url }, request);
          if (outcome.how !== 'delivered') count.unserved++;
          else if (charged.has(request.key) && outcome.cost !== 0) count.paidAgain++;
        }),
      );
      for (const id of (await world.chargesOf(keys)).values()) charges.add(id);
      asked.clear();
      answered.clear();
    }

    const entries = await sql<{ id: string }>(databaseUrl, 'SELECT reservation_id::text AS id FROM entries');
    return {
      cycles,
      ...count,
      doubled: entries.filter(({ id }) => !charges.has(id)).length,
      undeliveredPercent: (100 * count.undelivered) / chargedAtKill,
      heldAfterExpiry: (await world.settledBalance(payer.accountId, ({ held }) => held === 0)).held,
      discrepancies: (await world.ledger.audit()).length,
      usageOff: await usageOff(gateway, payer, entries.length),
      seconds: Math.round((performance.now() - started) / 1000),
    };
  } finally {
    await world.stop();
  }
}

/** The time of what a killed gateway held passes at once; what its connections still try to charge comes too late. */
const expireHolds = ({ databaseUrl }: MoneyWorld): Promise<unknown> => sql(databaseUrl, 'UPDATE reservations SET expires_at = now()');

/** Sends a request again; while the ledger says that the first is under way, its hold came after all the others' end. */
async function repeat(world: MoneyWorld, target: Target, request: SentRequest): Promise<SentRequest['outcome']> {
  for (let tries = 0; ; tries++) {
    const outcome = await send(target, request);
    if (outcome.how !== 'refused' || outcome.status !== 409 || tries === 5) return outcome;
    await sleep(100);
    await sql(
      world.databaseUrl,
      `UPDATE reservations SET expires_at = now() FROM idempotency_keys k WHERE k.key = $1 AND k.reservation_id = reservations.id`,
      [request.key],
    );
  }
}

/** By how many credits account-info's sums differ from the entries. */
async function usageOff({ url }: GatewayProcess, { apiKey }: Payer, credits: number): Promise<number> {
  const response = await fetch(`${url}/v2/account-info`, { method: 'POST', headers: { 'x-api-key': apiKey } });
  const { usage_stats } = (await response.json()) as { usage_stats: Record<'daily' | 'monthly', { total: number }> };
  return Math.abs(usage_stats.daily.total - credits) + Math.abs(usage_stats.monthly.total - credits);
}

/** Whether all the figures that must be nothing are nothing, and the sliver that may be lost on the way is thin. */
const isSound = (report: ChaosReport): boolean =>
  report.uncharged +
    report.freeRides +
    report.doubled +
    report.chargedUnfinished +
    report.chargedRefused +
    report.paidAgain +
    report.unserved +
    report.heldAfterExpiry +
    report.discrepancies +
    report.usageOff ===
    0 && report.undelivered <= UNDELIVERED_PER_KILL * report.cycles;

if (import.meta.main) {
  const cycles = Number(process.argv[2] ?? 1_000);
  if (!Number.isInteger(cycles) || cycles < 1) {
    process.stderr.write('usage: npm run chaos:money [-- <kills on each engine>]\n');
    process.exit(1);
  }
  // Two processors, 2 s a cycle: mostly the starts of gateways.
  process.stdout.write(`${cycles} kills on each engine, about ${Math.ceil((cycles * 2) / 60)} minutes\n`);
  const run = async (engine: (typeof ENGINES)[number]): Promise<void> => {
    const server = await startServer(engine);
    try {
      const report = await runChaos(await createDatabase(server), cycles);
      process.stdout.write(`${engine} ${JSON.stringify(report)}\n`);
      if (!isSound(report)) process.exitCode = 1;
    } finally {
      await server.stop();
    }
  };
  await Promise.all(ENGINES.map(run));
}
