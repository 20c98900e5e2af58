import { createAddressPolicy } from '@vedette/probes/host';
import { afterEach, expect, it } from 'vitest';
import { followServices, ownAddresses, ownListener, systemClock } from '@vedette/probes/net';

let stop = () => {};
afterEach(() => stop());

const followed = async (bus: string, database?: string) => {
  const services = await followServices({ bus, database }, systemClock);
  stop = services.stop;
  return services.listeners();
};
const own = ownAddresses();

it('is on each address of this machine', () => {
  expect(own).toContain('127.0.0.1');
  expect(ownListener([8080, 9464])).toEqual({ addresses: own, ports: [8080, 9464] });
});

it.each<[bus: string, database: string | undefined, expected: [address: string, port: number][]]>([
  ['nats://192.0.2.4:4333', undefined, [['192.0.2.4', 4333]]],
  [
    '192.0.2.4',
    'postgres://u:p%40ss@192.0.2.5/db',
    [
      ['192.0.2.4', 4222],
      ['192.0.2.5', 5432],
    ],
  ],
  [
    'tls://192.0.2.4:4222,tls://[2001:DB8::4]:4223',
    undefined,
    [
      ['192.0.2.4', 4222],
      ['2001:db8::4', 4223],
    ],
  ],
  [
    'nats://192.0.2.4',
    'postgresql:///db?host=192.0.2.6&port=6432',
    [
      ['192.0.2.4', 4222],
      ['192.0.2.6', 6432],
    ],
  ],
  ['nats://192.0.2.4', 'postgresql:///db?host=/run/postgresql', [['192.0.2.4', 4222]]],
  ['nats://192.0.2.4', 'postgresql://%2Frun%2Fpostgresql/db', [['192.0.2.4', 4222]]],
  ['nats://no..name', 'not a url: at all', []],
])('reads %s and %s', async (bus, database, expected) => {
  expect((await followed(bus, database)).map(({ addresses, ports }) => [addresses[0], ports[0]])).toEqual(expected);
});

it('refuses a service of this machine by any address of it, whatever is allowed', async () => {
  const listeners = await followed('nats://localhost:4222');
  const policy = createAddressPolicy({ allowNets: ['0.0.0.0/0', '::/0'], listeners: () => listeners });
  for (const address of [...own, '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect([address, policy.judge(address, 4222).allowed, policy.judge(address, 4223).allowed]).toEqual([address, false, true]);
});
