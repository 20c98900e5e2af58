import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { createHash, X509Certificate } from 'node:crypto';
import { createAddressPolicy } from '@vedette/probes/host';
import { type Dialler, isSpecialUseName } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';
import type { EgressOptions } from '../../../packages/renderer/src/egress/index.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { makePki } from '../../probes/http/certificates.ts';

/** What a site answers: HTML, or whatever else it does with the response. */
export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);
/** Pages by path, for each host; a path `*` answers where no other does. */
export type Sites = Record<string, Record<string, Answer>>;

export interface SiteRequest {
  scheme: 'http' | 'https';
  host: string;
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
}

export interface SiteServer extends AsyncDisposable {
  address: string;
  httpPort: number;
  httpsPort: number;
  /** Root of its certificates, PEM: `*.test` and every host it was given. */
  root: string;
  /** Base64 of the SHA-256 of the certificate's public key: for `--ignore-certificate-errors-spki-list`. */
  spki: string;
  requests: SiteRequest[];
  /** More sites, or other pages of those that there are. */
  add(sites: Sites): void;
  close(): Promise<void>;
}

const NOT_FOUND: Answer = (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');

/** One real server for the sites of many themes: http and https (h2 and HTTP/1.1), told apart by their Host, on a loopback address and free ports unless told otherwise. */
export async function serveSites(sites: Sites, { address = '127.0.0.1', httpPort = 0, httpsPort = 0 } = {}): Promise<SiteServer> {
  const known = new Map(Object.entries(sites));
  const names = ['test', '*.test', '*.sites.test', ...known.keys()].map((name) => `DNS:${name}`).join(',');
  using pki = makePki({ site: { names } }, 'renderer tests');
  const read = (file: string) => readFileSync(join(pki.folder, file));
  const requests: SiteRequest[] = [];
  const serve =
    (scheme: SiteRequest['scheme']): RequestListener =>
    (request, response) => {
      const authority = String(request.headers[':authority'] ?? request.headers.host);
      const host = authority.replace(/:\d+$/, '');
      const path = request.url ?? '/';
      requests.push({ scheme, host, method: request.method ?? '', path, headers: request.headers });
      const pages = known.get(host);
      const answer = pages?.[path] ?? pages?.[path.split('?')[0]!] ?? pages?.['*'] ?? NOT_FOUND;
      if (typeof answer === 'function') return answer(request, response);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer);
    };
  const http = createHttpServer(serve('http'));
  const tls = { key: read('site.key'), cert: read('site.pem'), allowHTTP1: true };
  // The answers of HTTP/2's compatibility API are those of HTTP/1, as far as sites need them.
  const https = createSecureServer(tls, serve('https') as unknown as Parameters<typeof createSecureServer>[1]);
  const sockets = new Set<Socket>();
  for (const server of [http, https])
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    });
  https.on('sessionError', () => {});
  const ports = await Promise.all([listen(http, httpPort, address), listen(https, httpsPort, address)]);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([http, https].map((server) => new Promise((resolve) => server.close(resolve))));
  };
  return {
    address,
    httpPort: ports[0],
    httpsPort: ports[1],
    root: pki.root,
    spki: createHash('sha256')
      .update(new X509Certificate(read('site.pem')).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
    requests,
    add(more) {
      for (const [host, pages] of Object.entries(more)) known.set(host, { ...known.get(host), ...pages });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const listen = (server: Server, port: number, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, address, () => resolve((server.address() as AddressInfo).port));
  });

/**
 * What an egress, or engines, need to find these sites under their own names and the usual ports, and nothing else: every `*.test` is at the server,
 * whatever a zone does not say otherwise; loopback is let through because an operator's VEDETTE_ALLOW_NETS would say so.
 */
export function reaching(
  { address, httpPort, httpsPort }: SiteServer,
  zone: FakeZone = {},
  allowNets = [`${address}/32`],
): EgressOptions & { dialler: Dialler } {
  const policy = createAddressPolicy({ allowNets });
  const dialler = createDialler({ policy });
  const mapped = new Map([
    [80, httpPort],
    [443, httpsPort],
  ]);
  return {
    resolver: refusing(fakeResolver({ '*.test': { A: [address] }, ...zone }), isSpecialUseName),
    dialler: { ...dialler, tcp: (options) => dialler.tcp({ ...options, port: mapped.get(options.port) ?? options.port }) },
    limits: createTargetLimits({ clock: systemClock, enabled: false, spares: [] }),
    clock: systemClock,
    isDenied: (name) => name === 'denied.test' || name.endsWith('.denied.test'),
  };
}
