import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@vedette/contract';
import { CONNECTIONS_MAX } from '@vedette/probes/tls';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../http/raw-server.ts';
import { fakeServer, greetsAsMail, type Habits, SSL3, TLS10, TLS11, TLS12, TLS13 } from './fake-server.ts';
import { scanned, suitesOf } from './scanned.ts';

/** Twenty times as fast as the wall. */
const QUICK: Clock = { now: () => performance.now() * 20, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
const EXTENSIONS = [0xff01, 22, 23, 35];

describe('an old server', () => {
  it('speaks SSL 2.0 and 3.0, compresses, beats, exports and hides nothing', async () => {
    await using server = await fakeServer({
      versions: [TLS10, SSL3],
      suites: [0x0005, 0x000a, 0x0003, 0x0033],
      ssl2: true,
      compresses: true,
      extensions: [15],
      dhBits: 512,
    });
    const scan = await scanned(server.port, { clock: QUICK });
    expect(scan).toMatchObject({
      versions: { sslv2: 'yes', sslv3: 'yes', tls1_0: 'yes', tls1_1: 'no', tls1_2: 'no', tls1_3: 'no' },
      preferred: 'tls1_0',
      dhBits: 512,
      secureRenegotiation: 'no',
      compression: 'yes',
      heartbeat: 'yes',
      extendedMasterSecret: 'no',
      encryptThenMac: 'no',
      fallbackScsv: 'no',
      tickets: 'no',
      stopped: undefined,
    });
    const names = [
      'TLS_RSA_WITH_RC4_128_SHA',
      'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
      'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
      'TLS_DHE_RSA_WITH_AES_128_CBC_SHA',
    ];
    expect(suitesOf(scan)).toEqual({ tls1_0: names, sslv3: names });
  });

  it('that knows SSL 3.0 alone has its hello without extensions, and secure renegotiation by a suite', async () => {
    await using server = await fakeServer({ versions: [SSL3], suites: [0x002f] });
    const scan = await scanned(server.port, { clock: QUICK });
    expect(scan).toMatchObject({ versions: { sslv3: 'yes', tls1_0: 'no', tls1_2: 'no', sslv2: 'no' }, preferred: '' });
    const ofSsl3 = server.hellos.filter(({ version }) => version === SSL3);
    expect(ofSsl3.every(({ extensions, suites }) => extensions.size === 0 && suites.includes(0x00ff))).toBe(true);
  });
});

describe('a server that refuses by', () => {
  it.each(['reset', 'close', 'silence'] as const)(
    '%s is still told to refuse, since it answers others right afterwards',
    async (refuses) => {
      await using server = await fakeServer({ versions: [TLS13, TLS12], suites: [0x1301, 0xc02f], groups: [0x001d, 0x0017], refuses });
      const scan = await scanned(server.port, { clock: QUICK });
      expect(scan).toMatchObject({
        versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'no', tls1_1: 'no', tls1_2: 'yes', tls1_3: 'yes' },
        groups: ['X25519', 'P-256'],
        stopped: undefined,
      });
      expect(suitesOf(scan)).toEqual({ tls1_3: ['TLS_AES_128_GCM_SHA256'], tls1_2: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] });
    },
  );
});

describe('a firewall that has had enough', () => {
  const habits = {
    versions: [TLS13, TLS12, TLS11, TLS10],
    suites: [0x1301, 0xc02f, 0xc013, 0x002f],
    extensions: EXTENSIONS,
    knowsFallback: true,
  };

  it('ends the scan wherever it does, and never makes a "no" of what it hides', async () => {
    await using whole = await fakeServer(habits);
    const truth = await scanned(whole.port, { clock: QUICK });
    expect(truth).toMatchObject({ stopped: undefined, versions: { tls1_0: 'yes', tls1_1: 'yes' } });
    for (let serves = 1; serves < truth.connections; serves += 3) {
      await using server = await fakeServer({ ...habits, serves });
      const scan = await scanned(server.port, { clock: QUICK });
      // Handshakes that are completed fail with this server, so their resets are nobody's.
      for (const [version, told] of Object.entries(scan.versions))
        expect([serves, version, ['unknown', truth.versions[version as never]].includes(told)]).toEqual([serves, version, true]);
      for (const fact of [
        'compression',
        'heartbeat',
        'fallbackScsv',
        'secureRenegotiation',
        'extendedMasterSecret',
        'postQuantum',
      ] as const)
        expect([serves, fact, scan[fact]]).toSatisfy(([, , told]) => told === 'unknown' || told === truth[fact]);
      const whole = Object.entries(scan.suites).filter(([, listed]) => listed.complete);
      expect(whole.map(([version, { suites }]) => [version, suites])).toEqual(
        whole.map(([version]) => [version, truth.suites[version as never]['suites']]),
      );
      expect([serves, serves < 20 ? scan.stopped : 'server']).toEqual([serves, 'server']);
    }
  }, 60_000);

  it('that lets nothing through again leaves the versions behind it unknown', async () => {
    await using server = await fakeServer({ ...habits, serves: 4 });
    const { versions, stopped } = await scanned(server.port, { clock: QUICK });
    expect(stopped).toBe('server');
    expect(versions).toMatchObject({ tls1_3: 'yes', tls1_0: 'unknown', sslv3: 'unknown', sslv2: 'unknown' });
  });
});

