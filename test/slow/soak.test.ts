import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lab, openSystem, system } from '../lab/opened.ts';
import { HOSTILE_HOST, REGIONS, regionalAddress, WEB_HOSTS } from '../lab/plan.ts';
import { describeLab } from '../lab/preflight.ts';
import type { Answer } from '../lab/system.ts';
import type { WorldProcess } from '../lab/world.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const CLIENTS = 6;
const WARM_MS = 60_000;
const SECOND_PORT = 8081;
const MIB = 1024;
const ALL = REGIONS.map(({ id }) => id).toSorted();

/** Numbers that look random and come again with the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What clients ask, with what each costs; the distributed ones want an entry of every location. */
const ASKS: readonly { operation: string; parameters: () => object; cost: number; entries: boolean }[] = [
  ...[...REGIONS.map(regionalAddress), WEB_HOSTS.plain.name].map((host) => ({
    operation: 'ping-test',
    parameters: () => ({ host }),
    cost: 5,
    entries: true,
  })),
  ...[`http://${WEB_HOSTS.plain.name}/`, `https://${WEB_HOSTS.tlsExpired.name}/`, `http://${HOSTILE_HOST.name}/slow`].map((url) => ({
    operation: 'geo-request',
    parameters: () => ({ url }),
    cost: 5,
    entries: true,
  })),
  { operation: 'dns-propagation', parameters: () => ({ host: 'www.lab-regions.com', dns_types: 'A' }), cost: 5, entries: true },
  { operation: 'dns-lookup', parameters: () => ({ host: 'www.lab-good.com', dns_types: 'A,AAAA,MX' }), cost: 1, entries: false },
  { operation: 'dnssec-status', parameters: () => ({ host: 'www.lab-good.com' }), cost: 1, entries: false },
  { operation: 'spf-validator', parameters: () => ({ host: 'lab-good.com' }), cost: 5, entries: false },
];

/** Resident memory in KiB (proc(5), VmRSS), and open handles. */
const sizeOf = ({ pid }: WorldProcess): { rss: number; handles: number } => ({
  rss: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]),
  handles: readdirSync(`/proc/${pid}/fd`).length,
});

describeLab('a mixed load with faults at random', () => {
  openSystem();

  it(
    `for ${MINUTES} minutes (SOAK_SEED=${SEED}): no entry is lost, the books are right, and nothing grows`,
    async () => {
      const random = randomFrom(SEED);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      const startSecond = () => system.startGateway({ port: SECOND_PORT });
      let second = await startSecond();
      const counts: Record<string, number> = {};
      const wrong: unknown[] = [];
      let sure = 0;
      let unsure = 0;

      const judge = ({ status, body }: Answer, { operation, cost, entries }: (typeof ASKS)[number]): void => {
        counts[`${operation} ${status}`] = (counts[`${operation} ${status}`] ?? 0) + 1;
        if (status === 200) sure += cost;
        const places: string[] = (body.locations ?? body.propagation ?? [])
          .map(({ location }: { location: string }) => location)
          .toSorted();
        const whole = !entries || JSON.stringify(places) === JSON.stringify(ALL);
        const refused = [429, 502, 503, 504].includes(status) && typeof body.error === 'string' && typeof body.code === 'string';
        if (status === 200 ? !whole : !refused) wrong.push({ operation, status, body });
      };
      const load = async (untilMs: number, number: number): Promise<void> => {
        const own = randomFrom(SEED + number);
        while (performance.now() < untilMs) {
          const asked = ASKS[Math.floor(own() * ASKS.length)]!;
          const port = number % 3 === 0 ? SECOND_PORT : 8080;
          try {
            judge(await system.post(asked.operation, asked.parameters(), { port }), asked);
          } catch (error) {
            // Only of the gateway that is killed now and then may there be no answer.
            if (port !== SECOND_PORT) wrong.push(String(error));
            unsure += asked.cost;
            await sleep(100);
          }
        }
      };
      const clients = (ms: number) => Promise.all(Array.from({ length: CLIENTS }, (_, i) => load(performance.now() + ms, i + 1)));

      const faults: Record<string, (region: string) => Promise<void>> = {
        async 'agent killed'(region) {
          system.agent(region).kill('SIGKILL');
          await system.agent(region).ended;
          await sleep(random() * 3_000);
          await system.startAgent(region);
        },
        async 'agent frozen'(region) {
          await system.agent(region).freeze();
          await sleep(random() * 12_000);
          system.agent(region).kill('SIGCONT');
        },
        async 'agent restarted'(region) {
          system.agent(region).kill('SIGTERM');
          await system.agent(region).ended;
          await system.startAgent(region);
        },
        'cut from the core': (region) => healed(lab.faults.cutFromCore(region)),
        'cut from the internet': (region) => healed(lab.faults.cutFromInternet(region)),
        'resolver frozen': (region) => healed(lab.faults.freezeResolver(region)),
        'every third echo lost': (region) => healed(lab.faults.dropEveryNthEcho(region, 3)),
        async 'bus killed'() {
          system.nats.kill('SIGKILL');
          await system.nats.ended;
          await sleep(random() * 2_000);
          await system.startNats();
        },
        async 'bus frozen'() {
          await system.nats.freeze();
          await sleep(random() * 3_000);
          system.nats.kill('SIGCONT');
        },
        async 'second gateway killed'() {
          second.kill('SIGKILL');
          await second.ended;
          second = await startSecond();
        },
      };
      const healed = async (fault: Promise<() => Promise<void>>): Promise<void> => {
        const heal = await fault;
        await sleep(2_000 + random() * 6_000);
        await heal();
      };
      const everybody = () => system.untilAgents(Object.fromEntries(ALL.map((id) => [id, 1])));

      await clients(WARM_MS);
      const before = sizeOf(system.gateway);
      const running = clients(MINUTES * 60_000);
      const done: string[] = [];
      for (const end = performance.now() + (MINUTES * 60 - 20) * 1_000; performance.now() < end;) {
        const [name, fault] = pick(Object.entries(faults));
        await fault(pick(ALL));
        done.push(name);
        await sleep(random() * 5_000);
      }
      await lab.faults.healAll();
      await running;
      await everybody();
      await sleep(15_000); // idle connections go
      const after = sizeOf(system.gateway);

      const faultsDone = Object.entries(Object.groupBy(done, (name) => name)).map(([name, all]) => [name, all?.length]);
      process.stdout.write(`${JSON.stringify({ counts, faults: faultsDone, before, after })}\n`);
      expect(wrong).toEqual([]);
      expect(new Set(done).size).toBeGreaterThan(Math.min(MINUTES, 5));
      expect(sure).toBeGreaterThan(MINUTES * 60);
      const { body } = await system.post('account-info', {});
      const used = 1_000_000 - body.credits.remained;
      expect([used >= sure, used <= sure + unsure]).toEqual([true, true]);
      expect(after.rss - before.rss).toBeLessThan(64 * MIB);
      expect(after.handles).toBeLessThanOrEqual(before.handles + 16);
      second.kill('SIGTERM');
      await second.ended;
    },
    (MINUTES + 6) * 60_000,
  );
});
