import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createAddressPolicy } from '@vedette/probes/host';
import { type Gate, ProbeFailure, type QueryOptions, recordsOf } from '@vedette/contract';
import packet from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { freePort } from './free-port.ts';
import { a, type Asked, fastClock, resolverFor, response, type ScriptedServer, startServer } from './scripted-server.ts';

const open: { stop?(): Promise<void>; close?(): void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    one.close?.();
    await one.stop?.();
  }
});

async function serve(answer: (asked: Asked) => void, options = {}): Promise<ScriptedServer> {
  const server = await startServer(answer, options);
  open.push(server);
  return server;
}
function ask(...servers: ScriptedServer[]) {
  const resolver = resolverFor(servers);
  open.push(resolver);
  return resolver;
}
/** As `ask`, where tries are to time out. */
function askFast(...servers: ScriptedServer[]) {
  const resolver = resolverFor(servers, fastClock);
  open.push(resolver);
  return resolver;
}
const addressesOf = (answer: Parameters<typeof recordsOf>[0]) => recordsOf(answer, 'A').map((record) => record.data);
const correct = ({ query, question, reply }: Asked) => reply(response(query, { answers: [a(question.name)] }));

describe('a query', () => {
  it('gives the whole answer', async () => {
    const server = await serve(({ query, question, reply }) =>
      reply(
        response(query, {
          flags: packet.AUTHORITATIVE_ANSWER | packet.AUTHENTIC_DATA,
          answers: [{ type: 'CNAME', name: question.name, data: 'Real.Example.ORG', ttl: 60 }, a('real.example.org', '192.0.2.7')],
        }),
      ),
    );
    expect(await ask(server).query('www.Example.org.', 'A')).toEqual({
      rcode: 'NOERROR',
      aa: true,
      ad: true,
      answers: [
        { name: 'www.example.org', type: 'CNAME', ttl: 60, rdata: Buffer.from('\x04real\x07example\x03org\0'), data: 'real.example.org' },
        { name: 'real.example.org', type: 'A', ttl: 300, rdata: Buffer.from([192, 0, 2, 7]), data: '192.0.2.7' },
      ],
      authorities: [],
      additionals: [],
      server: `127.0.0.1:${server.endpoint.port}`,
      rtt_ms: expect.any(Number) as number,
      tries: 1,
      transport: 'udp',
      cached: false,
    });
  });

  it('asks with recursion, AD and an EDNS size of 1232; DO and CD on demand', async () => {
    const server = await serve(correct);
    const resolver = ask(server);
    await resolver.query('example.org', 'A');
    await resolver.query('example.org', 'A', { dnssec: true, checkingDisabled: true });
    const seen = server.asked.map(({ query }) => {
      const { flags, additionals } = packet.decode(query);
      const opt = additionals![0] as { udpPayloadSize: number; flag_do: boolean };
      return { rd: (flags! & 0x100) > 0, ad: (flags! & 0x20) > 0, cd: (flags! & 0x10) > 0, size: opt.udpPayloadSize, do: opt.flag_do };
    });
    expect(seen).toEqual([
      { rd: true, ad: true, cd: false, size: 1232, do: false },
      { rd: true, ad: false, cd: true, size: 1232, do: true },
    ]);
  });

  it.each([
    [1, 'FORMERR'],
    [2, 'SERVFAIL'],
    [3, 'NXDOMAIN'],
    [4, 'NOTIMP'],
    [5, 'REFUSED'],
    [11, 'DSOTYPENI'],
  ])('takes rcode %i as the answer %s', async (rcode, name) => {
    const server = await serve(({ query, reply }) => reply(response(query, { rcode })));
    expect((await ask(server).query('example.org', 'A')).rcode).toBe(name);
  });

  it('repeats without EDNS what a server says FORMERR to, with or without the question', async () => {
    const server = await serve(({ query, question, nth, reply }) => {
      if (nth === 1) reply(Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x01]), Buffer.alloc(8)]));
      else reply(response(query, { answers: [a(question.name)] }));
    });
    const answer = await ask(server).query('example.org', 'A');
    expect([addressesOf(answer), answer.tries]).toEqual([['192.0.2.1'], 1]);
    expect(server.asked.map(({ query }) => packet.decode(query).additionals!.length)).toEqual([1, 0]);
  });

  it('refuses what the DNS cannot hold', async () => {
    const resolver = ask(await serve(correct));
    await expect(resolver.query(`${'a'.repeat(64)}.example.org`, 'A')).rejects.toMatchObject({ code: 'dns_nxdomain' });
    await expect(resolver.query('example.org', 'NONSENSE')).rejects.toThrow('not a record type: NONSENSE');
  });
});

