import { expect, it } from 'vitest';
import { lab, openSystem, system } from './opened.ts';
import { EXITS, site, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

/** Who has which exit: see EXIT_OF_REGION. */
const SOCKS = 'us-ash';
const CONNECT = 'sg-sin';
const WIREGUARD = EXITS.wireguard.region;
const NO_EXIT = 'br-gru';

describeLab('vpn-test in the lab', () => {
  openSystem({ regions: [WIREGUARD, SOCKS, CONNECT, NO_EXIT] });

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

  it('takes nobody inside through an exit', async () => {
    expect((await through(SOCKS, 'http://10.200.0.1:8080/')).status).toBe(400);
    const { status, body } = await through(SOCKS, 'http://private.lab-good.com/');
    expect({ status, accessible: body.accessible }).toEqual({ status: 200, accessible: false });
  });

  it('says that there is no exit, for free', async () => {
    const { status, body, headers } = await through(NO_EXIT, 'http://www.lab-plain.com/');
    expect(status).toBe(503);
    expect(body.error).toMatch(/exit/i);
    expect(headers['x-service-quota']).toContain('cost=0');
  });

  it('fails closed when the tunnel is frozen, and when it is gone', async () => {
    const before = clients(WEB_HOSTS.plain.name).length;
    await lab.exits.tunnel.end.freeze();
    const frozen = await through(WIREGUARD, 'http://www.lab-plain.com/');
    expect(frozen.status === 200 ? frozen.body.accessible : frozen.status).toBeOneOf([false, 503]);
    lab.exits.tunnel.end.kill('SIGKILL');
    await lab.exits.tunnel.end.ended;
    const gone = await through(WIREGUARD, 'http://www.lab-plain.com/');
    expect(gone.status === 200 ? gone.body.accessible : gone.status).toBeOneOf([false, 503]);
    expect(clients(WEB_HOSTS.plain.name)).toHaveLength(before);
    expect(clients(WEB_HOSTS.plain.name)).not.toContain(site(WIREGUARD).v4);
  }, 90_000);

  it('fails closed when the proxy is gone', async () => {
    const before = clients(WEB_HOSTS.plain.name).length;
    lab.exits.socks.kill('SIGKILL');
    await lab.exits.socks.ended;
    const { status, body } = await through(SOCKS, 'http://www.lab-plain.com/');
    expect(status === 200 ? body.accessible : status).toBeOneOf([false, 503]);
    expect(clients(WEB_HOSTS.plain.name)).toHaveLength(before);
  });
});
