import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createSecureContext, createServer, rootCertificates } from 'node:tls';
import { createTransparency, readLogList } from '@vedette/intel/transparency';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { isPublicRoot } from '@vedette/probes/tcp';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeScts, sctIssues } from '../../../packages/operations/src/ssl-info/scts.ts';
import { freePorts } from '../../free-ports.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import {
  logListText,
  precertEntry,
  sctList,
  type TestLog,
  testLog,
  withSctList,
  withStapledScts,
  x509Entry,
} from '../../mail/certificates/logs.ts';
import { makePki } from '../../probes/http/certificates.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const sslInfo = operations.find(({ name }) => name === 'ssl-info') as CentralOperation<any, any, any, any>;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '');

const LOGS = {
  one: testLog('Log 1', { operator: 'One' }),
  two: testLog('Log 2', { operator: 'Two' }),
  three: testLog('Log 3', { operator: 'Two' }),
};
const unlisted = testLog('unlisted');
const NAMES = ['met', 'few', 'forged', 'foreign', 'torn', 'bare', 'stapled'] as const;
type Name = (typeof NAMES)[number];
const leaf = (name: string) => ({ names: `DNS:${name}.test`, from: inDays(-1), until: inDays(80) });
const pki = makePki(
  Object.fromEntries([
    ...NAMES.map((name) => [name, leaf(name)]),
    ['old', { ...leaf('old'), until: '20260101000000Z', from: '20250101000000Z' }],
  ]),
);
afterAll(() => pki[Symbol.dispose]());
const file = (name: string) => readFileSync(join(pki.folder, name), 'utf8');
const x509 = (name: string) => new X509Certificate(file(`${name}.pem`));
const root = new X509Certificate(pki.root);

const promises = (name: string, ...logs: TestLog[]) => sctList(logs.map((log) => log.promise(precertEntry(x509(name), root))));
const issued = (name: string, list: Uint8Array) => withSctList(x509(name), file('ca-root.key'), list);
const CERTIFICATES: Record<Name | 'old', X509Certificate> = {
  met: issued('met', promises('met', LOGS.one, LOGS.two)),
  few: issued('few', promises('few', LOGS.two, LOGS.three)),
  forged: issued('forged', promises('met', LOGS.one, LOGS.two)),
  foreign: issued('foreign', promises('foreign', LOGS.one, unlisted)),
  torn: issued('torn', promises('torn', LOGS.one).subarray(1)),
  bare: x509('bare'),
  stapled: x509('stapled'),
  old: issued('old', promises('old', LOGS.two, LOGS.three)),
};
const staple = withStapledScts(
  readStaple(),
  sctList([LOGS.one.promise(x509Entry(x509('stapled'))), LOGS.two.promise(x509Entry(x509('stapled')))]),
);

function readStaple(): Buffer {
  pki.revocationList([]);
  execFileSync('openssl', ['ocsp', '-issuer', 'ca-root.pem', '-cert', 'stapled.pem', '-no_nonce', '-reqout', 'stapled.req'], {
    cwd: pki.folder,
    stdio: 'ignore',
  });
  return pki.ocspResponse(readFileSync(join(pki.folder, 'stapled.req')));
}

const pem = (name: Name) => CERTIFICATES[name].toString();
const contexts = new Map(NAMES.map((name) => [name, createSecureContext({ key: file(`${name}.key`), cert: pem(name) })]));
const server = createServer({
  SNICallback: (host, done) => done(null, contexts.get(host.replace('.test', '') as Name)),
});
server.on('tlsClientError', () => {});
server.on('secureConnection', (socket) => socket.on('error', () => {}).resume());
server.on('OCSPRequest', (certificate: Buffer, _issuer: Buffer, done: (error: null, response: Buffer | null) => void) =>
  done(null, certificate.equals(x509('stapled').raw) ? staple : null),
);
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
function contextOf(published: Date | undefined = new Date()) {
  const transparency = createTransparency();
  if (published) transparency.setList(readLogList(logListText(Object.values(LOGS), published)));
  return {
    ...SHUT,
    transparency,
    resolver: fakeResolver(Object.fromEntries(NAMES.map((name) => [`${name}.test`, { A: ['127.0.0.1'] }]))),
    dialler: {
      ...inner,
      tcp: (options: Parameters<typeof inner.tcp>[0]) => inner.tcp({ ...options, port: options.port === 443 ? port : options.port }),
    },
    clock: systemClock,
    ca: [pki.root],
    today: () => new Date(),
  };
}

