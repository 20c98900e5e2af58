import { globSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Reason, REASONS } from '@vedette/contract';
import { beforeAll, expect, it } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';
import type { Answer } from './system.ts';
import type { Heal } from './faults.ts';

/** The outcome of a request that one location alone measures: the target's answer, or the location's own reason, which is free. */
type Outcome = Reason | 'answered';
interface Asked {
  operation: string;
  body: object;
  outcome: Outcome;
}

const ping = (outcome: Outcome, host: string = WEB_HOSTS.web.v4): Asked => ({ operation: 'ping-test', body: { host }, outcome });
const page = (outcome: Outcome, url = `http://${WEB_HOSTS.plain.v4}/`): Asked => ({ operation: 'geo-request', body: { url }, outcome });
const port = (outcome: Outcome, host: string = WEB_HOSTS.plain.v4): Asked => ({ operation: 'tcp-test', body: { host, port: 80 }, outcome });
const path = (outcome: Outcome, host: string = WEB_HOSTS.redirects.v4): Asked => ({ operation: 'traceroute', body: { host }, outcome });
const mtu = (outcome: Outcome, host: string = WEB_HOSTS.captcha.v4): Asked => ({ operation: 'mtu-test', body: { host }, outcome });
/** Of an address that no test has scanned: it cools down where a packet left. */
const scan = (outcome: Outcome, host: string): Asked => ({ operation: 'port-scan', body: { host, ports: '80' }, outcome });
const records = (outcome: Outcome, host: string = WEB_HOSTS.web.name): Asked => ({
  operation: 'dns-propagation',
  body: { host, dns_types: 'A' },
  outcome,
});
const certificate = (outcome: Outcome, host: string = WEB_HOSTS.web.v4): Asked => ({ operation: 'ssl-info', body: { host }, outcome });
const NAME = WEB_HOSTS.web.name;
/** Of a zone that no resolver here was asked about yet: others may be answered from its cache. */
const UNCACHED = WEB_HOSTS.unresolved.name;
const SIX = WEB_HOSTS.v6only.name;

interface Fault {
  fault: string;
  region: string;
  begin: () => Promise<Heal>;
  asked: Asked[];
}

/** The truth: what each operation says from a location whose own side fails. Faults of one table begin together, each at a location of its own. */
const FAULTS: Fault[] = [
  {
    fault: 'echoes are dropped',
    region: 'eu-fra',
    begin: () => lab.faults.filterIcmp('eu-fra'),
    asked: [
      ping('icmp_blocked'),
      ping('icmp_blocked', NAME),
      path('icmp_blocked', WEB_HOSTS.blockPage.v4),
      mtu('icmp_blocked'),
      page('answered'),
      port('answered'),
      records('answered'),
    ],
  },
  {
    fault: 'IPv6 leads nowhere',
    region: 'us-ash',
    begin: () => lab.faults.dropFrom('us-ash', 'meta nfproto ipv6'),
    asked: [
      ping('no_ipv6', WEB_HOSTS.v6only.v6),
      mtu('no_ipv6', WEB_HOSTS.v6only.v6),
      page('no_ipv6', `http://${SIX}/`),
      port('no_ipv6', SIX),
      certificate('no_ipv6', SIX),
      ping('answered'),
      page('answered'),
      records('answered'),
    ],
  },
  {
    fault: 'the uplink swallows everything',
    region: 'sg-sin',
    begin: () => lab.faults.cutFromInternet('sg-sin'),
    asked: [
      ping('no_network'),
      path('no_network', WEB_HOSTS.redirects.v4),
      mtu('no_network', WEB_HOSTS.web.v4),
      page('no_network'),
      port('no_network'),
      scan('no_network', WEB_HOSTS.tlsGood.v4),
      certificate('no_network'),
      certificate('no_network', UNCACHED),
      ping('no_network', UNCACHED),
      records('no_network', UNCACHED),
    ],
  },
  {
    fault: 'the resolver is silent',
    region: 'br-gru',
    begin: () => lab.faults.freezeResolver('br-gru'),
    asked: [
      ping('no_network', 'a.lab-good.com'),
      page('no_network', 'http://b.lab-good.com/'),
      certificate('no_network', 'g.lab-good.com'),
      certificate('answered'),
      ping('answered'),
      page('answered'),
      port('answered'),
      path('answered'),
      mtu('answered'),
      records('no_network', 'c.lab-good.com'),
    ],
  },
  {
    fault: 'connections are swallowed',
    region: 'au-syd',
    begin: () => lab.faults.dropFrom('au-syd', 'meta l4proto tcp'),
    asked: [
      page('no_network'),
      port('no_network'),
      scan('no_network', WEB_HOSTS.tls10.v4),
      certificate('no_network'),
      ping('answered'),
      path('answered'),
      records('answered'),
    ],
  },
  {
    fault: 'datagrams are swallowed',
    region: 'za-jnb',
    begin: () => lab.faults.dropFrom('za-jnb', 'meta l4proto udp'),
    asked: [
      certificate('no_network', UNCACHED),
      certificate('answered'),
      ping('no_network', UNCACHED),
      records('no_network', 'e.lab-good.com'),
      ping('answered'),
      page('answered'),
      port('answered'),
    ],
  },
];