/** Spoils a response in one way. */
const spoilt: [string, (good: Buffer, asked: Asked) => Buffer | undefined][] = [
  ['another id', (good) => (good.writeUInt16BE(good.readUInt16BE() ^ 1), good)],
  ['another case', (good) => ((good[13]! ^= 0x20), good)],
  ['another question', (good) => ((good[13] = 0x7a), good)],
  ['another type', (good, { question }) => ((good[12 + question.name.length + 3] = 99), good)],
  ['no question', (good) => (good.writeUInt16BE(0, 4), good)],
  ['a query instead of a response', (good) => ((good[2]! &= 0x7f), good)],
  ['another opcode', (good) => ((good[2]! |= 0x08), good)],
  ['a header cut off', (good) => good.subarray(0, 11)],
  ['an empty datagram', () => Buffer.alloc(0)],
  ['random octets', () => Buffer.from('ffffffffffffffffffffffffffff', 'hex')],
];

describe('answers that are not to be believed', () => {
  it.each(spoilt)('ignores %s and takes the right answer behind it', async (_, spoil) => {
    const server = await serve(
      (asked) => {
        const forged = response(asked.query, { answers: [a(asked.question.name, '203.0.113.66')] });
        asked.reply(spoil(forged, asked)!);
        correct(asked);
      },
      { tcp: false },
    );
    const answer = await ask(server).query('example.org', 'A');
    expect([addressesOf(answer), answer.tries, server.asked.length]).toEqual([['192.0.2.1'], 1, 1]);
  });

  it('ignores another source', async () => {
    const liar = createSocket('udp4').bind(0, '127.0.0.1');
    await once(liar, 'listening');
    const server = await serve((asked) => {
      liar.send(response(asked.query, { answers: [a(asked.question.name, '203.0.113.66')] }), asked.port, '127.0.0.1', () => {
        liar.close();
        correct(asked);
      });
    });
    expect(addressesOf(await ask(server).query('example.org', 'A'))).toEqual(['192.0.2.1']);
  });

  it('asks by TCP when only an answer in another case came', async () => {
    const server = await serve((asked) => {
      if (asked.transport === 'tcp') return correct(asked);
      const folded = Buffer.from(asked.query);
      for (let i = 13; i < 13 + 'example'.length; i++) folded[i]! ^= 0x20;
      asked.reply(response(folded, { answers: [a(asked.question.name, '203.0.113.66')] }));
    });
    const answer = await ask(server).query('example.org', 'A');
    expect([addressesOf(answer), answer.transport, answer.tries]).toEqual([['192.0.2.1'], 'tcp', 1]);
  });

  it('asks again after an answer that cannot be read, and says so in the end', async () => {
    const server = await serve(({ query, reply }) => {
      const good = response(query, { answers: [a('example.org')] });
      reply(good.subarray(0, good.length - 2));
    });
    await expect(ask(server).query('example.org', 'A')).rejects.toMatchObject({
      code: 'dns_servfail',
      seen: 'malformed answer: a field runs past the end',
    });
    expect(server.asked.length).toBe(2);
  });

  it('asks with a new id, and takes sockets on other ports in time', async () => {
    const server = await serve(correct);
    const resolver = ask(server);
    await Promise.all(Array.from({ length: 250 }, (_, i) => resolver.query(`n${i}.example.org`, 'A')));
    const perPort = Map.groupBy(server.asked, ({ port }) => port);
    expect([...perPort.values()].map((asked) => asked.length)).toEqual([100, 100, 50]);
    expect(new Set(server.asked.map(({ query }) => query.readUInt16BE())).size).toBeGreaterThan(200);
    expect(new Set(server.asked.map(({ question }) => question.name.slice(-11))).size).toBeGreaterThan(100);
  });
});

