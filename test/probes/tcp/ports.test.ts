import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProbeFailure } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../free-ports.ts';
import { rawServer } from '../http/raw-server.ts';
import { measured, octets, patterns } from './running.ts';

afterAll(() => patterns.close());

describe('the state of a port', () => {
  it('is open where a connection is accepted, with a handshake for each attempt', async () => {
    await using server = await rawServer((socket) => socket.write('220 hello\r\n'));
    const result = await measured(server.port, { attempts: 3 });
    expect(result).toMatchObject({ state: 'open', ip_address: '127.0.0.1', banner: '220 hello\\r\\n', closed_by_server: false });
    expect(result.reason).toBeUndefined();
    expect(result.attempts.map(({ state, syn_lost, icmp }) => ({ state, syn_lost, icmp }))).toEqual(
      Array.from({ length: 3 }, () => ({ state: 'open', syn_lost: 0, icmp: '' })),
    );
    const [first, second, third] = result.attempts;
    expect(first!.began_ms < second!.began_ms && second!.began_ms < third!.began_ms).toBe(true);
    // The kernel's clock: the event loop has no part in it.
    for (const { rtt_ms, connect_ms } of result.attempts) expect(rtt_ms > 0 && rtt_ms <= connect_ms).toBe(true);
    expect(server.received).toHaveLength(3);
  });

  it('is refused where the host answers with RST', async () => {
    const result = await measured(await freePort(), { attempts: 2 });
    expect(result).toMatchObject({
      state: 'refused',
      reason: 'connect_refused',
      ip_address: '127.0.0.1',
      banner: '',
      attempts: [{ state: 'refused' }, { state: 'refused' }],
    });
  });

  it('is reset where a connection is accepted and reset before the first octet', async () => {
    await using server = await rawServer((socket) => socket.resetAndDestroy());
    expect(await measured(server.port)).toMatchObject({ state: 'reset', reason: 'connect_reset', attempts: [{ state: 'open' }] });
    expect(await measured(server.port, { tls: {} })).toMatchObject({ state: 'reset', reason: 'connect_reset' });
    expect(await measured(server.port, { starttls: 'smtp' })).toMatchObject({ state: 'reset', reason: 'connect_reset' });
  });

  it('is open where the server closes the connection, or resets it after a word', async () => {
    await using closing = await rawServer((socket) => socket.end());
    expect(await measured(closing.port)).toMatchObject({ state: 'open', banner: '', closed_by_server: true });
    await using rude = await rawServer((socket) => socket.write('go away', () => setTimeout(() => socket.resetAndDestroy(), 50)));
    expect(await measured(rude.port)).toMatchObject({ state: 'open', banner: 'go away' });
  });

  it('is filtered where nothing answers: a full queue of connections, for which SYNs are dropped', async () => {
    const full = spawn(process.execPath, [
      '-e',
      "require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); })",
    ]);
    const [line] = (await once(full.stdout, 'data')) as [Buffer];
    const port = Number(line.toString());
    full.kill('SIGSTOP');
    const held: Socket[] = [];
    try {
      // More than fit are sent again and again by the kernel, and keep the queue full.
      for (let i = 0; i < 4; i++) held.push(createConnection({ port, host: '127.0.0.1' }).on('error', () => {}));
      await once(held[0]!, 'connect');
      await sleep(200);
      const result = await measured(port, { attempts: 2 }, { budget_ms: 1_500 });
      expect(result).toMatchObject({
        state: 'filtered',
        reason: 'connect_timeout',
        attempts: [{ state: 'filtered', rtt_ms: 0 }, { state: 'filtered' }],
      });
    } finally {
      for (const socket of held) socket.destroy();
      full.kill('SIGKILL');
    }
  });

  it('tries each address of the host in turn', async () => {
    await using server = await rawServer((socket) => socket.write('here'), '127.0.0.7');
    const result = await measured(server.port, { host: 'two.test', attempts: 3 }, { hosts: { 'two.test': ['127.0.0.8', '127.0.0.7'] } });
    expect(result.attempts.map(({ ip_address, state }) => `${ip_address} ${state}`)).toEqual([
      '127.0.0.8 refused',
      '127.0.0.7 open',
      '127.0.0.8 refused',
    ]);
    expect(result).toMatchObject({ state: 'open', ip_address: '127.0.0.7', banner: 'here' });
    expect(result.reason).toBeUndefined();
  });

  it.each([
    ['inner.test', ['10.0.0.1'], 'blocked_private_address'],
    ['mixed.test', ['127.0.0.7', '10.0.0.1'], 'blocked_private_address'],
    ['gone.test', undefined, 'dns_nxdomain'],
    ['agency.gov', ['127.0.0.7'], 'blocked_policy'],
  ])('is not asked of %s', async (host, addresses, reason) => {
    await using server = await rawServer(() => {}, '127.0.0.7');
    expect(await measured(server.port, { host }, { hosts: addresses ? { [host]: addresses } : {} })).toMatchObject({
      reason,
      state: '',
      attempts: [],
    });
    expect(server.received).toEqual([]);
  });

  it('is not blamed for a place that is measured too often, and keeps what was measured before', async () => {
    await using server = await rawServer(() => {});
    const limits = createTargetLimits({ clock: systemClock, enabled: true, spares: [] });
    const held = Array.from({ length: 4 }, () => limits.http('127.0.0.1'));
    const [slow, refused] = await Promise.all([measured(server.port, { attempts: 3 }, { limits }), measured(server.port, {}, { limits })]);
    expect(refused).toMatchObject({ reason: 'target_limited', attempts: [] });
    expect(slow).toMatchObject({ state: 'open', attempts: [{ state: 'open' }] });
    held.forEach((release) => release());
  });
});