/** An inner address, and one of a portal. */
const LIES = ['10.6.6.6', WEB_HOSTS.blockPage.v4];
const LIARS = ['us-ash', 'sg-sin'].map((region, index): Fault => ({
  fault: `the resolver says ${LIES[index]} of every name`,
  region,
  async begin() {
    const heal = await lab.faults.lieInResolver(region, LIES[index]!);
    // A good answer of the resolvers is believed for five seconds.
    for (let sold = true; sold;) sold = (await ask(region, ping('no_network', NAME))).status === 200;
    return heal;
  },
  asked: [
    ping('no_network', NAME),
    page('no_network', `http://${NAME}/`),
    port('no_network', NAME),
    path('no_network', WEB_HOSTS.redirects.name),
    certificate('no_network', NAME),
    mtu('no_network', WEB_HOSTS.captcha.name),
    ping('answered'),
    page('answered'),
    port('answered'),
  ],
}));

const QUIC_WITNESS = WEB_HOSTS.captcha.v4;
const record = (host: string) => ({ operation: 'dns-lookup', body: { host } });
const http3 = (host: string) => ({ operation: 'http3-status', body: { url: `https://${host}/` } });
const status = (url: string) => ({ operation: 'url-status', body: { url } });
/** What agents see, and the gateway judges: with the DNS for a name, and without for an address. */
const fromFrankfurt = (host: string) => ({ operation: 'ssl-info', body: { host, locations: ['eu-fra'] } });
const DEAD = 502;
/** The same of the gateway, whose own operations fail then, for free; agents go on. */
const GATEWAY_FAULTS: { fault: string; begin: () => Promise<Heal>; asked: { operation: string; body: object; status: number }[] }[] = [
  {
    fault: 'the resolver is silent',
    begin: () => lab.faults.freezeResolver('core'),
    asked: [
      { ...record('d.lab-good.com'), status: DEAD },
      { ...http3(NAME), status: DEAD },
      { ...status(`http://${NAME}/`), status: DEAD },
      { ...fromFrankfurt(NAME), status: DEAD },
      { ...fromFrankfurt(WEB_HOSTS.web.v4), status: 200 },
      { ...ping('answered', NAME), status: 200 },
    ],
  },
  {
    fault: 'the resolver lies',
    begin: () => lab.faults.lieInResolver('core', '10.6.6.6'),
    asked: [
      { ...record(NAME), status: DEAD },
      { ...http3(NAME), status: DEAD },
      { ...status(`http://${NAME}/`), status: DEAD },
      { ...fromFrankfurt(NAME), status: DEAD },
      { ...fromFrankfurt(WEB_HOSTS.web.v4), status: 200 },
      { ...ping('answered', NAME), status: 200 },
    ],
  },
  {
    fault: 'the uplink swallows everything',
    begin: () => lab.faults.cutFromInternet('core'),
    asked: [
      { ...record(UNCACHED), status: DEAD },
      { ...http3(WEB_HOSTS.web.v4), status: DEAD },
      { ...status(`http://${WEB_HOSTS.plain.v4}/`), status: DEAD },
      { ...fromFrankfurt(NAME), status: DEAD },
      { ...fromFrankfurt(WEB_HOSTS.web.v4), status: 200 },
      { ...ping('answered', NAME), status: 200 },
    ],
  },
  {
    fault: 'datagrams to port 443 are dropped',
    begin: () => lab.faults.dropFrom('core', 'udp dport 443'),
    asked: [
      { ...http3(NAME), status: DEAD },
      { ...record(NAME), status: 200 },
      { ...status(`http://${NAME}/`), status: 200 },
    ],
  },
];

