import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REGIONS } from './plan.ts';
import { ROUTER, routerPort } from './topology.ts';
import { type World, WORLD_DIR, type WorldProcess } from './world.ts';

/** What happens to every packet between a region and the internet, in each direction. */
export interface PathQuality {
  delay_ms: number;
  /** The delay varies by up to this much either way, ms. */
  jitter_ms: number;
  /** Per direction, at random. */
  loss_percent: number;
}

const CONFIG = `${WORLD_DIR}/delays`;

/** The delays of the plan, changeable while traffic flows. */
export class Latency {
  readonly #world: World;
  readonly #qualities = new Map<string, PathQuality>(REGIONS.map(({ id, delay_ms }) => [id, { delay_ms, jitter_ms: 0, loss_percent: 0 }]));
  #daemon: WorldProcess | undefined;
  #loads = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async start(): Promise<void> {
    const program = await compileDelays();
    this.#write();
    this.#daemon = await this.#world.spawn(ROUTER, [program, CONFIG]);
    await this.#loaded();
    await Promise.all([
      this.#world.run(ROUTER, ['iptables-restore', '-n'], { input: queueRules('', ofRegions) }),
      // Neighbour discovery that is delayed is neighbour discovery that is lost.
      this.#world.run(ROUTER, ['ip6tables-restore', '-n'], { input: queueRules(NEIGHBOUR_DISCOVERY, ofRegions) }),
    ]);
  }

  /** Changes a region's path; what is left out stays. */
  async set(region: string, change: Partial<PathQuality>): Promise<void> {
    this.#qualities.set(region, { ...this.#qualities.get(region)!, ...change });
    this.#write();
    this.#daemon!.kill('SIGHUP');
    await this.#loaded();
  }

  get(region: string): PathQuality {
    return this.#qualities.get(region)!;
  }

  #write(): void {
    const lines = REGIONS.map(({ id, index }) => {
      const { delay_ms, jitter_ms, loss_percent } = this.get(id);
      return `${index} ${delay_ms} ${jitter_ms} ${loss_percent}\n`;
    });
    this.#world.write(CONFIG, lines.join(''));
  }

  async #loaded(): Promise<void> {
    const wanted = ++this.#loads;
    await this.#daemon!.until((lines) => lines.filter((line) => line === 'loaded').length >= wanted);
  }
}

export const NEIGHBOUR_DISCOVERY = ['PREROUTING', 'POSTROUTING']
  .flatMap((chain) => [135, 136].map((type) => `-A ${chain} -p icmpv6 --icmpv6-type ${type} -j ACCEPT\n`))
  .join('');

// One NFQUEUE rule per packet and hook: a verdict of "accept" skips the rest of the chain, so two would not add up.
export const queueRules = (before: string, rules: readonly string[]): string => `*mangle\n${before}${rules.join('\n')}\nCOMMIT\n`;

const ofRegions = REGIONS.flatMap(({ id, index }) => [
  `-A PREROUTING -i ${routerPort(id)} -j NFQUEUE --queue-num ${index} --queue-bypass`,
  `-A POSTROUTING -o ${routerPort(id)} -j NFQUEUE --queue-num ${index} --queue-bypass`,
]);

/** Compiles the daemon once per version of its source. Returns the program's path. */
export async function compileDelays(): Promise<string> {
  const source = join(import.meta.dirname, 'nfqdelay.c');
  const cache = join(import.meta.dirname, '.cache');
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const program = join(cache, `nfqdelay-${hash}`);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  await promisify(execFile)('gcc', ['-O2', '-Wall', '-Wextra', '-o', unfinished, source, '-lnetfilter_queue', '-lnfnetlink']);
  renameSync(unfinished, program); // at once, or not at all: two labs may compile side by side
  return program;
}
