import { parseHost, ProbeFailure } from '@vedette/contract';
import { expect, it } from 'vitest';
import { CoolDown } from '../../packages/gateway/src/shares/cool-down.ts';
import { hostsResolver } from '../probes/http/loopback-ports.ts';

const HOSTS = { 'a.test': ['192.0.2.1', '2001:db8::1'], 'x.a.test': ['192.0.2.1'], 'own.test': ['192.0.2.9'] };
const signal = new AbortController().signal;

/** Cool-downs of keys in memory. */
function setUp() {
  const held = new Set<string>();
  const coolDown = new CoolDown({
    operation: 'port-scan',
    seconds: 600,
    spares: ['own.test'],
    coolDowns: {
      begin: async (keys) => {
        if (keys.some((key) => held.has(key))) return 90;
        for (const key of keys) held.add(key);
        return 0;
      },
      end: async (keys) => keys.forEach((key) => held.delete(key)),
    },
  });
  const begin = (host: string) => coolDown.begin([parseHost(host)!], hostsResolver(HOSTS), signal);
  return { held, coolDown, begin };
}

it('is that of a host and of all its addresses, whichever of them is named', async () => {
  const { begin, held } = setUp();
  await begin('a.test');
  expect([...held]).toEqual(['port-scan of a.test', 'port-scan of 192.0.2.1', 'port-scan of 2001:db8::1']);
  for (const host of ['a.test', 'x.a.test', '192.0.2.1', '2001:db8::1'])
    await expect(begin(host)).rejects.toMatchObject({ code: 'target_limited', retryAfterS: 90, message: expect.stringContaining(host) });
  expect(held.size).toBe(3);
  await begin('192.0.2.2');
});

it('is that of one port where the request names it', async () => {
  const { coolDown, held } = setUp();
  const begin = (port: number) => coolDown.begin([{ ...parseHost('x.a.test')!, port }], hostsResolver(HOSTS), signal);
  await begin(443);
  expect([...held]).toEqual(['port-scan of x.a.test port 443', 'port-scan of 192.0.2.1 port 443']);
  await expect(begin(443)).rejects.toMatchObject({ code: 'target_limited' });
  await begin(465);
});

it('is that of the name alone where the DNS says nothing', async () => {
  const { begin, held } = setUp();
  await begin('gone.test');
  expect([...held]).toEqual(['port-scan of gone.test']);
});

it('spares what is the operator’s own', async () => {
  const { begin, held } = setUp();
  expect(await begin('own.test')).toEqual([]);
  await begin('own.test');
  expect(held.size).toBe(0);
});

it('ends where nothing was measured for a reason of ours', async () => {
  const { begin, coolDown, held } = setUp();
  await coolDown.end(await begin('a.test'));
  expect(held.size).toBe(0);
});

it('gives a refusal of the gate on', async () => {
  const { coolDown } = setUp();
  const refusing = { ...hostsResolver({}), addresses: () => Promise.reject(new TypeError('refused')) };
  await expect(coolDown.begin([parseHost('a.test')!], refusing, signal)).rejects.toThrow('refused');
  const silent = { ...hostsResolver({}), addresses: () => Promise.reject(new ProbeFailure('dns_timeout')) };
  expect(await coolDown.begin([parseHost('a.test')!], silent, signal)).toEqual(['port-scan of a.test']);
});
