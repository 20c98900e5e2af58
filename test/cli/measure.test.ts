import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { catalogue } from '@vedette/client/catalogue';
import { openDesk } from '@vedette/cli/desk';
import { chosenProfile, Profiles } from '@vedette/cli/profiles';
import { createProgram } from '@vedette/cli/program';
import { expect, it } from 'vitest';
import { OWN_ENV } from '../own-env.ts';
import { read, ROOT } from '../repo/pages.ts';
import { type Answer, folder, json, vedette } from './vedette.ts';

const entry = (location: string, more: object = {}) => ({
  location,
  ping_output: { ip_address: '192.0.2.1', packets_sent: 4, percent_packet_loss: 0, rtt: { min: 1, avg: 2.5, max: 4 } },
  ...more,
});
const stream = (...entries: object[]): Response => {
  const events = [...entries.map((data) => ['location', data] as const), ['report', { host: '192.0.2.1', locations: entries }] as const];
  const text = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
};

it('prints a line for each location in a pipe, and says whose fault a failure is', async () => {
  const failures = [entry('us-ash', { reason: 'icmp_timeout', error: 'x' }), entry('sg-sin', { reason: 'agent_lost', error: 'x' })];
  const { out, code, asked } = await vedette(['ping', 'a.test', '--from', 'eu-fra,continent:AS', '--count', '2'], () =>
    stream(entry('eu-fra'), ...failures),
  );
  expect(out.split('\n')).toEqual([
    'eu-fra  192.0.2.1  4  0  1  2.5  4  ok',
    'us-ash  -  -  -  -  -  -  target: icmp_timeout',
    'sg-sin  -  -  -  -  -  -  ours: agent_lost',
    '3 locations, 2 failed',
    '',
  ]);
  expect(code).toBe(0);
  expect(asked).toEqual([
    {
      url: 'https://api.example.org/v2/ping-test',
      key: 'vdt_test',
      body: { host: 'a.test', options: { count: 2 }, locations: ['eu-fra', 'continent:AS'] },
    },
  ]);
});

const events = (...told: (readonly [event: string, data: object])[]): Response => {
  const text = told.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
};
const chosen = (...locations: string[]) => ['locations', { locations: locations.map((location) => ({ location })) }] as const;

it('names the locations that never answered, with the reason', async () => {
  const { out, code } = await vedette(['ping', 'a.test', '--from', 'continent:AS'], () =>
    events(chosen('sg-sin', 'jp-tyo'), ['location', entry('jp-tyo')], ['error', { error: 'x', code: 'bus_unavailable' }]),
  );
  expect(out.split('\n')).toEqual([
    'jp-tyo  192.0.2.1  4  0  1  2.5  4  ok',
    'sg-sin  -  -  -  -  -  -  not answered: bus_unavailable',
    '',
  ]);
  expect(code).toBe(5);
});

it('prints what a report says beside its entries, and all of it where no location was chosen', async () => {
  const shown = {
    location: 'eu-fra',
    ip: '192.0.2.1',
    certificate_found: true,
    fingerprint_sha256: 'ab'.repeat(32),
    issuer: 'CN=root',
    days_left: 9,
  };
  const report = { host: 'a.test', differences: { state: 'same' }, locations: [{ ...shown, valid_ssl: false }] };
  const { out } = await vedette(['cert', 'a.test', '--from', 'eu-fra'], () =>
    events(chosen('eu-fra'), ['location', { ...shown, valid_ssl: false }], ['report', report]),
  );
  expect(out.split('\n')).toEqual([
    'eu-fra  192.0.2.1  abababababababab  CN=root  9  -  invalid',
    '1 location, none failed, 1 with a warning',
    'host  a.test',
    'differences:',
    '  state  same',
    '',
  ]);
  const alone = await vedette(['cert', 'a.test'], () => events(chosen(), ['report', { host: 'a.test', valid_ssl: true }]));
  expect(alone.out).toBe('host       a.test\nvalid_ssl  yes\n');
});

