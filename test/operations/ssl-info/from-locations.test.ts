import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { failure, ProbeFailure } from '@vedette/contract';
import { issuedChain, ocspUrl } from '@vedette/mail/certificates';
import { operations } from '@vedette/operations';
import type { CentralOperation, DistributedOperation, Reply } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { budgeted } from '@vedette/probes/dns';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { makePki, type Pki } from '../../probes/http/certificates.ts';
import { hostsResolver, loopbackPorts } from '../../probes/http/loopback-ports.ts';
import { read } from '../answer.ts';
import { replyFrom } from '../measured.ts';
import { elseShut, SHUT } from '../shut.ts';

const sslInfo = operations.find(({ name }) => name === 'ssl-info') as CentralOperation<any, any, any, any>;
const fromLocations = sslInfo.fromLocations as DistributedOperation<any, any, any, any, any, any, any>;

const HOST = 'cdn.test';
const LISTED = ['basicConstraints=CA:FALSE', 'crlDistributionPoints=URI:http://ca.test/all.crl'];
const LEAVES = {
  intermediate: { names: '', extensions: ['basicConstraints=critical,CA:TRUE'] },
  one: { names: `DNS:${HOST}`, extensions: LISTED },
  two: { names: `DNS:${HOST}`, extensions: LISTED },
  revoked: { names: `DNS:${HOST}`, extensions: LISTED },
  expired: { names: `DNS:${HOST}`, extensions: LISTED, until: '20250601000000Z' },
  'other-name': { names: 'DNS:elsewhere.test', extensions: LISTED },
  below: { names: `DNS:${HOST}`, issuer: 'intermediate' },
  unlisted: { names: `DNS:${HOST}`, extensions: ['basicConstraints=CA:FALSE', 'crlDistributionPoints=URI:http://ca.test/absent.crl'] },
} as const;
type Shown = keyof typeof LEAVES | 'below-alone' | 'bad-date' | 'refusing';

let pki: Pki;
const ports = new Map<string, number>();
const servers: Server[] = [];
let listsAsked = 0;
/** A response about `revoked` of the time before it was. */
let goodBefore = '';

const pem = (name: string): string => readFileSync(join(pki.folder, `${name}.pem`), 'utf8');
const alone = (text: string): string => text.slice(0, text.indexOf('-----END') + '-----END CERTIFICATE-----\n'.length);

/** The certificate with a letter in the end of its validity, which OpenSSL lets pass, and no JavaScript date can hold. */
function withBadDate(text: string): string {
  const der = Buffer.from(new X509Certificate(text).raw);
  der.write('X', der.indexOf('491231') + '491231'.length, 'latin1');
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

async function listen(name: string, server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports.set(name, (server.address() as AddressInfo).port);
}

beforeAll(async () => {
  pki = makePki(LEAVES, 'locations of ssl-info');
  const [certificate, root] = issuedChain([new X509Certificate(pem('revoked')), new X509Certificate(pki.root)]);
  const question = ocspUrl('http://ca.test', certificate!, root!).slice('http://ca.test/'.length);
  goodBefore = pki.ocspResponse(Buffer.from(decodeURIComponent(question), 'base64')).toString('base64');
  const list = pki.revocationList(['revoked']);
  await listen(
    'ca.test',
    createHttpServer(({ url }, response) => {
      listsAsked++;
      if (url === '/all.crl') response.end(list);
      else response.writeHead(404).end();
    }),
  );
  const serve = (name: Shown, leaf: string, cert: string, requestCert = false) => {
    const server = createServer({ key: readFileSync(join(pki.folder, `${leaf}.key`)), cert, ALPNProtocols: ['http/1.1'], requestCert });
    server.on('tlsClientError', () => {}).on('secureConnection', (socket) => socket.on('error', () => {}).resume());
    return listen(name, server);
  };
  for (const name of Object.keys(LEAVES) as (keyof typeof LEAVES)[]) await serve(name, name, pem(name));
  await serve('below-alone', 'below', alone(pem('below')));
  await serve('bad-date', 'one', withBadDate(pem('one')));
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  pki[Symbol.dispose]();
});

const loopback = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });

