import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics as gatewayMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { FAMILIES } from '../../packages/gateway/src/probe/exposition.ts';
import { createMetrics as rendererMetrics } from '../../packages/renderer/src/ops/metrics.ts';
import { type Dashboard, DASHBOARDS, type Panel, panelsOf } from '../dashboards.ts';
import { ROOT } from './pages.ts';

const each = [...DASHBOARDS];
const uids = new Set(each.map(([, { uid }]) => uid));
const places = (panels: Panel[]) => panels.map(({ id, gridPos }) => ({ id, ...gridPos }));

/** Every name that a scrape may hold. A histogram has three, and its own is none of them. */
const METRICS: ReadonlySet<string> = new Set([
  ...[gatewayMetrics(), rendererMetrics()].flatMap(({ registry }) =>
    registry
      .getMetricsAsArray()
      .flatMap(({ name, type }) => (String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])),
  ),
  ...Object.keys(FAMILIES),
  // Prometheus's own
  'up',
  'ALERTS',
]);

const WORDS = new Set(['by', 'on', 'or', 'and', 'unless', 'without', 'group_left', 'ignoring', 'offset', 'bool']);
/** Names of series in PromQL: what is neither a function, a keyword, a label (in braces or after `by`), nor text. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^{}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/(?<![\w$.:])[a-zA-Z_:][\w:]*(?![\w:]|\s*\()/g)].map(([word]) => word).filter((word) => !WORDS.has(word));
}

it('finds the metrics of an expression', () => {
  expect(metricsIn('sum by (a, b) (rate(x_total{c="d_e"}[5m])) / on (f) group_left (g) max(h:i:j) * 1e3 or vector(0)')).toEqual([
    'x_total',
    'h:i:j',
  ]);
});

it('there is one of each, with a name of its own', () => {
  expect(each.map(([file]) => file)).toEqual([...uids].toSorted());
  expect(uids.size).toBe(7);
  expect(new Set(each.map(([, { title }]) => title)).size).toBe(uids.size);
});

describe.each(each)('%s', (_, dashboard: Dashboard) => {
  const panels = panelsOf(dashboard).filter(({ type }) => type !== 'text');
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('is of the schema of Grafana 11, and asks whichever Prometheus is chosen', () => {
    expect(dashboard.schemaVersion).toBe(39);
    expect(dashboard.description).not.toBe('');
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    const sources = [...panels, ...panels.flatMap(({ targets = [] }) => targets), ...dashboard.templating.list.slice(1)].map(
      ({ datasource }) => datasource?.uid,
    );
    expect(sources.filter((uid) => uid !== '${datasource}')).toEqual([]);
  });

  it('has panels beside and below each other, none over another', () => {
    const all = places(panelsOf(dashboard, { rows: true }));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    // What is in a collapsed row has places of its own, as if that row were open.
    const groups = [dashboard.panels, ...dashboard.panels.map((panel) => [panel, ...(panel.panels ?? [])])].map(places);
    const over = groups.flatMap((group) =>
      group.flatMap((a) =>
        group.filter((b) => a.id < b.id && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h).map((b) => [a, b]),
      ),
    );
    expect(over).toEqual([]);
    expect(all.filter(({ x, w, h }) => x < 0 || x + w > 24 || w < 1 || h < 1)).toEqual([]);
  });

  it('says of each panel what it shows, in which unit, and where good ends', () => {
    const mute = panels.filter(({ description = '' }) => description.length < 25).map(({ title }) => title);
    expect(mute).toEqual([]);
    const without = panels.filter(({ type, fieldConfig, options }) =>
      type === 'heatmap' ? options?.['yAxis'].unit === undefined : fieldConfig?.defaults.unit === undefined,
    );
    expect(without.map(({ title }) => title)).toEqual([]);
    const steps = panels.flatMap(({ fieldConfig }) => [
      fieldConfig?.defaults.thresholds?.steps ?? [],
      ...(fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
        properties.filter(({ id }) => id === 'thresholds').map(({ value }) => (value as { steps: { value: number | null }[] }).steps),
      ),
    ]);
    for (const list of steps) {
      const values = list.map(({ value }) => value ?? -Infinity);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(list.length === 0 || values[0] === -Infinity).toBe(true);
    }
  });

  it('uses only metrics that exist', () => {
    const asked = [...expressions, ...dashboard.annotations.list.flatMap(({ expr = [] }) => expr)];
    const unknown = asked.flatMap((expr) => metricsIn(expr).filter((name) => !METRICS.has(name)));
    expect(unknown).toEqual([]);
    expect(asked.flatMap(metricsIn).length).toBeGreaterThanOrEqual(asked.length);
    const chosen = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    for (const query of chosen) {
      const [, series] = /^label_values\((.+), \w+\)$/.exec(query) ?? [];
      expect(metricsIn(series!).filter((name) => !METRICS.has(name))).toEqual([]);
    }
  });

  it('uses only variables that it has, and takes the max over gateways of what is about agents', () => {
    const known = new Set([...dashboard.templating.list.map(({ name }) => name), '__rate_interval', '__range']);
    const used = expressions.flatMap((expr) => [...expr.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name!));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    const summed = expressions.filter((expr) => /vedette_gateway_(?:agent|location)_/.test(expr) && !/\b(?:max|min)\b/.test(expr));
    expect(summed).toEqual([]);
  });

  it('leads to the others, and nowhere else', () => {
    expect(dashboard.tags).toContain('vedette');
    expect(dashboard.links).toContainEqual(expect.objectContaining({ type: 'dashboards', tags: ['vedette'] }));
    const urls = [...JSON.stringify(dashboard).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url!).filter((url) => url !== '');
    const dead = urls.filter((url) => !(url.startsWith('/d/') ? uids.has(url.slice(3).split('?')[0]!) : false));
    expect(dead).toEqual([]);
    const chosen = urls.flatMap((url) => {
      const target = each.find(([, { uid }]) => url.startsWith(`/d/${uid}?`))?.[1];
      const names = new Set(target?.templating.list.map(({ name }) => name));
      return [...url.matchAll(/var-(\w+)=/g)].filter(([, name]) => !names.has(name!)).map(() => url);
    });
    expect(chosen).toEqual([]);
  });
});

it('has every runbook, and every alert has one', () => {
  const { groups } = parse(readFileSync(join(ROOT, 'deploy/prometheus/rules/alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const shown = panelsOf(DASHBOARDS.get('vedette-runbooks')!).map(({ options }) => /^### (\w+)\n/.exec(options!['content'])?.[1]);
  expect(new Set(shown)).toEqual(new Set(alerts));
  expect(shown).toHaveLength(alerts.length);
  expect(alerts.length).toBeGreaterThan(20);
});

describe('provisioning', () => {
  const read = (path: string) => parse(readFileSync(join(ROOT, 'deploy/grafana/provisioning', path), 'utf8'));

  it('brings a Prometheus, and the dashboards in a folder', () => {
    const { apiVersion, datasources } = read('datasources/prometheus.yml');
    expect(apiVersion).toBe(1);
    expect(datasources).toMatchObject([{ type: 'prometheus', access: 'proxy', isDefault: true }]);
    expect(read('dashboards/vedette.yml')).toMatchObject({ apiVersion: 1, providers: [{ type: 'file', folder: 'Vedette' }] });
  });
});

describe('prometheus.yml', () => {
  it('names only files that are there, and each of targets is named', () => {
    const text = readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8');
    const named = [...text.matchAll(/targets\/[\w-]+\.yml/g)].map(([path]) => path);
    expect(named.filter((path) => !existsSync(join(ROOT, 'deploy/prometheus', path)))).toEqual([]);
    expect(globSync('targets/*.yml', { cwd: join(ROOT, 'deploy/prometheus') }).toSorted()).toEqual(named.toSorted());
  });
});
