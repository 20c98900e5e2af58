import type { Bus, Serving } from '@vedette/bus';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/agent/src/config.ts';
import { createMetrics } from '../../packages/agent/src/metrics.ts';
import { openAgentOps } from '../../packages/agent/src/ops.ts';
import { parseVpnExits } from '@vedette/probes/vpn';
import { silent } from '../ledger/servers.ts';

it('shows how many exits work, and what the ICMP engine counted since the start, however often it is asked', async () => {
  const counters = new Map([[4, { duplicate: 1, late: 0, foreign: 7 }]] as const);
  const config = readConfig({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_OPS_PORT: '0' }, []);
  const ops = await openAgentOps(config, {
    version: '0.0.0',
    agent: 'fra-1',
    bus: { connected: () => true } as Bus,
    serving: { state: () => 'ready', slots: () => ({}) } as Serving,
    capabilities: { icmp: 'kernel' },
    icmp: {
      name: 'kernel',
      overhead_ms: 0,
      v4: true,
      v6: false,
      countsStrays: true,
      shapesEchoes: true,
      counters,
      async *echoes() {},
      close() {},
    },
    exits: { all: parseVpnExits('iface:wg0,iface:wg1,iface:wg2'), working: () => 1 },
    metrics: createMetrics(),
    log: silent,
  });
  const url = `http://127.0.0.1:${ops.address.port}/metrics`;
  const shown = async (pattern: RegExp) => (await (await fetch(url)).text()).match(pattern);
  const strays = () => shown(/^vedette_agent_icmp_strays.*/gm);
  expect(await shown(/^vedette_agent_vpn_exits.*/gm)).toEqual([
    'vedette_agent_vpn_exits{state="working"} 1',
    'vedette_agent_vpn_exits{state="failing"} 2',
  ]);
  await strays();
  expect(await strays()).toEqual([
    'vedette_agent_icmp_strays_total{family="4",kind="duplicate"} 1',
    'vedette_agent_icmp_strays_total{family="4",kind="late"} 0',
    'vedette_agent_icmp_strays_total{family="4",kind="foreign"} 7',
  ]);
  ops.close();
});
