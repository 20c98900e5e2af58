import { createServer } from 'node:net';
import { createAddressPolicy } from '@vedette/probes/host';
import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dns } from '@vedette/probes/dns';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { systemClock } from '@vedette/probes/net';
import { type Blackbox, hasBlackbox, startBlackbox } from '../blackbox.ts';
import { loopbackPorts } from '../http/loopback-ports.ts';
import { listen } from '../http/raw-server.ts';
import { type NsdServer, startNsd } from './nsd.ts';
import { a, type Asked, response, type ScriptedServer, startServer } from './scripted-server.ts';

type Result = Static<typeof dns.result> & { code: string };
type Server = NonNullable<Static<typeof dns.job>['server']>;

const hosts = { 'ns.test': ['127.0.0.1'], 'inner.test': ['10.0.0.1'], 'ns.army.mil': ['127.0.0.1'] };

async function ask(
  port: number,
  job: { host?: string; types?: ['A'] | ['SOA'] | string[] },
  server: Partial<Server> = {},
  ports: Partial<ProbePorts> = {},
): Promise<Result> {
  const whole = {
    host: 'example.test',
    types: ['A'],
    ...job,
    server: { host: '127.0.0.1', port, transport: 'udp', recursion: false, ...server },
  };
  if (!Value.Check(dns.job, whole)) throw new Error('no job');
  const ended = await dns.run(whole, loopbackPorts({ hosts, budget_ms: 1_500, ...ports })).then(
    (result) => ({ result, code: '' }),
    (error: unknown) => {
      if (!(error instanceof ProbeFailure) || error.partial === undefined) throw error;
      return { result: error.partial as Static<typeof dns.result>, code: error.code };
    },
  );
  expect(Value.Check(dns.result, ended.result)).toBe(true);
  expect(ended.result.answers).toEqual([]);
  return { ...ended.result, code: ended.code };
}

const ZONE = `$ORIGIN example.test.
$TTL 300
@ SOA ns1 host\\.master 2026010100 3600 600 86400 60
@ NS ns1
ns1 A 192.0.2.53
@ A 192.0.2.1
@ AAAA 2001:db8::1
@ MX 10 mx1
@ TXT "v=spf1 " "say \\"x\\"" "gr\\195\\188n"
@ SRV 10 5 5060 ns1
@ CAA 0 issue "ca.example"
www CNAME example.test.
big TXT ${Array.from({ length: 40 }, (_, i) => `"${String(i).padStart(3, '0')}${'x'.repeat(200)}"`).join(' ')}
`;

/** Lines as Go's DNS library writes them. */
const LINES: readonly [host: string, type: string, line: string][] = [
  ['example.test', 'A', 'example.test.\t300\tIN\tA\t192.0.2.1'],
  ['example.test', 'AAAA', 'example.test.\t300\tIN\tAAAA\t2001:db8::1'],
  ['example.test', 'NS', 'example.test.\t300\tIN\tNS\tns1.example.test.'],
  ['example.test', 'MX', 'example.test.\t300\tIN\tMX\t10 mx1.example.test.'],
  ['example.test', 'TXT', String.raw`example.test.	300	IN	TXT	"v=spf1 " "say \"x\"" "gr\195\188n"`],
  [
    'example.test',
    'SOA',
    String.raw`example.test.	300	IN	SOA	ns1.example.test. host\.master.example.test. 2026010100 3600 600 86400 60`,
  ],
  ['example.test', 'SRV', 'example.test.\t300\tIN\tSRV\t10 5 5060 ns1.example.test.'],
  ['example.test', 'CAA', 'example.test.\t300\tIN\tCAA\t0 issue "ca.example"'],
  ['www.example.test', 'CNAME', 'www.example.test.\t300\tIN\tCNAME\texample.test.'],
];
const TRANSPORTS = ['udp', 'tcp'] as const;
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|"]/g, String.raw`\$&`);

let nsd: NsdServer;
let blackbox: Blackbox | undefined;
beforeAll(async () => {
  nsd = await startNsd('example.test', ZONE);
  if (!hasBlackbox) return;
  const modules = LINES.flatMap(([host, query_type, line], index) =>
    TRANSPORTS.map((transport_protocol) => {
      const validate_answer_rrs = { fail_if_not_matches_regexp: [`^${escaped(line)}$`] };
      const asked = { query_name: host, query_type, transport_protocol, preferred_ip_protocol: 'ip4', recursion_desired: false };
      return [`${transport_protocol}${index}`, { prober: 'dns', dns: { ...asked, validate_answer_rrs } }] as const;
    }),
  );
  blackbox = await startBlackbox(Object.fromEntries(modules));
});
afterAll(async () => {
  await nsd.stop();
  await blackbox?.[Symbol.asyncDispose]();
});

