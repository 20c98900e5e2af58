import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TlsScan, weaknessOf } from '@vedette/probes/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTestssl, expectSuites, gotByOpenssl, signaturesByOpenssl, suitesByNmap, suitesByOpenssl } from './by-others.ts';
import { makeCertificates, scanned, serving, suitesOf } from './scanned.ts';
import { everySecond, isBrief } from '../../runs.ts';

let pki: ReturnType<typeof makeCertificates>;
beforeAll(() => void (pki = makeCertificates()));
afterAll(() => pki[Symbol.dispose]());

const gnutls = (priority: string, ...more: string[]) =>
  serving(
    'gnutls-serv',
    (port) => [
      '-q',
      '--http',
      '-p',
      String(port),
      '--x509certfile',
      'rsa.pem',
      '--x509keyfile',
      'rsa.key',
      '--priority',
      priority,
      ...more,
    ],
    pki.folder,
  );

/** A haproxy with these words behind `bind`, and a certificate of either kind. */
const haproxy = (words: string) =>
  serving(
    'haproxy',
    (port) => {
      for (const kind of ['rsa', 'ec'])
        writeFileSync(
          join(pki.folder, `both-${kind}.pem`),
          ['pem', 'key'].map((end) => readFileSync(join(pki.folder, `${kind}.${end}`), 'utf8')).join(''),
        );
      const file = join(pki.folder, `haproxy-${port}.cfg`);
      const crt = ['rsa', 'ec'].map((kind) => `crt ${pki.folder}/both-${kind}.pem`).join(' ');
      writeFileSync(
        file,
        `global\n  tune.ssl.default-dh-param 2048\ndefaults\n  mode http\n  timeout client 20s\n  timeout connect 1s\n  timeout server 1s\nfrontend f\n  bind 127.0.0.1:${port} ssl ${crt} ${words}\n  http-request return status 200\n`,
      );
      return ['-db', '-q', '-f', file];
    },
    pki.folder,
  );

/** Expects the schemes that OpenSSL finds; of a scan with too few connections the first of them. */
const expectSignatures = ({ signatures13, signatures13Known }: TlsScan, theirs: string[]) =>
  expect(signatures13).toEqual(signatures13Known ? theirs : theirs.slice(0, signatures13.length));

describe('GnuTLS, which has RC4, 3DES and heartbeats still, but no SSL 3.0 in Debian,', () => {
  it.each<[string, string, string[], object]>(
    everySecond([
      [
        'as it comes',
        'NORMAL',
        [],
        {
          heartbeat: 'no',
          fallbackScsv: 'yes',
          tickets: 'yes',
          suites: { tls1_2: { order: 'client' }, tls1_3: { complete: true, order: 'client' } },
        },
      ],
      [
        'with the order of the server',
        'NORMAL:-VERS-TLS1.1:-VERS-TLS1.0:%SERVER_PRECEDENCE',
        ['--alpn', 'h2'],
        { alpn: ['h2'], suites: { tls1_2: { complete: true, order: 'server' }, tls1_3: { complete: true, order: 'server' } } },
      ],
    ]),
  )('%s has the suites that nmap and OpenSSL find', async (_name, priority, more, facts) => {
    await using server = await gnutls(priority, ...more);
    const scan = await scanned(server.port);
    expect(scan).toMatchObject({
      ...facts,
      compression: 'no',
      secureRenegotiation: 'yes',
      extendedMasterSecret: 'yes',
      groups: expect.arrayContaining(['P-256', 'X25519', 'ffdhe2048']) as unknown,
    });
    const { suites, orders } = await suitesByNmap(server.port);
    expectSuites(scan, suites);
    for (const version of ['tls1_2', 'tls1_3'] as const) expect(orders[version]).toBe(scan.suites[version]!.order);
    expectSignatures(scan, await signaturesByOpenssl(server.port));
    const byOpenssl = await Promise.all((['tls1_2', 'tls1_3'] as const).map((version) => suitesByOpenssl(server.port, version)));
    expect(byOpenssl.map((names) => names.toSorted())).toEqual([suites.tls1_2!.toSorted(), suites.tls1_3!.toSorted()]);
  });

  it.each(isBrief ? [] : ['testssl.sh'])(
    'with all of that is told as %s does',
    async () => {
      const suites = '-CIPHER-ALL:+AES-256-GCM:+ARCFOUR-128:+3DES-CBC:-KX-ALL:+ECDHE-RSA:+DHE-RSA';
      const groups = '-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-FFDHE3072';
      const priority = `NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:+VERS-TLS1.0:${suites}:${groups}:%SERVER_PRECEDENCE`;
      await using server = await gnutls(priority, '--heartbeat');
      const [scan, theirs] = [await scanned(server.port), await byTestssl(server.port, pki.folder, '-p', '-P', '-f', '-W', '-Z')];
      const order = (version: string) => theirs[`cipherorder_${version}`]?.split(' ');
      expectSuites(scan, { tls1_0: order('TLSv1')!, tls1_2: order('TLSv1_2')!, tls1_3: order('TLSv1_3')! });
      const VERSIONS_BY_ID = {
        SSLv2: 'sslv2',
        SSLv3: 'sslv3',
        TLS1: 'tls1_0',
        TLS1_1: 'tls1_1',
        TLS1_2: 'tls1_2',
        TLS1_3: 'tls1_3',
      } as const;
      for (const [id, version] of Object.entries(VERSIONS_BY_ID))
        expect([id, /^(not offered|connection failed)/.test(theirs[id]!) ? 'no' : 'yes']).toEqual([id, scan.versions[version]]);
      expect(theirs['cipher_order']).toBe('server');
      expect([scan.suites.tls1_0!.order, scan.suites.tls1_2!.order]).toEqual(['server', 'server']);
      // testssl.sh does not tell the order of groups, and calls P-256 prime256v1.
      const theirGroups = `${theirs['PFS_ECDHE_curves']} ${theirs['DH_groups']}`
        .replace('prime256v1', 'P-256')
        .replace(/secp(\d+)r1/g, 'P-$1');
      expect(scan.groups.toSorted()).toEqual(theirGroups.split(' ').toSorted());
      expect(theirs['protocol_negotiated']).toContain('TLS1.3');
      expect(scan.preferred).toBe('tls1_3');
      const weak = suitesOf(scan)['tls1_2']!.map((name) => weaknessOf({ name }));
      expect([theirs['SWEET32']!.startsWith('uses'), theirs['fallback_SCSV']]).toEqual([weak.includes('triple_des'), 'supported']);
      expect(scan).toMatchObject({ heartbeat: 'yes', fallbackScsv: 'yes' });
    },
    300_000,
  );
});

