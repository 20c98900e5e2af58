import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@vedette/process/listen';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Settings as agentSettings } from '../../packages/agent/src/config.ts';
import { Settings as gatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { Settings as rendererSettings } from '../../packages/renderer/src/ops/config.ts';

describe('deploy/nginx/vedette.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-deploy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')];
  const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  beforeAll(() => {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const files = ['-subj', '/CN=vedette.example.org', '-keyout', key, '-out', chain];
    execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'ignore' });
  });
  /** Writes a whole configuration around the site; `more` goes into http. */
  const configuration = (site: string, more = ''): string => {
    const config = join(folder, 'nginx.conf');
    const http = `access_log off;\n${more}\n${site.replace('/etc/vedette/tls/key.pem', key).replace('/etc/vedette/tls/chain.pem', chain)}`;
    writeFileSync(
      config,
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents { worker_connections 1024; }\nhttp {\n${http}\n}\n`,
    );
    return config;
  };
  const site = readFileSync('deploy/nginx/vedette.conf', 'utf8');

  it('is one that nginx takes', () => {
    const args = ['-t', '-q', '-p', folder, '-c', configuration(site)];
    expect(() => execFileSync('nginx', args, { env: environment })).not.toThrow();
  });

  it('cuts an address off that asks too often, an IPv6 one with its /64, and keeps clients with HTTPS', async () => {
    const upstream = createServer((_, response) => void response.end('hello')).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    onTestFinished(() => void upstream.close());
    const port = await freePort({ host: '127.0.0.1', port: 0, setting: 'test' });
    const here = site
      .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${(upstream.address() as AddressInfo).port};`)
      .replace(/server \{\s+listen 80;[^}]+\}/, '')
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
      .replace('listen [::]:443 ssl;', '')
      // The rate as it stands would need a machine of its own to be reached.
      .replace('rate=500r/s', 'rate=1r/m')
      .replace('burst=500', 'burst=4');
    const config = configuration(here, 'set_real_ip_from 127.0.0.1;\nreal_ip_header X-Client;');
    const nginx = spawn('nginx', ['-p', folder, '-c', config], { env: environment, stdio: 'ignore' });
    const ended = once(nginx, 'exit');
    // It takes files of its own away as it ends, and a folder that is removed at the same time may stay.
    onTestFinished(async () => {
      nginx.kill();
      await ended;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    onTestFinished(() => agent.destroy());
    const get = async (client: string): Promise<IncomingMessage> => {
      const sent = request({ host: '127.0.0.1', port, agent, headers: { 'x-client': client } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return response.resume();
    };
    await expect.poll(() => get('192.0.2.1').then(({ statusCode }) => statusCode, String), { timeout: 10_000 }).toBe(200);
    const statuses = async (clients: string[]): Promise<(number | undefined)[]> => {
      const answers = [];
      for (const client of clients) answers.push((await get(client)).statusCode);
      return answers;
    };
    // A byte of the network part, and one of the rest, is a line feed.
    const hosts = ['0:0:0:1', '0:0:0:2', 'a:0:b:c', '1:2:3:4', 'ffff:a0a:0:9', '5::'];
    expect(await statuses(hosts.map((host) => `2001:db8:a:0:${host}`))).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statuses(['2001:db8:a:1::1', '192.0.2.2'])).toEqual([200, 200]);
    expect((await get('192.0.2.3')).headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

const UNITS = ['gateway', 'agent', 'renderer', 'nats'].map((role) => `deploy/systemd/vedette-${role}.service`);

it.each([
  ['deploy/systemd/vedette-gateway.service', gatewaySettings],
  ['deploy/systemd/vedette-agent.service', agentSettings],
  ['deploy/systemd/vedette-renderer.service', rendererSettings],
])('%s starts what is there, with settings that exist', (path, { properties }) => {
  const unit = readFileSync(path, 'utf8');
  const started = existsSync(`${path}.d/checkout.conf`) ? readFileSync(`${path}.d/checkout.conf`, 'utf8') : unit;
  const [, script, main] = /^ExecStart=\/bin\/sh (?:\/opt\/vedette\/)?(\S+) (\S+)$/m.exec(started)!;
  expect([script!, main!].filter((file) => !existsSync(file))).toEqual([]);
  expect([...unit.matchAll(/\b(VEDETTE_\w+)=/g)].map(([, name]) => name!).filter((name) => !(name in properties))).toEqual([]);
});

it('each unit has a user of its own', () => {
  const users = UNITS.map((path) => /^User=(\S+)$/m.exec(readFileSync(path, 'utf8'))?.[1]);
  expect(users).toEqual(['vedette-gateway', 'vedette-agent', 'vedette-renderer', 'vedette-nats']);
});

it('the bus runs in the folder of its configuration, where a fleet has the files that it names without a path', () => {
  const unit = readFileSync('deploy/systemd/vedette-nats.service', 'utf8');
  const config = /^ExecStart=\S+ -c (\S+)$/m.exec(unit)![1]!;
  expect(/^WorkingDirectory=(\S+)$/m.exec(unit)?.[1]).toBe(dirname(config));
});

const analyzes = spawnSync('systemd-analyze', ['--version']).status === 0;

// Gateway and agent were at 5.6 and 5.8. Needs no running systemd, but its program: where it is missing this shows up as skipped.
it.skipIf(!analyzes).each(UNITS)('%s leaves little exposed (systemd-analyze security)', (path) => {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], { encoding: 'utf8' });
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2.5);
});