it('passes over events that it does not know', async () => {
  const { out, code } = await vedette(['ping', 'a.test'], () =>
    events(
      ['planned', { locations: 3 }],
      chosen('eu-fra'),
      ['progress', entry('jp-tyo')],
      ['location', entry('eu-fra')],
      ['report', { locations: [entry('eu-fra')] }],
    ),
  );
  expect([out, code]).toEqual(['eu-fra  192.0.2.1  4  0  1  2.5  4  ok\n1 location, none failed\n', 0]);
});

it('fills its lines from the report if that comes without events', async () => {
  const text = `event: report\ndata: ${JSON.stringify({ locations: [entry('eu-fra')] })}\n\n`;
  const { out } = await vedette(['ping', 'a.test'], () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
  expect(out).toBe('eu-fra  192.0.2.1  4  0  1  2.5  4  ok\n1 location, none failed\n');
});

it.each([
  ['mtu', ['a.test'], { mtu_output: { ipv4: { state: 'black_hole' } } }, 'black hole'],
  ['trace', ['a.test'], { trace_output: { reached: false } }, 'not reached'],
  ['tcp', ['a.test', '22'], { tcp_output: { expect_matched: false } }, 'other answer'],
  ['http', ['https://a.test'], { request_output: { status_code: 503 } }, 'status 503'],
  ['http', ['https://a.test'], { request_output: { status_code: 200, error_message: 'expired' } }, 'with errors'],
])('%s %o warns of %o', async (name, args, output, state) => {
  const { out } = await vedette([name, ...args], () => stream({ location: 'eu-fra', ...output }));
  expect(out).toContain(`  ${state}\n1 location, none failed, 1 with a warning\n`);
});

it('reads a secret from a file', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, 'geheim\n');
  const { asked } = await vedette(['screenshot', 'https://a.test', '--json', '--authorization-bearer', `@${file}`]);
  expect(JSON.stringify(asked[0]!.body)).toContain('"geheim"');
});

it('has a command for each operation, with flags that differ and an argument for each thing that is required', async () => {
  const program = await createProgram([], { operator: () => Promise.reject(new Error('unused')), desk: openDesk() });
  for (const { name, request } of catalogue) {
    const command = program.commands.find((one) => one.name() === name || one.aliases().includes(name))!;
    const flags = command.options.map(({ long }) => long);
    expect([name, new Set(flags).size]).toEqual([name, flags.length]);
    expect([name, command.registeredArguments.length]).toEqual([name, request.required?.length ?? 0]);
  }
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  expect(new Set(names).size).toBe(names.length);
});

/** The command line of an operation's example. */
function lineOf({ name, example, request }: (typeof catalogue)[number]): string[] {
  const words: string[] = [name];
  const flat = Object.entries(example).flatMap(([key, value]) => (key === 'options' ? Object.entries(value as object) : [[key, value]]));
  for (const [key, value] of flat as [string, unknown][]) {
    const flag = `--${key === 'locations' ? 'from' : key.replace(/_base64$/, '').replaceAll('_', '-')}`;
    let text = Array.isArray(value) ? value.join(',') : String(value);
    if (key.endsWith('_base64')) writeFileSync((text = join(folder, key)), Buffer.from(value as string, 'base64'));
    if (request.required?.includes(key)) words.push(text);
    else if (typeof value === 'boolean') words.push(value ? flag : flag.replace('--', '--no-'));
    else words.push(flag, text);
  }
  return [...words, '--json'];
}

it.each(catalogue.filter(({ example }) => Object.keys(example).length > 0).map((operation) => [operation.name, operation] as const))(
  '%s sends its own example from a command line',
  async (_, operation) => {
    const { asked, told } = await vedette(lineOf(operation));
    expect([told, asked[0]?.body]).toEqual(['', operation.example]);
  },
);

it('prints JSON alone on stdout, and errors as JSON on stderr', async () => {
  const report = { host: 'a.test', answers: ['\u009b31m', 'a\u202eb'] };
  const { out } = await vedette(['spf', 'a.test', '--json'], () => json(report));
  expect(JSON.parse(out)).toEqual(report);
  expect(out).toContain(String.raw`\u009b31m`);
  expect(out).toContain(String.raw`a\u202eb`);
  const refused = await vedette(['spf', 'a.test', '--json'], () =>
    json({ error: 'Not enough credits', code: 'insufficient_credits' }, 402),
  );
  expect([refused.out, refused.code]).toEqual(['', 4]);
  expect(JSON.parse(refused.told)).toMatchObject({
    error: 'Not enough credits',
    code: 'insufficient_credits',
    hint: expect.stringContaining('vedette account'),
  });
});

