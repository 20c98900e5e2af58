import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { listening } from '../../listening.ts';
import { makePki } from '../../probes/http/certificates.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface HeaderSites extends AsyncDisposable {
  /** Root of the certificates, PEM. */
  root: string;
  httpPort: number;
  httpsPort: number;
  /** Requests as they came: `GET https strict.test /`. */
  requests: string[];
}

const page =
  (headers: Record<string, string | string[]> = {}, body = '<p>Bread, rolls and cake since 1902.</p>', status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(`<!doctype html><html lang="en"><title>The bakery</title>${body}`);
  };
const to =
  (location: string, headers: Record<string, string | string[]> = {}): Answer =>
  (_request, response) => {
    response.writeHead(301, { location, ...headers }).end();
  };

const STRICT = {
  'content-security-policy': "default-src 'none'; script-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

interface Site {
  certificate?: 'good' | 'expired';
  http?: Answer;
  https?: Answer;
}

/** Sites of all kinds. Where nothing is said of http it leads to https. */
const SITES: Record<string, Site> = {
  'strict.test': { https: page({ ...STRICT, 'set-cookie': '__Host-sess=1; Path=/; Secure; HttpOnly; SameSite=Lax' }) },
  'bare.test': { http: page(), https: page() },
  'www.moved.test': { https: page(STRICT) },
  'moved.test': {
    https: to('https://www.moved.test/', { 'strict-transport-security': 'max-age=63072000', 'set-cookie': 'seen=1; Path=/' }),
  },
  'open.test': {
    https(request, response) {
      const allow = { 'access-control-allow-origin': String(request.headers.origin), 'access-control-allow-credentials': 'true' };
      page(request.method === 'OPTIONS' ? allow : {})(request, response);
    },
  },
  'meta.test': {
    https: page(
      {},
      `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; object-src 'none'"><meta name="referrer" content="same-origin"><script src="https://cdn.test/a.js"></script>`,
    ),
  },
  'mute.test': {
    https: (request, response) => (request.method === 'OPTIONS' ? response.socket?.destroy() : page(STRICT)(request, response)),
  },
  'down.test': { http: to('https://down.test/') },
  'http-to-gov.test': { http: to('https://www.irs.gov/') },
  'crowded.test': {
    https: page({ ...STRICT, 'content-security-policy': Array.from({ length: 21 }, () => "default-src 'self'").join(', ') }),
  },
  'plain.test': { http: page({ 'x-frame-options': 'DENY' }) },
  'expired.test': { certificate: 'expired', https: page(STRICT) },
  'broken.test': { https: page({}, '<p>Something went wrong.</p>', 500) },
  'login.test': { https: page(STRICT, '<p>Please log in.</p>', 401) },
  'guarded.test': { https: page({ 'cf-mitigated': 'challenge' }, '<p>Just a moment</p>', 403) },
  'refreshed.test': { https: page({}, '<meta http-equiv="refresh" content="0; url=https://strict.test/">') },
  'inside.test': { https: to('https://10.0.0.7/') },
  'to-gov.test': { https: to('https://www.irs.gov/') },
};
export const HOSTS = Object.keys(SITES);

/** Starts them at one address: `127.0.0.9` with ports 80 and 443 where a whole gateway is to find them. */
export async function startHeaderSites({ address = '127.0.0.1', httpPort = 0, httpsPort = 0 } = {}): Promise<HeaderSites> {
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const pki = makePki({ good: { names }, expired: { names, until: '20250601000000Z' } });
  const read = (file: string) => readFileSync(join(pki.folder, file));
  const contextOf = (name: string) =>
    createSecureContext({ key: read(`${name}.key`), cert: Buffer.concat([read(`${name}.pem`), read('ca-root.pem')]) });
  const contexts = { good: contextOf('good'), expired: contextOf('expired') };
  const requests: string[] = [];
  const serve = (scheme: 'http' | 'https') => (request: IncomingMessage, response: ServerResponse) => {
    const host = String(request.headers.host).replace(/:\d+$/, '');
    requests.push(`${request.method} ${scheme} ${host} ${request.url}`);
    const site = SITES[host];
    const answer = site?.[scheme] ?? (scheme === 'http' && site?.https ? to(`https://${host}${request.url}`) : undefined);
    if (answer) answer(request, response);
    else response.socket?.destroy();
  };
  const http = createHttpServer(serve('http'));
  const https = createHttpsServer(
    {
      SNICallback: (name, done) => done(null, contexts[SITES[name]?.certificate ?? 'good']),
      key: read('good.key'),
      cert: read('good.pem'),
    },
    serve('https'),
  );
  https.on('tlsClientError', () => {});
  const { ports, close } = await listening([http, https], address, [httpPort, httpsPort]);
  return {
    root: pki.root,
    httpPort: ports[0]!,
    httpsPort: ports[1]!,
    requests,
    async [Symbol.asyncDispose]() {
      await close();
      pki[Symbol.dispose]();
    },
  };
}
