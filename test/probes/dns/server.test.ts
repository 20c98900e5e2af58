import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import { dns } from '@vedette/probes/dns';
import packet from 'dns-packet';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePki } from '../http/certificates.ts';
import { loopbackPorts } from '../http/loopback-ports.ts';
import { freePort } from './free-port.ts';
import { a, type Asked, response, type ScriptedServer, startServer } from './scripted-server.ts';

type Job = Static<typeof dns.job>;
type Server = NonNullable<Job['server']>;
type Result = Static<typeof dns.result>;

const pki = makePki({ good: { names: 'DNS:ns.test' } });
const credentials = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
const hosts = { 'ns.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'], 'inner.test': ['10.0.0.1'], 'ns.army.mil': ['127.0.0.1'] };

async function ask(
  server: Partial<Server> & { port: number },
  { types = ['A'], ...job }: Partial<Job> = {},
  ports: Partial<ProbePorts> = {},
): Promise<Result & { code: string; seen: string }> {
  const whole = {
    host: 'example.test',
    types,
    ...job,
    server: { host: 'ns.test', transport: 'udp' as const, recursion: true, answers: true, ...server },
  };
  expect(Value.Check(dns.job, whole)).toBe(true);
  const ended = await dns.run(whole, loopbackPorts({ hosts, ca: [pki.root], budget_ms: 3_000, ...ports })).then(
    (result) => ({ result, code: '', seen: '' }),
    (error: unknown) => {
      if (!(error instanceof ProbeFailure) || error.partial === undefined) throw error;
      return { result: error.partial as Result, code: error.code, seen: error.seen };
    },
  );
  expect(Value.Check(dns.result, ended.result)).toBe(true);
  return { ...ended.result, code: ended.code, seen: ended.seen };
}