describe.each(TRANSPORTS)('nsd over %s', (transport) => {
  it.each(LINES)('tells %s %s as a line of its zone', async (host, type, line) => {
    const { code, direct } = await ask(nsd.endpoint.port, { host, types: [type] }, { transport });
    expect({ code, direct }).toMatchObject({
      code: '',
      direct: { server: `127.0.0.1:${nsd.endpoint.port}`, transport, rcode: 'NOERROR', answer: [line], answer_rrs: 1 },
    });
    expect(direct!.request_ms).toBeGreaterThan(0);
  });

  it.skipIf(!hasBlackbox).each(LINES.map(([host, type], index) => [host, type, index] as const))(
    'says the same of %s %s to blackbox_exporter, its lines included',
    async (host, type, index) => {
      const theirs = await blackbox!.probe(`${transport}${index}`, `127.0.0.1:${nsd.endpoint.port}`);
      const { direct } = await ask(nsd.endpoint.port, { host, types: [type] }, { transport });
      expect(theirs.get('probe_success')).toBe(1);
      const { answer_rrs, authority_rrs, additional_rrs, serial } = direct!;
      expect([answer_rrs, authority_rrs, additional_rrs, serial]).toEqual(
        ['answer_rrs', 'authority_rrs', 'additional_rrs', 'serial'].map((name) => theirs.get(`probe_dns_${name}`)),
      );
    },
  );

  it('tells an rcode as it is', async () => {
    expect(await ask(nsd.endpoint.port, { host: 'nobody.example.test' }, { transport })).toMatchObject({
      code: '',
      direct: { rcode: 'NXDOMAIN', answer_rrs: 0, authority_rrs: 1 },
    });
    expect(await ask(nsd.endpoint.port, { host: 'elsewhere.test' }, { transport })).toMatchObject({ direct: { rcode: 'REFUSED' } });
  });
});

it('asks over TCP for what does not fit over UDP', async () => {
  const { direct } = await ask(nsd.endpoint.port, { host: 'big.example.test', types: ['TXT'] });
  expect(direct).toMatchObject({ transport: 'tcp', answer_rrs: 1 });
});

