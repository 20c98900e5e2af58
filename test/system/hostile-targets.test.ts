import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { API_ERRORS, type ApiErrorCode } from '@vedette/contract';
import { operations } from '@vedette/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, TARGET, type World } from './hostile-world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.close();
});

/** Hosts that stand for addresses that are not public; every one is refused before anything is sent. */
const ADDRESSES = [
  ['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '017700000001', '127.0.0.1.', '0', '0.0.0.0'], // loopback in disguise
  ['①②⑦.⓪.⓪.①', '127。0。0。1', '0x'],
  ['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:7f00:1]'],
  ['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a9fe:a9fe]', '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:5601:5601]'],
  ['[fec0::1]', '[fd00:ec2::254]', '[fe80::1]', '[3fff::1]', '[2001:db8::1]', '[4000::1]', '[ff02::1]'],
  ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1', '240.0.0.1', '255.255.255.255', '224.0.0.1'],
  ['0.1.2.3', '10.0.0.1', '172.31.255.255', '192.168.1.1', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
].flat();
const NO_HOSTS = [
  ['a b', 'a..b', `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}com`, 'exa%00mple.test', '-oProxyCommand=x.test', '$(id).test'],
  ['a.test\r\nHELO', 'xn--', '.', '..', '1.1.1.1.1', '256.1.1.1', '1.1.1.256', '0xg.1', '*.test', '8.8.8.8 -f -s 65500', '-f'],
  ['lo\u200dcalhost', '127.0.0.1\u0000', '\ufeff127.0.0.1', '[fe80::1%25eth0]', '[fe80::1%eth0]', 'user@a.test'],
].flat();
/** Names of the DNS all the same (RFC 2181 §11): operations that ask for records take them. */
const OWNERS = ['.', '*.test', '-f'];
const SPECIAL_NAMES = [
  ['localhost', 'localhost.', 'foo.localhost', 'ＬＯＣＡＬＨＯＳＴ', 'ⓛocalhost', 'local\u00adhost', 'localhost。', 'printer.local'],
  ['metadata.google.internal', 'kubernetes.default.svc.cluster.local', '1.0.0.10.in-addr.arpa', 'router.home.arpa', 'x.onion'],
].flat();
const PROTECTED_NAMES = [
  ['WWW.EXAMPLE.GOV', 'example.ｇｏｖ', 'example.gov.', 'x.ac.uk', 'x.gouv.fr', 'x.go.jp', 'x.gob.mx', 'x.mil', 'x.k12.ca.us'],
  ['europa.eu', 'www.admin.ch', 'x.edu', 'x.edu.au'],
].flat();

interface Subject {
  name: string;
  field: string;
  form: 'host' | 'name' | 'owner' | 'address' | 'url';
  example: object;
  /** Measures the host itself, where the others only ask the DNS about it. */
  contacts: boolean;
}
const subjects = [
  ...operations.flatMap(({ name, targets = {}, examples, contactsTarget = true }): Subject[] =>
    Object.entries<Subject['form']>(targets).map(([field, form]) => ({
      name,
      field,
      form,
      example: examples[0] as object,
      contacts: contactsTarget,
    })),
  ),
  // A request may leave these out.
  { name: 'qr-scan', field: 'image_url', form: 'url', example: {}, contacts: true } as const,
  { name: 'tor-test', field: 'ip', form: 'address', example: {}, contacts: false } as const,
  { name: 'tor-test', field: 'url', form: 'url', example: {}, contacts: true } as const,
];

const ask = async ({ name, field, form, example }: Subject, host: string) => {
  const response = await world.post(name, { ...example, [field]: form === 'url' ? `http://${host}:${world.canary.port}/` : host });
  const { code } = (await response.json()) as { code: ApiErrorCode };
  return { host, status: response.status, code, cost: /cost=(\d+)$/.exec(response.headers.get('x-service-quota')!)?.[1] };
};
const refusals = (hosts: readonly string[], code: ApiErrorCode) =>
  hosts.map((host) => ({ host, status: API_ERRORS[code].status, code, cost: '0' }));
const askAll = (subject: Subject, hosts: readonly string[]) => Promise.all(hosts.map((host) => ask(subject, host)));

describe.each(subjects)('$name ($field) refuses for free', (subject) => {
  it('addresses that are not public, however they are written', async () => {
    // An address is no name, and half of one is no address, nor the owner of a reverse zone.
    const isWhole = (host: string) => host.includes(':') || isIPv4(host.replace(/\.$/, ''));
    const takes = { host: () => true, url: () => true, name: () => false, owner: isWhole, address: isIPv4 }[subject.form];
    const [taken, others] = [ADDRESSES.filter(takes), ADDRESSES.filter((host) => !takes(host))];
    expect(await askAll(subject, taken)).toEqual(refusals(taken, 'private_address'));
    expect(await askAll(subject, others)).toEqual(refusals(others, 'invalid_parameter'));
  });
  it('what is no host', async () => {
    const hosts = NO_HOSTS.filter((host) => subject.form !== 'owner' || !OWNERS.includes(host))
      // In a URL that is a user name, which browsers take.
      .filter((host) => subject.form !== 'url' || !host.includes('@'));
    expect(await askAll(subject, hosts)).toEqual(refusals(hosts, 'invalid_parameter'));
  });
  it('names that would tell a resolver what is inside', async () => {
    const code = subject.form === 'address' ? 'invalid_parameter' : 'special_use_name';
    // It takes names of Tor, and this is none of a service.
    const names = subject.name === 'tor-test' ? SPECIAL_NAMES.filter((name) => !name.endsWith('.onion')) : SPECIAL_NAMES;
    expect(await askAll(subject, names)).toEqual(refusals(names, code));
  });
});

it.each(['dns-lookup', 'dns-propagation'])('%s names nobody by an inner address, and no IPv4 address but by all of it', async (name) => {
  const subject = { name, field: 'host', form: 'owner', example: { dns_types: 'PTR' }, contacts: false } as const;
  const whole = ADDRESSES.filter((address) => address.includes(':') || isIPv4(address.replace(/\.$/, '')));
  const others = ADDRESSES.filter((address) => !whole.includes(address));
  expect(await askAll(subject, whole)).toEqual(refusals(whole, 'private_address'));
  expect(await askAll(subject, others)).toEqual(refusals(others, 'invalid_parameter'));
});

it.each(subjects.filter(({ contacts }) => contacts))('$name ($field) leaves governments and schools alone', async (subject) => {
  expect(await askAll(subject, PROTECTED_NAMES)).toEqual(refusals(PROTECTED_NAMES, 'blocked_target'));
});

describe.each(subjects.filter(({ form }) => form === 'url'))('$name refuses the URL', ({ name, field }) => {
  it.each<[url: string, code: ApiErrorCode]>([
    ['file:///proc/self/environ', 'invalid_parameter'],
    ['view-source:http://127.0.0.1', 'invalid_parameter'],
    ['gopher://127.0.0.1:25/_x', 'invalid_parameter'],
    ['javascript:alert(1)', 'invalid_parameter'],
    ['ws://a.test/', 'invalid_parameter'],
    ['http:\\\\127.0.0.1\\', 'invalid_parameter'],
    ['ht\ntp://127.0.0.1/', 'invalid_parameter'],
    ['http://user:pw@10.0.0.1/', 'private_address'],
    ['http://@10.0.0.1/', 'private_address'],
    ['http://1.1.1.1 &@2.2.2.2# @127.0.0.1/', 'invalid_parameter'],
    ['http://a.test\\@127.0.0.1/', 'invalid_parameter'],
    ['http://127.0.0.1\\@a.test/', 'invalid_parameter'],
    ['http://a.test:0/', 'invalid_parameter'],
    ['http://a.test:65536/', 'invalid_parameter'],
    ['http://a.test:22/', 'invalid_parameter'],
    ['http://%31%32%37.0.0.1/', 'private_address'],
    ['HTTP://127.1', 'private_address'],
    [' http://127.1/ ', 'private_address'],
    [`http://a.test/${'a'.repeat(9000)}`, 'invalid_parameter'],
  ])('%j: %s', async (url, code) => {
    const response = await world.post(name, { [field]: url });
    expect([response.status, await response.json()]).toMatchObject([API_ERRORS[code].status, { code }]);
  });
});

/** First label in the hostile zone, and what the agents make of it. */
const LIES: [name: string, reason: string | undefined][] = [
  ['private', 'blocked_private_address'],
  ['metadata', 'blocked_private_address'],
  ['loopback', 'blocked_private_address'],
  ['mixed', 'blocked_private_address'], // all addresses must pass, not the one that is picked
  ['tolocalhost', 'blocked_policy'], // inner names: not even what they hold is shown
  ['tometadata', 'blocked_policy'],
  ['tonothing', 'blocked_policy'], // nor whether they are there at all
  ['crowd', 'blocked_private_address'],
  ['loop', 'dns_no_address'],
  ['nosuch', 'dns_nxdomain'],
  ['dual', undefined], // its IPv4 address may be measured, its IPv6 address is never used
];
interface Entry {
  reason?: string;
  error?: string;
  request_output: { status_code: number; remote_addr: string };
  ping_output: { ip_address: string; packets_sent: number };
}
/** What each of the three locations says. */
const locationsOf = <T>(entry: () => T): T[] => Array.from({ length: 3 }, entry);
const entriesOf = async (operation: string, body: object): Promise<Entry[]> =>
  ((await (await world.post(operation, body)).json()) as { locations: Entry[] }).locations;
/** Code, and what was charged. */
const refusalOf = async (operation: string, body: object) => {
  const response = await world.post(operation, body);
  const { code, param } = (await response.json()) as { code?: string; param?: string };
  return [response.status, code, param, /cost=(\d+)$/.exec(response.headers.get('x-service-quota')!)?.[1]];
};
const INNER = [400, 'private_address', 'url', '0'];

describe('names that resolve to what must not be contacted', () => {
  it.each(LIES.filter(([, reason]) => reason !== 'blocked_private_address'))('geo-request of %s', async (name, reason) => {
    const url = `http://${name}.hostile-lab.com:${world.site.port}/`;
    const entries = await entriesOf('geo-request', { url });
    expect(entries.map((entry) => [entry.reason, entry.request_output.remote_addr])).toEqual(
      locationsOf(() => [reason, reason === undefined ? TARGET : '']),
    );
  });
  it.each([...LIES.slice(0, -1), ['nat64', 'blocked_private_address']])('ping-test of %s sends nothing', async (name, reason) => {
    const entries = await entriesOf('ping-test', { host: `${name}.hostile-lab.com` });
    expect(entries.map((entry) => [entry.reason, entry.ping_output.packets_sent])).toEqual(locationsOf(() => [reason, 0]));
  });
  it.each(LIES.filter(([, reason]) => reason === 'blocked_private_address'))('geo-request of %s is refused, and free', async (name) => {
    expect(await refusalOf('geo-request', { url: `http://${name}.hostile-lab.com:${world.site.port}/` })).toEqual(INNER);
  });
  it('ping-test of an inner name is a report, and free', async () => {
    const host = 'private.hostile-lab.com';
    expect(await refusalOf('ping-test', { host })).toEqual([200, undefined, undefined, '0']);
    expect(await refusalOf('site-trust', { host })).toEqual([200, undefined, undefined, '0']);
  });
  it.each(['tolocalhost', 'tometadata', 'tonothing'])('no operation shows what is behind %s', async (name) => {
    // Three of them did: the address in ping_output, in the error of geo-request, in the records of dns-propagation.
    const host = `${name}.hostile-lab.com`;
    const answers = await Promise.all(
      Object.entries({
        'ping-test': { host },
        'geo-request': { url: `http://${host}:${world.site.port}/` },
        'dns-propagation': { host, dns_types: 'A' },
        'dns-lookup': { host, dns_types: 'A' },
      }).map(async ([operation, body]) => (await world.post(operation, body)).text()),
    );
    for (const text of answers) expect(text).not.toMatch(/127\.0\.0\.1["\\ ]|169\.254|google\.internal|corp\.internal/);
    for (const text of answers.slice(0, 3)) expect(text).toContain(`${host} is an alias of an inner name`);
    expect(answers[3]).toContain('"statuses":{"a":"failed"}');
  });
  it('what a public zone says of private addresses may be read in it, and is in no error', async () => {
    const [entry] = await entriesOf('ping-test', { host: 'private.hostile-lab.com' });
    expect(entry).toMatchObject({
      error: 'The address is not a public one: private.hostile-lab.com',
      ping_output: { ip_address: '10.0.0.1', is_private_ip: true, packets_sent: 0 },
    });
    const requested = await world.post('geo-request', { url: 'http://private.hostile-lab.com/' });
    expect(await requested.json()).toMatchObject({ error: 'The target is not a public address: private.hostile-lab.com' });
    const told = await (await world.post('dns-propagation', { host: 'private.hostile-lab.com', dns_types: 'A' })).text();
    expect(told).toContain('10.0.0.1');
  });
  it('an answer that alternates is judged each time: what is dialled is what was judged', async () => {
    for (let round = 0; round < 4; round++)
      // Undefined where it led inwards at each location.
      for (const entry of (await entriesOf('geo-request', { url: `http://rebind.hostile-lab.com:${world.site.port}/` })) ?? [])
        expect([entry.reason, entry.request_output.remote_addr]).toEqual(
          entry.reason === undefined ? [undefined, TARGET] : ['blocked_private_address', ''],
        );
  });
  it('a redirect inside is told, not followed', async () => {
    const entries = await entriesOf('geo-request', { url: `${world.site.url}/redirects` });
    expect(entries.map(({ request_output }) => request_output.status_code)).toEqual([302, 302, 302]);
  });
  it('records with controls and markup stay text', async () => {
    const { records } = (await (await world.post('dns-lookup', { host: 'txt.hostile-lab.com', dns_types: 'TXT' })).json()) as any;
    expect(records.txt).toHaveLength(1);
  });
});

it('a network on the deny-list is left alone by every agent, whatever name leads there', async () => {
  const token = readFileSync(join(world.vedette.dataDir, 'admin-token'), 'utf8').trim();
  const admin = (method: string, path: string, body: object | undefined) =>
    fetch(`http://127.0.0.1:${world.vedette.opsPort}/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reasons = async () => (await entriesOf('ping-test', { host: 'good.hostile-lab.com' })).map(({ reason }) => reason);
  const told = { timeout: 20_000, interval: 500 };
  // In the mapped form, which matched nothing before.
  await admin('POST', 'deny', { target: `::ffff:${TARGET}/128`, reason: 'asked to be left alone' });
  await expect.poll(reasons, told).toEqual(locationsOf(() => 'blocked_private_address'));
  const { requests } = world.site;
  expect(await refusalOf('geo-request', { url: `http://good.hostile-lab.com:${world.site.port}/` })).toEqual(INNER);
  expect(world.site.requests).toBe(requests);
  await admin('DELETE', `deny/${encodeURIComponent(`${TARGET}/32`)}`, undefined);
  await expect.poll(reasons, told).toEqual(locationsOf(() => undefined));
});

it('a name whose server is silent does not hold up the others', async () => {
  const silent = world.post('dns-lookup', { host: 'silent.hostile-lab.com', dns_types: 'A' });
  const others = Array.from({ length: 20 }, () => world.post('dns-lookup', { host: 'good.hostile-lab.com', dns_types: 'A' }));
  const first = await Promise.race([silent.then(() => 'silent'), Promise.all(others).then(() => 'others')]);
  expect(first).toBe('others');
  expect(((await (await silent).json()) as any).statuses).toEqual({ a: 'timeout' });
});

it('nothing ever reached the canary', () => {
  expect(world.canary.reached).toBe(0);
});