describe('servers in trouble', () => {
  it('asks a silent server twice', async () => {
    const server = await serve(() => undefined);
    await expect(askFast(server).query('example.org', 'A')).rejects.toMatchObject({ code: 'dns_timeout' });
    expect(server.asked.map(({ transport }) => transport)).toEqual(['udp', 'udp']);
  });

  it('answers from the second try, and ignores the late first answer', async () => {
    const late: Asked[] = [];
    const server = await serve((asked) => {
      late.push(asked);
      if (asked.nth === 1) return;
      late[0]!.reply(response(late[0]!.query, { answers: [a('example.org', '203.0.113.66')] }));
      correct(asked);
    });
    const answer = await askFast(server).query('example.org', 'A');
    expect([addressesOf(answer), answer.tries]).toEqual([['192.0.2.1'], 2]);
  });

  it('takes a port without a server as unanswered, at once', async () => {
    const port = await freePort();
    const resolver = createResolver({
      servers: [{ address: '127.0.0.1', port }],
      policy: createAddressPolicy(),
      // Time stands still: only the ICMP error can end the tries.
      clock: { now: () => 0, sleep: () => new Promise(() => undefined) },
      cache: false,
    });
    open.push(resolver);
    await expect(resolver.query('example.org', 'A')).rejects.toMatchObject({
      code: 'dns_timeout',
      seen: 'ECONNREFUSED',
    });
  });

  it('goes on to the next server, and stays with it', async () => {
    const dead = await serve(() => undefined);
    const alive = await serve(correct);
    const resolver = askFast(dead, alive);
    const answers = [await resolver.query('a.example.org', 'A'), await resolver.query('b.example.org', 'A')];
    expect(answers.map(({ server, tries }) => [server, tries])).toEqual([
      [`127.0.0.1:${alive.endpoint.port}`, 2],
      [`127.0.0.1:${alive.endpoint.port}`, 1],
    ]);
    expect(dead.asked.length).toBe(1);
  });

  it.each([
    [2, 'SERVFAIL'],
    [5, 'REFUSED'],
  ])('asks another server after rcode %i, and says %s when no one knows better', async (rcode, name) => {
    const broken = await serve(({ query, reply }) => reply(response(query, { rcode })));
    const good = await serve(correct);
    expect((await ask(broken, good).query('example.org', 'A')).rcode).toBe('NOERROR');
    expect((await ask(broken, broken).query('example.org', 'A')).rcode).toBe(name);
  });
});

describe('TCP', () => {
  it('follows a truncated answer', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => a('example.org', `192.0.${i >> 8}.${i & 255}`));
    const server = await serve(({ query, transport, reply }) =>
      reply(transport === 'udp' ? response(query, { flags: packet.TRUNCATED_RESPONSE }) : response(query, { answers: many })),
    );
    const answer = await ask(server).query('example.org', 'A');
    expect([answer.answers.length, answer.transport, answer.tries]).toEqual([2000, 'tcp', 1]);
  });

  it('says when there is none', async () => {
    const server = await serve(({ query, reply }) => reply(response(query, { flags: packet.TRUNCATED_RESPONSE })), { tcp: false });
    await expect(ask(server).query('example.org', 'A')).rejects.toMatchObject({ code: 'dns_timeout', seen: 'TCP: ECONNREFUSED' });
    expect(server.asked.length).toBe(1);
  });

  it('does not wait for ever', async () => {
    const server = await serve(({ query, transport, reply }) => {
      if (transport === 'udp') reply(response(query, { flags: packet.TRUNCATED_RESPONSE }));
    });
    await expect(askFast(server).query('example.org', 'A')).rejects.toMatchObject({
      code: 'dns_timeout',
      seen: 'no answer over TCP',
    });
  });
});

