import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { Dialler } from '@vedette/contract';
import { issuedChain, ocspUrl } from '@vedette/mail/certificates';
import { type Leaf, makePki, type Pki } from './certificates.ts';

const LEAF = 'basicConstraints=CA:FALSE';
const CA = 'basicConstraints=critical,CA:TRUE';
const list = (name: string) => `crlDistributionPoints=URI:http://crl.test/${name}.crl`;
const responder = (name: string) => `authorityInfoAccess=OCSP;URI:http://ocsp.test/${name}`;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '');

/** What is wrong with a host is its name: `https://expired.test/`. Those without a list or responder were issued before that was asked for. */
const LEAVES = {
  good: { names: 'DNS:good.test', extensions: [LEAF, list('all'), responder('any'), 'certificatePolicies=2.23.140.1.2.1'] },
  expired: { names: 'DNS:expired.test', until: '20250601000000Z' },
  'not-yet': { names: 'DNS:not-yet.test', from: '20480101000000Z' },
  'self-signed': { names: 'DNS:self-signed.test', issuer: 'self' },
  'private-ca': { names: 'DNS:private-ca.test', issuer: 'stranger' },
  'wrong-name': { names: 'DNS:somebody-else.test' },
  wildcard: { names: 'DNS:*.wildcard.test' },
  address: { names: 'IP:127.0.0.1,IP:127.0.0.9' },
  intermediate: { names: '', extensions: [CA] },
  complete: { names: 'DNS:complete.test', issuer: 'intermediate', extensions: [LEAF, list('of-intermediate')] },
  incomplete: { names: 'DNS:incomplete.test', issuer: 'intermediate' },
  'weak-key': { names: 'DNS:weak-key.test', key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] },
  'no-names': { names: '' },
  'revoked-by-list': { names: 'DNS:revoked-by-list.test', extensions: [LEAF, list('all')] },
  'revoked-by-responder': { names: 'DNS:revoked-by-responder.test', extensions: [LEAF, responder('any')] },
  'revoked-by-staple': { names: 'DNS:revoked-by-staple.test', extensions: [LEAF] },
  'good-by-responder': { names: 'DNS:good-by-responder.test', extensions: [LEAF, responder('delegate')] },
  'good-by-staple': { names: 'DNS:good-by-staple.test', extensions: [LEAF, 'tlsfeature=status_request'] },
  'list-down': { names: 'DNS:list-down.test', extensions: [LEAF, list('absent'), responder('any')] },
  'list-of-others': { names: 'DNS:list-of-others.test', extensions: [LEAF, list('others')] },
  'list-out-of-date': { names: 'DNS:list-out-of-date.test', extensions: [LEAF, list('old')] },
  'responder-down': { names: 'DNS:responder-down.test', extensions: [LEAF, responder('absent')] },
  'short-lived': { names: 'DNS:short-lived.test', extensions: [LEAF], from: inDays(-1), until: inDays(5) },
  'client-certificate': { names: 'DNS:client-certificate.test' },
  'client-certificate-1-2': { names: 'DNS:client-certificate-1-2.test' },
  responder: { names: '', extensions: [LEAF, 'extendedKeyUsage=OCSPSigning'] },
} satisfies Record<string, Leaf>;
type LeafName = keyof typeof LEAVES;

/** Hosts by what they show; `needs-sni` and `fails` show what `good` has, or nothing. */
const HOSTS: Record<string, LeafName> = {
  ...Object.fromEntries((Object.keys(LEAVES) as LeafName[]).map((name) => [`${name}.test`, name])),
  'www.wildcard.test': 'wildcard',
};
const REVOKED: LeafName[] = ['revoked-by-list', 'revoked-by-responder', 'revoked-by-staple'];
const STAPLED: LeafName[] = ['revoked-by-staple', 'good-by-staple'];

/** Servers whose certificates are of every kind, and the lists and responders of their issuer. */
export interface TlsZoo extends AsyncDisposable {
  /** To be trusted, PEM. */
  root: string;
  /** Every name in it, all at the zoo's address. */
  hosts: readonly string[];
  httpPort: number;
  httpsPort: number;
  /** What was asked of lists and responders: paths, in their order. */
  asked: string[];
  /** Connects to the zoo's ports where those of http and https are meant. */
  dialler(inner: Dialler): Dialler;
}