it.each([
  ['a target that failed is an answer', ['ping', 'a.test'], () => stream(entry('eu-fra', { reason: 'icmp_timeout' })), 0],
  ['a condition is true', ['asn', 'AS1', '--fail-if', 'elapsed_ms > 1'], () => json({ elapsed_ms: 2 }), 1],
  ['a condition is false', ['asn', 'AS1', '--fail-if', 'elapsed_ms > 1'], () => json({ elapsed_ms: 1 }), 0],
  ['a condition is no condition', ['asn', 'AS1', '--fail-if', 'elapsed_ms >'], () => json({}), 2],
  ['a condition is a number', ['asn', 'AS1', '--fail-if', 'elapsed_ms + 1'], () => json({ elapsed_ms: 1 }), 2],
  ['an argument is missing', ['asn'], () => json({}), 2],
  ['a flag does not exist', ['asn', 'AS1', '--asn'], () => json({}), 2],
  ['a number is none', ['ping', 'a.test', '--count', 'many'], () => json({}), 2],
  ['a choice is none', ['cert', 'a.test', '--starttls', 'telnet'], () => json({}), 2],
  ['the API refuses', ['asn', 'AS1'], () => json({ error: 'x', code: 'private_address' }, 400), 3],
  ['the key is unknown', ['asn', 'AS1'], () => json({ error: 'x', code: 'key_unknown' }, 401), 3],
  ['credits are used up', ['asn', 'AS1'], () => json({ error: 'x', code: 'insufficient_credits' }, 402), 4],
  ['requests are too many', ['asn', 'AS1'], () => json({ error: 'x', code: 'rate_limited' }, 429), 4],
  ['a newer gateway refuses', ['asn', 'AS1'], () => json({ error: 'x', code: 'constructor' }, 400), 3],
  ['a newer gateway failed', ['asn', 'AS1'], () => json({ error: 'x', code: 'new_trouble' }, 500), 5],
  [
    'a condition calculates',
    ['asn', 'AS1', '--fail-if', 'elapsed_ms * 2 + 1 > 5 && 10 / elapsed_ms < 4.5'],
    () => json({ elapsed_ms: 3 }),
    1,
  ],
  ['the gateway failed', ['asn', 'AS1'], () => json({ error: 'x', code: 'internal' }, 500), 5],
  ['another server answers', ['asn', 'AS1'], () => new Response('<p>Hello', { headers: { 'content-type': 'text/html' } }), 5],
])('exits as documented where %s', async (_case, words, answer, code) => {
  expect((await vedette(words, answer)).code).toBe(code);
});

it('reads conditions over lists of a report', async () => {
  const lossy = { ...entry('us-ash'), ping_output: { percent_packet_loss: 50 } };
  const words = ['ping', 'a.test', '--fail-if', 'locations.exists(l, l.ping_output.percent_packet_loss > 10)'];
  expect((await vedette(words, () => stream(entry('eu-fra'), lossy))).code).toBe(1);
  expect((await vedette(words, () => stream(entry('eu-fra')))).code).toBe(0);
});

const CONDITIONS = [...read('docs/command-line.md').matchAll(/^vedette (\S+) \S+ --fail-if '(.+)'$/gm)].map(
  ([, name, condition]) => [name!, condition!] as const,
);
const OPERATION: Readonly<Record<string, string>> = { ping: 'ping-test', spf: 'spf-validator', cert: 'ssl-info' };
it.each(CONDITIONS)('%s --fail-if %s of the docs reads the report of its operation', async (name, condition) => {
  const { report } = JSON.parse(read(`packages/operations/src/${OPERATION[name]!}/example.json`)) as { report: object };
  const guard = async (answer: object) => (await vedette([name, 'a.test', '--json', '--fail-if', condition], () => json(answer))).code;
  const bad = {
    ping: { locations: [entry('eu-fra', { reason: 'icmp_timeout' })] },
    spf: { issues_found: [1] },
    cert: { valid_ssl: false },
  };
  expect([0, 1]).toContain(await guard(report));
  expect(await guard({ ...report, ...bad[name as 'ping'] })).toBe(1);
});

