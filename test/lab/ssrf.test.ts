import { beforeAll, expect, it } from 'vitest';
import { lab, openSystem, system } from './opened.ts';
import { CORE_ADDRESS, site, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

const REGION = 'eu-fra';
const INNER_V4 = '0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16';
const INNER_V6 = '::/16, 64:ff9b::/96, 2002::/16, fc00::/7, fe80::/10';

/** Every way to write an inner address that some parser somewhere takes for one. */
const LITERALS = [
  '127.0.0.1',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '2130706433',
  '0x7f000001',
  '0',
  '0.0.0.0',
  '10.200.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '192.168.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:7f00:1::1]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '①②⑦.⓪.⓪.①',
];
const NAMES = ['private', 'loopback', 'metadata', 'cname-private'].map((label) => `${label}.lab-good.com`);
const V6_NAMES = ['mapped', 'nat64', 'sixtofour', 'loopback'].map((label) => `${label}.lab-good.com`);

describeLab('inner addresses', () => {
  openSystem({ regions: [REGION], search: 'inner.lab-good.com' });
  beforeAll(async () => {
    // Everything the region sends to an inner address is counted, except the bus that its agent belongs to.
    await lab.world.run(REGION, ['nft', '-f', '-'], {
      input: `table inet trap {
        counter inner {}
        counter asked {}
        chain out { type filter hook output priority -400;
          ip daddr ${CORE_ADDRESS} tcp dport 4222 accept
          ip daddr ${site(REGION).resolver4!} udp dport 53 counter name asked
          ip daddr { ${INNER_V4} } counter name inner
          ip6 daddr { ${INNER_V6} } icmpv6 type != { 133, 134, 135, 136, 143 } counter name inner
          ip6 daddr { ${INNER_V6} } meta l4proto != ipv6-icmp counter name inner
        }
      }`,
    });
  });

  const packetsOf = async (counter: string) => {
    const listing = await lab.world.run(REGION, ['nft', 'list', 'counter', 'inet', 'trap', counter]);
    return Number(/packets (\d+)/.exec(listing)![1]);
  };
  const trapped = () => packetsOf('inner');
  const http = (host: string, family: 4 | 6 = 4) => ({ kind: 'http', location: REGION, spec: { url: `http://${host}/`, family } });
  const ping = (host: string, family: 0 | 4 | 6 = 0) => ({
    kind: 'ping',
    location: REGION,
    spec: { host: host.replace(/^\[(.*)\]$/, '$1'), family, count: 1, interval_ms: 100, wait_ms: 500 },
  });
  const vpn = (host: string) => ({ kind: 'vpn', location: REGION, spec: { url: `http://${host}/` } });
  const dns = (host: string) => ({ kind: 'dns', location: REGION, spec: { host, types: ['A'] } });
  const REFUSED = expect.stringMatching(/^(blocked_private_address|blocked_policy)$/);

  it('has a trap that works', async () => {
    const before = await trapped();
    await lab.exec(REGION, ['ping', '-c', '1', '-W', '1', CORE_ADDRESS]);
    await lab.exec(REGION, ['curl', '-sm', '1', 'http://127.0.0.1/']);
    expect(await trapped()).toBeGreaterThanOrEqual(before + 2);
  });

  it('are a 400 at the gateway in every notation', async () => {
    const before = await trapped();
    for (const literal of LITERALS) {
      const pinged = await system.post('ping-test', { host: literal.replace(/^\[(.*)\]$/, '$1') });
      const requested = await system.post('geo-request', { url: `http://${literal}/` });
      expect({ literal, pinged: pinged.status, requested: requested.status }).toEqual({ literal, pinged: 400, requested: 400 });
    }
    expect(await trapped()).toBe(before);
  });

  it('are refused by the agent itself, with a gateway that checks nothing', async () => {
    const before = await trapped();
    const own = [site(REGION).v4, `[${site(REGION).v6}]`];
    const jobs = [
      ...[...LITERALS, ...own].flatMap((literal) => [ping(literal), http(literal, literal.startsWith('[') ? 6 : 4), vpn(literal)]),
      ...NAMES.flatMap((name) => [ping(name, 4), http(name), vpn(name)]),
      ...V6_NAMES.flatMap((name) => [ping(name, 6), http(name, 6), vpn(name)]),
    ];
    const replies = await system.askAgents(jobs);
    const outcomes = jobs.map(({ kind, spec }, index) => ({ kind, spec, reason: replies[index].failure?.reason }));
    expect(outcomes).toEqual(jobs.map(({ kind, spec }) => ({ kind, spec, reason: REFUSED })));
    expect(await trapped()).toBe(before);
  });

  it('are never reached through a name that changes its mind', async () => {
    const before = await trapped();
    const jobs = Array.from({ length: 12 }, (_, index) => [http, ping, vpn][index % 3]!(`rebind-${index % 4}.lab-hostile.com`, 4));
    const replies = await system.askAgents(jobs);
    const reasons = replies.map(({ failure }: any) => failure?.reason ?? 'answered');
    expect(new Set(reasons)).toEqual(new Set(['answered', 'blocked_private_address']));
    expect(await trapped()).toBe(before);
  });

  it('are not reached through a name that has a public address too', async () => {
    const before = await trapped();
    const [pinged] = await system.askAgents([ping('mixed.lab-good.com', 4), http('mixed.lab-good.com')]);
    expect(pinged.failure.reason).toBe('blocked_private_address');
    expect(await trapped()).toBe(before);
  });

  it('are told of in a redirect, not followed', async () => {
    const before = await trapped();
    for (const path of ['loopback', 'metadata', 'file']) {
      const { body } = await system.post('geo-request', { url: `http://${WEB_HOSTS.redirects.name}/${path}` });
      expect(body.locations[0].request_output.status_code).toBe(302);
    }
    expect(await trapped()).toBe(before);
  });

  it('stay closed like those of government and educational names, to gateway and agent alike', async () => {
    for (const host of ['www.lab.gov', 'lab.ac.uk', 'LAB.EDU.']) {
      expect((await system.post('ping-test', { host })).status).toBe(400);
      const replies = await system.askAgents([ping(host), http(host), vpn(host)]);
      expect(replies.map(({ failure }: any) => failure.reason)).toEqual(Array(3).fill('blocked_policy'));
    }
  });

  it('are shown by no operation that is asked for an alias of a name in the search domain', async () => {
    // 10.1.2.3 stood in ip_address, in the error of geo-request, and among the records of dns-propagation.
    for (const alias of ['to-inner.lab-good.com', 'to-nothing.lab-good.com']) {
      const answers = await Promise.all([
        system.post('ping-test', { host: alias }),
        system.post('geo-request', { url: `http://${alias}/` }),
        system.post('dns-propagation', { host: alias, dns_types: 'A' }),
      ]);
      for (const { body } of answers) {
        expect(JSON.stringify(body)).not.toContain('10.1.2.3');
        expect(JSON.stringify(body)).toContain(`${alias} is an alias of an inner name`);
      }
    }
  });

  it('have names that an agent does not ask for, whoever has the key of a gateway', async () => {
    // Its resolver was asked for all of them.
    const names = ['db.inner.lab-good.com', 'inner.lab-good.com', 'printer.local', 'localhost', 'intranet', 'printer', 'x.internal'];
    const jobs = names.flatMap((name) => [ping(name, 4), http(name), vpn(name), ...(name === 'printer' ? [] : [dns(name)])]);
    const packetsFor = async (asked: typeof jobs, check: (replies: any[]) => void) => {
      const before = await packetsOf('asked');
      check(await system.askAgents(asked));
      return (await packetsOf('asked')) - before;
    };
    const refused = (replies: any[]) => {
      expect(new Set(replies.map(({ failure }) => failure?.reason))).toEqual(new Set(['blocked_policy']));
      expect(replies.map(({ failure }) => failure.error).join()).not.toMatch(/\b10\.\d/);
    };
    // Once a minute an agent asks whether its resolver is to be believed, and that may be just now.
    const all = [...jobs, dns('4.3.2.10.in-addr.arpa')];
    expect((await packetsFor(all, refused)) && (await packetsFor(all, refused))).toBe(0);
    expect(await packetsFor([dns('www.lab-good.com')], () => {})).toBeGreaterThan(0); // they would have been seen
  });
});
