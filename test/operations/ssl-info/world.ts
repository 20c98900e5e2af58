import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, createServer, type SecureContext } from 'node:tls';
import type { Resolver } from '@vedette/contract';
import { issuedChain, ocspUrl } from '@vedette/mail/certificates';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { type Leaf, makePki, type Pki } from '../../probes/http/certificates.ts';
import type { Opened } from '../answer.ts';
import { SHUT } from '../shut.ts';

const LEAF = 'basicConstraints=CA:FALSE';
const CA = 'basicConstraints=critical,CA:TRUE';
const list = (name: string) => `crlDistributionPoints=URI:http://ca.test/${name}.crl`;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '');
const leaf = (names: string, ...extensions: string[]): Leaf => ({ names, extensions: [LEAF, list('all'), ...extensions] });
const CDN_NAMES = Array.from({ length: 100 }, (_, i) => `DNS:customer-${i}.example`).join(',');

const LEAVES = {
  intermediate: { names: '', extensions: [CA, list('all')] },
  constrained: { names: '', extensions: [CA, list('all'), 'nameConstraints=critical,permitted;DNS:allowed.test'] },
  'old-intermediate': { names: '', extensions: [CA], until: '20250601000000Z' },
  sub: { names: '', issuer: 'intermediate', extensions: [CA] },
  good: leaf(
    'DNS:good.test,DNS:with-root.test,DNS:with-extra.test,DNS:twice.test',
    'certificatePolicies=2.23.140.1.2.2',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=serverAuth,clientAuth',
  ),
  wildcard: leaf('DNS:*.wildcard.test'),
  cdn: leaf(`DNS:cdn.test,${CDN_NAMES}`),
  rsa: { ...leaf('DNS:rsa.test'), key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'] },
  'short-lived': { names: 'DNS:short-lived.test', extensions: [LEAF], from: inDays(-2), until: inDays(4) },
  'six-days-late': { names: 'DNS:six-days-late.test', extensions: [LEAF], from: inDays(-5.5), until: inDays(0.5) },
  soon: { ...leaf('DNS:soon.test'), until: inDays(5) },
  deep: { names: 'DNS:deep.test,DNS:misordered.test,DNS:cross-signed.test,DNS:old-cross.test', issuer: 'sub' },
  address: leaf('IP:127.0.0.1'),
  expired: { ...leaf('DNS:expired.test'), until: '20250601000000Z' },
  'not-yet': { ...leaf('DNS:not-yet.test'), from: '20480101000000Z' },
  'self-signed': { names: 'DNS:self-signed.test', issuer: 'self' },
  'private-ca': { names: 'DNS:private-ca.test,DNS:untrusted-root.test', issuer: 'stranger' },
  'wrong-host': leaf('DNS:somebody-else.test'),
  'common-name.test': { names: '', extensions: [LEAF, list('all')] },
  incomplete: {
    names: 'DNS:incomplete.test',
    issuer: 'intermediate',
    extensions: [LEAF, 'authorityInfoAccess=caIssuers;URI:http://ca.test/intermediate.cer'],
  },
  packed: { names: 'DNS:packed.test', issuer: 'sub', extensions: [LEAF, 'authorityInfoAccess=caIssuers;URI:http://ca.test/both.p7c'] },
  unfound: {
    names: 'DNS:unfound.test',
    issuer: 'intermediate',
    extensions: [LEAF, 'authorityInfoAccess=caIssuers;URI:http://ca.test/absent.cer'],
  },
  governed: {
    names: 'DNS:governed.test',
    issuer: 'intermediate',
    extensions: [LEAF, 'authorityInfoAccess=caIssuers;URI:http://ca.agency.gov/intermediate.cer'],
  },
  'under-old': { names: 'DNS:under-old.test', issuer: 'old-intermediate' },
  'outside.test': { names: 'DNS:outside.test', issuer: 'constrained' },
  inside: { names: 'DNS:inside.allowed.test', issuer: 'constrained' },
  'no-server': leaf('DNS:no-server.test', 'extendedKeyUsage=emailProtection'),
  'weak-key': { ...leaf('DNS:weak-key.test'), key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] },
  sha1: { ...leaf('DNS:sha1.test'), digest: 'sha1' },
  revoked: leaf('DNS:revoked.test'),
  'revoked-staple': { names: 'DNS:revoked-staple.test', extensions: [LEAF] },
  'other-staple': leaf('DNS:other-staple.test'),
  'must-staple': leaf('DNS:must-staple.test', 'tlsfeature=status_request'),
  'list-down': { names: 'DNS:list-down.test', extensions: [LEAF, list('absent')] },
} satisfies Record<string, Leaf>;
type LeafName = keyof typeof LEAVES;