/** Debian's unbound with a zone of its own, over all four transports. */
async function startUnbound() {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-unbound-'));
  const [plain, tls, https] = [await freePort(), await freePort(), await freePort()];
  writeFileSync(
    join(folder, 'unbound.conf'),
    `server:
  interface: 127.0.0.1@${plain}
  interface: 127.0.0.1@${tls}
  interface: 127.0.0.1@${https}
  tls-port: ${tls}
  https-port: ${https}
  tls-service-key: ${join(pki.folder, 'good.key')}
  tls-service-pem: ${join(pki.folder, 'good.pem')}
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: "${folder}/log"
  verbosity: 1
  do-daemonize: no
  module-config: "iterator"
  nsid: "ascii_lab-1"
  identity: "lab"
  hide-identity: no
  local-zone: example.test. static
  local-data: 'example.test. 300 IN A 192.0.2.1'
  local-data: 'example.test. 300 IN MX 10 mx.example.test.'
  local-data: 'big.example.test. 300 IN TXT "${'x'.repeat(250)}"'
${Array.from({ length: 20 }, (_, i) => `  local-data: 'big.example.test. 300 IN TXT "${i}${'y'.repeat(200)}"'`).join('\n')}
remote-control:
  control-enable: no
`,
  );
  const child = spawn('/usr/sbin/unbound', ['-d', '-c', join(folder, 'unbound.conf')], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const ready = async () => {
    for (let i = 0; i < 100; i++) {
      if (child.exitCode !== null) throw new Error(`unbound ended: ${readFileSync(join(folder, 'log'), 'utf8')}`);
      if ((await ask({ port: plain, host: '127.0.0.1', transport: 'tcp' }).catch(() => ({ code: 'x' }))).code === '') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('unbound did not start');
  };
  await ready();
  return {
    ports: { udp: plain, tcp: plain, tls, https },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let unbound: Awaited<ReturnType<typeof startUnbound>>;
beforeAll(async () => {
  unbound = await startUnbound();
});
afterAll(async () => {
  await unbound.stop();
  pki[Symbol.dispose]();
});

const TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const;

describe.each(TRANSPORTS)('unbound over %s', (transport) => {
  const at = (more: Partial<Server> = {}) => ({ port: unbound.ports[transport], transport, ...more });

  it('answers for all types that were asked, with its name', async () => {
    const { answers, asked, code } = await ask(at({ nsid: true }), { types: ['A', 'MX', 'AAAA'] });
    expect(code).toBe('');
    expect(asked).toBe(`127.0.0.1:${unbound.ports[transport]}`);
    expect(answers.map(({ dns_type, rcode, records, nsid }) => [dns_type, rcode, records, nsid])).toEqual([
      ['A', 'NOERROR', ['192.0.2.1'], 'lab-1'],
      ['MX', 'NOERROR', ['10 mx.example.test'], 'lab-1'],
      ['AAAA', 'NOERROR', [], 'lab-1'],
    ]);
    for (const { flags, server } of answers) {
      expect(flags).toEqual(expect.arrayContaining(['aa', 'rd', 'ra']));
      expect(server).toBe(asked);
    }
  });
  it('gives what fits no datagram', async () => {
    const { answers } = await ask(at(), { host: 'big.example.test', types: ['TXT'] });
    expect(answers[0]!.records).toHaveLength(21);
    expect(answers[0]!.nsid).toBeUndefined();
  });
  it('says that a name does not exist', async () => {
    expect(await ask(at(), { host: 'no.example.test' })).toMatchObject({ code: 'dns_nxdomain', answers: [{ rcode: 'NXDOMAIN' }] });
  });
  it('knows another class', async () => {
    const { answers } = await ask(at({ class: 3 }), { host: 'id.server', types: ['TXT'] });
    expect(answers[0]!.records).toEqual(['lab']);
  });
  it('answers one question as /probe asks it, too', async () => {
    const { direct, answers } = await ask(at({ answers: false }));
    expect(answers).toEqual([]);
    expect(direct).toMatchObject({ rcode: 'NOERROR', transport, answer: ['example.test.\t300\tIN\tA\t192.0.2.1'] });
  });
});

describe('a question', () => {
  let server: ScriptedServer;
  let answer: (asked: Asked) => void;
  beforeAll(async () => {
    server = await startServer((asked) => answer(asked));
  });
  afterAll(() => server.stop());
  const scripted = async (
    more: Partial<Server>,
    how: (asked: Asked) => void = ({ query, reply }) => reply(response(query, { answers: [a('example.test')] })),
  ) => {
    answer = how;
    server.asked.length = 0;
    const result = await ask({ port: server.endpoint.port, ...more });
    return { ...result, query: packet.decode(server.asked[0]!.query) as any, sent: server.asked.length };
  };
  const optOf = (query: any) => query.additionals.find(({ type }: { type: string }) => type === 'OPT');

  it.each([
    [{}, ['rd'], undefined],
    [{ recursion: false, authentic_data: true, checking_disabled: true }, ['ad', 'cd'], undefined],
    [{ dnssec: true }, ['rd'], { do: true, options: [] }],
    [{ nsid: true }, ['rd'], { do: false, options: [3] }],
    [{ client_subnet: '198.51.100.77/24', nsid: true }, ['rd'], { do: false, options: [3, 8] }],
  ])('with %j has these flags and options alone', async (more, flags, edns) => {
    const { query } = await scripted(more);
    const bits = { rd: 'flag_rd', ad: 'flag_ad', cd: 'flag_cd' };
    expect(Object.entries(bits).flatMap(([name, key]) => (query[key] ? [name] : []))).toEqual(flags);
    const opt = optOf(query);
    expect(opt && { do: opt.flag_do, options: opt.options.map(({ code }: { code: number }) => code) }).toEqual(edns);
  });
  it.each([
    ['198.51.100.77/24', '00011800c63364'],
    ['198.51.96.0/20', '00011400c63360'],
    ['0.0.0.0/0', '00010000'],
    ['2001:db8::1/56', '0002380020010db8000000'],
  ])('for the network %s carries as many octets as that has (RFC 7871 §6)', async (client_subnet, wire) => {
    const { query } = await scripted({ client_subnet });
    expect(Buffer.from(optOf(query).options[0].data).toString('hex')).toBe(wire);
  });
  it('shows the network that its answer is for, and the name of the server, cleaned', async () => {
    const options = [
      { code: 3, data: Buffer.from('fra-1\u0007\u001b[31m') },
      { code: 8, data: Buffer.from('00011810c63364', 'hex') },
    ];
    const { answers } = await scripted({ nsid: true, client_subnet: '198.51.100.0/24' }, ({ query, reply }) => {
      const { id, questions } = packet.decode(query);
      const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false, options };
      reply(packet.encode({ type: 'response', id: id!, questions: questions!, answers: [a('example.test')], additionals: [opt as never] }));
    });
    expect(answers[0]).toMatchObject({ client_subnet: '198.51.100.0/16', nsid: expect.stringMatching(/^fra-1/) });
    // oxlint-disable-next-line no-control-regex -- there are none
    expect(answers[0]!.nsid).not.toMatch(/[\u0000-\u001f]/);
  });
  it('that is lost is sent once more', async () => {
    const lost = await scripted({}, ({ query, nth, reply }) => nth > 1 && reply(response(query, { answers: [a('example.test')] })));
    expect([lost.code, lost.sent]).toEqual(['', 2]);
  });
  it('without an answer names the server, whatever it was', async () => {
    const { code, seen, answers, asked } = await scripted({}, () => {});
    expect([code, seen, asked]).toEqual(['dns_timeout', `127.0.0.1:${server.endpoint.port}`, `127.0.0.1:${server.endpoint.port}`]);
    expect(answers).toMatchObject([{ dns_type: 'A', rcode: '', server: '' }]);
  });
});

describe('a server', () => {
  it.each([
    ['in a private network', { host: '10.0.0.1', port: 53 }, 'blocked_private_address'],
    ['whose name leads inside', { host: 'inner.test', port: 53 }, 'blocked_private_address'],
    ['of a government', { host: 'ns.army.mil', port: 53 }, 'blocked_policy'],
    ['that does not exist', { host: 'none.test', port: 53 }, 'dns_nxdomain'],
  ])('%s is not asked, by any transport', async (_, server, code) => {
    for (const transport of TRANSPORTS) expect(await ask({ ...server, transport })).toMatchObject({ code, answers: [] });
  });
  it('with a certificate for another name is asked nothing', async () => {
    for (const transport of ['tls', 'https'] as const) {
      const { code } = await ask({ host: 'other.test', port: unbound.ports[transport], transport });
      expect(code).toBe('tls_cert_invalid');
    }
  });
  it('has a certificate whose dates are judged by the clock that is given', async () => {
    const clock = { ...loopbackPorts().clock, today: () => new Date(Date.now() + 10_000 * 86_400_000) };
    for (const transport of ['tls', 'https'] as const)
      expect(await ask({ port: unbound.ports[transport], transport }, {}, { clock })).toMatchObject({ code: 'tls_cert_invalid' });
  });
  it('that is not there refuses', async () => {
    expect(await ask({ port: await freePort(), transport: 'tls' })).toMatchObject({ code: 'connect_refused' });
  });
});

describe('a hostile server', () => {
  const overTls = async (behave: (socket: import('node:tls').TLSSocket) => void) => {
    const server = createTlsServer(credentials, (socket) => behave(socket.on('error', () => {})));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      return await ask({ port: (server.address() as AddressInfo).port, transport: 'tls' }, {}, { budget_ms: 1_200 });
    } finally {
      server.close();
    }
  };
  it.each<[string, (socket: import('node:tls').TLSSocket) => void, string]>([
    ['hangs up', (socket) => socket.once('data', () => socket.destroy()), 'dns_timeout'],
    ['says nothing', () => {}, 'dns_timeout'],
    ['answers something else', (socket) => socket.once('data', () => socket.write(Buffer.alloc(40, 1))), 'dns_timeout'],
    ['promises more than it sends', (socket) => socket.once('data', () => socket.write(Buffer.from([255, 255, 0]))), 'dns_timeout'],
    [
      'answers with garbage of the right id',
      (socket) =>
        socket.once('data', (data: Buffer) =>
          socket.write(Buffer.concat([Buffer.from([0, 4]), data.subarray(2, 4), Buffer.from([0x80, 0])])),
        ),
      'dns_servfail',
    ],
  ])('that %s over TLS is told from one that answers', async (_, behave, code) => {
    expect((await overTls(behave)).code).toBe(code);
  });

  const overHttps = async (answer: (stream: ServerHttp2Stream) => void) => {
    const server = createSecureServer(credentials);
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      answer(stream);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      return await ask({ port: (server.address() as AddressInfo).port, transport: 'https' }, {}, { budget_ms: 1_200 });
    } finally {
      server.close();
    }
  };
  const TYPE = { ':status': 200, 'content-type': 'application/dns-message' };
  it.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    ['a status of 404', (stream) => stream.respond({ ':status': 404 }, { endStream: true }), 'http_protocol'],
    ['a page', (stream) => (stream.respond({ ':status': 200, 'content-type': 'text/html' }), stream.end('hello')), 'http_protocol'],
    ['nothing in it', (stream) => (stream.respond(TYPE), stream.end()), 'http_protocol'],
    ['no end', (stream) => (stream.respond(TYPE), stream.end(Buffer.alloc(200_000))), 'http_protocol'],
    ['one octet too few', (stream) => (stream.respond(TYPE), stream.end(Buffer.from([0, 0, 128]))), 'dns_servfail'],
    ['silence', () => {}, 'dns_timeout'],
    ['a reset', (stream) => stream.close(2), 'http_protocol'],
  ])('that answers HTTPS with %s is told from one that answers', async (_, answer, code) => {
    expect((await overHttps(answer)).code).toBe(code);
  });
  it('that speaks no HTTP/2 is told so', async () => {
    const server = createTlsServer(credentials);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { code, seen } = await ask({ port: (server.address() as AddressInfo).port, transport: 'https' });
      expect([code, seen]).toEqual(['http_protocol', 'the server does not speak HTTP/2']);
    } finally {
      server.close();
    }
  });
});

it.each<[Partial<Server>, string | undefined]>([
  [{ transport: 'udp' }, undefined],
  [{ transport: 'tcp', class: 3, family: 4 }, undefined],
  [{ transport: 'udp', answers: true }, '1.3'],
  [{ transport: 'tls' }, '1.3'],
  [{ transport: 'https' }, '1.3'],
  [{ transport: 'udp', nsid: true }, '1.3'],
])('a job for a server with %j needs agents of %s', (server, since) => {
  const job: Job = {
    host: 'example.test',
    types: ['A'],
    server: { host: 'ns.test', port: 53, transport: 'udp', recursion: true, ...server },
  };
  expect(dns.since!(job)).toBe(since);
});
