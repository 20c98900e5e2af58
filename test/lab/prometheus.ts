import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Lab } from './lab.ts';
import { WORLD_DIR, type WorldProcess } from './world.ts';

const SHIPPED = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
const DIR = `${WORLD_DIR}/prometheus`;
const URL_OF_IT = 'http://127.0.0.1:9090';

/** One of what a query gave: its labels, and its value as it is now. */
export interface Sample {
  metric: Record<string, string>;
  value: number;
}

interface Rule {
  for?: string;
}

interface Config {
  scrape_configs: { job_name: string; scrape_interval?: string; scrape_timeout?: string; relabel_configs?: { replacement?: string }[] }[];
}

export interface PrometheusOptions {
  /** Addresses by file of `deploy/prometheus/targets`; the others have none. */
  targets: Readonly<Record<string, readonly string[]>>;
  /** Where /probe is. */
  gateway: string;
  key: string;
  /** How often everything is scraped and judged, s. Probes are asked every five times that. */
  every_s: number;
}

/**
 * A real Prometheus in the lab's core, with the configuration and the rules of `deploy/prometheus`. What differs are intervals, addresses, the key and
 * how long alerts wait before they fire: that is in minutes.
 */
export class Prometheus {
  readonly #lab: Lab;

  private constructor(lab: Lab) {
    this.#lab = lab;
  }

  static async start(lab: Lab, options: PrometheusOptions): Promise<Prometheus> {
    write(lab, options);
    const args = [`--config.file=${DIR}/prometheus.yml`, `--storage.tsdb.path=${DIR}/data`, '--web.listen-address=127.0.0.1:9090'];
    const server: WorldProcess = await lab.spawn('core', ['prometheus', ...args]);
    await server.line(/Server is ready/);
    return new Prometheus(lab);
  }

  /** What each expression gives now. Throws for one that Prometheus refuses. */
  async queries(expressions: readonly string[]): Promise<Sample[][]> {
    const answers = await this.#get(expressions.map((expression) => `/api/v1/query?query=${encodeURIComponent(expression)}`));
    return answers.map((data, index) => {
      const { resultType, result } = data as { resultType: string; result: any };
      if (resultType === 'scalar') return [{ metric: {}, value: Number(result[1]) }];
      if (resultType !== 'vector') throw new Error(`${expressions[index]} is a ${resultType}`);
      return (result as { metric: Record<string, string>; value: [number, string] }[]).map(({ metric, value }) => ({
        metric,
        value: Number(value[1]),
      }));
    });
  }

  async query(expression: string): Promise<Sample[]> {
    return (await this.queries([expression]))[0]!;
  }

  /** Values of a label of what matches, as Grafana asks for its variables. */
  async labelValues(series: string, label: string): Promise<string[]> {
    const [data] = await this.#get([`/api/v1/label/${label}/values?match[]=${encodeURIComponent(series)}`]);
    return data as string[];
  }

  /** What is scraped, and with what success. */
  async targets(): Promise<{ job: string; instance: string; health: string; lastError: string }[]> {
    const [data] = await this.#get(['/api/v1/targets']);
    const { activeTargets } = data as { activeTargets: { labels: Record<string, string>; health: string; lastError: string }[] };
    return activeTargets.map(({ labels, health, lastError }) => ({
      job: labels['job']!,
      instance: labels['instance']!,
      health,
      lastError,
    }));
  }

  /** Alerts that fire now: name and labels. */
  async firing(): Promise<Record<string, string>[]> {
    const [data] = await this.#get(['/api/v1/alerts']);
    return (data as { alerts: { state: string; labels: Record<string, string> }[] }).alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels);
  }

  /** Asks again until it is so. Throws with what was seen last when the time is up. */
  async until<T>(what: () => Promise<T>, isSo: (seen: T) => boolean, timeout_ms = 20_000): Promise<T> {
    const end = performance.now() + timeout_ms;
    for (;;) {
      const seen = await what();
      if (isSo(seen)) return seen;
      if (performance.now() > end) throw new Error(`not within ${timeout_ms} ms; last seen: ${JSON.stringify(seen)}`);
      await sleep(250);
    }
  }

  async #get(paths: readonly string[]): Promise<unknown[]> {
    const argv = [process.execPath, '--disable-warning=ExperimentalWarning', `${import.meta.dirname}/fetch-all.ts`];
    const urls = JSON.stringify(paths.map((path) => `${URL_OF_IT}${path}`));
    const answers = JSON.parse(await this.#lab.world.run('core', argv, { input: urls })) as [number, string][];
    return answers.map(([status, text], index) => {
      if (status !== 200) throw new Error(`Prometheus answered ${status} to ${paths[index]}: ${text}`);
      return (JSON.parse(text) as { data: unknown }).data;
    });
  }
}

/** The shipped files, changed as little as a test can. */
function write({ world }: Lab, { targets, gateway, key, every_s }: PrometheusOptions): void {
  const config = parse(readFileSync(`${SHIPPED}/prometheus.yml`, 'utf8')) as Config & { global: object };
  config.global = { scrape_interval: `${every_s}s`, scrape_timeout: `${every_s}s`, evaluation_interval: `${every_s}s` };
  for (const job of config.scrape_configs) {
    if (job.scrape_interval !== undefined) [job.scrape_interval, job.scrape_timeout] = [`${5 * every_s}s`, `${5 * every_s}s`];
    for (const rule of job.relabel_configs ?? []) if (rule.replacement !== undefined) rule.replacement = gateway;
  }
  world.write(`${DIR}/prometheus.yml`, stringify(config));
  world.write(`${DIR}/secrets/vedette-api-key`, key);
  for (const path of globSync(`${SHIPPED}/targets/*.yml`)) {
    const name = basename(path, '.yml');
    world.write(`${DIR}/targets/${name}.yml`, stringify([{ targets: targets[name] ?? [] }]));
  }
  for (const path of globSync(`${SHIPPED}/rules/*.yml`)) {
    const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { interval?: string; rules: Rule[] }[] };
    for (const group of groups) {
      delete group.interval;
      for (const rule of group.rules) if (rule.for !== undefined) rule.for = '1s';
    }
    world.write(`${DIR}/rules/${basename(path)}`, stringify({ groups }));
  }
}