it.each([
  [
    'ping',
    'locations.exists(l, l.ping_output.percent_packet_los > 1)',
    'ping-test has no field percent_packet_los: did you mean percent_packet_loss?',
  ],
  ['ping', 'locatons.size() > 0', 'has no field locatons: did you mean locations?'],
  ['ping', 'constructor == 1', 'has no field constructor'],
  ['ping', 'rtt > 3', 'has no field rtt there: did you mean locations[0].ping_output.rtt?'],
  ['spf', 'locations.size() > 0', 'spf-validator has no field locations'],
  ['spf', 'issues_found', 'neither true nor false: list'],
  ['spf', 'size(issues_found) >', 'vedette: --fail-if: Unexpected token: EOF\n'],
  ['site-trust', 'trust_score < 50', ': trust_score < 50 compares an object with a number\n'],
  ['site-trust', 'trust_score == 50', ': trust_score == 50 compares an object with a number\n'],
  ['ip', 'verdict > 3', ': verdict > 3 compares a string with a number\n'],
  ['ip', 'verdict == 3', ': verdict == 3 compares a string with a number\n'],
  ['ip', 'elapsed_ms == 4 || "high" < risk_score.result', ': "high" < risk_score.result compares a string with a number\n'],
  ['ip', 'verdict + 1 == "a"', ': verdict + 1 adds a number to a string\n'],
  ['ip', 'verdict - 1 > 0', ': verdict - 1 calculates with a string and a number\n'],
  ['ip', '3 in unknown', ': 3 in unknown looks for a number in a list\n'],
  ['ip', '!verdict', ': !verdict negates a string\n'],
  ['ip', '-risk_score > 3', ': -risk_score negates an object\n'],
  ['ip', 'verdict.exists(v, v == "a")', ': a string has no items, as verdict needs them\n'],
  ['ip', 'has(report.verdit)', 'has no field verdit: did you mean verdict?\n'],
  ['ip', 'has(verdict)', ': has() asks for a field of an object, such as has(report.locations)\n'],
  ['ping', 'locations.exists(l, has(l.reson) || l.reason != "")', 'has no field reson: did you mean reason?\n'],
  ['asn', 'type == "isp"', ': type is a word of CEL, and report.type the field\n'],
  ['ip', 'verdict', 'neither true nor false: string\n'],
  ['ip', 'verdict.clean', ': a string has no field clean\n'],
  ['ip', 'verdict.startsWith(3)', ': verdict.startsWith(3) calls a function that does not exist for these values\n'],
  ['cert', 'valid_ssl && host', ': valid_ssl && host needs true or false, and has a string\n'],
  ['cert', 'locations.exists(l, l.days_left < "14")', ': l.days_left < "14" compares a number with a string\n'],
  ['cert', 'locations.location == "eu-fra"', ': a list has no field location: use exists(), all() or [0]\n'],
])('%s --fail-if %s is refused before it is paid for', async (name, condition, told) => {
  const refused = await vedette([name, 'a.test', '--fail-if', condition]);
  expect([refused.code, refused.asked]).toEqual([2, []]);
  expect(refused.told).toContain(told);
});

it.each([
  '"a" in records',
  'records.a != null && records != null',
  '(records.a + records.mx).size() == 1',
  '[records.a, records.mx].exists(list, list.size() == 1)',
  '(host == "a.test" ? records.a : records.mx).size() == 1',
  'records.size() == 2',
])('dns-lookup --fail-if %s takes the report for maps and lists', async (condition) => {
  const report = { host: 'a.test', records: { a: [{ target: '192.0.2.1', ttl: 60 }], mx: [] } };
  const { code, told } = await vedette(['dns-lookup', 'a.test', '--fail-if', condition], () => json(report));
  expect([code, told]).toEqual([1, '--fail-if is true\n']);
});