/** The reply of an agent that finds this server at the host, with the job of the operation. */
async function seen(shown: Shown, request: object, options: { ca?: string[]; location?: 'eu-fra' | 'sat-1' } = {}): Promise<Reply<any>> {
  const { ca = [pki.root], location = 'eu-fra' } = options;
  const dialler = { ...loopback, tcp: (wanted: any) => loopback.tcp({ ...wanted, port: ports.get(shown)! }) };
  const agent = loopbackPorts({ resolver: hostsResolver({ [HOST]: ['127.0.0.1'] }), dialler, ca });
  const job = fromLocations.job(read(sslInfo, request as any));
  try {
    return replyFrom(location, { result: await fromLocations.probe.run(job, agent) });
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    return replyFrom(location, { result: error.partial, failure: failure(error.code, error.seen) });
  }
}

/** The report that a gateway makes of these replies. */
async function reportOf(replies: Reply<any>[], request: object = { host: HOST }): Promise<any> {
  const dns = fakeResolver({ [HOST]: { A: ['127.0.0.1'] }, 'ca.test': { A: ['127.0.0.1'] } });
  using resolver = budgeted(dns, sslInfo.dns!, systemClock);
  const dialler = { ...loopback, tcp: (wanted: any) => loopback.tcp({ ...wanted, port: ports.get('ca.test')! }) };
  const opened = { ...SHUT, issuers: SHUT.issuers, resolver, dialler, clock: systemClock, ca: [pki.root], today: () => new Date() };
  const context = elseShut(opened);
  const query = read(sslInfo, request as any);
  const beside = fromLocations.beside!(query, context);
  const entries = await Promise.all(
    replies.map(async (reply) =>
      fromLocations.entry(query, reply, reply.result && (await fromLocations.lookUp!(query, reply.result, context, beside))),
    ),
  );
  const report = fromLocations.report(query, entries, replies, await beside);
  expect([...Value.Errors(sslInfo.response, report)]).toEqual([]);
  return report;
}

const see = async (...shown: Shown[]): Promise<any> => reportOf(await Promise.all(shown.map((each) => seen(each, { host: HOST }))));

it('is the same report as without locations, of what most locations were shown', async () => {
  const report = await see('one', 'two', 'two');
  expect(report.ssl_details.subject.common_name).toBe('two');
  expect(report).toMatchObject({
    host: HOST,
    ip: '127.0.0.1',
    port: 443,
    certificate_found: true,
    valid_ssl: true,
    chain_complete: true,
    revocation: 'good',
    revocation_method: 'crl',
    tls_version: 'TLSv1.3',
    alpn: 'http/1.1',
    error: '',
    reason: '',
  });
  expect(report.locations.map(({ location, certificate_found, error }: any) => [location, certificate_found, error])).toEqual(
    Array.from({ length: 3 }, () => ['eu-fra', true, '']),
  );
  const [entry] = report.locations;
  expect(entry).toMatchObject({ valid_ssl: true, revocation: 'good', issuer: expect.stringContaining('CN=root'), issues: [] });
  expect(entry.days_left).toBe(Math.floor((Date.parse('2049-12-31T00:00:00Z') - Date.now()) / 86_400_000));
});

it('judges what several locations were shown once', async () => {
  listsAsked = 0;
  const { differences } = await see('one', 'one', 'one');
  expect(differences).toMatchObject({ state: 'same', fields: [], summary: '3 locations were shown the same certificate' });
  expect(listsAsked).toBe(1);
});