describe('a server that is no server of TLS', () => {
  it.each<[string, (socket: { write(octets: Uint8Array | string): unknown; destroyed: boolean }) => unknown, string]>([
    ['garbage', (socket) => socket.write(Buffer.alloc(4_000, 0x5a)), 'garbage'],
    ['a page', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'garbage'],
    ['a record longer than records may be', (socket) => socket.write(Buffer.from('160303ffff02', 'hex')), 'garbage'],
    ['a hello of an absurd length', (socket) => socket.write(Buffer.from('160303000402ffffff', 'hex')), 'garbage'],
    ['a hello that ends in the middle', (socket) => socket.write(Buffer.from('16030300060200000203030303', 'hex')), 'garbage'],
    ['more records than any server needs', (socket) => socket.write(Buffer.from('160303000101'.repeat(600), 'hex')), 'garbage'],
    ['nothing', () => {}, 'silent'],
    [
      'an octet in a second, for ever',
      async (socket) => {
        for (let index = 0; !socket.destroyed; index++, await sleep(50))
          socket.write(Buffer.from('1603030100'.slice(2 * (index % 5), 2 * (index % 5) + 2), 'hex'));
      },
      'silent',
    ],
    [
      'handshake messages without an end',
      async (socket) => {
        for (; !socket.destroyed; await sleep(1))
          socket.write(Buffer.from(`1603030400${'0b0000fc'.padEnd(2 * 256, '0').repeat(4)}`.slice(0, 2058), 'hex'));
      },
      'garbage',
    ],
  ])('but says %s is left within its time, and costs few connections', async (_name, says, kind) => {
    await using server = await rawServer((socket) => void socket.once('data', () => says(socket)));
    const scan = await scanned(server.port, { clock: QUICK });
    expect(scan.failed).toEqual({ kind });
    expect(Object.values(scan.versions)).not.toContain('yes');
    expect(scan.connections).toBeLessThanOrEqual(7);
  });

  it('and is not there costs one connection', async () => {
    const server = await rawServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(await scanned(server.port)).toMatchObject({
      connections: 1,
      failed: { kind: 'unconnected', failure: { code: 'connect_refused' } },
    });
  });
});

