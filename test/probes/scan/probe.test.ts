import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import { scan } from '@vedette/probes/scan';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../../free-ports.ts';
import { loopbackPorts } from '../http/loopback-ports.ts';
import { rawServer } from '../http/raw-server.ts';
import { virtualClock } from '../ping/virtual-clock.ts';

type ScanJob = Parameters<typeof scan.run>[0];
const HOST = '127.0.0.1';

type ScanResult = Awaited<ReturnType<typeof scan.run>>;

/** The result of a scan of loopback, which is partial where there is a `reason`. */
async function scanned(ports: number[], given: Parameters<typeof loopbackPorts>[0] = {}, job: Partial<ScanJob> = {}) {
  let result: ScanResult;
  let reason: string | undefined;
  try {
    result = await scan.run({ host: HOST, family: 0, ports, interval_ms: 50, ...job }, loopbackPorts({ budget_ms: 20_000, ...given }));
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    result = error.partial as ScanResult;
    reason = error.code;
  }
  expect(Value.Errors(scan.result, result)).toEqual([]);
  return { ...result, reason };
}

/** A dialler to nowhere, on a clock of its own: some ports are silent, so often; the rest is refused. Each attempt is noted. */
function silentDialler(silent: Readonly<Record<number, number>>, failWith?: () => ProbeFailure) {
  const { dialler } = loopbackPorts();
  const clock = virtualClock();
  const tried: number[] = [];
  const at: number[] = [];
  const tcp: ProbePorts['dialler']['tcp'] = async ({ port, signal }) => {
    const before = tried.filter((other) => other === port).length;
    tried.push(port);
    at.push(clock.now());
    if (failWith) throw failWith();
    if (before >= (silent[port] ?? 0)) throw new ProbeFailure('connect_refused', HOST);
    return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
  };
  return { tried, at, clock, dialler: { ...dialler, tcp } };
}

const health = (verdict: 'good' | 'bad' | 'unknown') => {
  const doubted: string[] = [];
  const heard: string[] = [];
  return {
    doubted,
    heard,
    health: {
      doubt: (capability: string) => {
        doubted.push(capability);
        return Promise.resolve(verdict);
      },
      heard: (capability: string) => void heard.push(capability),
    },
  };
};

describe('the states of ports', () => {
  it('tells open from closed, in the order of the ports, with what servers say by themselves', async () => {
    await using talking = await rawServer((socket) => socket.write('SSH-2.0-a\x1b[2J\r\n'));
    await using mute = await rawServer(() => {});
    const closed = await freePorts(2);
    const result = await scanned([talking.port, ...closed, mute.port]);
    const expected = [
      { port: talking.port, state: 'open', icmp: '', banner: 'SSH-2.0-a\\x1b[2J\\r\\n' },
      { port: mute.port, state: 'open', icmp: '', banner: '' },
      ...closed.map((port) => ({ port, state: 'closed', icmp: '', banner: '' })),
    ].toSorted((a, b) => a.port - b.port);
    expect(result).toMatchObject({ ip_address: HOST, connections: 4 });
    expect(result.ports).toMatchObject(expected);
    for (const { rtt_ms } of result.ports) expect(rtt_ms).toBeGreaterThan(0);
    // Nothing was said to either of them.
    expect([...talking.received, ...mute.received].join('')).toBe('');
  });

  it('cuts a banner, whatever comes', async () => {
    await using loud = await rawServer((socket) => socket.write(Buffer.alloc(100_000, 0)));
    const { ports } = await scanned([loud.port]);
    expect(ports[0]!.banner).toBe('\\x00'.repeat(256));
  });

  it('is open where the server resets what it has accepted', async () => {
    await using rude = await rawServer((socket) => socket.resetAndDestroy());
    const { ports } = await scanned([rude.port]);
    expect(ports).toMatchObject([{ state: 'open', banner: '' }]);
  });

  it('is filtered after two silences, and after one the state is that of the second answer', async () => {
    const { dialler, clock, tried } = silentDialler({ 7: 2, 8: 1 });
    const { health: own, doubted, heard } = health('good');
    const result = await scanned([7, 8, 9], { dialler, clock, health: own });
    expect(result.ports.map(({ state }) => state)).toEqual(['filtered', 'closed', 'closed']);
    // Others come before a second try.
    expect(new Set(tried.slice(0, 3))).toEqual(new Set([7, 8, 9]));
    expect(new Set(tried.slice(3))).toEqual(new Set([7, 8]));
    expect(result).toMatchObject({ connections: 5 });
    expect(doubted).toEqual(['tcp4']);
    expect(heard).toEqual(['tcp4', 'tcp4']);
  });

  it('is filtered where the network refuses', async () => {
    const { dialler, clock, tried } = silentDialler({}, () => new ProbeFailure('connect_unreachable', HOST));
    expect(await scanned([7], { dialler, clock, health: health('good').health })).toMatchObject({ ports: [{ state: 'filtered' }] });
    expect(tried).toEqual([7, 7]);
  });
});

