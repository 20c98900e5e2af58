import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Gauges whose names end as counters' do: `promtool check metrics` refuses them, and the same numbers are there by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Node's own figures of the process. */
export function collectNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