/** The states of all SCTs that OpenSSL's client finds, by a list of the same logs. */
async function byOpenssl(name: Name): Promise<string[]> {
  const logs = Object.entries(LOGS).map(([id, { key }]) => `[${id}]\ndescription = ${id}\nkey = ${key}\n`);
  writeFileSync(join(pki.folder, 'logs.cnf'), `enabled_logs=${Object.keys(LOGS).join(',')}\n${logs.join('\n')}`);
  const args = [
    '-connect',
    `127.0.0.1:${port}`,
    '-servername',
    `${name}.test`,
    '-CAfile',
    'ca-root.pem',
    '-ct',
    '-ctlogfile',
    'logs.cnf',
    '-status',
  ];
  const client = spawn('openssl', ['s_client', ...args], { cwd: pki.folder, stdio: ['pipe', 'pipe', 'ignore'] });
  client.stdin.on('error', () => {}).end();
  const text = (await client.stdout.setEncoding('utf8').toArray()).join('');
  return [...text.matchAll(/SCT validation status: (.*)/g)].map(([, state]) => state!);
}
const WORDS: Record<string, string> = { valid: 'valid', invalid: 'invalid', 'unknown log': 'unknown_log' };

describe('SCTs of a server', () => {
  it.each<[Name, string[], string[]]>([
    ['met', ['certificate valid Log 1 One', 'certificate valid Log 2 Two'], []],
    ['few', ['certificate valid Log 2 Two', 'certificate valid Log 3 Two'], []],
    ['forged', ['certificate invalid Log 1 One', 'certificate invalid Log 2 Two'], ['SCT_INVALID']],
    ['foreign', ['certificate valid Log 1 One', 'certificate unknown_log'], []],
    ['torn', [], ['SCT_UNREADABLE']],
    ['bare', [], []],
    ['stapled', ['ocsp valid Log 1 One', 'ocsp valid Log 2 Two'], []],
  ])('%s: %j, as OpenSSL finds', async (name, states, codes) => {
    const { ssl_details, issues_found } = (await answer(sslInfo, { host: `${name}.test` }, contextOf())) as any;
    const shown = ssl_details.scts.map(({ source, state, log, operator }: Record<string, string>) =>
      `${source} ${state} ${log} ${operator}`.trim(),
    );
    expect(shown).toEqual(states);
    expect(ssl_details.sct_policy).toBe('not_required'); // the root is a private one
    expect(issues_found.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('SCT_'))).toEqual(codes);
    expect((await byOpenssl(name)).map((state) => WORDS[state]).toReversed()).toEqual(
      ssl_details.scts.map(({ state }: { state: string }) => state),
    );
  });

  it('are not checked without a list of logs, and accuse nothing', async () => {
    const context = { ...contextOf(), transparency: createTransparency() };
    const { ssl_details, issues_found } = (await answer(sslInfo, { host: 'forged.test' }, context)) as any;
    expect(ssl_details.scts).toHaveLength(2);
    for (const sct of ssl_details.scts)
      expect(sct).toMatchObject({ state: 'not_checked', log: '', error: 'this gateway has no list of logs' });
    expect(issues_found.filter(({ code }: { code: string }) => code.startsWith('SCT_'))).toEqual([]);
  });
});