/** Servers of every certificate, in one process, with the files of their authority. */
export interface SslWorld extends AsyncDisposable {
  context(resolver?: Resolver): Opened;
  /** Every host, at 127.0.0.1. */
  hosts: readonly string[];
  /** The certificate of that name, PEM. */
  pem(file: string): string;
  /** OpenSSL's client: whether it accepts what the host shows. */
  accepts(host: string): Promise<boolean>;
  /** Whether OpenSSL finds the certificate on the list of the root. */
  isListed(name: LeafName): boolean;
  asked: string[];
  /** To be trusted, PEM. */
  root: string;
}

/** Starts the world at one address: at the ports that everybody knows where a whole gateway is to find it, else at free ones. */
export async function startSslWorld({ address = '127.0.0.1', isReal = false } = {}): Promise<SslWorld> {
  const pki = makePki(LEAVES, 'the ssl world');
  const pem = (file: string) => readFileSync(join(pki.folder, `${file}.pem`), 'utf8');
  const alone = (text: string) => text.slice(0, text.indexOf('-----END') + '-----END CERTIFICATE-----\n'.length);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: pki.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  // The root's key under another authority, as Let's Encrypt's was under DST's, whose certificate of it has expired.
  const extensions = ['-extfile', 'intermediate.ext'];
  for (const [name, days] of [
    ['cross', '300'],
    ['old-cross', '-1'],
  ] as const) {
    openssl('req', '-new', '-key', 'ca-root.key', '-subj', '/CN=root of the ssl world', '-out', `${name}.csr`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca-stranger.pem',
      '-CAkey',
      'ca-stranger.key',
      '-days',
      days,
      ...extensions,
      '-out',
      `${name}.pem`,
    );
  }
  // As an authority could have issued it, but signed by the key of another.
  openssl('req', '-new', '-x509', '-key', 'ca-stranger.key', '-subj', '/CN=root of the ssl world', '-out', 'forger.pem');
  writeFileSync(join(pki.folder, 'forged.ext'), `${LEAF}\nsubjectAltName=DNS:forged.test\nauthorityKeyIdentifier=none\n`);
  const forgery = ['-in', 'good.csr', '-CA', 'forger.pem', '-CAkey', 'ca-stranger.key', '-extfile', 'forged.ext'];
  openssl('x509', '-req', ...forgery, '-days', '300', '-out', 'forged.pem');
  const contexts = new Map<string, SecureContext>();
  const sends = (host: string, of: LeafName, certificates: readonly string[]) =>
    contexts.set(
      host,
      createSecureContext({ key: readFileSync(join(pki.folder, `${of}.key`)), cert: certificates.join(''), ciphers: 'DEFAULT@SECLEVEL=0' }),
    );
  for (const name of Object.keys(LEAVES) as LeafName[]) {
    const single = ['incomplete', 'packed', 'unfound', 'governed'].includes(name);
    sends(name.endsWith('.test') ? name : `${name}.test`, name, [single ? alone(pem(name)) : pem(name)]);
  }
  sends('www.wildcard.test', 'wildcard', [pem('wildcard')]);
  sends('forged.test', 'good', [pem('forged')]);
  sends('inside.allowed.test', 'inside', [pem('inside')]);
  const deep = [alone(pem('deep')), alone(pem('sub')), alone(pem('intermediate'))] as const;
  sends('misordered.test', 'deep', [deep[0], deep[2], deep[1]]);
  sends('deep.test', 'deep', deep);
  sends('with-root.test', 'good', [pem('good'), pem('ca-root')]);
  sends('with-extra.test', 'good', [pem('good'), pem('ca-stranger')]);
  sends('twice.test', 'good', [pem('good'), pem('good')]);
  sends('untrusted-root.test', 'private-ca', [pem('private-ca'), pem('ca-stranger')]);
  sends('cross-signed.test', 'deep', [...deep, pem('cross')]);
  sends('old-cross.test', 'deep', [...deep, pem('old-cross')]);
  const asked: string[] = [];
  const der = (name: string) => new X509Certificate(pem(name)).raw;
  const files = new Map<string, () => Buffer>([
    ['/all.crl', () => revocations],
    ['/intermediate.cer', () => der('intermediate')],
    ['/both.p7c', () => openssl('crl2pkcs7', '-nocrl', '-certfile', 'sub.pem', '-outform', 'DER')],
  ]);
  const revocations = pki.revocationList(['revoked', 'revoked-staple']);
  writeFileSync(join(pki.folder, 'all.der'), revocations);
  const library = createHttpServer(({ url = '' }, response) => {
    asked.push(url);
    const file = files.get(url);
    if (file) response.end(file());
    else response.writeHead(404).end();
  });
  const server = createServer({
    SNICallback: (host, done) => done(null, contexts.get(host) ?? contexts.get('good.test')),
    key: readFileSync(join(pki.folder, 'address.key')),
    cert: pem('address'),
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => socket.on('error', () => {}).resume());
  const staples = stapler(pki, { 'revoked-staple': 'revoked-staple', good: 'good', 'other-staple': 'good' });
  server.on('OCSPRequest', (certificate: Buffer, _issuer: Buffer, done: (error: null, response: Buffer | null) => void) =>
    done(null, staples.get(certificate.toString('hex')) ?? null),
  );
  const smtp = createPlainServer((socket) => greet(socket, () => server.emit('connection', socket)));
  const servers = new Map<number, Server>([
    [443, server],
    [80, library],
    [25, smtp],
  ]);
  for (const [wanted, each] of servers)
    await new Promise<void>((resolve, reject) => each.once('error', reject).listen(isReal ? wanted : 0, address, resolve));
  const portOf = (wanted: number) => (servers.get(wanted)?.address() as AddressInfo | undefined)?.port ?? wanted;
  const port = portOf(443);
  const hosts = [...contexts.keys(), 'ca.test'];
  const dns: FakeZone = Object.fromEntries(hosts.map((host) => [host, { A: ['127.0.0.1'] }]));
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  return {
    hosts: hosts.filter((host) => host !== 'ca.test'),
    asked,
    root: pki.root,
    pem,
    context: (resolver = fakeResolver(dns)) => ({
      ...SHUT,
      resolver,
      dialler: {
        ...inner,
        tcp: (options) => inner.tcp({ ...options, port: portOf(options.port) }),
      },
      clock: systemClock,
      ca: [pki.root],
      today: () => new Date(),
    }),
    accepts(host) {
      const name = /^[\d.]+$/.test(host) ? ['-noservername', '-verify_ip', host] : ['-servername', host, '-verify_hostname', host];
      const trust = ['-CAfile', 'ca-root.pem', '-no-CApath', '-no-CAstore', '-verify_return_error'];
      const client = spawn('openssl', ['s_client', '-connect', `${address}:${port}`, ...trust, ...name], { cwd: pki.folder, stdio: ['pipe', 'ignore', 'ignore'] }); // prettier-ignore
      client.stdin.on('error', () => {}).end();
      return new Promise((resolve) => client.once('exit', (code) => resolve(code === 0)));
    },
    isListed(name) {
      const { stderr } = spawnSync('openssl', ['verify', '-CAfile', 'ca-root.pem', '-crl_check', '-CRLfile', 'all.der', `${name}.pem`], { cwd: pki.folder, encoding: 'utf8' }); // prettier-ignore
      return stderr.includes('certificate revoked');
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.values()].map((each) => new Promise((resolve) => each.close(resolve))));
      pki[Symbol.dispose]();
    },
  };
}

