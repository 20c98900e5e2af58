import { createMetrics as agentMetrics } from '../../packages/agent/src/metrics.ts';
import { createMetrics as gatewayMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { createMetrics as rendererMetrics } from '../../packages/renderer/src/ops/metrics.ts';

/** The series that our processes have, by their names: a histogram has three. */
export async function seriesNames(): Promise<Set<string>> {
  const metrics = await Promise.all(
    [gatewayMetrics(), agentMetrics(), rendererMetrics()].map(({ registry }) => registry.getMetricsAsJSON()),
  );
  return new Set(
    metrics
      .flat()
      .flatMap(({ name, type }) =>
        String(type) === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
      ),
  );
}

/** Which of the metrics that a text names are of none of our processes. */
export const unknownMetrics = (text: string, names: ReadonlySet<string>): string[] =>
  [...text.matchAll(/\b(?:vedette_(?:gateway|agent|renderer)|process|nodejs)_[a-z0-9_]+(?=[{[ )\\`"']|$)/gm)]
    .map(([name]) => name)
    .filter((name) => !names.has(name));
