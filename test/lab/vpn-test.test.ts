import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { DROPPED_PORT, EXIT_URLS } from './exits.ts';
import { ODD_PORTS } from './odd-ports.ts';
import { EXITS, HOSTILE_HOST, site, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';
import type { WorldProcess } from './world.ts';

/** Who has which exit: see EXIT_OF_REGION. */
const SOCKS = 'us-ash';
const CONNECT = 'sg-sin';
const WIREGUARD = EXITS.wireguard.region;
const NO_EXIT = 'br-gru';

describeLab('vpn-test in the lab', () => {
  shareSystem();

  const through = (location: string | undefined, url: string) =>
    system.post('vpn-test', { url, ...(location && { locations: [location] }) });
  const clients = (host: string) => lab.web.accesses(host).map(({ client }) => client);

  it('shows the target the exit and never the agent, through each kind of exit', async () => {
    for (const [location, address] of [
      [SOCKS, EXITS.socks.address],
      [CONNECT, EXITS.connect.address],
      [WIREGUARD, EXITS.wireguard.address],
    ] as const) {
      const { status, body } = await through(location, 'https://www.lab-good.com/');
      expect({ location, status, accessible: body.accessible, code: body.status_code, debug: body.debug_message }).toEqual({
        location,
        status: 200,
        accessible: true,
        code: 200,
        debug: '',
      });
      expect(clients(WEB_HOSTS.web.name).at(-1)).toBe(address);
    }
    expect(new Set(clients(WEB_HOSTS.web.name))).toEqual(new Set([EXITS.socks.address, EXITS.connect.address, EXITS.wireguard.address]));
  });

  it('finds a location with an exit by itself', async () => {
    const { status, body } = await through(undefined, 'http://www.lab-plain.com/');
    expect({ status, accessible: body.accessible }).toEqual({ status: 200, accessible: true });
  });

  it('recognises a block page and a captcha', async () => {
    const blocked = await through(SOCKS, 'https://blocked.lab-good.com/');
    expect(blocked.body).toMatchObject({ accessible: false, status_code: 403, html_info: { title: 'Access denied' } });
    const captcha = await through(SOCKS, 'https://captcha.lab-good.com/');
    expect(captcha.body).toMatchObject({ accessible: false, status_code: 200 });
    for (const { body } of [blocked, captcha]) expect(body.debug_message).not.toBe('');
  });

  it('says why a target cannot be reached through the exit', async () => {
    const { status, body } = await through(SOCKS, 'http://www.lab-plain.com:81/');
    expect({ status, accessible: body.accessible }).toEqual({ status: 200, accessible: false });
    expect(body.debug_message).not.toBe('');
  });

  it('does not say that an exit fails which lacks the only family of a host; that is free', async () => {
    const { status, body, headers } = await through(WIREGUARD, 'http://v6.lab-good.com/');
    expect({ status, code: body.code, cost: headers['x-service-quota'] }).toEqual({
      status: 503,
      code: 'no_agent',
      cost: expect.stringContaining('cost=0'),
    });
  });

  it('takes nobody inside through an exit', async () => {
    expect((await through(SOCKS, 'http://10.200.0.1:8080/')).status).toBe(400);
    const { status, body, headers } = await through(SOCKS, 'http://private.lab-good.com/');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'private_address' });
    expect(headers['x-service-quota']).toContain('cost=0');
    const itself = await through(SOCKS, `http://${EXITS.socks.address}:8080/`);
    expect(itself.body).toMatchObject({ accessible: false, reason: 'blocked_policy' });
  });

  it('sees the world of the exit, whatever the resolver of the region says', async () => {
    await lab.faults.lieAbout(SOCKS, WEB_HOSTS.plain.name);
    const { stdout } = await lab.exec(SOCKS, ['dig', '+noall', '+comments', WEB_HOSTS.plain.name]);
    expect(stdout).toContain('NXDOMAIN');
    const { body } = await through(SOCKS, `http://${WEB_HOSTS.plain.name}/`);
    expect(body).toMatchObject({ accessible: true, status_code: 200, debug_message: '' });
    const unknown = await through(SOCKS, 'http://nobody.lab-good.com/');
    expect(unknown.body).toMatchObject({ accessible: false, reason: 'dns_nxdomain' });
  });

  it('leads no exit astray: neither by a resolver of its own that knows inner addresses, nor by a name that changes its mind', async () => {
    const canary = `require('http').createServer((q, r) => { console.log(q.headers.host); r.end('inside'); }).listen(80, '127.0.0.1', () => console.log('ready'))`;
    const canaries = await Promise.all(['vpn', WIREGUARD].map((name) => lab.spawn(name, [process.execPath, '-e', canary])));
    await Promise.all(canaries.map((each) => each.line(/^ready$/)));
    const url = `http://${WEB_HOSTS.plain.name}/`;
    await lab.faults.lieAbout('vpn', WEB_HOSTS.plain.name, '127.0.0.1');
    const { socks } = EXITS;
    const asHost = ['curl', '-sm', '5', '--proxy', `socks5h://${socks.username}:${socks.password}@${socks.address}:${socks.port}`];
    expect((await lab.exec(SOCKS, [...asHost, url])).stdout).toBe('inside'); // what a name would have led to
    const before = clients(WEB_HOSTS.plain.name).length;
    for (const location of [SOCKS, CONNECT, WIREGUARD]) expect((await through(location, url)).body).toMatchObject({ accessible: true });
    expect(clients(WEB_HOSTS.plain.name)).toHaveLength(before + 3);

    const seen = new Set<string>();
    for (const location of [SOCKS, CONNECT, WIREGUARD])
      for (let i = 0; i < 3; i++) {
        const { body } = await through(location, `http://rebind-vpn${location}.lab-hostile.com/`);
        seen.add(body.code ?? body.reason ?? 'answered');
      }
    expect(seen).toEqual(new Set(['answered', 'private_address']));
    expect(canaries.flatMap(({ lines }) => lines)).toEqual(['ready', WEB_HOSTS.plain.name, 'ready']);
  });

  it('says that there is no exit, for free, and not to come back for one', async () => {
    const { status, body, headers } = await through(NO_EXIT, 'http://www.lab-plain.com/');
    expect(status).toBe(503);
    expect(body.error).toMatch(/exit/i);
    expect(headers['x-service-quota']).toContain('cost=0');
    expect(headers['retry-after']).toBeUndefined();
  });

  it('does not blame the target for an exit of any kind that dies in any phase, and the exit is back once it is mended', async () => {
    const { v4 } = HOSTILE_HOST;
    const servers = await lab.spawn('hosts', [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      `${import.meta.dirname}/odd-ports.ts`,
      v4,
    ]);
    onTestFinished(() => servers.kill('SIGKILL'));
    await servers.line(/^ready$/);
    await lab.faults.dropFrom('vpn', `tcp dport ${DROPPED_PORT}`);
    const { tunnel, socks, connect } = lab.exits;
    const phases: [phase: string, url: string][] = [
      ['before it has connected', `http://${v4}:${DROPPED_PORT}/`],
      ['in the TLS handshake', `https://${v4}:${ODD_PORTS.mute}/`],
      ['before the head', `http://${v4}:${ODD_PORTS.mute}/`],
      ['in the body', `http://${v4}:${ODD_PORTS.halfway}/`],
    ];
    const killed = async (server: WorldProcess) => (server.kill('SIGKILL'), void (await server.ended));
    const deaths: [death: string, die: () => Promise<unknown>, mend: () => Promise<unknown>][] = [
      [
        'frozen',
        () => Promise.all([tunnel.peer, socks.process, connect.process].map((server) => server.freeze())),
        async () => [tunnel.peer, socks.process, connect.process].forEach((server) => server.kill('SIGCONT')),
      ],
      [
        'killed',
        () => Promise.all([tunnel.end, socks.process, connect.process].map(killed)),
        () => Promise.all([tunnel, socks, connect].map((server) => server.restart())),
      ],
    ];
    const kinds = [WIREGUARD, SOCKS, CONNECT];
    const cases = kinds.flatMap((exit) => phases.map(([phase, url]) => ({ exit, phase, url })));
    for (const [death, die, mend] of deaths) {
      const before = servers.lines.length;
      const asking = cases.map(({ exit, url }) => through(exit, url));
      const linesOf = (lines: readonly string[], word: string) => lines.slice(before).filter((line) => line === word).length;
      await servers.until((lines) => linesOf(lines, 'mute') >= 2 * kinds.length && linesOf(lines, 'halfway') >= kinds.length);
      await sleep(1_000); // the packets to the dropped port have left, too
      await die();
      try {
        for (const [index, { status, body, headers }] of (await Promise.all(asking)).entries()) {
          const { exit, phase } = cases[index]!;
          const cost = headers['x-service-quota'];
          expect({ death, phase, exit, status, code: body.code, cost }).toEqual({
            death,
            phase,
            exit,
            status: 503,
            code: 'no_vpn_exit',
            cost: expect.stringContaining('cost=0'),
          });
        }
      } finally {
        await mend();
      }
      for (const location of kinds) {
        const answered = async () => (await through(location, `http://${WEB_HOSTS.plain.v4}/`)).status;
        await expect.poll(answered, { timeout: 20_000 }).toBe(200);
      }
    }
  }, 240_000);

  it('passes over a tunnel whose peer is dead, and never goes round it; without another exit that is free', async () => {
    const before = lab.web.accesses().length;
    const addressOfPlain = `http://${WEB_HOSTS.plain.v4}/`;
    const free = async (url: string) => {
      const { status, body, headers } = await through(WIREGUARD, url);
      expect({ status, code: body.code, cost: headers['x-service-quota'] }).toMatchObject({
        status: 503,
        code: 'no_vpn_exit',
        cost: expect.stringContaining('cost=0'),
      });
      expect(headers['retry-after']).toBe('2');
    };
    await lab.exits.tunnel.end.freeze();
    for (const url of ['http://www.lab-plain.com/', addressOfPlain]) await free(url);

    system.agent(WIREGUARD).kill('SIGKILL');
    await system.startAgent(WIREGUARD, 'b', { env: { VEDETTE_VPN_EXITS: `${EXIT_URLS.wireguard},${EXIT_URLS.connect}` } });
    for (const url of ['http://www.lab-plain.com/', addressOfPlain]) {
      const { status, body } = await through(WIREGUARD, url);
      expect({ status, accessible: body.accessible }).toEqual({ status: 200, accessible: true });
    }
    const visitors = lab.web.accesses().slice(before);
    expect(visitors.map(({ client }) => client)).toEqual([EXITS.connect.address, EXITS.connect.address]);

    lab.exits.tunnel.end.kill('SIGKILL');
    await lab.exits.tunnel.end.ended;
    expect((await through(WIREGUARD, 'http://www.lab-plain.com/')).body.accessible).toBe(true);
    expect(lab.web.accesses().map(({ client }) => client)).not.toContain(site(WIREGUARD).v4);
  }, 180_000);

  it('fails closed when the proxy is gone, for free', async () => {
    const before = clients(WEB_HOSTS.plain.name).length;
    lab.exits.socks.process.kill('SIGKILL');
    await lab.exits.socks.process.ended;
    const { status, body, headers } = await through(SOCKS, 'http://www.lab-plain.com/');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'no_vpn_exit' });
    expect(headers['x-service-quota']).toContain('cost=0');
    expect(clients(WEB_HOSTS.plain.name)).toHaveLength(before);
  });
});
