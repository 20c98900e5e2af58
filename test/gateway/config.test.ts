import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNkey } from '@vedette/bus';
import { DEFAULT_FEEDS } from '@vedette/intel/datasets';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { StartError } from '@vedette/process/start-error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ICMP_DEFAULTS, withBuiltIn } from '../../packages/gateway/src/probe-modules/modules.ts';
import { readConfig } from '../../packages/gateway/src/config/config.ts';

const SEED = `${createNkey().seed}\n`;
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-gateway-'));
  writeFileSync(join(dir, 'gateway.nkey'), SEED);
  writeFileSync(join(dir, 'locations.json'), '{"rack-7": {"continent": "EU", "country": "DE", "city": "Nuremberg"}}');
  writeFileSync(join(dir, 'feeds.json'), '{"built_in": false, "folder": "/srv/feeds"}');
  writeFileSync(join(dir, 'engines.json'), '{"built_in": false}');
  writeFileSync(join(dir, 'probe.yml'), 'modules: {near: {prober: icmp}, far: {prober: grpc}}');
  writeFileSync(join(dir, 'not-json'), '{');
});
afterAll(() => rmSync(dir, { recursive: true }));

const roots = ['198.41.0.4', '170.247.170.2', '192.33.4.12', '2001:503:ba3e::2:30', '2801:1b8:10::b', '2001:500:2::c'];
const publicOnes = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2001:4860:4860::8888', '9.9.9.9', '2620:fe::fe'];
const at = (port: number, addresses: readonly string[]) => addresses.map((address) => ({ address, port }));

it('needs no setting at all', () => {
  const { settings, catalogue, ...config } = readConfig({ VEDETTE_TRUSTED_PROXIES: '' });
  expect(settings).toMatchObject({ VEDETTE_HOST: '127.0.0.1', VEDETTE_PORT: '8080', VEDETTE_OPS_PORT: '9464' });
  expect(catalogue).toMatchObject({ ids: [], defaults: [] });
  expect(config).toEqual({
    feeds: DEFAULT_FEEDS,
    engines: ENGINE_CATALOGUE,
    probeModules: withBuiltIn([], []),
    credentials: undefined,
    resolvers: undefined,
    witnesses: {
      dns: roots,
      icmp: [],
      tcp: [...at(53, roots), ...at(443, publicOnes)],
      quic: at(443, publicOnes.slice(0, 4)),
      names: ['f.root-servers.net', 'i.root-servers.net', 'nothing.root-servers.net'],
    },
    allowNets: [],
    trustedProxies: [],
    corsOrigins: [],
    ownPorts: [],
    ownTargets: [],
    ca: [],
    trustAnchors: undefined,
  });
});

it('reads what the lists and files hold', () => {
  const {
    settings: _,
    catalogue,
    ...config
  } = readConfig({
    VEDETTE_NATS_CREDS: join(dir, 'gateway.nkey'),
    VEDETTE_LOCATIONS_FILE: join(dir, 'locations.json'),
    VEDETTE_FEEDS_FILE: join(dir, 'feeds.json'),
    VEDETTE_ENGINES_FILE: join(dir, 'engines.json'),
    VEDETTE_PROBE_FILE: join(dir, 'probe.yml'),
    VEDETTE_RESOLVERS: '192.0.2.53,[2001:db8::53]:5353',
    VEDETTE_WITNESSES: '',
    VEDETTE_ALLOW_NETS: '198.18.0.0/15, 2001:db8::/32',
    VEDETTE_TRUSTED_PROXIES: '192.0.2.0/24',
    VEDETTE_CORS_ORIGINS: 'https://a.example.org,https://b.example.org',
    VEDETTE_TOR_SOCKS: '[2001:db8::9]:9150',
    VEDETTE_OWN_PORTS: '8080,9464',
    VEDETTE_OWN_TARGETS: 'example.org, 198.18.0.0/15',
  });
  expect(catalogue.ids).toEqual(['rack-7']);
  expect(config).toEqual({
    feeds: { catalogue: [], folder: '/srv/feeds', disk_bytes: 4_294_967_296 },
    engines: [],
    probeModules: withBuiltIn([{ ...ICMP_DEFAULTS, name: 'near' }], [{ module: 'far', line: 1, what: 'prober: grpc' }]),
    credentials: SEED,
    resolvers: [
      { address: '192.0.2.53', port: 53 },
      { address: '2001:db8::53', port: 5353 },
    ],
    witnesses: { dns: [], icmp: [], tcp: [], quic: [], names: [] },
    allowNets: ['198.18.0.0/15', '2001:db8::/32'],
    trustedProxies: ['192.0.2.0/24'],
    corsOrigins: ['https://a.example.org', 'https://b.example.org'],
    ownPorts: [8080, 9464],
    ownTargets: ['example.org', '198.18.0.0/15'],
    ca: [],
    trustAnchors: undefined,
    torSocks: { host: '2001:db8::9', port: 9150 },
  });
});

