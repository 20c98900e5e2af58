import { EventEmitter } from 'node:events';
import { type Dialler, parseHost, type Pass } from '@vedette/contract';
import { systemClock, type Http3Client } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { gatedDialler, gatedHttp3, OutboundGate, refuseLimited } from '../../packages/gateway/src/request/outbound-gate.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { SHUT } from '../operations/shut.ts';

const { signal } = new AbortController();

const demand = { account: 'a', targets: [], jobs: 0, asks: undefined };

function setUp(waitMs = 20, rates?: TargetRates) {
  const pools = new Pools({
    clock: systemClock,
    parsers: 2,
    presence: { slots: () => 4 },
    renderers: { slots: () => 0 },
    gateways: () => 1,
  });
  return { pools, gate: new OutboundGate({ demand, pools, rates, waitMs, queueMs: 0 }) };
}
/** Leaves nothing of a pool, not even for somebody new. */
const exhaust = (pool: Pools['questions']): Pass[] =>
  Array.from({ length: pool.usage.max }, (_, i) => pool.acquire(`account ${i}`, 0) as Pass);

describe.each(['questions', 'connections'] as const)('%s', (name) => {
  const leave = (gate: OutboundGate) =>
    name === 'questions' ? gate.question('example.org', signal) : gate.connection('192.0.2.1', signal);

  it('leave at once where there is a permit, and count until they are done', () => {
    const { pools, gate } = setUp();
    expect(gate.sentTraffic).toBe(false);
    const pass = leave(gate) as Pass;
    expect([gate.sentTraffic, pools[name].usage.held]).toEqual([true, 1]);
    pass();
    expect(pools[name].usage.held).toBe(0);
  });
  it('wait for one, and have not left meanwhile', async () => {
    const { pools, gate } = setUp(5_000);
    const taken = exhaust(pools[name]);
    const waiting = leave(gate);
    expect(gate.sentTraffic).toBe(false);
    taken[0]!();
    (await waiting)();
    expect(gate.sentTraffic).toBe(true);
  });
  it('are refused as too much where none comes in time, and have not left', async () => {
    const { pools, gate } = setUp();
    exhaust(pools[name]);
    await expect(leave(gate)).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterS: 1 });
    expect(gate.sentTraffic).toBe(false);
  });
});

it('a request that ends while it waits ends with its own reason', async () => {
  const { pools, gate } = setUp(5_000);
  exhaust(pools.questions);
  const control = new AbortController();
  const waiting = gate.question('example.org', control.signal);
  const gone = new Error('gone');
  control.abort(gone);
  await expect(waiting).rejects.toBe(gone);
  expect(pools.questions.usage.waiting).toBe(0);
});

it('a permit that comes in the moment in which the request ends is not lost', async () => {
  const { pools, gate } = setUp(5_000);
  const [first] = exhaust(pools.questions);
  const { max } = pools.questions.usage;
  const control = new AbortController();
  const waiting = gate.question('example.org', control.signal);
  first!();
  control.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(pools.questions.usage).toMatchObject({ held: max - 1, waiting: 0 });
});

it('a location without a permit is busy', async () => {
  const { pools, gate } = setUp();
  exhaust(pools.jobs('http', 'eu-fra'));
  expect(await gate.job('http', 'eu-fra', undefined, signal)).toBeUndefined();
  expect(gate.sentTraffic).toBe(false);
  expect(gate.job('http', 'us-ash', undefined, signal)).toBeTypeOf('function');
  expect(gate.sentTraffic).toBe(true);
});

