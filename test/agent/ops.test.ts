import type { Bus, Serving } from '@vedette/bus';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/agent/src/config.ts';
import { createMetrics } from '../../packages/agent/src/metrics.ts';
import { openAgentOps } from '../../packages/agent/src/ops.ts';
import { silent } from '../ledger/servers.ts';

it('shows what the ICMP engine counted since the start, however often it is asked', async () => {
  const counters = new Map([[4, { duplicate: 1, late: 0, foreign: 7 }]] as const);
  const config = readConfig({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_OPS_PORT: '0' }, []);
  const ops = await openAgentOps(config, {
    version: '0.0.0',
    bus: { connected: () => true } as Bus,
    serving: { state: () => 'ready', slots: () => ({}) } as Serving,
    icmp: { name: 'kernel', overhead_ms: 0, v4: true, v6: false, countsStrays: true, counters, async *echoes() {}, close() {} },
    metrics: createMetrics(),
    log: silent,
  });
  const url = `http://127.0.0.1:${ops.address.port}/metrics`;
  const strays = async () => (await (await fetch(url)).text()).match(/^vedette_agent_icmp_strays.*/gm);
  await strays();
  expect(await strays()).toEqual([
    'vedette_agent_icmp_strays_total{family="4",kind="duplicate"} 1',
    'vedette_agent_icmp_strays_total{family="4",kind="late"} 0',
    'vedette_agent_icmp_strays_total{family="4",kind="foreign"} 7',
  ]);
  ops.close();
});