it('asks for other classes, and types that have no name here', async () => {
  const { direct } = await ask(nsd.endpoint.port, { host: 'version.server', types: ['TXT'] }, { class: 3 });
  expect(direct).toMatchObject({ rcode: 'NOERROR', answer: [expect.stringMatching(/^version\.server\.\t0\tCH\tTXT\t"NSD /)] });
  const byNumber = await ask(nsd.endpoint.port, {}, { type: 28 });
  expect(byNumber.direct!.answer).toEqual(['example.test.\t300\tIN\tAAAA\t2001:db8::1']);
});

it('resolves the name of a server', async () => {
  const { direct } = await ask(nsd.endpoint.port, {}, { host: 'ns.test' });
  expect(direct).toMatchObject({ server: `127.0.0.1:${nsd.endpoint.port}`, rcode: 'NOERROR' });
});

describe('a server that is not to be asked', () => {
  it.each([
    ['of an inner address', { host: '10.0.0.1' }, 'blocked_private_address'],
    ['of a name that leads to one', { host: 'inner.test' }, 'blocked_private_address'],
    ['for metadata', { host: '169.254.169.254' }, 'blocked_private_address'],
    ['of a protected name', { host: 'ns.army.mil' }, 'blocked_policy'],
    ['at the port of another service', { port: 25 }, 'blocked_policy'],
    ['that is no host', { host: 'a b' }, 'blocked_policy'],
    ['of the wrong family', { family: 6 as const }, 'dns_no_address'],
    ['whose name does not exist', { host: 'nowhere.test' }, 'dns_nxdomain'],
  ])('%s', async (_what, server, code) => {
    const result = await ask(nsd.endpoint.port, {}, server);
    expect(result).toMatchObject({ code, direct: { server: '', rcode: '' } });
  });

  it('is allowed at the port of the DNS, which no URL may name', () => {
    const policy = createAddressPolicy();
    expect(policy.judge('1.1.1.1', 53, 'dns').allowed).toBe(true);
    expect(policy.judge('1.1.1.1', 53).allowed).toBe(false);
    expect(policy.judge('1.1.1.1', 43, 'dns').allowed).toBe(false);
  });

  it('after a burst of questions is left alone, whatever the names', async () => {
    const limits = createTargetLimits({ clock: systemClock, enabled: true, spares: [] });
    for (let i = 0; i < 50; i++) limits.dns(`n${i}.of-${i}.test`, 1, { address: '127.0.0.1', host: 'ns.test' });
    expect((await ask(nsd.endpoint.port, {}, {}, { limits })).code).toBe('target_limited');
  });
});

describe('a hostile server', () => {
  let server: ScriptedServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  const behaving = async (answer: (asked: Asked) => void) => (server = await startServer(answer)).endpoint.port;
  const good = (query: Buffer) => response(query, { answers: [a('example.test', '192.0.2.7', 60)] });

  it('that is silent', async () => {
    expect(await ask(await behaving(() => {}), {})).toMatchObject({ code: 'dns_timeout', direct: { rcode: '' } });
  });

  it('that answers other questions first, without end', async () => {
    const port = await behaving(({ query, reply }) => {
      for (let i = 0; i < 200; i++) {
        const other = Buffer.from(good(query));
        if (i % 2 === 0) other.writeUInt16BE((query.readUInt16BE() + 1 + i) & 0xffff);
        else other[13]! ^= 1;
        reply(other);
      }
      reply(good(query));
    });
    expect(await ask(port, {})).toMatchObject({ code: '', direct: { answer: ['example.test.\t60\tIN\tA\t192.0.2.7'] } });
  });

  it.each([
    ['counts more records than there are', (message: Buffer) => message.writeUInt16BE(65_535, 6)],
    ['points names to themselves', (message: Buffer) => message.writeUInt16BE(0xc000 + message.length - 16, message.length - 16)],
    ['ends in the midst of a record', (message: Buffer) => message.subarray(0, message.length - 2)],
  ])('that %s', async (_what, spoil) => {
    const port = await behaving(({ query, reply }) => {
      const message = Buffer.from(good(query));
      const spoilt = spoil(message);
      reply(typeof spoilt === 'number' ? message : spoilt);
    });
    expect(await ask(port, {})).toMatchObject({ code: 'dns_servfail', direct: { rcode: '' } });
  });

  it('that sends more text than a frame holds', async () => {
    const port = await behaving(({ query, reply }) =>
      reply(
        response(query, {
          answers: Array.from(
            { length: 600 },
            (_, i) => ({ type: 'TXT', name: 'example.test', ttl: i, data: '\u0001'.repeat(50) }) as const,
          ),
        }),
      ),
    );
    const { code, direct } = await ask(port, { types: ['TXT'] }, { transport: 'tcp' });
    expect(code).toBe('');
    expect(direct!.answer_rrs).toBe(600);
    expect(direct!.answer.length).toBeLessThan(500);
    expect(JSON.stringify(direct).length).toBeLessThan(64 * 1024);
  });

  it('that truncates over UDP, and hangs up over TCP', async () => {
    const port = await behaving(({ query, transport, reply }) => transport === 'udp' && reply(response(query, { flags: 0x200 })));
    expect(await ask(port, {})).toMatchObject({ code: 'dns_timeout', direct: { transport: 'tcp' } });
  });

  it('that is not there', async () => {
    const closed = await listen(createServer());
    await closed[Symbol.asyncDispose]();
    for (const transport of TRANSPORTS) expect((await ask(closed.port, {}, { transport })).code).toBe('connect_refused');
  });

  it('that drips over TCP ends with the budget', async () => {
    await using slow = await listen(
      createServer((socket) => {
        socket.on('error', () => {});
        const drip = setInterval(() => socket.write('\u0000'), 50);
        socket.once('close', () => clearInterval(drip));
      }),
    );
    // Noughts: a message of no length.
    expect((await ask(slow.port, {}, { transport: 'tcp' })).code).toMatch(/^dns_(servfail|timeout)$/);
  });
});

it.each([
  ['a port of none', { port: 0 }],
  ['a transport of none', { transport: 'quic' }],
  ['a path that is none', { path: 'dns query' }],
  ['a long host', { host: 'a'.repeat(1025) }],
  ['a class of none', { class: 65_536 }],
])('is no job with %s', (_what, wrong) => {
  const server = { host: '192.0.2.1', port: 53, transport: 'udp', recursion: true, ...wrong };
  expect(Value.Check(dns.job, { host: 'a.test', types: ['A'], server })).toBe(false);
});