const ask = (region: string, { operation, body }: Asked) => system.post(operation, { ...body, locations: [region] });
/** A report with the target's answer is paid; one of our own reasons is an error, and free. */
const outcomeOf = ({ status, body }: Answer): string =>
  status === 200 ? ((body.locations ?? body.propagation)[0].reason ?? 'answered') : `${status} ${String(body.error)}`;
const expected = (outcome: Outcome) =>
  outcome === 'answered' ? outcome : expect.stringContaining(`503 No agent could take the measurement: ${REASONS[outcome].sentence}`);

/** Runs a command with a wall clock that is off. */
const daysOff = (days: number): string[] => [
  'env',
  `LD_PRELOAD=${globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]}`,
  `FAKETIME=${days > 0 ? '+' : '-'}${Math.abs(days)}d`,
  'FAKETIME_DONT_FAKE_MONOTONIC=1',
];

describeLab('a fault of our own is not told of a target', () => {
  shareSystem({ VEDETTE_QUIC_WITNESSES: QUIC_WITNESS });
  beforeAll(async () => {
    const witness = await lab.spawn('hosts', [process.execPath, fileURLToPath(import.meta.resolve('./quic-witness.ts')), QUIC_WITNESS]);
    await witness.line(/^ready$/);
  });

  it.each([
    ['whichever it is', FAULTS],
    ['nor is a lie of our resolver', LIARS],
  ])(
    '%s, and is over as soon as it is mended',
    async (_which, faults) => {
      // One after the other, since all are rules of one router.
      for (const { begin } of faults) await begin();
      await Promise.all(
        faults.map(async ({ fault, region, asked }) => {
          const outcomes = await Promise.all(asked.map((one) => ask(region, one).then(outcomeOf)));
          expect(outcomes, fault).toEqual(asked.map(({ outcome }) => expected(outcome)));
        }),
      );
      await lab.faults.healAll();
      await Promise.all(
        faults.map(async ({ region }) => {
          await expect.poll(() => ask(region, ping('answered')).then(outcomeOf), { timeout: 20_000 }).toBe('answered');
          await expect.poll(() => ask(region, page('answered')).then(outcomeOf), { timeout: 20_000 }).toBe('answered');
          await expect.poll(() => ask(region, ping('answered', NAME)).then(outcomeOf), { timeout: 20_000 }).toBe('answered');
        }),
      );
    },
    120_000,
  );

  it('nor is one of the gateway, and is over as soon as it is mended', async () => {
    const statuses = (asked: readonly { operation: string; body: object }[]) =>
      Promise.all(asked.map(({ operation, body }) => system.post(operation, body).then((answer) => answer.status)));
    for (const { fault, begin, asked } of GATEWAY_FAULTS) {
      const well = asked.map(() => 200);
      await expect.poll(() => statuses(asked), { timeout: 20_000 }).toEqual(well);
      const heal = await begin();
      // A good answer of the resolvers is believed for five seconds.
      for (let sold = true; sold;) sold = (await system.post(asked[0]!.operation, asked[0]!.body)).status === 200;
      expect([fault, ...(await statuses(asked))]).toEqual([fault, ...asked.map((one) => one.status)]);
      await heal();
      await expect.poll(() => statuses(asked), { timeout: 20_000 }).toEqual(well);
    }
  }, 120_000);

  it.for([
    { site: 'br-gru', own: /^503 No agent could take the measurement: This location has no working network/ },
    { site: 'core', own: /^502 / },
  ])('nor is a second without the resolver of $site, and names are measured again soon', async ({ site, own }, { annotate }) => {
    let names = 0;
    const lookUp = async () => {
      const host = `n${++names}.${site}.wild.lab-good.com`; // in no cache
      const answer = site === 'core' ? system.post('dns-lookup', { host }) : ask(site, ping('answered', host));
      const { status, body } = await answer;
      return status === 200 ? String(body.locations?.[0].reason ?? 'answered') : `${status} ${String(body.error)}`;
    };
    expect(await lookUp()).toBe('answered');
    const heal = await lab.faults.freezeResolver(site);
    const during = [lookUp(), sleep(500).then(lookUp)];
    await sleep(1_000);
    await heal();
    const healed = performance.now();
    let refused = 0;
    for (let last = await lookUp(); last !== 'answered'; last = await lookUp()) {
      expect(last).toMatch(own);
      refused += 1;
      await sleep(250);
    }
    await annotate(`measured again ${Math.round(performance.now() - healed)} ms after the cure, ${refused} refused until then`);
    expect(refused).toBeLessThanOrEqual(12); // three seconds
    for (const outcome of await Promise.all(during)) expect(outcome).toMatch(new RegExp(`^answered$|${own.source}`));
  });

  it('nor is one in the middle of a scan, while a target that falls silent is told', async () => {
    const scanned = async (host: string, begin: () => Promise<Heal>) => {
      const answer = system.post('tls-check', { host });
      await sleep(700);
      const heal = await begin();
      const { status, body, headers } = await answer;
      await heal();
      return { status, body, cost: /cost=(\d+)/.exec(String(headers['x-service-quota']))?.[1] };
    };
    const target = WEB_HOSTS.captcha.v4;
    expect(await scanned(WEB_HOSTS.web.v4, () => lab.faults.cutFromInternet('core'))).toMatchObject({
      status: 502,
      cost: '0',
      body: { error: expect.stringContaining('the network of the service') },
    });
    await expect
      .poll(() => system.post('url-status', { url: `http://${WEB_HOSTS.plain.v4}/` }).then(({ status }) => status), { timeout: 20_000 })
      .toBe(200);
    expect(await scanned(target, () => lab.faults.cutFromHost('core', target))).toMatchObject({
      status: 200,
      cost: '10',
      body: {
        complete: false,
        tls_found: true,
        issues_found: expect.arrayContaining([expect.objectContaining({ code: 'SCAN_INCOMPLETE' })]),
      },
    });
  }, 90_000);

  it('shows what a location has lost, and asks others where it may choose', async () => {
    await lab.faults.filterIcmp('eu-fra');
    const located = async () => (await system.get('/v2/locations')).body.locations.find(({ id }: { id: string }) => id === 'eu-fra');
    await ask('eu-fra', ping('icmp_blocked'));
    await expect.poll(located, { timeout: 20_000 }).toMatchObject({ down: expect.arrayContaining(['icmp4']) });
    const traced = await system.post('traceroute', { host: WEB_HOSTS.web.v4, protocol: 'udp', locations: ['eu-fra'] });
    expect(traced.body).toMatchObject({ locations: [{ error: '', agent_state: 'degraded' }] });
    const chosen = async (operation: string, body: object) =>
      (await system.post(operation, { ...body, locations: ['any:5'] })).body.locations.map(({ id }: { id: string }) => id);
    expect(await chosen('ping-test', { host: WEB_HOSTS.plain.v4 })).not.toContain('eu-fra');
    const probed = await system.get(`/probe?module=icmp&target=${WEB_HOSTS.captcha.v4}`);
    expect(probed.body).toContain('probe_agent_ok{location="eu-fra"} 0');
    expect(probed.body).toContain('probe_agent_ok{location="us-ash"} 1');
  }, 60_000);

  it('names a location whose resolver disagrees with others and the gateway about a name, and a gateway that disagrees with all', async () => {
    const HOST = 'f.root-servers.net';
    const downAt = async () => {
      const { locations } = (await system.get('/v2/locations')).body;
      return locations.flatMap(({ id, down }: { id: string; down: string[] }) => (down.includes('names') ? [id] : []));
    };
    const within = { timeout: 60_000 };
    expect(await downAt()).toEqual([]);
    const heal = await lab.faults.lieAbout('au-syd', HOST, '10.6.6.6');
    await expect.poll(downAt, within).toEqual(['au-syd']);
    const { impaired } = JSON.parse(await lab.world.run('core', ['curl', '-sS', 'http://127.0.0.1:9080/readyz']));
    expect(impaired).toContainEqual({
      part: 'names',
      reason: expect.stringMatching(
        /^the resolver of au-syd-a at au-syd answers 10\.6\.6\.6 for f\.root-servers\.net; this gateway and \d other/,
      ),
    });
    const sold = await ask('au-syd', ping('answered'));
    expect(sold.body.locations).toMatchObject([{ error: '', agent_state: 'degraded' }]);
    const chosen = await system.post('ping-test', { host: WEB_HOSTS.plain.v4, locations: ['any:5'] });
    expect(chosen.body.locations.map(({ id }: { id: string }) => id)).not.toContain('au-syd');
    await heal();
    await expect.poll(downAt, within).toEqual([]);
    const ownNames = async () => {
      const ready = JSON.parse(await lab.world.run('core', ['curl', '-sS', 'http://127.0.0.1:9080/readyz']));
      return ready.impaired.flatMap(({ part, reason }: { part: string; reason: string }) => (part === 'names' ? [reason] : []));
    };
    expect(await ownNames()).toEqual([]);
    const healOwn = await lab.faults.lieAbout('core', HOST, '10.6.6.6');
    await expect
      .poll(ownNames, within)
      .toEqual([
        expect.stringMatching(/^the resolvers of this gateway answer 10\.6\.6\.6 for f\.root-servers\.net; all \d locations have/),
      ]);
    expect(await downAt()).toEqual([]);
    await healOwn();
    await expect.poll(ownNames, within).toEqual([]);
  }, 210_000);

  it.each([400, -400])(
    'judges certificates by the locations where the clock of a gateway is off by %s days',
    async (days) => {
      const port = 8081;
      const gateway = await system.startGateway({ port, under: daysOff(days) });
      await system.untilAgents({ 'eu-fra': 1, 'us-ash': 1, 'sg-sin': 1 }, { port });
      const impaired = async () =>
        JSON.parse(await lab.world.run('core', ['curl', '-sS', `http://127.0.0.1:${port + 1000}/readyz`])).impaired;
      const reason = expect.stringContaining(`clock of this machine is 400 days ${days > 0 ? 'ahead of' : 'behind'} those of most`);
      await expect.poll(impaired, { timeout: 20_000 }).toContainEqual({ part: 'clock', reason });
      const certificate = async (name: string) => {
        const { body } = await system.post('url-status', { url: `https://${name}/` }, { port });
        const entry = await system.post('geo-request', { url: `https://${name}/`, locations: ['us-ash'] }, { port });
        return [JSON.stringify(body), JSON.stringify(entry.body)].map(
          (text) => /has expired|not yet valid|self-signed/.exec(text)?.[0] ?? 'good',
        );
      };
      await expect.poll(() => certificate(WEB_HOSTS.web.name), { timeout: 20_000 }).toEqual(['good', 'good']);
      expect(await certificate(WEB_HOSTS.tlsExpired.name)).toEqual(['has expired', 'has expired']);
      const { locations } = (await system.get('/v2/locations', { port })).body;
      expect(locations.flatMap(({ down }: { down: string[] }) => down)).toEqual([]);
      gateway.kill('SIGTERM');
      await gateway.ended;
    },
    120_000,
  );

  it.each([400, -400])(
    'judges certificates by the gateway where its clock is off by %s days',
    async (days) => {
      const under = daysOff(days);
      system.agent('eu-fra').kill('SIGTERM');
      await system.agent('eu-fra').ended;
      await system.startAgent('eu-fra', 'a', { under });
      await system.untilAgents({ 'eu-fra': 1 });
      const entry = async (url: string) => (await ask('eu-fra', page('answered', url))).body.locations?.[0];
      await expect
        .poll(() => entry(`https://${WEB_HOSTS.web.name}/`), { timeout: 20_000 })
        .toMatchObject({ error: '', request_output: { error_message: '' } });
      const { clock_skew_ms } = await entry(`https://${WEB_HOSTS.web.name}/`);
      expect(Math.round(clock_skew_ms / 86_400_000)).toBe(days);
      expect(JSON.stringify(await entry(`https://${WEB_HOSTS.tlsExpired.name}/`))).toContain('has expired');
      expect(JSON.stringify(await entry(`https://${WEB_HOSTS.tlsSelfSigned.name}/`))).toContain('self-signed');
    },
    60_000,
  );
});