describe('the difference between locations', () => {
  it.each<[Shown[], string, string[], RegExp]>([
    [['one', 'two', 'two'], 'several_valid', ['fingerprint_sha256', 'chain_sent'], /2 different certificates, all valid: usual for CDNs/],
    [['one', 'expired'], 'some_invalid', ['fingerprint_sha256', 'valid_to', 'chain_sent', 'valid_ssl', 'revocation'], /^At eu-fra: The certificate has expired .*Valid at eu-fra.*One address showed both/], // prettier-ignore
    [['one', 'revoked'], 'some_invalid', ['fingerprint_sha256', 'chain_sent', 'revocation'], /was revoked\. Valid at/],
    [['one', 'other-name'], 'some_invalid', ['fingerprint_sha256', 'chain_sent', 'valid_ssl'], /is for elsewhere\.test, not for cdn\.test/],
    [['below', 'below-alone'], 'some_invalid', ['chain_sent', 'valid_ssl', 'revocation'], /does not send the intermediate certificate/],
    [['expired', 'other-name'], 'several_invalid', ['fingerprint_sha256', 'valid_to', 'chain_sent', 'revocation'], /2 different certificates, none of them valid/], // prettier-ignore
  ])('%j is %s', async (shown, state, fields, summary) => {
    const { differences } = await see(...shown);
    expect(differences).toMatchObject({ state, fields, summary: expect.stringMatching(summary) });
    expect(differences.certificates.flatMap(({ locations }: any) => locations)).toHaveLength(shown.length);
  });

  it('is no fault of the server where an agent without a reliable network was shown another certificate', async () => {
    const unreliable = { ...(await seen('other-name', { host: HOST }, { location: 'sat-1' })), agent_state: 'degraded' as const };
    const report = await reportOf([unreliable, await seen('one', { host: HOST })]);
    expect(report.valid_ssl).toBe(true);
    expect(report.locations[0]).toMatchObject({ location: 'sat-1', agent_state: 'degraded', valid_ssl: false });
    expect(report.differences).toMatchObject({
      state: 'same',
      summary: 'One location was shown a certificate. 1 location is left out: the network of the agent there is unreliable',
    });
    const alone = await reportOf([unreliable]);
    expect(alone).toMatchObject({ valid_ssl: false, differences: { state: 'same', summary: 'One location was shown a certificate' } });
  });

  it('accuses no address alone: what was seen of one location may be of its DNS, or of a device on the way', async () => {
    const reply = await seen('other-name', { host: HOST }, { location: 'sat-1' });
    const elsewhere = { ...reply, result: { ...reply.result, ip_address: '192.0.2.7' } };
    const { differences } = await reportOf([elsewhere, await seen('one', { host: HOST })]);
    expect(differences.summary).toContain('Only 192.0.2.7 had the fault: look at the servers there');
    expect(differences.summary).toContain('the DNS or a device near sat-1 leads clients astray');
  });

  it('is no fault of an address where only the answers on revocation differ', async () => {
    const reply = await seen('revoked', { host: HOST });
    const { shown } = reply.result;
    const stapled = { ...reply, result: { ...reply.result, ip_address: '192.0.2.7', shown: { ...shown, stapled: goodBefore } } };
    const { differences, locations } = await reportOf([reply, stapled]);
    expect(locations.map(({ revoked }: any) => revoked)).toEqual([true, false]);
    expect(differences).toMatchObject({ state: 'some_invalid', summary: expect.stringContaining('so they are revoked everywhere') });
  });

  it('is no fault of the server where only the roots of an agent differ', async () => {
    const request = { host: HOST };
    const { differences, locations } = await reportOf([
      await seen('one', request),
      await seen('one', request, { ca: [], location: 'sat-1' }),
    ]);
    expect(locations.map(({ valid_ssl }: any) => valid_ssl)).toEqual([true, false]);
    expect(differences).toMatchObject({
      state: 'some_invalid',
      fields: expect.arrayContaining(['valid_ssl']),
      summary: expect.stringContaining('All were shown the same certificates, so these agents trust other roots'),
    });
  });
});

it('asks for the lists of four chains at most, and says so of the others', async () => {
  const replies = await Promise.all((['one', 'two', 'revoked', 'below', 'other-name'] as const).map((each) => seen(each, { host: HOST })));
  const { locations } = await reportOf(replies);
  const unasked = locations.filter(({ revocation_error }: any) => revocation_error.startsWith('Too many different certificates'));
  expect(unasked.map(({ certificate_found, revocation }: any) => [certificate_found, revocation])).toEqual([[true, 'unknown']]);
});

