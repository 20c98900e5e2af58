import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJoinToken, type FleetPlan, fleetToken, NEW_FLEET, readFleet, writeFleet } from '@vedette/bus';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const now = new Date();
const plan: FleetPlan = {
  ...NEW_FLEET,
  hubs: ['nats-1.example.org', '192.0.2.2', '2001:db8::3'],
  regions: { eu: { host: 'nats-eu.example.org' } },
  locations: { 'eu-fra': { region: 'eu' }, 'us-ash': {} },
};
const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
const certificateOf = (server: string) => new X509Certificate(read(server, 'cert.pem'));

it('writes a folder for each server that nats-server takes, with certificates of one authority and secrets that only we can read', () => {
  const { servers } = writeFleet(folder, plan, { now });
  expect(servers.map(({ name }) => name)).toEqual(['hub-1', 'hub-2', 'hub-3', 'leaf-eu']);
  const root = new X509Certificate(read('ca.pem'));
  for (const { name } of servers) {
    execFileSync('nats-server', ['-t', '-c', 'nats-server.conf'], { cwd: join(folder, name), stdio: 'pipe' });
    expect(certificateOf(name).verify(root.publicKey)).toBe(true);
    expect(statSync(join(folder, name, 'key.pem')).mode & 0o777).toBe(0o600);
    expect(read(name, 'nats-server.conf')).not.toMatch(/\bSU[A-Z2-7]{56}\b|password/);
    expect(read(name, 'nats-server.conf')).not.toMatch(/^http/m); // it would name connections and subjects to every local user
  }
  expect(certificateOf('hub-1').checkHost('nats-1.example.org')).toBeDefined();
  expect(certificateOf('hub-2').checkIP('192.0.2.2')).toBeDefined();
  expect(certificateOf('leaf-eu').subjectAltName).toMatch(/^DNS:nats-eu\.example\.org, DNS:[0-9a-f]{32}\.leaf\.vedette\.internal$/);
  expect(statSync(join(folder, 'ca.key')).mode & 0o777).toBe(0o600);
});

it('gives tokens: agents behind a leaf node connect to it, others to the hubs', () => {
  writeFleet(folder, plan, { now });
  expect(decodeJoinToken(fleetToken(folder, 'eu-fra'))).toMatchObject({ urls: ['tls://nats-eu.example.org:4222'], location: 'eu-fra' });
  expect(decodeJoinToken(fleetToken(folder, 'us-ash')).urls).toEqual([
    'tls://nats-1.example.org:4222',
    'tls://192.0.2.2:4222',
    'tls://[2001:db8::3]:4222',
  ]);
  expect(() => fleetToken(folder, 'sg-sin')).toThrow('no location sg-sin');
  expect(() => fleetToken(folder, 'constructor')).toThrow('no location constructor');
});

it('changes nothing when it runs again, and renews certificates of the same key when they are old', () => {
  writeFleet(folder, plan, { now });
  const [key, serial] = [read('hub-1', 'key.pem'), certificateOf('hub-1').serialNumber];
  expect(writeFleet(folder, readFleet(folder)!, { now }).servers.map(({ changes }) => changes)).toEqual([[], [], [], []]);
  expect(certificateOf('hub-1').serialNumber).toBe(serial);
  writeFleet(folder, plan, { now: new Date(now.getTime() + 600 * 86_400_000) });
  expect(certificateOf('hub-1').serialNumber).not.toBe(serial);
  expect(read('hub-1', 'key.pem')).toBe(key);
});

it('takes the key of a removed location away, and another leaf key is another name to the hubs', () => {
  writeFleet(folder, plan, { now });
  const before = fleetToken(folder, 'us-ash');
  const identity = () => /user: "([^"]+)"/.exec(read('hub-1', 'nats-server.conf'))![1];
  const was = identity();
  writeFleet(folder, { ...plan, locations: { 'eu-fra': { region: 'eu' } } }, { now });
  expect(existsSync(join(folder, 'keys', 'agent-us-ash.nkey'))).toBe(false);
  rmSync(join(folder, 'leaf-eu'), { recursive: true });
  writeFleet(folder, plan, { now });
  expect(fleetToken(folder, 'us-ash')).not.toBe(before);
  expect(identity()).not.toBe(was);
});