it('names everything that is wrong at once', () => {
  const env = {
    VEDETTE_PORT: '80800',
    VEDETTE_TLS_CERT_FILE: 'cert.pem',
    VEDETTE_NATS_CREDS: join(dir, 'missing.nkey'),
    VEDETTE_LOCATIONS_FILE: join(dir, 'not-json'),
    VEDETTE_RESOLVERS: 'dns.example',
    VEDETTE_TRUSTED_PROXIES: 'proxy.example',
    VEDETTE_OWN_PORTS: '8080,http',
    VEDETTE_CA_FILE: join(dir, 'not-json'),
    VEDETTE_CONTACT: 'call us (any time)',
  };
  expect(() => readConfig(env)).toThrow(
    new StartError(
      [
        'VEDETTE_PORT must be a port, 0 to 65535',
        'VEDETTE_CONTACT must be a URL (http or https) or an e-mail address, at most 200 characters of ASCII without blanks, brackets, quotes and semicolons',
        'VEDETTE_TLS_CERT_FILE and VEDETTE_TLS_KEY_FILE go together',
        `VEDETTE_NATS_CREDS: ENOENT: no such file or directory, open '${join(dir, 'missing.nkey')}'`,
        'VEDETTE_RESOLVERS: not an address of a resolver: dns.example',
        'VEDETTE_OWN_PORTS: not a list of ports: 8080,http',
        'VEDETTE_CA_FILE: no certificate in the CA file',
        "VEDETTE_LOCATIONS_FILE: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
        'VEDETTE_TRUSTED_PROXIES: not a CIDR: proxy.example',
      ].join('\n'),
    ),
  );
});

it.each(['https://probes.example.org/abuse?via=vedette', 'abuse@example.org', 'mailto:abuse+vedette@example.org'])(
  'takes %s as a contact',
  (contact) => {
    expect(readConfig({ VEDETTE_CONTACT: contact }).settings.VEDETTE_CONTACT).toBe(contact);
  },
);

it.each([
  'x',
  'abuse',
  'ftp://example.org',
  'abuse@example.org\r\nx-evil: 1',
  'https://example.org/)',
  `https://example.org/${'a'.repeat(200)}`,
  'abuse@exämple.org',
])('does not take %j as a contact, which becomes part of a header', (contact) => {
  expect(() => readConfig({ VEDETTE_CONTACT: contact })).toThrow(StartError);
});

it.each([
  'a',
  'admin-token',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  '1212121212121212',
  'fourteen-chars',
  'has a blank within it',
  'mit-ümlaut-und-mehr-davon',
])('does not start with %j as the admin token: it was taken once', (token) => {
  expect(() => readConfig({ VEDETTE_ADMIN_TOKEN: token })).toThrow(/VEDETTE_ADMIN_TOKEN: it can be guessed.*openssl rand -base64 32/);
});

it('starts with an admin token of 15 characters', () => {
  expect(readConfig({ VEDETTE_ADMIN_TOKEN: 'correct-horse-1' }).settings.VEDETTE_ADMIN_TOKEN).toBe('correct-horse-1');
});

