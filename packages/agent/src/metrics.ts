import { collectNodeMetrics } from '@vedette/process/node-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type AgentMetrics = ReturnType<typeof createMetrics>;

const BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

/** The agent's metrics. Loaded only where there is a listener to read them. */
export function createMetrics() {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const registers = [registry];
  return {
    registry,
    info: new Gauge({
      name: 'vedette_agent_info',
      help: 'What this agent is, commit only of one that was built; always 1',
      labelNames: ['location', 'agent', 'version', 'commit', 'icmp_engine', 'node'],
      registers,
    }),
    probes: new Counter({ name: 'vedette_agent_probes_total', help: 'Jobs answered', labelNames: ['kind', 'reason'], registers }),
    duration: new Histogram({
      name: 'vedette_agent_probe_duration_seconds',
      help: 'From the start of a run to its end',
      labelNames: ['kind'],
      buckets: BUCKETS_S,
      registers,
    }),
    refused: new Counter({ name: 'vedette_agent_refused_total', help: 'Jobs and frames refused', labelNames: ['reason'], registers }),
    cancelled: new Counter({
      name: 'vedette_agent_cancelled_total',
      help: 'Jobs at work for which nobody waited any more',
      labelNames: ['reason'],
      registers,
    }),
    slots: new Gauge({ name: 'vedette_agent_slots', help: 'Slots for jobs', labelNames: ['kind', 'state'], registers }),
    natsConnected: new Gauge({ name: 'vedette_agent_nats_connected', help: '1 while the bus answers', registers }),
    selfTestSuccess: new Gauge({ name: 'vedette_agent_selftest_success', help: '1 while the witnesses answer', registers }),
    vpnExits: new Gauge({
      name: 'vedette_agent_vpn_exits',
      help: 'VPN exits, by whether they passed their last check',
      labelNames: ['state'],
      registers,
    }),
    icmpStrays: new Counter({
      name: 'vedette_agent_icmp_strays_total',
      help: 'ICMP messages that looked like replies and were none; foreign ones are forged, damaged, or of an earlier process',
      labelNames: ['family', 'kind'],
      registers,
    }),
    icmpOverhead: new Gauge({ name: 'vedette_agent_icmp_overhead_seconds', help: "The engine's own share of a round trip", registers }),
  };
}