describe('a scan', () => {
  it('never opens more than its connections, and paces them', async () => {
    const many = Array.from(
      { length: 24 },
      (_, index) =>
        [
          0x002f, 0x0035, 0x0033, 0x0039, 0xc013, 0xc014, 0xc009, 0xc00a, 0x0041, 0x0084, 0x0045, 0x0088, 0x0005, 0x0004, 0x000a, 0x0016,
          0x0009, 0x0015, 0x0003, 0x0001, 0x0002, 0x0034, 0x0096, 0x0007,
        ][index]!,
    );
    await using server = await fakeServer({
      versions: [TLS12, TLS11, TLS10, SSL3],
      suites: many,
      refuses: 'reset',
      extensions: EXTENSIONS,
    });
    const at: number[] = [];
    const scan = await scanned(server.port, {
      clock: { now: () => QUICK.now(), sleep: (ms, signal) => (at.push(ms), QUICK.sleep(ms, signal)) },
    });
    expect(scan.connections).toBeLessThanOrEqual(CONNECTIONS_MAX);
    expect(server.received.length).toBe(scan.connections);
    expect(scan.versions).toEqual({ sslv2: 'no', sslv3: 'yes', tls1_0: 'yes', tls1_1: 'yes', tls1_2: 'yes', tls1_3: 'no' });
    // What does not fit is cut, and told to be; each kind of weak suite is known all the same.
    expect(Object.values(scan.suites).some(({ complete }) => !complete)).toBe(true);
    expect(scan.suites.tls1_2).toMatchObject({ weakKnown: true });
  });

  it('that is cut still finds the prime that the server would rather not use', async () => {
    const others =
      '2f 35 3c 3d 41 84 9c 9d 05 04 0a 07 96 ba c0 c013 c014 c027 c028 c02f c030 c009 c00a c011 c012 c02b c02c c076 c077 c023 c024 c072 c073';
    const suites = others.split(' ').map((code) => Number.parseInt(code, 16));
    await using server = await fakeServer({ versions: [TLS12, TLS11, TLS10], suites: [...suites, 0x0033], dhBits: 768 });
    expect(await scanned(server.port, { clock: QUICK })).toMatchObject({
      dhBits: 768,
      suites: { tls1_2: { complete: false } },
      stopped: undefined,
    });
  });

  it.each<[string, Partial<Habits>, string[], boolean]>([
    [
      'each scheme that is accepted',
      { signatures: [0x0804, 0x0603, 0x0905] },
      ['rsa_pss_rsae_sha256', 'ecdsa_secp521r1_sha512', 'mldsa65'],
      true,
    ],
    ['the last of a kind without a question', { signatures: [0x0808] }, ['ed448'], true],
    ['a refusal in what is encrypted', { signatures: [0x0503], refusesEncrypted: true }, ['ecdsa_secp384r1_sha384'], true],
    ['a share of another group than X25519', { groups: [0x0018], signatures: [0x0403] }, ['ecdsa_secp256r1_sha256'], true],
    ['nothing by groups of which it makes no share', { groups: [0x11ec] }, [], false],
  ])('learns of signatures in TLS 1.3 %s', async (_what, habits, signatures13, signatures13Known) => {
    await using server = await fakeServer({ versions: [TLS13], suites: [0x1301], ...habits });
    expect(await scanned(server.port, { clock: QUICK })).toMatchObject({ signatures13, signatures13Known, stopped: undefined });
  });

  it('ends with its time, and tells what it knows', async () => {
    await using server = await fakeServer({ versions: [TLS12], suites: [0xc02f], extensions: EXTENSIONS, refuses: 'silence' });
    const scan = await scanned(server.port, { clock: QUICK, ms: 8_000 });
    expect(scan).toMatchObject({ stopped: 'time', preferred: 'tls1_2', versions: { tls1_2: 'yes', tls1_0: 'unknown' } });
  });

  it('that ends before the first hello is answered tells what came of the last', async () => {
    const greets = (socket: import('node:net').Socket, begin: () => void) => {
      socket.write('* OK ready\r\n');
      socket.on('data', (chunk: Buffer) => {
        const said = chunk.toString('latin1');
        const [tag = ''] = said.split(' ');
        if (said.includes('CAPABILITY')) socket.write(`* CAPABILITY IMAP4rev1 STARTTLS\r\n${tag} OK done\r\n`);
        if (said.includes('STARTTLS')) socket.write(`${tag} OK begin\r\n`, () => setImmediate(begin));
      });
    };
    await using server = await fakeServer({ versions: [], suites: [], greets, refuses: 'silence' });
    expect(await scanned(server.port, { clock: QUICK, starttls: 'imap', ms: 15_000 })).toMatchObject({
      stopped: 'time',
      failed: { kind: 'silent' },
    });
  });

  it('ends with its caller', async () => {
    await using server = await rawServer(() => {});
    const leaving = new AbortController();
    const scan = scanned(server.port, { signal: leaving.signal });
    leaving.abort(new TypeError('gone'));
    await expect(scan).rejects.toThrow('gone');
  });

  it('asks for TLS in the words of mail first, and sends no hello into a dialogue that fails', async () => {
    await using server = await fakeServer({ versions: [TLS12], suites: [0xc02f], greets: greetsAsMail });
    expect(await scanned(server.port, { clock: QUICK, starttls: 'smtp' })).toMatchObject({ versions: { tls1_2: 'yes', tls1_0: 'no' } });
    await using plain = await rawServer((socket) => void socket.write('220 mail.test ESMTP\r\n'));
    const refused = await scanned(plain.port, { clock: QUICK, starttls: 'imap' });
    expect(refused).toMatchObject({ connections: 1, failed: { kind: 'unconnected', failure: { code: 'starttls_failed' } } });
    await using tarpit = await rawServer(() => {});
    expect(await scanned(tarpit.port, { clock: QUICK, starttls: 'smtp' })).toMatchObject({
      connections: 1,
      failed: { kind: 'unconnected', failure: { code: 'starttls_failed', seen: 'no answer within 10000 ms' } },
    });
    expect(tarpit.received).toEqual(['']);
  });
});
