import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSecureContext, createServer } from 'node:tls';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { makePki } from '../../probes/http/certificates.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const sslInfo = operations.find(({ name }) => name === 'ssl-info') as CentralOperation<any, any, any, any>;
const LEAVES = { exact: { names: 'DNS:www.a.test' }, wild: { names: 'DNS:*.a.test' }, other: { names: 'DNS:hoster.test' } };
/** One authority by a name that everybody knows, and one by a name of its own. */
const known = makePki(LEAVES, "tests/O=Let's Encrypt");
const stranger = makePki(LEAVES);
afterAll(() => [known, stranger].forEach((pki) => pki[Symbol.dispose]()));

let current: keyof typeof LEAVES = 'exact';
let pki = known;
const contextOf = () =>
  createSecureContext({ key: readFileSync(join(pki.folder, `${current}.key`)), cert: readFileSync(join(pki.folder, `${current}.pem`)) });
const server = createServer({ SNICallback: (_host, done) => done(null, contextOf()) });
server.on('tlsClientError', () => {}).on('secureConnection', (socket) => socket.on('error', () => {}).resume());
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const caa = (tag: string, value: string) => ({ flags: 0, tag, value });
async function ask(
  zone: FakeZone,
  { as = 'exact', by = known, trusted = true }: { as?: typeof current; by?: typeof pki; trusted?: boolean } = {},
) {
  [current, pki] = [as, by];
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const context = {
    ...SHUT,
    resolver: fakeResolver({ 'www.a.test': { A: ['127.0.0.1'] }, ...zone }),
    dialler: {
      ...inner,
      tcp: (options: Parameters<typeof inner.tcp>[0]) => inner.tcp({ ...options, port: (server.address() as AddressInfo).port }),
    },
    clock: systemClock,
    ca: trusted ? [by.root] : [],
    today: () => new Date(),
  };
  const report = (await answer(sslInfo, { host: 'www.a.test' }, context)) as any;
  const codes = report.issues_found.filter(({ code }: { code: string }) => code.startsWith('CAA_'));
  return { caa: report.caa, codes: codes.map(({ code, type }: any) => `${code} ${type}`), message: codes[0]?.message };
}
const WITH = (name: string, ...records: object[]): FakeZone => ({
  [name]: { ...(name === 'www.a.test' && { A: ['127.0.0.1'] }), CAA: records as never },
});

it('climbs to the name above that has records, and names the record to publish', async () => {
  expect(await ask(WITH('a.test', caa('issue', 'digicert.com'), caa('iodef', 'mailto:a@a.test')))).toEqual({
    caa: {
      state: 'forbidden',
      domain: 'a.test',
      records: [
        { flag: 0, tag: 'issue', value: 'digicert.com' },
        { flag: 0, tag: 'iodef', value: 'mailto:a@a.test' },
      ],
      identifiers: ['letsencrypt.org'],
      error: '',
    },
    codes: ['CAA_FORBIDS warning'],
    message: expect.stringContaining('Publish a.test. CAA 0 issue "letsencrypt.org"'),
  });
});

it.each<[string, FakeZone, Parameters<typeof ask>[1], string, string[]]>([
  ['its authority is allowed', WITH('a.test', caa('issue', 'letsencrypt.org')), {}, 'allowed', []],
  [
    'the nearest records hold',
    { ...WITH('www.a.test', caa('issue', 'letsencrypt.org')), ...WITH('a.test', caa('issue', ';')) },
    {},
    'allowed',
    [],
  ],
  [
    'a wildcard has records of its own',
    WITH('a.test', caa('issue', ';'), caa('issuewild', 'letsencrypt.org')),
    { as: 'wild' },
    'allowed',
    [],
  ],
  [
    'records of the name are not those of a wildcard above',
    { ...WITH('www.a.test', caa('issue', ';')), ...WITH('a.test', caa('issue', 'letsencrypt.org')) },
    { as: 'wild' },
    'allowed',
    [],
  ],
  [
    'a wildcard is forbidden alone',
    WITH('a.test', caa('issue', 'letsencrypt.org'), caa('issuewild', ';')),
    { as: 'wild' },
    'forbidden',
    ['CAA_FORBIDS warning'],
  ],
  ['and an exact name is not', WITH('a.test', caa('issue', 'letsencrypt.org'), caa('issuewild', ';')), {}, 'allowed', []],
  ['no record restricts it', {}, {}, 'any', ['CAA_MISSING information']],
  ['records without issue restrict nothing', WITH('a.test', caa('iodef', 'mailto:a@a.test')), {}, 'any', []],
  ['an unknown authority', WITH('a.test', caa('issue', 'digicert.com')), { by: stranger }, 'unknown', []],
  ['an authority that only says that it is one', WITH('a.test', caa('issue', 'digicert.com')), { trusted: false }, 'unknown', []],
  [
    'a certificate of the hoster, which is not the one to renew',
    WITH('a.test', caa('issue', 'digicert.com')),
    { as: 'other' },
    'unknown',
    [],
  ],
  ['no record restricts the hoster', {}, { as: 'other' }, 'any', []],
  ['the DNS does not answer', { 'a.test': 'TIMEOUT' }, {}, 'not_checked', []],
  ['the DNS does not answer above the records', { ...WITH('a.test', caa('issue', 'letsencrypt.org')), test: 'TIMEOUT' }, {}, 'allowed', []],
])('%s', async (_what, zone, given, state, codes) => {
  const found = await ask(zone, given);
  expect([found.caa.state, found.codes]).toEqual([state, codes]);
  expect(found.caa.error !== '').toBe(state === 'not_checked');
});
