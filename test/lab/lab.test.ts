import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { EXIT_URLS } from './exits.ts';
import { CA_FILE } from './pki.ts';
import { Lab } from './lab.ts';
import { lab, openLab } from './opened.ts';
import { CORE_ADDRESS, DARK_ADDRESS, EXITS, HOSTILE_HOST, regionalAddress, REGIONS, site, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

const REGION = 'us-ash';

describeLab('the lab itself', () => {
  openLab();

  const ping = async (region: string, address: string, count = 4) => {
    const { stdout } = await lab.exec(region, ['ping', '-n', '-c', String(count), '-i', '0.1', '-W', '1', address]);
    const [, received] = /transmitted, (\d+) received/.exec(stdout) ?? [];
    const [, rtt] = /min\/avg\/max\/mdev = ([\d.]+)\//.exec(stdout) ?? [];
    return { received: Number(received), min_ms: Number(rtt), stdout };
  };
  const dig = async (region: string, ...question: string[]) => {
    const { stdout } = await lab.exec(region, ['dig', '+tries=1', '+time=5', ...question]);
    return {
      status: /status: (\w+)/.exec(stdout)?.[1] ?? 'TIMEOUT',
      flags: /flags: ([^;]*);/.exec(stdout)?.[1]?.split(' ') ?? [],
      answers: stdout.split('\n').flatMap((line) => /^[^;].*\sIN\s+(?:A|AAAA|TXT)\s+(.*)$/.exec(line)?.[1] ?? []),
    };
  };
  const curl = async (region: string, url: string, ...more: string[]) => {
    const { stdout, code } = await lab.exec(region, ['curl', '-sS', '-m', '3', '--cacert', CA_FILE, ...more, url]);
    return { code, body: stdout };
  };

  it('puts every region at the distance of the plan, on both protocols', async () => {
    for (const address of [WEB_HOSTS.web.v4, WEB_HOSTS.web.v6]) {
      const measured = await Promise.all(REGIONS.map(({ id }) => ping(id, address)));
      for (const [index, { received, min_ms }] of measured.entries()) {
        expect(received).toBe(4);
        expect(Math.abs(min_ms - 2 * REGIONS[index]!.delay_ms)).toBeLessThan(3);
      }
    }
  });

  it('changes a distance while traffic flows, and back', async () => {
    const heal = await lab.faults.degrade(REGION, { delay_ms: 5 });
    expect((await ping(REGION, WEB_HOSTS.web.v4)).min_ms).toBeLessThan(13);
    await heal();
    expect((await ping(REGION, WEB_HOSTS.web.v4)).min_ms).toBeGreaterThan(43);
  });

  it('loses exactly a quarter of the echoes when told to', async () => {
    await lab.faults.dropEveryNthEcho(REGION, 4);
    expect((await ping(REGION, WEB_HOSTS.web.v4, 8)).received).toBe(6);
  });

  it('tells a filter that says so from one that is silent, from darkness, and from no route at all', async () => {
    const heal = await lab.faults.filterIcmp(REGION, 'admin-prohibited');
    expect((await ping(REGION, WEB_HOSTS.web.v4, 1)).stdout).toContain('Packet filtered');
    await heal();
    await lab.faults.filterIcmp(REGION, 'silence');
    const silent = await ping(REGION, WEB_HOSTS.web.v4, 1);
    expect(silent.received).toBe(0);
    expect(silent.stdout).not.toContain('Packet filtered');
    expect((await curl(REGION, 'http://www.lab-good.com/')).code).toBe(0);
    expect((await ping('eu-fra', DARK_ADDRESS, 1)).received).toBe(0);
    expect((await ping('eu-fra', '93.100.98.1', 1)).stdout).toContain('Unreachable');
  });

  it('cuts a region from the internet, from the core, or from one host, and heals it', async () => {
    const reach = async () => ({
      internet: (await ping(REGION, WEB_HOSTS.plain.v4, 1)).received === 1,
      core: (await ping(REGION, CORE_ADDRESS, 1)).received === 1,
      host: (await ping(REGION, WEB_HOSTS.web.v4, 1)).received === 1,
    });
    const all = { internet: true, core: true, host: true };
    expect(await reach()).toEqual(all);
    let heal = await lab.faults.cutFromInternet(REGION);
    expect(await reach()).toEqual({ ...all, internet: false, host: false });
    await heal();
    heal = await lab.faults.cutFromCore(REGION);
    expect(await reach()).toEqual({ ...all, core: false });
    await heal();
    await lab.faults.cutFromHost(REGION, WEB_HOSTS.web.v4);
    expect(await reach()).toEqual({ ...all, host: false });
    await lab.faults.healAll();
    expect(await reach()).toEqual(all);
  });

  it('answers every region with its own address, through its own resolver', async () => {
    const answers = await Promise.all(REGIONS.map(async ({ id }) => (await dig(id, 'www.lab-regions.com')).answers));
    expect(answers).toEqual(REGIONS.map((region) => [regionalAddress(region)]));
  });

  it('signs the tree: valid answers are authenticated, damaged and expired ones refused', async () => {
    expect(await dig(REGION, 'www.lab-good.com')).toEqual({ status: 'NOERROR', flags: ['qr', 'rd', 'ra', 'ad'], answers: ['93.100.1.1'] });
    expect(await dig(REGION, 'www.lab-plain.com')).toEqual({ status: 'NOERROR', flags: ['qr', 'rd', 'ra'], answers: ['93.100.1.2'] });
    for (const name of ['www.lab-bogus.com', 'www.lab-expired.com']) {
      expect((await dig(REGION, name)).status).toBe('SERVFAIL');
      expect((await dig(REGION, '+cd', name)).status).toBe('NOERROR');
    }
  });

  it('has names that do not exist, have no address, or whose servers are lame or dead', async () => {
    expect((await dig(REGION, 'nobody.lab-good.com')).status).toBe('NXDOMAIN');
    expect(await dig(REGION, 'text-only.lab-good.com')).toMatchObject({ status: 'NOERROR', answers: [] });
    expect((await dig(REGION, 'www.lab-lame.com')).status).toBe('SERVFAIL');
    expect((await dig(REGION, '+time=2', 'www.lab-dead.com')).status).toBe('TIMEOUT');
  });

  it('keeps the old answer in one resolver while another has the new one', async () => {
    await dig('eu-fra', 'www.lab-change.com');
    await dig('us-ash', 'www.lab-change.com');
    await lab.dns.setZone(['www A 93.100.1.2']);
    await lab.dns.flush('us-ash', 'lab-change.com');
    expect((await dig('eu-fra', 'www.lab-change.com')).answers).toEqual(['93.100.1.1']);
    expect((await dig('us-ash', 'www.lab-change.com')).answers).toEqual(['93.100.1.2']);
  });

  it('has a record too big for UDP, and a region without UDP to its resolver', async () => {
    expect((await dig(REGION, '+ignore', 'big.lab-good.com', 'TXT')).flags).toContain('tc');
    expect((await dig(REGION, 'big.lab-good.com', 'TXT')).answers[0]).toHaveLength(20 * 253 - 1);
    await lab.faults.blockUdpDns(REGION);
    expect((await dig(REGION, '+time=1', 'www.lab-good.com')).status).toBe('TIMEOUT');
    expect((await dig(REGION, '+tcp', 'www.lab-good.com')).status).toBe('NOERROR');
  });

  it('freezes a resolver', async () => {
    const heal = await lab.faults.freezeResolver(REGION);
    expect((await dig(REGION, '+time=1', 'www.lab-good.com')).status).toBe('TIMEOUT');
    await heal();
    expect((await dig(REGION, 'www.lab-good.com')).status).toBe('NOERROR');
  });

  it('has a name server that rebinds and one that breaks the protocol', async () => {
    const rebinding = [await dig(REGION, 'rebind-lab.lab-hostile.com'), await dig(REGION, 'rebind-lab.lab-hostile.com')];
    expect(rebinding.map(({ answers }) => answers)).toEqual([['93.100.1.1'], ['127.0.0.1']]);
    const straight = async (name: string, ...more: string[]) =>
      (await dig(REGION, '@93.100.53.9', '+time=1', ...more, `${name}.lab-hostile.com`)).status;
    expect(await straight('servfail')).toBe('SERVFAIL');
    expect(await straight('silent')).toBe('TIMEOUT');
    expect(await straight('wrongid')).toBe('TIMEOUT');
    expect(await straight('truncated')).toBe('NOERROR');
  });

  it('serves every way a certificate can be wrong', async () => {
    const codes: Record<string, number> = {};
    for (const name of ['good', 'expired', 'not-yet-valid', 'wrong-name', 'self-signed', 'missing-intermediate', 'tls10'])
      codes[name] = (await curl('eu-fra', `https://${name}.lab-tls.com/`)).code;
    // curl(1): 60 the certificate is not trusted, 35 no handshake.
    expect(codes).toEqual({
      good: 0,
      expired: 60,
      'not-yet-valid': 60,
      'wrong-name': 60,
      'self-signed': 60,
      'missing-intermediate': 60,
      tls10: 35,
    });
    const old = await curl('eu-fra', 'https://tls10.lab-tls.com/', '--tlsv1.0', '--tls-max', '1.0', '--ciphers', 'ALL:@SECLEVEL=0');
    expect(old.code).toBe(0);
  });

  it('serves both HTTP versions, both address families, and cookies on their own', async () => {
    expect((await curl(REGION, 'https://www.lab-good.com/', '-o', '/dev/null', '-w', '%{http_version}')).body).toBe('2');
    expect((await curl(REGION, 'https://www.lab-good.com/', '--http1.1', '-o', '/dev/null', '-w', '%{http_version}')).body).toBe('1.1');
    expect((await curl(REGION, 'http://v6.lab-good.com/')).body).toContain(`you are ${site(REGION).v6}`);
    const { body } = await curl(REGION, 'https://www.lab-good.com/cookies', '-i', '--http1.1');
    expect(body.match(/^set-cookie: .*$/gim)).toEqual(
      ['Set-Cookie: a=1; Path=/\r', 'Set-Cookie: b=2; Secure\r'].map((line) => line.trim()),
    );
  });

  it('has a web server that misbehaves', async () => {
    const codes: Record<string, number> = {};
    for (const path of ['never', 'garbage', 'ssh', 'reset', 'close', 'short-body'])
      codes[path] = (await curl('eu-fra', `http://${HOSTILE_HOST.name}/${path}`, '-m', '1')).code;
    // curl(1): 28 timed out, 1 not a protocol it speaks, 56 receive failed, 52 empty reply, 18 partial body.
    expect(codes).toEqual({ never: 28, garbage: 1, ssh: 1, reset: 56, close: 52, 'short-body': 18 });
    expect(lab.web.hostileAccesses()).toContain(`${site('eu-fra').v4} /never`);
  });

  it('shows targets the exit, not the region, and lets nothing out when the tunnel is gone', async () => {
    const { region, inner, address } = EXITS.wireguard;
    const through = (...how: string[]) => curl(region, 'http://www.lab-plain.com/', '-4', ...how);
    expect((await through()).body).toContain(`you are ${site(region).v4}`);
    expect((await through('-x', EXIT_URLS.socks.replace('socks5', 'socks5h'))).body).toContain(`you are ${EXITS.socks.address}`);
    expect((await through('-p', '-x', EXIT_URLS.connect)).body).toContain(`you are ${EXITS.connect.address}`);
    expect((await through('--interface', EXITS.wireguard.interface)).body).toContain(`you are ${address}`);
    expect((await through('--interface', inner)).body).toContain(`you are ${address}`);
    const clients = () => lab.web.accesses(WEB_HOSTS.plain.name).map(({ client }) => client);
    expect(clients().slice(-5)).toEqual([site(region).v4, EXITS.socks.address, EXITS.connect.address, address, address]);

    const before = clients().length;
    await lab.exits.tunnel.end.freeze();
    expect((await through('-m', '1', '--interface', inner)).code).toBe(28);
    lab.exits.tunnel.end.kill('SIGKILL');
    await lab.exits.tunnel.end.ended;
    expect((await through('--interface', EXITS.wireguard.interface)).code).toBe(45);
    expect((await through('--interface', inner)).code).toBe(45);
    expect(clients()).toHaveLength(before);
  });

  it('stands beside a second one without a collision', async () => {
    const second = await Lab.open();
    try {
      const heal = await second.faults.cutFromInternet(REGION);
      expect((await ping(REGION, WEB_HOSTS.web.v4, 1)).received).toBe(1);
      await heal();
    } finally {
      await second.close();
    }
    expect((await ping(REGION, WEB_HOSTS.web.v4, 1)).received).toBe(1);
  });
});

describeLab('a world', () => {
  const OPENER = `
    const { World } = await import(${JSON.stringify(`${import.meta.dirname}/world.ts`)});
    const world = await World.open();
    const inside = await world.spawn(undefined, ['sleep', '600']);
    world.write('/run/vedette-lab/file', 'x');
    process.stdout.write(inside.pid + '\\n');`;

  const opener = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', OPENER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout, 'data');
    return { child, inside: Number(String(line)) };
  };
  const gone = async (pid: number) => {
    for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}`); tries++) await sleep(20);
    return !existsSync(`/proc/${pid}`);
  };

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('is gone when the process that opened it gets %s', async (signal) => {
    const { child, inside } = await opener();
    expect(existsSync(`/proc/${inside}`)).toBe(true);
    child.kill(signal);
    expect(await gone(inside)).toBe(true);
    const { stdout } = await promisify(execFile)('ip', ['netns', 'list']);
    expect(stdout).not.toContain('eu-fra');
    expect(existsSync('/run/vedette-lab')).toBe(false);
  });
});