/** As a mail server does until it has agreed to TLS. */
function greet(socket: Socket, begin: () => void): void {
  const say = (text: string) => void socket.write(`${text}\r\n`);
  const hear = (heard: Buffer) => {
    const line = heard.toString('latin1');
    if (line.startsWith('EHLO')) return say('250-mail.test\r\n250 STARTTLS');
    if (!line.startsWith('STARTTLS')) return say('502 no');
    socket.off('data', hear).pause();
    say('220 go');
    begin();
  };
  socket.on('error', () => {}).on('data', hear);
  say('220 mail.test');
}

/** Responses of the root's responder, by the certificate that they are sent with: about the named one. */
function stapler(pki: Pki, about: Partial<Record<LeafName, LeafName>>): Map<string, Buffer> {
  const read = (name: string) => new X509Certificate(readFileSync(join(pki.folder, `${name}.pem`)));
  return new Map(
    Object.entries(about).map(([name, subject]) => {
      const [certificate, root] = issuedChain([read(subject), read('ca-root')]);
      const request = decodeURIComponent(ocspUrl('http://ca.test', certificate!, root!).slice('http://ca.test/'.length));
      return [read(name).raw.toString('hex'), pki.ocspResponse(Buffer.from(request, 'base64'))];
    }),
  );
}
