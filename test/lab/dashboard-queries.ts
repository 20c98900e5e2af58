import { type Dashboard, type Panel, panelsOf } from '../dashboards.ts';
import type { Prometheus, Sample } from './prometheus.ts';

type Values = Record<string, string>;

/** What Grafana sets by the time range and the interval of scrapes; wide enough for all that a test did. */
const TIMES: Values = { __rate_interval: '2m', __range: '5m' };

/** `$name` and `${name}`, by values; throws for one that has none. */
function substituted(text: string, values: Values): string {
  return text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare!;
    const value = values[name];
    if (value === undefined) throw new Error(`nobody says what $${name} is in ${text}`);
    return value;
  });
}

/** Every choice of the dashboard's variables that Prometheus has values for; one of many values is all of them. */
async function choices(prometheus: Prometheus, { title, templating }: Dashboard): Promise<Values[]> {
  let all: Values[] = [TIMES];
  for (const { name, type, query, includeAll } of templating.list) {
    if (type !== 'query') continue;
    const [, series, label] = /^label_values\((.+), (\w+)\)$/.exec(typeof query === 'string' ? query : query.query)!;
    const grown: Values[] = [];
    for (const chosen of all) {
      const values = await prometheus.labelValues(substituted(series!, chosen), label!);
      if (values.length === 0) throw new Error(`${title} has nothing to choose from for ${name}`);
      for (const value of includeAll === true ? ['.*'] : values) grown.push({ ...chosen, [name]: value });
    }
    all = grown;
  }
  return all;
}

/** A query of a panel, and what it gave for all choices together. */
export interface Asked {
  panel: Panel;
  refId: string;
  expr: string;
  samples: Sample[];
}

/** Asks everything that a dashboard asks, once for each choice. */
export async function asked(prometheus: Prometheus, dashboard: Dashboard): Promise<Asked[]> {
  const all = await choices(prometheus, dashboard);
  const queries = panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).map(({ refId, expr }) => ({
      panel,
      refId,
      expr,
      each: [...new Set(all.map((values) => substituted(expr, values)))],
    })),
  );
  const answers = await prometheus.queries(queries.flatMap(({ each }) => each));
  let next = 0;
  return queries.map(({ panel, refId, expr, each }) => ({ panel, refId, expr, samples: each.flatMap(() => answers[next++]!) }));
}

/** What a panel shows by name (legends, columns, links) and no series has as a label. */
export function unknownLabels(panel: Panel, queries: readonly Asked[]): string[] {
  const labels = new Set(queries.flatMap(({ samples }) => samples.flatMap(({ metric }) => Object.keys(metric))));
  const text = JSON.stringify({ ...panel, targets: panel.targets?.map(({ legendFormat }) => legendFormat) });
  const named = [
    ...[...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
    ...[...text.matchAll(/\$\{__field\.labels\.(\w+)\}/g)].map(([, label]) => label!),
    ...columnsOf(panel).filter((column) => !/^Value( #[A-Z])?$/.test(column)),
  ];
  return [...new Set(named)].filter((label) => !labels.has(label));
}

/** Columns of what a table or a map shows, as the queries name them. */
const columnsOf = ({ transformations = [] }: Panel): string[] =>
  transformations.flatMap(({ id, options }) => (id === 'organize' ? Object.keys(options.indexByName) : []));
