import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IcmpNetwork, openIcmpNetwork } from './icmp/network.ts';

let net: IcmpNetwork;
beforeAll(async () => {
  net = await openIcmpNetwork();
});
afterAll(() => net.close());

const SAID_HERE = {
  '203.0.113.1': 'no_network ENETUNREACH',
  '2001:dead::1': 'no_network ENETUNREACH',
  '198.18.92.1': 'no_network EACCES',
};
const SAID_BY_ROUTERS = {
  '198.18.90.1': 'connect_unreachable 198.18.90.1 EHOSTUNREACH',
  '2001:db8:90::1': 'connect_unreachable 2001:db8:90::1 ENETUNREACH',
  '198.18.91.1': 'connect_unreachable 198.18.91.1 ENETUNREACH',
  '2001:db8:91::1': 'connect_unreachable 2001:db8:91::1 EACCES',
};
const SAID_BY_THE_TARGET = {
  '198.18.1.2': 'connect_refused 198.18.1.2 ECONNREFUSED',
  '2001:db8:1::2': 'connect_refused 2001:db8:1::2 ECONNREFUSED',
};
/** TCP does not tell who sent an ICMP message: a firewall of this machine that answers by one looks like a router. */
const SAID_BY_OUR_FIREWALL = { '198.18.94.1': 'connect_unreachable 198.18.94.1 EHOSTUNREACH' };

const dialled = async (...args: string[]) =>
  JSON.parse(await net.world.run('near', [process.execPath, join(import.meta.dirname, 'connect.ts'), ...args])) as unknown;

it('tells what this machine refused from what the network did, though the errno is the same', async () => {
  const expected = { ...SAID_HERE, ...SAID_BY_ROUTERS, ...SAID_BY_THE_TARGET, ...SAID_BY_OUR_FIREWALL };
  expect(await dialled(...Object.keys(expected))).toEqual(expected);
});

it('has the code of a refusal by ICMP, and who sent it, where that is wanted: even of our own firewall', async () => {
  const expected = {
    ...SAID_HERE,
    ...SAID_BY_THE_TARGET,
    '198.18.90.1': 'connect_unreachable 198.18.90.1 Destination Host Unreachable (3/1) from 198.18.0.1',
    '198.18.91.1': 'connect_unreachable 198.18.91.1 Destination Net Unreachable (3/0) from 198.18.0.1',
    '198.18.1.5': 'connect_unreachable 198.18.1.5 Packet filtered (3/13) from 198.18.0.1',
    '2001:db8:90::1': 'connect_unreachable 2001:db8:90::1 Destination unreachable: No route (1/0) from 2001:db8::1',
    '2001:db8:91::1': 'connect_unreachable 2001:db8:91::1 Destination unreachable: Administratively prohibited (1/1) from 2001:db8::1',
    // As a neighbour that does not answer is told by this machine, too.
    '198.18.94.1': 'connect_unreachable 198.18.94.1 Destination Host Unreachable (3/1) from 198.18.0.2',
    '2001:db8:94::1': 'no_network 2001:db8:94::1 Destination unreachable: Administratively prohibited (1/1) from 2001:db8::5',
  };
  expect(await dialled('icmp', ...Object.keys(expected))).toEqual(expected);
});