it('a connection counts until it is closed, and one that failed does not', async () => {
  const { pools, gate } = setUp();
  const socket = new EventEmitter();
  const dial = (tcp: Dialler['tcp']) => gatedDialler({ ...SHUT.dialler, tcp }, gate).tcp({ address: '192.0.2.1', port: 443, signal });
  await dial(async () => socket as never);
  expect(pools.connections.usage.held).toBe(1);
  socket.emit('close');
  expect(pools.connections.usage.held).toBe(0);
  await expect(dial(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(pools.connections.usage.held).toBe(0);
});

it('a connection to a host that the target leads to is known by that host, one to the target by the target', async () => {
  const { pools } = setUp();
  const gate = new OutboundGate({
    demand: { ...demand, targets: [parseHost('shop.test')!] },
    pools,
    rates: undefined,
    waitMs: 20,
    queueMs: 0,
  });
  const dialler = gatedDialler({ ...SHUT.dialler, tcp: async () => new EventEmitter() as never }, gate);
  await dialler.tcp({ address: '198.51.100.1', port: 443, host: 'shop.test', signal });
  await dialler.tcp({ address: '198.51.100.2', port: 443, host: 'led-to.test', signal });
  expect([gate.contacted, gate.hosts]).toEqual([new Set(['198.51.100.1']), new Map([['led-to.test', new Set(['198.51.100.2'])]])]);
});

it('connections to an address of the request that were counted before are not counted again', () => {
  const { pools } = setUp();
  const rates = new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 });
  const targets = [{ ...parseHost('198.51.100.1')!, port: 443 }];
  const gate = new OutboundGate({ demand: { ...demand, targets, jobs: 1, contacts: 60 }, pools, rates, waitMs: 20, queueMs: 0 });
  gate.admitJobs(1);
  for (let i = 0; i < 200; i++) gate.paced('198.51.100.1', 443);
  expect(() => gate.paced('198.51.100.1', 443)).toThrow(expect.objectContaining({ code: 'target_limited' }));
});

it('behind a proxy the target counts as contacted, and is paced, for the permit of one connection', async () => {
  const { pools, gate } = setUp(0, new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 }));
  const dialler = gatedDialler({ ...SHUT.dialler, tcp: async () => new EventEmitter() as never }, gate);
  const through = (proxy: number) => dialler.tcp({ address: `192.0.2.${proxy}`, port: 3128, beyond: '198.51.100.1', signal });
  await through(1);
  expect([pools.connections.usage.held, gate.contacted]).toEqual([1, new Set(['198.51.100.1', '192.0.2.1'])]);
  for (let i = 1; i < 200; i++) gate.paced('198.51.100.1');
  await expect(through(2)).rejects.toMatchObject({ code: 'target_limited' });
  expect(gate.contacted).not.toContain('192.0.2.2');
});

it('behind what the operator configured a target counts as contacted, and is paced, by its address or by its name', async () => {
  const { pools, gate } = setUp(0, new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 }));
  const sockets: EventEmitter[] = [];
  const operatorTcp = async () => (sockets.push(new EventEmitter()), sockets.at(-1) as never);
  const dialler = gatedDialler({ ...SHUT.dialler, operatorTcp }, gate);
  const endpoint = { host: '127.0.0.1', port: 9050 };
  const reach = (address: string) => dialler.operatorTcp({ endpoint, beyond: { address, port: 443, host: 'a.test' }, signal });
  await dialler.operatorTcp({ endpoint, signal });
  expect([pools.connections.usage.held, gate.sentTraffic]).toEqual([0, false]);
  await reach('198.51.100.1');
  expect([pools.connections.usage.held, gate.sentTraffic, gate.hosts]).toEqual([1, true, new Map([['a.test', new Set(['198.51.100.1'])]])]);
  expect(gate.dialled.size).toBe(0); // the silence of a target there tells nothing of our own network
  sockets[1]!.emit('close');
  expect(pools.connections.usage.held).toBe(0);
  for (let i = 0; i < 200; i++) gate.paced(`${i}.service.onion`, 443);
  await expect(reach('another.service.onion')).rejects.toMatchObject({ code: 'target_limited' });
  expect(sockets).toHaveLength(2);
});

