import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNkey } from '@vedette/bus';
import { StartError } from '@vedette/process/start-error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../packages/agent/src/config.ts';

const SEED = `${createNkey().seed}\n`;
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  writeFileSync(join(dir, 'agent.nkey'), SEED);
  writeFileSync(join(dir, 'empty.pem'), '');
});
afterAll(() => rmSync(dir, { recursive: true }));

const roots = ['198.41.0.4', '170.247.170.2', '192.33.4.12', '2001:503:ba3e::2:30', '2801:1b8:10::b', '2001:500:2::c'];
const publicOnes = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2001:4860:4860::8888', '9.9.9.9', '2620:fe::fe'];
const at = (port: number, addresses: readonly string[]) => addresses.map((address) => ({ address, port }));

it('needs nothing but a location', () => {
  const { settings, ...config } = readConfig({ VEDETTE_LOCATION: 'eu-fra' }, []);
  expect(settings).toEqual({
    VEDETTE_LOCATION: 'eu-fra',
    VEDETTE_NATS_URL: 'nats://127.0.0.1:4222',
    VEDETTE_LIMITS: 'on',
    VEDETTE_CACHE: 'on',
    VEDETTE_ICMP_ENGINE: 'kernel',
    VEDETTE_OPS_HOST: '127.0.0.1',
    VEDETTE_LOG_LEVEL: 'info',
  });
  expect(config).toEqual({
    simulated: false,
    credentials: undefined,
    resolvers: undefined,
    allowNets: [],
    ownTargets: [],
    ownPorts: [],
    busRoots: undefined,
    ca: [],
    exits: [],
    witnesses: {
      dns: roots,
      icmp: [...roots, ...publicOnes],
      tcp: [...at(53, roots), ...at(443, publicOnes)],
      quic: [],
      names: ['f.root-servers.net', 'i.root-servers.net', 'nothing.root-servers.net'],
    },
  });
});

it('reads what the lists and files hold', () => {
  const env = {
    VEDETTE_LOCATION: 'eu-fra',
    VEDETTE_AGENT_ID: 'fra-1',
    VEDETTE_NATS_CREDS: join(dir, 'agent.nkey'),
    VEDETTE_RESOLVERS: '192.0.2.53,[2001:db8::53]:5353',
    VEDETTE_ALLOW_NETS: '198.18.0.0/15, 2001:db8::/32',
    VEDETTE_OWN_TARGETS: 'example.org,192.0.2.0/24',
    VEDETTE_OWN_PORTS: '8080,9464',
    VEDETTE_VPN_EXITS: 'socks5://192.0.2.9:1080#us-ash,http://192.0.2.8:3128#eu-fra,iface:wg0',
    VEDETTE_WITNESSES: '',
  };
  const { settings, ...config } = readConfig(env, ['--simulated']);
  expect(settings.VEDETTE_AGENT_ID).toBe('fra-1');
  expect(config).toEqual({
    simulated: true,
    credentials: SEED,
    resolvers: [
      { address: '192.0.2.53', port: 53 },
      { address: '2001:db8::53', port: 5353 },
    ],
    allowNets: ['198.18.0.0/15', '2001:db8::/32'],
    ownTargets: ['example.org', '192.0.2.0/24'],
    ownPorts: [8080, 9464],
    ca: [],
    exits: [
      { kind: 'http', label: 'http://192.0.2.8:3128', endpoint: { host: '192.0.2.8', port: 3128 }, location: 'eu-fra' },
      { kind: 'iface', label: 'iface:wg0', interface: 'wg0' },
    ],
    witnesses: { dns: [], icmp: [], tcp: [], quic: [], names: [] },
  });
});

it('names everything that is wrong at once', () => {
  const env = {
    VEDETTE_LOCATION: 'eu.fra',
    VEDETTE_NATS_CREDS: join(dir, 'missing.nkey'),
    VEDETTE_RESOLVERS: 'dns.example',
    VEDETTE_ALLOW_NETS: '10.0.0.0/33',
    VEDETTE_OWN_PORTS: '8080,http',
    VEDETTE_NATS_CA_FILE: join(dir, 'empty.pem'),
    VEDETTE_CA_FILE: join(dir, 'empty.pem'),
    VEDETTE_VPN_EXITS: 'ftp://192.0.2.9',
    VEDETTE_WITNESSES: 'a.root-servers.net',
    VEDETTE_LOG_LEVEL: 'loud',
  };
  expect(() => readConfig(env, [])).toThrow(
    new StartError(
      [
        'VEDETTE_LOCATION must be an id of at most 64 letters, digits, - and _',
        'VEDETTE_LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
        `VEDETTE_NATS_CREDS: ENOENT: no such file or directory, open '${join(dir, 'missing.nkey')}'`,
        'VEDETTE_NATS_CA_FILE: no certificate in the CA file',
        'VEDETTE_RESOLVERS: not an address of a resolver: dns.example',
        'VEDETTE_WITNESSES: not an address: a.root-servers.net',
        'VEDETTE_ALLOW_NETS: not a CIDR: 10.0.0.0/33',
        'VEDETTE_OWN_PORTS: not a list of ports: 8080,http',
        'VEDETTE_CA_FILE: no certificate in the CA file',
        'VEDETTE_VPN_EXITS: VPN exit 1 is not socks5://[user:password@]host:port, http://[user:password@]host:port or iface:name',
      ].join('\n'),
    ),
  );
});