describe('what browsers ask of a public authority', () => {
  const judge = async (
    name: Name | 'old',
    {
      at = 443,
      list = new Date(),
      isPublic = true,
      stapled,
    }: { at?: number; list?: Date | null; isPublic?: boolean; stapled?: Buffer } = {},
  ) => {
    const host = { host: `${name}.test`, kind: 'name' as const };
    const query = { host, server: host, port: at, starttls: undefined };
    const context = { ...contextOf(), ...(list ? contextOf(list) : { transparency: createTransparency() }) };
    const judged = await judgeScts({ query, address: '127.0.0.1', path: [CERTIFICATES[name], root], isPublic, stapled }, context as never);
    return { ...judged, codes: (isWeb: boolean) => sctIssues(judged, isWeb).map(({ code, type }) => `${code} ${type}`) };
  };

  it('is met by two operators, in the certificate or beside it', async () => {
    expect((await judge('met')).policy).toBe('met');
    expect((await judge('stapled', { stapled: staple })).policy).toBe('met');
    expect((await judge('met')).codes(true)).toEqual([]);
  });

  it('is not met by one operator, by a forged or by no SCT: browsers refuse the server, other clients do not look', async () => {
    for (const name of ['few', 'forged', 'foreign', 'bare'] as const) expect([name, (await judge(name)).policy]).toEqual([name, 'not_met']);
    const few = await judge('few');
    expect([few.codes(true), few.codes(false)]).toEqual([['SCT_TOO_FEW error'], ['SCT_TOO_FEW information']]);
  });

  it('is unknown without a list, by an old one, and where the handshake cannot be read', async () => {
    const unknown = { policy: 'unknown' };
    expect(await judge('few', { list: null })).toMatchObject({ ...unknown, error: 'this gateway has no list of logs' });
    expect(await judge('few', { list: new Date(Date.now() - 15 * DAY_MS) })).toMatchObject({
      ...unknown,
      error: 'the list of logs is too old',
    });
    expect((await judge('few', { list: new Date(Date.now() - 13 * DAY_MS) })).policy).toBe('not_met');
    expect((await judge('met', { list: new Date(Date.now() - 15 * DAY_MS) })).policy).toBe('met');
    const shut = await judge('few', { at: (await freePorts(1))[0]! });
    expect([shut.policy, shut.error, shut.codes(true)]).toEqual(['unknown', expect.stringContaining('no answer in TLS 1.2'), []]);
  });

  it.each([
    ['certificate', 'Have the certificate issued anew'],
    ['ocsp', 'It is in the stapled response: tell the authority'],
  ] as const)('names the cure of an invalid one in the %s', async (source, cure) => {
    const { entries, ...judged } = await judge('forged');
    const [issue] = sctIssues({ ...judged, entries: entries.map((entry) => ({ ...entry, source })) }, true);
    expect(issue).toMatchObject({ code: 'SCT_INVALID', message: expect.stringMatching(new RegExp(`\\. ${cure}$`)) });
  });

  it('is asked of current certificates of public authorities alone', async () => {
    expect((await judge('few', { isPublic: false })).policy).toBe('not_required');
    expect((await judge('old')).policy).toBe('not_required');
    expect([isPublicRoot(new X509Certificate(rootCertificates[7]!)), isPublicRoot(root)]).toEqual([true, false]);
  });

  it.each([
    [
      'are met by the SCTs that the server sends by TLS',
      'bare',
      sctList([LOGS.one, LOGS.two].map((log) => log.promise(x509Entry(x509('bare'))))),
      'met',
    ],
    ['are not met by one of them', 'bare', sctList([LOGS.one.promise(x509Entry(x509('bare')))]), 'not_met'],
    ['are unknown where they are of another certificate', 'bare', sctList([LOGS.one.promise(x509Entry(x509('few')))]), 'unknown'],
    ['are unknown where the list is torn', 'bare', sctList([LOGS.one.promise(x509Entry(x509('bare')))]).subarray(1), 'unknown'],
  ] as const)('and %s', async (_what, name, list, policy) => {
    await using openssl = await serving(name, list);
    const judged = await judge(name, { at: openssl.port });
    expect(judged.policy).toBe(policy);
    const sent = judged.entries.filter(({ source }) => source === 'tls').map(({ state }) => state);
    expect(sent).toEqual(policy === 'unknown' ? [] : Array.from({ length: policy === 'met' ? 2 : 1 }, () => 'valid'));
  });
});

/** OpenSSL's server, which sends a list of SCTs in its hello of TLS 1.2. */
async function serving(name: Name, list: Uint8Array) {
  const extension = Buffer.concat([Buffer.of(0, 18, list.length >> 8, list.length & 0xff), list]);
  writeFileSync(
    join(pki.folder, 'scts.info'),
    `-----BEGIN SERVERINFO FOR SCTS-----\n${extension.toString('base64')}\n-----END SERVERINFO FOR SCTS-----\n`,
  );
  const at = (await freePorts(1))[0]!;
  const child = spawn(
    'openssl',
    ['s_server', '-accept', `127.0.0.1:${at}`, '-cert', `${name}.pem`, '-key', `${name}.key`, '-serverinfo', 'scts.info'],
    { cwd: pki.folder, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) if (String(text).includes('ACCEPT')) break;
  return {
    port: at,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