describe('the cache', () => {
  it('keeps an answer for its smallest TTL, counting down', async () => {
    let now = 0;
    const server = await serve(({ query, question, reply }) =>
      reply(response(query, { answers: [a(question.name, '192.0.2.1', 60), a(question.name, '192.0.2.2', 30)] })),
    );
    const resolver = createResolver({
      servers: [server.endpoint],
      policy: createAddressPolicy(),
      clock: { now: () => now, sleep: systemClock.sleep },
      cache: true,
    });
    open.push(resolver);
    const ttls = async (options = {}) => {
      const { answers, cached } = await resolver.query('Example.org', 'A', options);
      return [cached, ...answers.map((record) => record.ttl)];
    };
    expect(await ttls()).toEqual([false, 60, 30]);
    now = 12_345;
    expect(await ttls()).toEqual([true, 48, 18]);
    expect(await ttls({ fresh: true })).toEqual([false, 60, 30]);
    expect(await ttls({ dnssec: true })).toEqual([false, 60, 30]);
    now = 42_344;
    expect(await ttls()).toEqual([true, 31, 1]);
    now = 42_345;
    expect(await ttls()).toEqual([false, 60, 30]);
    expect(server.asked.length).toBe(4);
  });

  it.each([
    ['NXDOMAIN', 3, 20, true],
    ['NODATA', 0, 20, true],
    ['SERVFAIL', 2, 20, false],
    ['a denial that may be kept for 0 s', 3, 0, false],
  ])('knows how long to keep %s', async (_, rcode, minimum, kept) => {
    const soa = { mname: 'ns1.test', rname: 'host.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum };
    const server = await serve(({ query, reply }) =>
      reply(response(query, { rcode, authorities: [{ type: 'SOA', name: 'test', ttl: 300, data: soa }] })),
    );
    const resolver = ask(server);
    await resolver.query('nope.test', 'A');
    expect((await resolver.query('nope.test', 'A')).cached).toBe(kept);
  });
});

describe('queries under way', () => {
  it('pass a gate when they leave, and not when an answer is kept or under way', async () => {
    const server = await serve(correct);
    const resolver = ask(server);
    const seen: string[] = [];
    const gate = {
      question: async (name: string) => {
        seen.push(`out ${name}`);
        return () => void seen.push(`back ${name}`);
      },
      connection: () => () => {},
    };
    await resolver.query('example.org', 'A', { gate });
    await resolver.query('example.org', 'A', { gate });
    await expect(
      resolver.addresses('other.example', 4, { gate: { ...gate, question: () => Promise.reject(new ProbeFailure('target_limited')) } }),
    ).rejects.toMatchObject({ code: 'target_limited' });
    expect(seen).toEqual(['out example.org', 'back example.org']);
    expect(server.asked).toHaveLength(1);
  });

  it('tell the gate that our resolver has the answer still: a look-up that is repeated took as much of the zone each time', async () => {
    const server = await serve(correct);
    const resolver = ask(server);
    const seen: (boolean | undefined)[] = [];
    const gate: Gate = {
      question: (_name, _signal, _server, held) => {
        seen.push(held);
        return () => {};
      },
      connection: () => () => {},
    };
    for (let i = 0; i < 3; i++) await resolver.query('example.org', 'A', { gate, fresh: true });
    await resolver.query('example.org', 'A', { gate });
    expect(seen).toEqual([false, true, true]);
    expect(server.asked).toHaveLength(3);
  });

  it('share one run when they ask the same', async () => {
    const server = await serve(correct);
    const resolver = ask(server);
    const answers = await Promise.all([resolver.query('example.org', 'A'), resolver.query('EXAMPLE.org.', 'A', { fresh: true })]);
    expect(answers.map(addressesOf)).toEqual([['192.0.2.1'], ['192.0.2.1']]);
    expect(server.asked.length).toBe(1);
  });

  it('end with the signal, and the run with its last waiter', async () => {
    const server = await serve((asked) => asked.nth > 1 && correct(asked));
    const resolver = ask(server);
    const [first, second] = [new AbortController(), new AbortController()];
    const queries = [first, second].map(({ signal }) => resolver.query('example.org', 'A', { signal }));
    first.abort(new Error('the first left'));
    await expect(queries[0]).rejects.toThrow('the first left');
    second.abort(new Error('the second left'));
    await expect(queries[1]).rejects.toThrow('the second left');
    // A new run, not the rest of the old one.
    expect((await resolver.query('example.org', 'A')).tries).toBe(1);
    await expect(resolver.query('example.org', 'A', { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  it('one waiter stays when the other leaves', async () => {
    const leaving = new AbortController();
    const server = await serve((asked) => {
      leaving.abort(new Error('left'));
      correct(asked);
    });
    const resolver = ask(server);
    const left = resolver.query('example.org', 'A', { signal: leaving.signal });
    const stayed = resolver.query('example.org', 'A', { signal: new AbortController().signal });
    await expect(left).rejects.toThrow('left');
    expect(addressesOf(await stayed)).toEqual(['192.0.2.1']);
  });

  it('end when the resolver is closed, TCP included', async () => {
    const server = await serve(({ query, transport, question, reply }) => {
      if (transport === 'tcp') resolver.close();
      else if (question.name.toLowerCase().startsWith('big')) reply(response(query, { flags: packet.TRUNCATED_RESPONSE }));
    });
    const resolver = ask(server);
    const ends = await Promise.allSettled([resolver.query('silent.test', 'A'), resolver.query('big.test', 'A')]);
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { code: 'cancelled' } },
      { status: 'rejected', reason: { code: 'cancelled' } },
    ]);
    await expect(resolver.query('silent.test', 'A')).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a server named in the query', () => {
  const resolverAllowing = async (net: string) => {
    const resolver = createResolver({
      servers: [(await serve(correct)).endpoint],
      policy: createAddressPolicy({ allowNets: [net] }),
      clock: systemClock,
      cache: true,
    });
    open.push(resolver);
    return resolver;
  };

  it('is asked instead of the configured ones, on port 53', async () => {
    const resolver = await resolverAllowing('127.0.0.153/32');
    await expect(resolver.query('example.org', 'A', { server: '127.0.0.153' })).rejects.toMatchObject({
      code: 'dns_timeout',
      seen: 'ECONNREFUSED',
    });
  });

  it.runIf(process.getuid?.() === 0)('is asked without recursion, and its answer kept for it alone (needs root for port 53)', async () => {
    const server = await serve(correct, { address: '127.0.0.154', port: 53 });
    const resolver = await resolverAllowing('127.0.0.154/32');
    const held: unknown[] = [];
    const gate: Gate = { question: (_name, _signal, _server, kept) => (held.push(kept), () => {}), connection: () => () => {} };
    const query = async (options: QueryOptions) => {
      const answer = await resolver.query('example.org', 'A', { server: '127.0.0.154', gate, ...options });
      return [answer.server, answer.cached, answer.age_s];
    };
    const told = '127.0.0.154:53';
    expect([await query({}), await query({}), await query({ fresh: true })]).toEqual([
      [told, false, undefined],
      [told, true, 0],
      [told, false, undefined],
    ]);
    expect(server.asked.map(({ query: { 2: flags } }) => flags! & 1)).toEqual([0, 0]);
    // What leaves for the zone's own server counts, whatever is kept.
    expect(held).toEqual([false, false]);
    await expect(resolver.query('example.org', 'A', { cachedOnly: true })).rejects.toMatchObject({ code: 'dns_timeout' });
  });

  it.each(['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', 'ns1.example.org', ''])('is not asked when it is %s', async (server) => {
    const resolver = await resolverAllowing('127.0.0.153/32');
    await expect(resolver.query('example.org', 'A', { server })).rejects.toMatchObject({ code: 'blocked_private_address' });
  });
});

describe('addresses', () => {
  const answering = (rcode: number, answers: Parameters<typeof response>[1] = {}) =>
    serve(({ query, reply }) => reply(response(query, { rcode, ...answers })));

  it('follows the CNAME chain and takes nothing beside it', async () => {
    const server = await answering(0, {
      answers: [
        { type: 'CNAME', name: 'www.test', data: 'a.test' },
        { type: 'CNAME', name: 'a.test', data: 'b.test' },
        a('evil.test', '203.0.113.66'),
        a('b.test', '192.0.2.2'),
        a('b.test', '192.0.2.1'),
      ],
    });
    const aliases: string[] = [];
    const onAlias = (name: string) => void aliases.push(name);
    expect(await ask(server).addresses('WWW.test', 4, { onAlias })).toEqual(['192.0.2.2', '192.0.2.1']);
    expect(aliases).toEqual(['a.test', 'b.test']);
  });

  it('rejects with what a listener for aliases throws', async () => {
    const answers = [{ type: 'CNAME' as const, name: 'www.test', data: 'www.example.gov' }, a('www.example.gov', '192.0.2.1')];
    const onAlias = (name: string) => {
      throw new ProbeFailure('blocked_policy', name);
    };
    await expect(ask(await answering(0, { answers })).addresses('www.test', 4, { onAlias })).rejects.toMatchObject({
      code: 'blocked_policy',
    });
  });

  it('gives no more than 32', async () => {
    const server = await answering(0, { answers: Array.from({ length: 60 }, (_, i) => a('many.test', `192.0.2.${i}`)) });
    expect((await ask(server).addresses('many.test', 4)).length).toBe(32);
  });

  it('ends in a CNAME loop', async () => {
    const server = await answering(0, {
      answers: [
        { type: 'CNAME', name: 'a.test', data: 'b.test' },
        { type: 'CNAME', name: 'b.test', data: 'a.test' },
      ],
    });
    await expect(ask(server).addresses('a.test', 4)).rejects.toMatchObject({ code: 'dns_no_address' });
  });

  it.each([
    [3, 'dns_nxdomain'],
    [0, 'dns_no_address'],
    [2, 'dns_servfail'],
    [5, 'dns_servfail'],
  ])('tells rcode %i as %s, and not who said so', async (rcode, code) => {
    await expect(ask(await answering(rcode)).addresses('x.test', 6)).rejects.toMatchObject({
      code,
      seen: expect.not.stringContaining('127.0.0.1'),
    });
  });

  it('gives a literal back without asking', async () => {
    const server = await answering(3);
    const resolver = ask(server);
    expect(await resolver.addresses('192.0.2.1', 4)).toEqual(['192.0.2.1']);
    expect(await resolver.addresses('2001:DB8:0::1', 6)).toEqual(['2001:db8::1']);
    await expect(resolver.addresses('192.0.2.1', 6)).rejects.toMatchObject({ code: 'dns_no_address' });
    expect(server.asked).toEqual([]);
  });
});