describe('our own side', () => {
  it('is never the state of a port: silence with silent witnesses is no_network, and the answers before it are kept', async () => {
    const { dialler, clock } = silentDialler({ 7: 2 });
    const { health: own, doubted } = health('bad');
    const result = await scanned([7, 8], { dialler, clock, health: own });
    expect(result).toMatchObject({ reason: 'no_network', ports: [{ state: '' }, { state: 'closed' }] });
    expect(doubted).toEqual(['tcp4']);
  });

  it('ends the scan where it cannot send, and nothing more is tried', async () => {
    const { dialler, clock, tried } = silentDialler({}, () => new ProbeFailure('no_network', 'ENETUNREACH'));
    const result = await scanned([7, 8, 9, 10], { dialler, clock });
    expect(result).toMatchObject({ reason: 'no_network', ports: [{ state: '' }, { state: '' }, { state: '' }, { state: '' }] });
    expect(tried).toHaveLength(1);
  });

  it('is out of time with what was measured', async () => {
    const { dialler, clock } = silentDialler({ 7: 2 });
    expect(await scanned([7, 8], { dialler, clock, budget_ms: 600 })).toMatchObject({
      reason: 'connect_timeout',
      ports: [{ state: '' }, { state: 'closed' }],
    });
  });

  it('is not told as a failure of the target when the job is cancelled', async () => {
    const { dialler, clock } = silentDialler({ 7: 2 });
    expect(await scanned([7], { dialler, clock, signal: AbortSignal.abort(new ProbeFailure('cancelled')) })).toMatchObject({
      reason: 'cancelled',
      ports: [{ state: '' }],
    });
  });
});

describe('the pace', () => {
  it('is that of the job, in random order', async () => {
    const ports = Array.from({ length: 16 }, (_, index) => index + 1);
    const { dialler, clock, at, tried } = silentDialler({});
    await scanned(ports, { dialler, clock });
    expect(tried).not.toEqual(ports);
    expect(tried.toSorted((a, b) => a - b)).toEqual(ports);
    expect(at).toEqual(ports.map((_, index) => index * 50));
  });

  it('catches up with late timers, and is never faster in all', async () => {
    const { dialler, clock, at } = silentDialler({});
    const late = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms > 0 ? ms + 3 : ms, signal) };
    await scanned(
      Array.from({ length: 16 }, (_, index) => index + 1),
      { dialler, clock: late },
    );
    expect(at).toEqual(Array.from({ length: 16 }, (_, index) => index * 50 + (index > 0 ? 3 : 0)));
  });

  it('gives a first try less time where others answer, and a second one all of it', async () => {
    const ports = Array.from({ length: 30 }, (_, index) => index + 1);
    const { dialler, clock, tried } = silentDialler({ 7: 2, 8: 1 });
    const waited: number[] = [];
    const tcp: typeof dialler.tcp = async (options) => {
      const began = clock.now();
      // An answer takes some time.
      if (options.port > 8 || options.port < 7) await clock.sleep(20, options.signal);
      return await dialler.tcp(options).catch((error: unknown) => {
        if (options.port === 7) waited.push(clock.now() - began);
        throw error;
      });
    };
    const result = await scanned(ports, { dialler: { ...dialler, tcp }, clock, health: health('good').health });
    expect(result.ports.slice(6, 8).map(({ state }) => state)).toEqual(['filtered', 'closed']);
    expect(waited[1]).toBe(950);
    // Ten answers are needed before.
    const answered = tried.slice(0, tried.indexOf(7)).filter((port) => port !== 8).length;
    expect(waited[0]).toBe(answered >= 10 ? 300 : 950);
  });

  it('is one scan of an address at a time, whatever name it has', async () => {
    const { dialler, clock, tried } = silentDialler({});
    const limits = createTargetLimits({ clock, enabled: true, spares: [] });
    const hosts = { 'a.test': [HOST], 'b.test': [HOST] };
    const many = Array.from({ length: 30 }, (_, index) => index + 1);
    const [first, second] = await Promise.all([
      scanned(many, { dialler, clock, limits, hosts }, { host: 'a.test' }),
      scanned([7], { dialler, clock, limits, hosts }, { host: 'b.test' }),
    ]);
    expect(first).toMatchObject({ connections: 30 });
    expect(second).toMatchObject({ reason: 'target_limited', ip_address: '', connections: 0 });
    expect(tried).toHaveLength(30);
  });

  it.each([
    ['inner.test', ['10.0.0.1'], 'blocked_private_address'],
    ['agency.gov', [HOST], 'blocked_policy'],
    ['gone.test', undefined, 'dns_nxdomain'],
  ])('leaves %s alone', async (host, addresses, reason) => {
    const { dialler, clock, tried } = silentDialler({});
    const hosts = addresses ? { [host]: addresses } : {};
    expect(await scanned([7], { dialler, clock, hosts }, { host })).toMatchObject({ reason, connections: 0 });
    expect(tried).toEqual([]);
  });

  it('does not begin with a port of our own among them', async () => {
    const { dialler, clock, tried } = silentDialler({});
    const policy: typeof dialler.policy = {
      judge: (address, port, service) => ({ ...dialler.policy.judge(address, port, service), ...(port === 8 && { allowed: false }) }),
    };
    expect(await scanned([7, 8], { clock, dialler: { ...dialler, policy } })).toMatchObject({ reason: 'blocked_policy', connections: 0 });
    expect(tried).toEqual([]);
  });
});