it('counts chains for that, not reports: one chain with other warnings, other roots or a staple takes one place', async () => {
  const request = { host: HOST };
  const one = await seen('one', request);
  const warned = ['1', '2', '3', '4', '5'].map((warning) => ({
    ...one,
    result: { ...one.result, tls: { ...one.result.tls, warnings: [warning] } },
  }));
  const others = await Promise.all((['two', 'revoked', 'below'] as const).map((each) => seen(each, request)));
  const { locations } = await reportOf([...warned, await seen('one', request, { ca: [] }), ...others]);
  expect(locations.map(({ revocation }: any) => revocation)).toEqual([...Array(6).fill('good'), 'good', 'revoked', 'unknown']);
  expect(JSON.stringify(locations)).not.toContain('Too many different certificates');
});

it('asks the issuers of a chain once, whatever else differs, and where they do not answer too', async () => {
  const reply = await seen('unlisted', { host: HOST });
  const warned = ['1', '2', '3', '4', '5', '6'].map((warning) => ({
    ...reply,
    result: { ...reply.result, tls: { ...reply.result.tls, warnings: [warning] } },
  }));
  listsAsked = 0;
  const { locations } = await reportOf(warned);
  expect(locations.map(({ revocation }: any) => revocation)).toEqual(Array(6).fill('unknown'));
  expect(listsAsked).toBe(1);
});

it('names a location that failed, and counts it in no difference', async () => {
  const { locations, differences, valid_ssl } = await reportOf([
    replyFrom('sat-1', { failure: failure('agent_lost') }),
    await seen('one', { host: HOST }),
  ]);
  expect(locations[0]).toMatchObject({ location: 'sat-1', reason: 'agent_lost', certificate_found: false, fingerprint_sha256: '' });
  expect(valid_ssl).toBe(true);
  expect(differences).toMatchObject({
    state: 'same',
    summary: 'One location was shown a certificate. 1 location could not measure',
  });
});

it('says why no location saw a certificate', async () => {
  const refused = replyFrom<any>('eu-fra', { failure: failure('connect_refused', '192.0.2.7 ECONNREFUSED') });
  const report = await reportOf([replyFrom('sat-1', { failure: failure('agent_lost') }), refused]);
  expect(report).toMatchObject({
    certificate_found: false,
    reason: 'connect_refused',
    error: expect.stringContaining('192.0.2.7'),
    differences: {
      state: 'none_seen',
      fields: [],
      certificates: [],
      summary: 'No location was shown a certificate. 1 location could not measure',
    },
  });
});

it('outlives a certificate whose dates cannot be read', async () => {
  const reply = await seen('bad-date', { host: HOST });
  expect(reply).not.toHaveProperty('failure');
  expect(reply.result.certificate).toMatchObject({ valid: false, not_after: '' });
  const report = await reportOf([reply, await seen('one', { host: HOST })]);
  expect(report.locations).toMatchObject([{ certificate_found: true, valid_ssl: false, valid_to: '', days_left: 0 }, { valid_ssl: true }]);
  expect(report.differences.state).toBe('some_invalid');
});

it('believes no certificates that cannot be read', async () => {
  const reply = await seen('one', { host: HOST });
  const forged = { ...reply, result: { ...reply.result, shown: { version: 'TLSv1.3', certificates: ['AAAA'] } } };
  const { locations, differences } = await reportOf([forged]);
  expect(locations[0]).toMatchObject({ certificate_found: false, certificate_error: 'The agent sent certificates that cannot be read' });
  expect(differences.state).toBe('none_seen');
});

it('has agents shake hands as the gateway does, and asks none that does not know how', () => {
  const jobOf = (request: object) => fromLocations.job(read(sslInfo, request as any));
  expect(jobOf({ host: 'A.Test.' })).toEqual({
    host: 'a.test',
    port: 443,
    family: 0,
    attempts: 2,
    tls: { alpn: ['h2', 'http/1.1'], show: true },
  });
  expect(jobOf({ host: 'a.test', port: 587, sni: 'mail.test' })).toMatchObject({
    starttls: 'smtp',
    tls: { alpn: [], show: true, server_name: 'mail.test' },
  });
  expect(fromLocations.probe.since!(jobOf({ host: 'a.test' }))).toBe('1.5');
  expect(fromLocations.connects!(read(sslInfo, { host: 'a.test', port: 8443 } as any))).toEqual({ port: 8443, times: 2 });
});