it('signs with an authority that is given, whose key it must be', () => {
  const other = mkdtempSync(join(tmpdir(), 'authority-'));
  writeFleet(other, plan, { now });
  const authority = { certFile: join(other, 'ca.pem'), keyFile: join(other, 'ca.key') };
  writeFleet(folder, plan, { now, authority });
  expect(certificateOf('hub-1').verify(new X509Certificate(readFileSync(authority.certFile)).publicKey)).toBe(true);
  expect(() => writeFleet(folder, plan, { now, authority: { ...authority, keyFile: join(other, 'hub-1', 'key.pem') } })).toThrow(
    'is not the key of',
  );
  rmSync(other, { recursive: true });
});

it.each([
  [{ hubs: [] }, '1 to 16 hubs'],
  [{ hubs: ['a b'] }, 'not a host name'],
  [{ hubs: ['a"}.test'] }, 'not a host name'],
  [{ hubs: ['a.test', 'a.test'] }, 'cannot have one host'],
  [{ locations: { 'eu.fra': {} } }, 'ids of letters'],
  [{ locations: { '../../stray': {} } }, 'ids of letters'],
  [{ regions: { '../stray': { host: 'leaf.test' } } }, 'ids of letters'],
  [{ gateways: 1_001 }, '1,000 gateways'],
  [{ ports: { client: 4222, cluster: 4222, leaf: 7422 } }, 'three ports'],
  [{ locations: { 'eu-fra': { region: 'asia' } } }, 'nothing is known of region asia'],
  [{ listen: '127.0.0.1' }, 'neither other hubs nor leaf nodes'],
])('refuses %j', (change, why) => {
  expect(() => writeFleet(folder, { ...plan, ...change }, { now })).toThrow(why);
  expect(readdirSync(folder)).toEqual([]);
});

/** What `npm start` makes: one server, on one port. */
const first: FleetPlan = {
  ...NEW_FLEET,
  hubs: ['203.0.113.1'],
  listen: '127.0.0.1',
  pretended: ['us-ash', 'sg-sin'],
  locations: { 'us-ash': {} },
};

it('has a server with one port and no other, which is itself to its own machine; who pretends has a key beside that of the real location', () => {
  const { keys } = writeFleet(folder, first, { now });
  execFileSync('nats-server', ['-t', '-c', 'nats-server.conf'], { cwd: join(folder, 'hub-1'), stdio: 'pipe' });
  expect(read('hub-1', 'nats-server.conf')).toMatch(/^port: 4222\nhost: "127\.0\.0\.1"$/m);
  expect(read('hub-1', 'nats-server.conf')).not.toMatch(/cluster|leafnodes/);
  expect(certificateOf('hub-1').subjectAltName).toBe('IP Address:203.0.113.1, DNS:localhost, IP Address:127.0.0.1');
  expect(readFileSync(keys.agents.get('us-ash')!, 'utf8')).not.toBe(readFileSync(keys.pretended.get('us-ash')!, 'utf8'));
  // Pretended places are known by their beats alone: once they have left, a gateway must not remember them.
  expect(read('keys', 'gateway-1.nkey')).toContain('# locations: us-ash\n');
  writeFleet(folder, { ...first, pretended: [] }, { now });
  expect(readdirSync(join(folder, 'keys')).filter((name) => name.startsWith('pretended'))).toEqual([]);
});

it('may have its one port where other fleets have theirs between hubs', () => {
  writeFleet(folder, { ...first, ports: { ...first.ports, client: first.ports.cluster } }, { now });
  expect(read('hub-1', 'nats-server.conf')).toMatch(/^port: 6222\n/m);
});

it('grows to hubs and leaf nodes with the keys that it has: a token that was given is still right', () => {
  writeFleet(folder, first, { now });
  const token = fleetToken(folder, 'us-ash');
  const { listen: _closed, ...grown } = readFleet(folder)!;
  writeFleet(folder, { ...grown, hubs: ['203.0.113.1', '203.0.113.2', '203.0.113.3'], regions: plan.regions }, { now });
  const { urls, ...joined } = decodeJoinToken(fleetToken(folder, 'us-ash'));
  const { urls: before, ...was } = decodeJoinToken(token);
  expect(joined).toEqual(was);
  expect(urls).toContain(before[0]);
  for (const name of ['hub-1', 'hub-2', 'hub-3', 'leaf-eu'])
    execFileSync('nats-server', ['-t', '-c', 'nats-server.conf'], { cwd: join(folder, name), stdio: 'pipe' });
  expect(read('hub-1', 'nats-server.conf')).toMatch(/^cluster: /m);
});