/** The paths of all values of a report. */
const pathsIn = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([field, inner]) =>
        pathsIn(inner, Array.isArray(value) ? `${path}[${field}]` : /^\d/.test(field) ? `${path}["${field}"]` : `${path}.${field}`),
      )
    : [path];

it.each(catalogue.map((operation) => [operation.name, operation] as const))(
  'a condition on %s may name every field',
  async (name, operation) => {
    const { report } = JSON.parse(read(`packages/operations/src/${name}/example.json`)) as { report: object };
    const named = pathsIn(report, 'report').filter((path) => /^[\w.[\]"]+$/.test(path));
    expect(named.length).toBeGreaterThan(1);
    const condition = named.map((path) => `dyn(${path}) == dyn(${path})`).join(' && ');
    const { code, told } = await vedette([...lineOf(operation), '--fail-if', condition], () => json(report));
    expect([code, told]).toEqual([1, '--fail-if is true\n']);
  },
);

/** A value of JSON as a condition compares it. */
const compared = (value: unknown, path: string): string => (typeof value === 'object' ? '' : `${path} == ${JSON.stringify(value)}`);
const valuesIn = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([field, inner]) =>
        valuesIn(inner, Array.isArray(value) ? `${path}[${field}]` : /^\d/.test(field) ? `${path}["${field}"]` : `${path}.${field}`),
      )
    : [compared(value, path)];

it.each(catalogue.map((operation) => [operation.name, operation] as const))(
  'a condition on %s may compare every field with its value',
  async (name, operation) => {
    const { report } = JSON.parse(read(`packages/operations/src/${name}/example.json`)) as { report: object };
    const all = valuesIn(report, 'report').filter((one) => /^[\w.[\]"]+ == .{1,200}$/.test(one));
    expect(all.length).toBeGreaterThan(1);
    const { code, told } = await vedette([...lineOf(operation), '--fail-if', all.join(' && ')], () => json(report));
    expect([code, told]).toEqual([1, '--fail-if is true\n']);
  },
);

it.each([
  'elapsed_ms * 2 + 1 == 7 && -elapsed_ms < 0',
  'verdict == null || verdict != null',
  'elapsed_ms in [1, 2, 3]',
  '[verdict, elapsed_ms].size() == 2',
  '(verdict == "clean" ? verdict : elapsed_ms) == 3',
  'verdict > "A" && verdict.contains("l") && size(verdict) > 2',
  'dyn(verdict) == 3 || elapsed_ms > 2',
  'size(unknown) == 1.0 && size(unknown) != 1.5',
  'elapsed_ms % 2 == 1 && verdict in [null, "low"] && elapsed_ms in [1.5, 3]',
  'has(report.verdict) && [report].exists(r, has(r.unknown)) && verdict != "has(x)"',
  '"new_field" in dyn(report) || !has(report.risk_score)',
  'unknown == [] || "a" in unknown',
])('ip-reputation --fail-if %s compares what can be compared', async (condition) => {
  const report = { verdict: 'low', elapsed_ms: 3, unknown: ['a'] };
  const { code } = await vedette(['ip', '192.0.2.1', '--fail-if', condition], () => json(report));
  expect(code).toBe(1);
});

it('asks again and again until a condition is true', async () => {
  let round = 0;
  const { code, asked } = await vedette(['asn', 'AS1', '--watch', '1', '--fail-if', 'elapsed_ms == 3'], () =>
    json({ elapsed_ms: ++round }),
  );
  expect([code, asked.length]).toEqual([1, 3]);
});

it.each([
  ['unknown_location', 'locations[0]', 'vedette places lists the locations.'],
  ['invalid_parameter', 'options.count', 'vedette ping --help explains --count.'],
  ['invalid_parameter', 'host', 'vedette ping --help explains host.'],
  ['method_not_allowed', undefined, 'Is this the address of the API, or that of the operators? vedette login <url> names another one.'],
])('says what to do about %s of %s, in the words of the command line', async (code, param, hint) => {
  const { told } = await vedette(['ping', 'a.test'], () => json({ error: 'x', code, param }, 400));
  expect(told).toBe(`vedette: x\n${hint}\n`);
});

it.each(['nonsense', '127.0.0.1:8080', 'ftp://a.test'])('asks nothing of %s, which is not an address of a gateway', async (url) => {
  const profiles = new Profiles(join(folder, 'address.json'));
  await expect(vedette(['login', url], undefined, { profiles })).rejects.toThrow(`${url} is not the address of a gateway`);
  const choose = () =>
    chosenProfile({ named: undefined, env: { VEDETTE_URL: url, VEDETTE_API_KEY: 'x' }, profiles, localKey: () => undefined });
  expect(choose).toThrow(`${url} is not the address of a gateway`);
});

it('says that standard output cannot be written', async () => {
  const help = promisify(execFile)('sh', ['-c', 'exec "$0" packages/cli/src/main.ts places --help >/dev/full', process.execPath], {
    cwd: ROOT,
  });
  await expect(help).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('standard output cannot be written: ENOSPC') });
});

it('says what to do about an error', async () => {
  const { told } = await vedette(['ping', 'a.test', '--from', 'mars'], () =>
    json({ error: 'No location matches', code: 'unknown_location' }, 400),
  );
  expect(told).toBe('vedette: No location matches\nvedette places lists the locations.\n');
});

it('prints a report with its tables, and nothing of a stranger that steers a terminal', async () => {
  const hostile = '\u001b]0;title\u0007\u202egnp.\u200bexe\r\nline\u009b2J';
  const report = { host: hostile, score: 7, [hostile]: 1, list: [{ name: hostile, ok: true }], deep: { values: [hostile, [hostile]] } };
  const { out } = await vedette(['asn', 'AS1'], () => json(report));
  expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(out).toContain('score');
  expect(out).toMatch(/NAME +OK\n +\]0;titlegnp\.exe line2J +yes\n/);
});

