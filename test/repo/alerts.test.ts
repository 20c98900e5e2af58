import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { promtool } from '../promtool.ts';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { seriesNames, unknownMetrics } from './metric-names.ts';
import { read, ROOT } from './pages.ts';

const FILES = ['recording', 'alerts'].map((name) => `deploy/prometheus/rules/${name}.yml`);
const RUNBOOKS = 'docs/runbooks/alerts.md';
const DEFAULT_AT = '55m';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
const groupsOf = (file: string) => (parse(read(file)) as { groups: { name: string; rules: Rule[] }[] }).groups;
const groups = groupsOf('deploy/prometheus/rules/alerts.yml');
const rules = FILES.flatMap(groupsOf).flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert, ...rule }) => (alert === undefined ? [] : [{ alert, ...rule }]));

const dir = mkdtempSync(join(tmpdir(), 'vedette-rules-'));
afterAll(() => rmSync(dir, { recursive: true }));

it('promtool finds nothing wrong with the rules, nor with the configuration that names them', () => {
  expect(promtool(['check', 'rules', ...FILES.map((file) => join(ROOT, file))])).toMatchObject({ status: 0 });
  // Its secret is not in the repository.
  expect(promtool(['check', 'config', '--syntax-only', join(ROOT, 'deploy/prometheus/prometheus.yml')])).toMatchObject({ status: 0 });
});

it('every metric that a rule names exists, and so does every rule that another names', async () => {
  const names = await seriesNames();
  expect(unknownMetrics(rules.map(({ expr }) => expr).join('\n'), names)).toEqual([]);
  expect(unknownMetrics('vedette_gateway_no_such{a="b"} vedette_gateway_jobs_total[5m]', names)).toEqual(['vedette_gateway_no_such']);
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/vedette:[a-z0-9_]+:[a-z0-9_]+/g)].map(([name]) => name));
  expect(asked.filter((name) => !recorded.has(name))).toEqual([]);
  expect(asked.length).toBeGreaterThan(5);
});

it('every alert has a severity, words and an entry in the runbook, and the runbook no other', () => {
  const entries = [...read(RUNBOOKS).matchAll(/^### (\w+)$/gm)].map(([, name]) => name!);
  expect(entries.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  for (const { alert, labels, annotations } of alerts) {
    expect(labels?.['severity']).toMatch(/^(critical|warning|info)$/);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/^\S/) as string,
      description: expect.stringMatching(/\.$/) as string,
      runbook: `${RUNBOOKS}#${alert.toLowerCase()}`,
    });
  }
});

it('every anchor that the runbook names is there', () => {
  const text = read(RUNBOOKS);
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-')));
  const dead = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!).filter((anchor) => !anchors.has(anchor));
  expect(dead).toEqual([]);
});

it('there is a case for each alert', () => {
  expect(Object.keys(ALERT_CASES).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

// Four by themselves, since promtool evaluates all rules of a file at every step of every case.
it.each(groups)('every alert of $name fires when it must, and does not when it need not', (group) => {
  for (const hours of [undefined, true] as const) {
    const some = group.rules.filter(({ alert }) => ALERT_CASES[alert!]!.hours === hours);
    while (some.length > 0) check(hours, { ...group, rules: some.splice(0, 4) });
  }

  function check(hours: true | undefined, few: typeof group): void {
    const ruleFile = write(`${group.name}.yml`, { groups: [few] });
    const tests = few.rules.flatMap(({ alert }) => promtoolTests(alert!, ALERT_CASES[alert!]!));
    const rule_files = [join(ROOT, 'deploy/prometheus/rules/recording.yml'), ruleFile];
    const { status, output } = promtool([
      'test',
      'rules',
      write('cases.yml', { rule_files, evaluation_interval: hours ? '5m' : '1m', tests }),
    ]);
    expect(output.split('\n').filter((line) => /expr:|got:/.test(line))).toEqual([]);
    expect(status).toBe(0);
  }
});

function write(name: string, content: object): string {
  const file = join(dir, name);
  writeFileSync(file, JSON.stringify(content)); // which is YAML too
  return file;
}

const promtoolTests = (name: string, { at = DEFAULT_AT, hours, ...cases }: AlertCase) =>
  (['fires', 'quiet'] as const).map((which) => ({
    name: `${name} ${which}`,
    interval: hours ? '5m' : '1m',
    input_series: Object.entries(cases[which]).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: which === 'fires' ? 1 : 0 }],
      },
    ],
  }));