it.each<[string, string]>([
  ['VEDETTE_RDAP_BOOTSTRAP', 'https://user:password@rdap.example/'],
  ['VEDETTE_RDAP_BOOTSTRAP', 'https://127.0.0.1:99999'],
  ['VEDETTE_WHOIS_SERVER', 'whois.example:0'],
  ['VEDETTE_WHOIS_SERVER', 'whois.example:99999'],
  ['VEDETTE_WHOIS_SERVER', '-'],
  ['VEDETTE_TOR_SOCKS', 'tor:0'],
  ['VEDETTE_TOR_SOCKS', 'user:secret@127.0.0.1:9050'],
  ['VEDETTE_TOR_SOCKS', 'socks5://127.0.0.1:9050'],
])('%s=%s is no server', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: not a`);
});

const SIGN_IN = {
  VEDETTE_OIDC_ISSUER: 'https://sso.example.org/realms/main',
  VEDETTE_OIDC_CLIENT_ID: 'vedette',
  VEDETTE_OIDC_CLIENT_SECRET: 'secret',
  VEDETTE_OIDC_ROLES: 'a team=operator, /soc=analyst,k=v=viewer, *=viewer',
  VEDETTE_PUBLIC_URL: 'https://vedette.example.org:8443/',
};

it('reads how people sign in', () => {
  expect(readConfig(SIGN_IN).signIn).toEqual({
    issuer: new URL('https://sso.example.org/realms/main'),
    server: { host: 'sso.example.org', port: 443 },
    clientId: 'vedette',
    secret: 'secret',
    roles: [
      ['a team', 'operator'],
      ['/soc', 'analyst'],
      ['k=v', 'viewer'],
      ['*', 'viewer'],
    ],
    origin: 'https://vedette.example.org:8443',
  });
});

it.each([
  ['VEDETTE_OIDC_ISSUER', 'ldap://sso.example.org', 'VEDETTE_OIDC_ISSUER: not an http or https URL'],
  ['VEDETTE_OIDC_ISSUER', 'https://user@sso.example.org/', 'VEDETTE_OIDC_ISSUER: not an http or https URL'],
  ['VEDETTE_OIDC_ISSUER', 'https://sso.example.org/.well-known/openid-configuration', 'VEDETTE_OIDC_ISSUER: not an http or https URL'],
  ['VEDETTE_OIDC_CLIENT_ID', undefined, 'VEDETTE_OIDC_ISSUER wants VEDETTE_OIDC_CLIENT_ID'],
  ['VEDETTE_OIDC_CLIENT_SECRET', undefined, 'wants one of VEDETTE_OIDC_CLIENT_SECRET and VEDETTE_OIDC_CLIENT_SECRET_FILE'],
  ['VEDETTE_OIDC_CLIENT_SECRET_FILE', '/nonexistent', 'VEDETTE_OIDC_CLIENT_SECRET_FILE: ENOENT'],
  ['VEDETTE_OIDC_CLIENT_SECRET_FILE', fileURLToPath(import.meta.url), 'wants one of'],
  ['VEDETTE_OIDC_ROLES', 'soc', 'VEDETTE_OIDC_ROLES: "soc" is not group=role'],
  ['VEDETTE_OIDC_ROLES', 'soc=admin', 'VEDETTE_OIDC_ROLES: "soc=admin" is not group=role'],
  ['VEDETTE_OIDC_ROLES', '=viewer', 'VEDETTE_OIDC_ROLES: "=viewer" is not group=role'],
  ['VEDETTE_PUBLIC_URL', 'https://vedette.example.org/console', 'VEDETTE_PUBLIC_URL: not https://host[:port]'],
  ['VEDETTE_PUBLIC_URL', 'javascript:alert(1)', 'VEDETTE_PUBLIC_URL: not https://host[:port]'],
  ['VEDETTE_PUBLIC_URL', 'http://vedette.example.org', 'VEDETTE_PUBLIC_URL: http is for the loopback alone'],
  ['VEDETTE_DOCS', 'off', 'VEDETTE_OIDC_ISSUER wants the console'],
])('sign-in with %s=%s: %s', (name, value, problem) => {
  expect(() => readConfig({ ...SIGN_IN, [name]: value })).toThrow(problem);
});

it('three settings suffice where the listener is on the loopback', () => {
  const { VEDETTE_OIDC_ROLES: _roles, VEDETTE_PUBLIC_URL: _url, ...three } = SIGN_IN;
  expect(readConfig(three).signIn).toMatchObject({ roles: [['*', 'viewer']], origin: 'http://127.0.0.1:8080' });
  expect(readConfig({ ...three, VEDETTE_HOST: '::1', VEDETTE_PORT: '9090' }).signIn?.origin).toBe('http://[::1]:9090');
  for (const elsewhere of [{ VEDETTE_HOST: '192.0.2.1' }, { VEDETTE_PORT: '0' }, { VEDETTE_TLS_CERT_FILE: '/nonexistent' }])
    expect(() => readConfig({ ...three, ...elsewhere })).toThrow('VEDETTE_OIDC_ISSUER wants VEDETTE_PUBLIC_URL');
});

it.each(['http://[::1]:8080', 'http://127.0.0.1:8080', 'http://localhost:8080'])('people may reach %s without TLS', (url) => {
  expect(readConfig({ ...SIGN_IN, VEDETTE_PUBLIC_URL: url }).signIn?.origin).toBe(url);
});
