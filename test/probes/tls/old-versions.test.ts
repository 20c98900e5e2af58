import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { answer } from '../../operations/answer.ts';
import { SHUT } from '../../operations/shut.ts';
import { makeCertificates, scanned, serving, suitesOf } from './scanned.ts';

// Node of 2015 with OpenSSL 1.0.1: the last that speaks SSL 2.0 and 3.0 where it is told to.
const OLD_NODE = resolve('node_modules/.cache/old-node/node');
const SERVER = `var tls = require('tls'), fs = require('fs');
tls.createServer({ key: fs.readFileSync('rsa.key'), cert: fs.readFileSync('rsa.pem'), secureProtocol: process.argv[3], ciphers: process.argv[4] }, function (socket) {
  socket.end();
}).on('clientError', function () {}).listen(Number(process.argv[2]), '127.0.0.1');
`;

let pki: ReturnType<typeof makeCertificates>;
beforeAll(() => {
  pki = makeCertificates();
  writeFileSync(join(pki.folder, 'server.js'), SERVER);
});
afterAll(() => pki[Symbol.dispose]());

const serve = (method: string, ciphers = 'ALL:SSLv2') =>
  serving(OLD_NODE, (port) => ['--enable-ssl2', '--enable-ssl3', 'server.js', String(port), method, ciphers], pki.folder);

const tlsCheck = operations.find(({ name }) => name === 'tls-check') as CentralOperation<any, any, any, any>;

describe.skipIf(!existsSync(OLD_NODE))('a server of 2015', () => {
  it('speaks SSL 2.0 to TLS 1.2, and its grade is F', async () => {
    await using server = await serve('SSLv23_method', 'AES128-SHA:RC4-MD5:SSLv2');
    expect((await scanned(server.port)).versions).toEqual({
      sslv2: 'yes',
      sslv3: 'yes',
      tls1_0: 'yes',
      tls1_1: 'yes',
      tls1_2: 'yes',
      tls1_3: 'no',
    });
    const dialler = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.1/32'] }) });
    const opened = { ...SHUT, resolver: fakeResolver({ 'a.test': { A: ['127.0.0.1'] } }), dialler, clock: systemClock };
    const report: any = await answer(tlsCheck, { host: 'a.test', port: server.port }, { ...opened, remainingMs: () => 60_000 });
    expect(report.grade).toBe('F');
    expect(report.grade_caps.map(({ code }: any) => code)).toEqual(expect.arrayContaining(['SSLV2_OFFERED', 'SSLV3_OFFERED']));
  });

  it('speaks SSL 3.0 alone, with suites in its order', async () => {
    await using server = await serve('SSLv3_method', 'RC4-SHA:AES128-SHA');
    const scan = await scanned(server.port);
    expect(scan.versions).toEqual({ sslv2: 'no', sslv3: 'yes', tls1_0: 'no', tls1_1: 'no', tls1_2: 'no', tls1_3: 'no' });
    expect(suitesOf(scan)['sslv3']?.toSorted()).toEqual(['TLS_RSA_WITH_AES_128_CBC_SHA', 'TLS_RSA_WITH_RC4_128_SHA']);
  });

  it('speaks SSL 2.0 alone', async () => {
    await using server = await serve('SSLv2_method');
    expect((await scanned(server.port)).versions).toMatchObject({ sslv2: 'yes' });
  });

  it('speaks neither where it is not told to', async () => {
    await using server = await serving(OLD_NODE, (port) => ['server.js', String(port), 'SSLv23_method', 'ALL'], pki.folder);
    expect((await scanned(server.port)).versions).toMatchObject({ sslv2: 'no', sslv3: 'no', tls1_0: 'yes', tls1_2: 'yes' });
  });
});