it('saves the files of a report', async () => {
  const to = join(folder, 'page.png');
  const report = { rendered_file: { format: 'PNG', base64_file: Buffer.from('picture').toString('base64') } };
  const { told } = await vedette(['screenshot', 'https://example.org/', '--out', to], () => json(report));
  expect(readFileSync(to, 'utf8')).toBe('picture');
  expect(told).toBe(`${to}: rendered_file, 7 bytes\n`);
  expect((await vedette(['screenshot', 'https://example.org/', '--out', to], () => json({}))).told).toContain('the report holds no file');
});

it('keeps profiles in a file that no other user can read, and refuses one that others can', async () => {
  const file = join(folder, 'a/profiles.json');
  const profiles = new Profiles(file);
  const answer: Answer = () => json({ credits: { remained: 12 } });
  const login = await vedette(['login', 'http://127.0.0.1:8080', '--profile', 'lab'], answer, { profiles, secret: 'vdt_secret\n' });
  expect(login.out).toBe('lab: http://127.0.0.1:8080, 12 credits left\n');
  expect(login.asked[0]).toMatchObject({ url: 'http://127.0.0.1:8080/v2/account-info', key: 'vdt_secret' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await vedette(['profile', 'list'], answer, { profiles })).out).toMatch(/\* +lab +http:\/\/127\.0\.0\.1:8080/);
  await expect(vedette(['profile', 'use', 'constructor'], answer, { profiles })).rejects.toThrow('there is no profile constructor');
  chmodSync(file, 0o644);
  expect(() => profiles.read()).toThrow(/chmod 600/);
  chmodSync(file, 0o600);
  await vedette(['profile', 'remove', 'lab'], answer, { profiles });
  expect(profiles.read()).toEqual({ current: '', profiles: {} });
});

it('keeps no key that the gateway refuses, and warns before one is sent in the clear', async () => {
  const profiles = new Profiles(join(folder, 'b/profiles.json'));
  const refused = vedette(['login', 'http://192.0.2.1'], () => json({ error: 'The API key is unknown', code: 'key_unknown' }, 401), {
    profiles,
  });
  await expect(refused).rejects.toThrow('The API key is unknown');
  expect(profiles.read().profiles).toEqual({});
  const { told } = await vedette(['login', 'http://192.0.2.1'], () => json({ credits: { remained: 1 } }), { profiles });
  expect(told).toContain('without https');
});

