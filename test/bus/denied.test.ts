import { announceDenied, followDenied, openBus } from '@vedette/bus';
import { type Cidr, formatCidr, parseCidrs } from '@vedette/contract';
import { expect, it } from 'vitest';
import { startNatsServer } from './nats-server.ts';
import { clock } from './world.ts';

it('tells every agent what is denied, takes changes over, and reaches those that come later', async () => {
  const server = await startNatsServer();
  const open = (name: string) => openBus({ url: server.url, name, clock });
  const buses = [await open('gateway'), await open('agent'), await open('late agent')] as const;
  const [gateway, agent, late] = buses;
  const shown = (networks: () => readonly Cidr[]) => networks().map(formatCidr);
  /** Every wait of the gateway is over when we say so. */
  let again = () => {};
  const paced = { ...clock, sleep: () => new Promise<void>((resolve) => (again = resolve)) };
  try {
    const first = followDenied(agent);
    await agent.flush();
    let denied = ['203.0.113.0/24', '2001:db8::/32'];
    const stop = announceDenied(gateway, paced, () => parseCidrs(denied));
    await expect.poll(() => shown(first)).toEqual(denied);

    gateway.publish('vedette.v1.denied', '{"networks":"all"}');
    const second = followDenied(late);
    await late.flush();
    denied = ['198.51.100.7/32'];
    again();
    await expect.poll(() => [shown(first), shown(second)]).toEqual([denied, denied]);
    stop();
    again();
  } finally {
    for (const bus of buses) await bus.close();
    await server.stop();
  }
});