/** Starts the zoo at one address: ports 80 and 443 where a whole gateway is to find it, free ones where a test's dialler maps those. */
export async function startTlsZoo({ address = '127.0.0.1', httpPort = 0, httpsPort = 0 } = {}): Promise<TlsZoo> {
  const pki = makePki(LEAVES, 'the zoo');
  const read = (name: string) => readFileSync(join(pki.folder, name), 'utf8');
  const alone = (pem: string) => pem.slice(0, pem.indexOf('-----END') + '-----END CERTIFICATE-----\n'.length);
  const shown = (name: LeafName): ServerOptions => ({
    key: read(`${name}.key`),
    cert:
      name === 'incomplete'
        ? alone(read(`${name}.pem`))
        : read(`${name}.pem`) + (name in { good: 1, complete: 1 } ? read('ca-root.pem') : ''),
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const asked: string[] = [];
  const servers = new Map<string, Server>();
  const hello = (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Zoo</title>');
  const contexts = new Map(Object.entries(HOSTS).map(([host, name]) => [host, createSecureContext(shown(name))]));
  const main = createHttpsServer(
    { ...shown('address'), SNICallback: (host, done) => done(null, contexts.get(host) ?? contexts.get('good.test')) },
    hello,
  );
  staple(main, pki);
  for (const name of ['client-certificate', 'client-certificate-1-2'] as const)
    servers.set(
      `${name}.test`,
      createHttpsServer(
        { ...shown(name), requestCert: true, rejectUnauthorized: true, ...(name.endsWith('2') && { maxVersion: 'TLSv1.2' }) },
        hello,
      ),
    );
  servers.set('needs-sni.test', main);
  servers.set(
    'fails.test',
    createServer((socket) => socket.end(Buffer.from('15030100020228', 'hex'))),
  ); // a fatal alert: handshake_failure
  for (const server of [main, ...servers.values()]) server.on('tlsClientError', () => {});
  const front = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const head = socket.read() as Buffer | null;
      if (!head) return;
      socket.unshift(head);
      const host = [...servers.keys()].findLast((name) => head.includes(name));
      (servers.get(host ?? '') ?? main).emit('connection', socket);
    });
  });
  const http = createHttpServer(authority(pki, asked));
  const [plain, secure] = [await opened(http, address, httpPort), await opened(front, address, httpsPort)];
  return {
    root: pki.root,
    hosts: [...Object.keys(HOSTS), 'needs-sni.test', 'fails.test', 'crl.test', 'ocsp.test'],
    httpPort: plain.port,
    httpsPort: secure.port,
    asked,
    dialler: (inner) => ({
      ...inner,
      tcp: (options) =>
        inner.tcp({ ...options, port: options.port === 443 ? secure.port : options.port === 80 ? plain.port : options.port }),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.close(), secure.close()]);
      pki[Symbol.dispose]();
    },
  };
}

/** Answers for the issuer: its lists by their paths, and its responder, which signs itself or has another do so. */
function authority(pki: Pki, asked: string[]) {
  const lists = new Map([
    ['/old.crl', pki.revocationList(REVOKED, { until: '20260101000000Z' })],
    [
      '/others.crl',
      pki.revocationList([], {
        extensions: ['issuingDistributionPoint=critical,@point\n[point]\nfullname=URI:http://crl.test/elsewhere.crl'],
      }),
    ],
    ['/all.crl', pki.revocationList([])],
  ]);
  return ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const [, kind = '', request = ''] = url.split('/');
    asked.push(`/${kind}`);
    const file = lists.get(url);
    if (file) response.end(file);
    else if (kind === 'any' || kind === 'delegate')
      response.end(
        pki.ocspResponse(Buffer.from(decodeURIComponent(request), 'base64'), kind === 'delegate' ? { signer: 'responder' } : {}),
      );
    else response.writeHead(404).end();
  };
}

function staple(server: Server, pki: Pki): void {
  const responses = new Map(
    STAPLED.map((name) => {
      const certificates = [`${name}.pem`, 'ca-root.pem'].map((file) => new X509Certificate(readFileSync(join(pki.folder, file))));
      const [leaf, root] = issuedChain(certificates);
      const request = ocspUrl('http://ocsp.test', leaf!, root!).slice('http://ocsp.test/'.length);
      return [certificates[0]!.raw.toString('hex'), () => pki.ocspResponse(Buffer.from(decodeURIComponent(request), 'base64'))];
    }),
  );
  server.on('OCSPRequest', (certificate: Buffer, _issuer: Buffer, done: (error: null, response: Buffer | null) => void) =>
    done(null, responses.get(certificate.toString('hex'))?.() ?? null),
  );
}

async function opened(server: Server, address: string, port: number): Promise<{ port: number; close(): Promise<unknown> }> {
  const sockets = new Set<Socket | TLSSocket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