describe('what the server says', () => {
  const late = (text: string, ms: number) => (socket: Socket) => void sleep(ms).then(() => socket.write(text));

  it('is heard when it comes late, and not waited for for ever', async () => {
    await using server = await rawServer(late('SSH-2.0-late\n', 900));
    expect(await measured(server.port)).toMatchObject({ banner: 'SSH-2.0-late\\n', state: 'open' });
    await using mute = await rawServer(() => {});
    const silent = await measured(mute.port);
    expect(silent).toMatchObject({ banner: '', state: 'open', closed_by_server: false });
    expect(silent.timings.first_octet_ms).toBe(0);
  });

  it('is cut at 1 kB, whatever comes and however slowly, and its octets are escaped', async () => {
    await using loud = await rawServer((socket) => socket.write(Buffer.alloc(200_000, 'x\u001b[2J\\é\0', 'utf8')));
    const { banner } = await measured(loud.port);
    expect(banner).toBe('x\\x1b[2J\\\\\\xc3\\xa9\\x00'.repeat(200).slice(0, banner.length));
    expect(banner.replace(/\\x..|\\\\/g, '.')).toHaveLength(1024);
    await using tarpit = await rawServer((socket) => {
      const drip = setInterval(() => socket.write('y'), 100);
      socket.once('close', () => clearInterval(drip));
    });
    const dripped = await measured(tarpit.port);
    expect(dripped.banner).toMatch(/^y{5,20}$/);
  });

  it('is searched for a pattern of RE2, which ends the wait', async () => {
    await using server = await rawServer((socket) => void sleep(50).then(() => socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')));
    expect(await measured(server.port, { expect: '(?m)^\\* OK .*IMAP4' })).toMatchObject({ expect_matched: true });
    await using ending = await rawServer((socket) => socket.end('* BYE\r\n'));
    expect(await measured(ending.port, { expect: '^\\* OK' })).toMatchObject({ expect_matched: false, closed_by_server: true });
    await using evil = await rawServer((socket) => socket.end(`${'a'.repeat(40)}!`));
    expect(await measured(evil.port, { expect: '^(a+)+$' })).toMatchObject({ expect_matched: false });
  });

  it('comes after what is sent, with the banner on its own', async () => {
    await using server = await rawServer((socket) => {
      socket.write('READY\n');
      socket.on('data', (chunk) => socket.write(`you said ${chunk.toString()}`));
    });
    const result = await measured(server.port, { send: octets('PING\r\n'), expect: 'said PING' });
    expect(result).toMatchObject({ banner: 'READY\\n', response: 'you said PING\\r\\n', expect_matched: true });
    expect(server.received).toEqual(['PING\r\n']);
  });

  it('ends with the time of the job, with what was heard', async () => {
    await using server = await rawServer((socket) => socket.write('hm'));
    const result = await measured(server.port, { expect: 'never' }, { budget_ms: 700 });
    expect(result).toMatchObject({ state: 'open', reason: 'answer_timeout', expect_matched: false });
  });

  it('is not told as a failure of the target when the job is cancelled', async () => {
    await using server = await rawServer(() => {});
    const control = new AbortController();
    setTimeout(() => control.abort(), 100);
    expect(await measured(server.port, {}, { signal: control.signal })).toMatchObject({ reason: 'cancelled', state: 'open' });
  });
});

it('gives a defect on', async () => {
  const resolver = {
    servers: [],
    query: () => Promise.reject(new Error('unused')),
    addresses: () => Promise.reject(new TypeError('a defect')),
  };
  await expect(measured(1, { host: 'a.test' }, { resolver })).rejects.toThrow('a defect');
  expect(new ProbeFailure('connect_reset').source).toBe('target');
});
