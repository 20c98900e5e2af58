import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createAddressPolicy } from '@vedette/probes/host';
import { parseHost } from '@vedette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openHttp3 } from '../../../packages/probes/src/net/http3/client.ts';
import { systemClock } from '@vedette/probes/net';
import { type FakeOrigins, startFakeOrigins } from '../../operations/http3-status/fake-origins.ts';
import { healthOf } from '../health/health-of.ts';

let origins: FakeOrigins;
beforeAll(async () => {
  origins = await startFakeOrigins();
});
afterAll(() => origins[Symbol.asyncDispose]());

const opened: ReturnType<typeof openHttp3>[] = [];
afterEach(() => opened.splice(0).forEach((client) => client.close()));
const open = (options: Parameters<typeof createAddressPolicy>[0] = { allowNets: ['127.0.0.1/32'] }) => {
  const client = openHttp3({
    policy: createAddressPolicy(options),
    clock: systemClock,
    ca: [origins.root],
    health: healthOf([], createAddressPolicy()),
  });
  opened.push(client);
  return client;
};
const request = (port: number, more: { address?: string; path?: string; signal?: AbortSignal; answer_ms?: number } = {}) => ({
  address: '127.0.0.1',
  port,
  host: parseHost('h3.test')!,
  authority: `h3.test:${port}`,
  path: '/',
  fields: { 'user-agent': 'test' },
  handshake_ms: 500,
  answer_ms: 1_000,
  signal: new AbortController().signal,
  ...more,
});

/** Our children that speak QUIC. */
const clients = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('http3/child.ts'))
    .map((line) => Number.parseInt(line, 10));

async function untilThereIs<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await systemClock.sleep(20);
  }
}

describe('the QUIC client', () => {
  it('is one process for all that ask, and gone when closed', async () => {
    const client = open();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => client.get({ ...request(origins.ports.good), handshake_ms: 5_000, answer_ms: 5_000 })),
    );
    expect(outcomes.map(({ head }) => head?.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const [pid, ...others] = clients();
    expect(others).toEqual([]);
    client.close();
    await untilThereIs(() => (clients().includes(pid!) ? undefined : true));
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)('that ends or hangs (%s) costs nobody else an answer', async (signal) => {
    const client = open();
    const slow = client.get(request(origins.ports.hanging, { path: `/hang-${signal}`, answer_ms: 1_100 }));
    const [pid] = await untilThereIs(() => (clients().length > 0 && origins.behind.includes(`/hang-${signal}`) ? clients() : undefined));
    process.kill(pid!, signal);
    const quick = client.get(request(origins.ports.good));
    expect([(await slow).failure?.code, (await slow).connected]).toEqual(['http_timeout', true]);
    expect((await quick).head?.status).toBe(200);
  });

  it('does not read NODE_EXTRA_CA_CERTS', async () => {
    const before = process.env['NODE_EXTRA_CA_CERTS'];
    process.env['NODE_EXTRA_CA_CERTS'] = '/nonexistent';
    const client = openHttp3({
      policy: createAddressPolicy({ allowNets: ['127.0.0.1/32'] }),
      clock: systemClock,
      ca: [],
      health: healthOf([], createAddressPolicy()),
    });
    opened.push(client);
    const { failure } = await client.get(request(origins.ports.good));
    expect(failure?.code).toBe('tls_cert_invalid');
    const [pid] = clients();
    expect(execFileSync('cat', [`/proc/${pid}/environ`], { encoding: 'utf8' })).not.toContain('NODE_EXTRA');
    if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
    else process.env['NODE_EXTRA_CA_CERTS'] = before;
  });

  it('sends nothing to an address, or a port, that is refused', async () => {
    await using canary = await datagrams();
    for (const policy of [
      { allowNets: [] },
      { allowNets: ['127.0.0.0/8'], listeners: () => [{ addresses: ['127.0.0.1'], ports: [canary.port] }] },
    ])
      await expect(open(policy).get(request(canary.port))).rejects.toMatchObject({ source: 'target' });
    expect(canary.count()).toBe(0);
  });

  it('takes nobody’s silence for ours: this machine that cannot send is no_network', async () => {
    const client = open({ allowNets: ['255.255.255.255/32'] });
    await expect(client.get(request(4_433, { address: '255.255.255.255' }))).rejects.toMatchObject({ code: 'no_network' });
  });

  it('sends no datagram that would be cut into fragments', async () => {
    const lengths: number[] = [];
    const [front, back] = [createSocket('udp4'), createSocket('udp4')];
    await once(front.bind(0, '127.0.0.1'), 'listening');
    front.on('message', (datagram, { port }) => {
      lengths.push(datagram.length);
      back.removeAllListeners('message').on('message', (answer) => front.send(answer, port, '127.0.0.1'));
      if (datagram.length < 2_000) back.send(datagram, origins.ports.good, '127.0.0.1');
    });
    try {
      const { head } = await open().get({ ...request(front.address().port), handshake_ms: 5_000, answer_ms: 5_000 });
      expect(head?.status).toBe(200);
      await systemClock.sleep(300);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(1_452);
    } finally {
      front.close();
      back.close();
    }
  });

  it('stops sending when nobody waits any more', async () => {
    await using silent = await datagrams();
    const gone = new AbortController();
    const asked = open().get(request(silent.port, { signal: gone.signal }));
    await untilThereIs(() => (silent.count() > 0 ? true : undefined));
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });
});

async function datagrams(): Promise<AsyncDisposable & { port: number; count(): number }> {
  let count = 0;
  const socket = createSocket('udp4', () => count++).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, count: () => count, [Symbol.asyncDispose]: async () => void socket.close() };
}