it('prints nothing of a gateway that steers a terminal at login', async () => {
  const { out } = await vedette(['login', 'http://127.0.0.1:8080'], () => json({ credits: { remained: '\u001b[2J12' } }));
  expect(out).toBe('default: http://127.0.0.1:8080, [2J12 credits left\n');
});

it('says that login got no key at the end of its input', async () => {
  const login = promisify(execFile)('sh', ['-c', 'exec "$0" packages/cli/src/main.ts login </dev/null', process.execPath], { cwd: ROOT });
  await expect(login).rejects.toMatchObject({ code: 1, stderr: 'vedette: no key was given\n' });
});

it('completes a line of bash without running anything that stands in it', async () => {
  const { stdout: script } = await promisify(execFile)(process.execPath, ['packages/cli/src/main.ts', 'complete', 'bash'], { cwd: ROOT });
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'vedette'),
    `#!/bin/sh\nprintf '%s|' "$@" >'${folder}/asked'\nprintf 'eu-fra\\tFrankfurt\\neu-$(touch ${folder}/ran)\\nus-ash\\n:4\\n'\n`,
    { mode: 0o755 },
  );
  const tab = async (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const text = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _vedette; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', text], { env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } });
    return { found: stdout.split('\n').filter(Boolean), asked: readFileSync(join(folder, 'asked'), 'utf8') };
  };
  const hostile = `$(touch ${folder}/ran)`;
  expect(await tab('vedette', 'ping', hostile, '>', `${folder}/ran`, '--from', '=', 'eu-')).toEqual({
    found: ['eu-fra', `eu-$(touch ${folder}/ran)`],
    asked: `complete|--|ping|${hostile}|--from=eu-|`,
  });
  expect((await tab('vedette', 'http', 'https', ':', '//a.test', '')).asked).toBe('complete|--|http|https://a.test||');
  expect(readdirSync(folder)).not.toContain('ran');
});

it('lists the locations', async () => {
  const place = { id: 'eu-fra', city_name: 'Frankfurt', country_code: 'DE', continent_code: 'EU', state: 'ready' };
  const { out } = await vedette(['places'], () => json({ locations: [place] }));
  expect(out).toMatch(/LOCATION +CITY .*\neu-fra +Frankfurt +DE +EU +ready\n/);
});

it('leaves columns out of the list of locations where the terminal is too narrow, and cuts neither names nor states', async () => {
  const place = { id: 'eu-fra', city_name: 'Frankfurt am Main', country_code: 'DE', continent_code: 'EU', state: 'degraded' };
  const at = async (columns: number) => (await vedette(['places'], () => json({ locations: [place] }), { columns })).out.split('\n');
  expect(await at(60)).toEqual([expect.stringContaining('CONTINENT'), 'eu-fra    Frankfurt am Main  DE       EU         degraded', '']);
  expect(await at(48)).toEqual(['LOCATION  CITY               COUNTRY  STATE', 'eu-fra    Frankfurt am Main  DE       degraded', '']);
  expect(await at(20)).toEqual(['LOCATION  STATE', 'eu-fra    degraded', '']);
});

it.each([
  ['its help', '--help'],
  ['a request', 'asn', 'AS64496', '--json'],
])('loads for %s what it shows there, and nothing else: a start stays short', async (_, ...words) => {
  const hook = `import { registerHooks } from 'node:module'; const seen = [];
    registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found; } });
    process.on('exit', () => process.stderr.write(JSON.stringify(seen)));`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, 'packages/cli/src/main.ts', ...words];
  // Without a key nothing is sent.
  const run = promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...OWN_ENV, HOME: folder, VEDETTE_DATA_DIR: folder } });
  const { stderr } = await run.catch((error: unknown) => error as { stderr: string });
  const loaded = (JSON.parse(stderr.slice(stderr.lastIndexOf('['))) as string[]).filter((url) => url.startsWith('file:'));
  const heavy = loaded.filter(
    (url) => !/\/(commander|packages\/client\/src|packages\/cli\/src\/(?!commands|doctor|operator\.ts))/.test(url),
  );
  expect(loaded.length).toBeGreaterThan(10);
  expect(heavy).toEqual([]);
});