it('a connection over QUIC counts while it is used, and is known as contacted', async () => {
  const { pools, gate } = setUp();
  const request = {
    address: '192.0.2.1',
    port: 443,
    host: parseHost('example.org')!,
    authority: 'example.org',
    path: '/',
    fields: {},
    handshake_ms: 1,
    answer_ms: 1,
    signal,
  };
  const ask = (get: Http3Client['get']) =>
    gatedHttp3({ get, ready: async () => {}, udpVerdict: async () => 'good' as const }, gate).get(request);
  await ask(() => {
    expect(pools.connections.usage.held).toBe(1);
    return Promise.resolve({ udp: 'silent', connected: false, head: undefined, failure: undefined });
  });
  await expect(ask(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect([pools.connections.usage.held, gate.sentTraffic, [...gate.contacted!]]).toEqual([0, true, ['192.0.2.1']]);
  const limited = setUp(0, new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 })).gate;
  for (let i = 0; i < 200; i++) (limited.connection('192.0.2.1', signal) as Pass)();
  const sending = { get: () => Promise.reject(new Error('sent')), ready: async () => {}, udpVerdict: async () => 'good' as const };
  await expect(gatedHttp3(sending, limited).get(request)).rejects.toMatchObject({
    code: 'target_limited',
  });
});

describe('the rates of targets', () => {
  const rates = () => new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 });
  const about = (host: string, jobs: number, asks?: number) => ({ account: 'a', targets: [parseHost(host)!], jobs, asks });

  it('end a request with ApiError', () => {
    const { gate } = setUp(0, rates());
    for (let i = 0; i < 1_200; i++) (gate.question(`${i}.example.org`, signal) as Pass)();
    expect(() => gate.question('www.example.org', signal)).toThrow(expect.objectContaining({ code: 'target_limited', retryAfterS: 2 }));
    for (let i = 0; i < 200; i++) (gate.connection('192.0.2.1', signal) as Pass)();
    expect(() => gate.connection('192.0.2.1', signal)).toThrow(expect.objectContaining({ code: 'target_limited', retryAfterS: 0.1 }));
  });
  it('are not those of what a resolver of ours has still, but it takes a permit', () => {
    const { pools, gate } = setUp(0, rates());
    for (let i = 0; i < 1_200; i++) void gate.question('www.example.org', signal);
    expect(() => gate.question('www.example.org', signal)).toThrow(expect.objectContaining({ code: 'target_limited' }));
    expect(gate.question('www.example.org', signal, undefined, true)).toBeTypeOf('function');
    expect(pools.questions.usage.held).toBe(1_201);
  });
  it('let a request whose jobs went out ask about their target what its report needs, but not about others', () => {
    const all = rates();
    const { pools } = setUp();
    const gate = new OutboundGate({ demand: about('example.org', 500, 20), pools, rates: all, waitMs: 0, queueMs: 0 });
    gate.admitJobs(500);
    expect(() => gate.question('ns.example.org', signal)).not.toThrow();
    const other = new OutboundGate({ demand: about('example.com', 0), pools, rates: all, waitMs: 0, queueMs: 0 });
    expect(() => other.question('ns.example.org', signal)).toThrow(expect.objectContaining({ code: 'target_limited' }));
    expect(() => gate.admitJobs(1)).toThrow(expect.objectContaining({ code: 'target_limited' }));
  });
  it('are looked at before anything is held', () => {
    const all = rates();
    const demand = about('example.org', 200);
    refuseLimited(demand, all);
    const { pools } = setUp();
    new OutboundGate({ demand, pools, rates: all, waitMs: 0, queueMs: 0 }).admitJobs(200);
    expect(() => refuseLimited(demand, all)).toThrow(expect.objectContaining({ code: 'target_limited', retryAfterS: 20 }));
    expect(() => refuseLimited(demand, undefined)).not.toThrow();
  });
});

it('a turn at an engine has a second server and the test entry in it, until the engine is done', async () => {
  const clock = { now: () => 0 };
  const zones = new Map([['zone.example', { perS: 1, burst: 1 }]]);
  const rates = new TargetRates({ clock, gateways: () => 1, spares: [], zones });
  const { gate } = setUp(20, rates);
  const name = '1.2.0.192.zone.example';
  const queued = gate.queue(new Map([['engine', [name]]]));
  if ('late' in queued) throw new Error('too late');
  const ask = async (about: string, server?: string): Promise<void> => (await gate.question(about, signal, server))();
  await ask(name);
  await ask(name, '192.0.2.53');
  await ask('1.0.0.127.zone.example');
  queued.done('engine');
  await expect(ask(name)).rejects.toMatchObject({ code: 'target_limited' });
});
