import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RULES = ['recording', 'alerts'].map((name) => join(import.meta.dirname, `../deploy/prometheus/rules/${name}.yml`));
/** Longer than any alert waits, in steps that a sample is fresh for. */
const HOURS = 26;
const STEP_MIN = 5;

/** Runs Prometheus's own checker. */
export function promtool(args: readonly string[], input?: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    timeout: 60_000,
    ...(input !== undefined && { input }),
  });
  return { status, output: stdout + stderr };
}

/** What it finds wrong with a scrape: empty when that is as it should be. */
export const metricProblems = (scrape: string): string => {
  const { status, output } = promtool(['check', 'metrics'], scrape);
  return status === 0 ? output : `${output}(${status})`;
};

/** The alerts that fire where a gateway shows the same for a day, with what the test machine's own load does to it left out. */
export function alertsOf(scrape: string): string[] {
  const steps = (HOURS * 60) / STEP_MIN;
  const labels = 'job="vedette-gateway",instance="gw"';
  const series = scrape
    .split('\n')
    .filter(
      (line) => line !== '' && !line.startsWith('#') && !/^(vedette_gateway_database_commit|nodejs_eventloop_lag|nodejs_gc)/.test(line),
    )
    .map((line) => {
      const [, name = '', own = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { series: `${name}{${labels}${own && `,${own}`}}`, values: `${value.replace('Nan', 'NaN')}x${steps}` };
    });
  const at = [15, 120, HOURS * 60 - STEP_MIN];
  const test = {
    interval: `${STEP_MIN}m`,
    input_series: [{ series: `up{${labels}}`, values: `1x${steps}` }, ...series],
    promql_expr_test: at.map((minute) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minute}m`,
      exp_samples: [],
    })),
  };
  const dir = mkdtempSync(join(tmpdir(), 'vedette-alerts-'));
  try {
    const file = join(dir, 'quiet.yml');
    writeFileSync(file, JSON.stringify({ rule_files: RULES, evaluation_interval: `${STEP_MIN}m`, tests: [test] }));
    const { status, output } = promtool(['test', 'rules', file]);
    const names = new Set([...output.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!));
    if (names.size === 0 && status !== 0) throw new Error(output);
    return [...names].toSorted();
  } finally {
    rmSync(dir, { recursive: true });
  }
}