describe('HAProxy with a certificate of either kind', () => {
  it.each<[string, string, object]>(
    everySecond([
      ['as it comes', 'alpn h2,http/1.1', { alpn: ['h2', 'http/1.1'], tickets: 'yes', versions: { tls1_0: 'no', tls1_1: 'no' } }],
      [
        'for old clients',
        'ssl-min-ver TLSv1.1 no-tls-tickets ciphers ECDHE+AESGCM:ECDHE+AES+SHA1:kRSA+AES+SHA1:@SECLEVEL=0',
        { alpn: [], tickets: 'no', versions: { tls1_0: 'no', tls1_1: 'yes' }, suites: { tls1_2: { complete: true } } },
      ],
    ]),
  )('%s has the suites of both', async (_name, words, facts) => {
    await using server = await haproxy(words);
    const scan = await scanned(server.port);
    expect(scan).toMatchObject(facts);
    const { suites, orders } = await suitesByNmap(server.port);
    // nmap sends no name to an address, so it is shown one certificate. OpenSSL is shown the other, before which a hello needs signatures for either.
    const named = (signatures: string) => suitesByOpenssl(server.port, 'tls1_2', ['-servername', 'a.test', '-sigalgs', signatures]);
    const [ofEcdsa, ofRsa] = [await named('ECDSA+SHA256:ECDSA+SHA384'), await named('RSA+SHA256:RSA-PSS+SHA256')];
    expect(ofRsa).toEqual(suites.tls1_2);
    expect([ofEcdsa.length > 0, ofEcdsa.every((name) => name.includes('_ECDSA_'))]).toEqual([true, true]);
    // nmap takes the order of TLS 1.3 for the client's, and lists its own; the server chooses the last of these two all the same.
    expect(await gotByOpenssl(server.port, 'tls1_3', 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384')).toBe('TLS_AES_256_GCM_SHA384');
    const modern = await suitesByOpenssl(server.port, 'tls1_3');
    expect(suites.tls1_3!.toSorted()).toEqual(modern.toSorted());
    expectSuites(scan, { ...suites, tls1_2: [...ofEcdsa, ...ofRsa], tls1_3: modern });
    expectSignatures(scan, await signaturesByOpenssl(server.port, ['-servername', 'a.test']));
    expect([scan.suites.tls1_2!.order, scan.suites.tls1_3!.order]).toEqual([orders.tls1_2, 'server']);
  });
});
