import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { listening } from '../../listening.ts';
import { bomb } from '../../probes/http/behaviours.ts';
import { makePki } from '../../probes/http/certificates.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface FakeSite {
  /** Which certificate it shows; without one it speaks no https. */
  certificate?: 'good' | 'expired' | 'self' | 'other' | 'revoked' | 'organization' | 'plain' | 'beside' | 'brand' | 'claim';
  /** Over http, where that is not a redirect to https. */
  http?: Answer;
  https: Answer;
}

export interface FakeSites extends AsyncDisposable {
  /** Names that it has sites of, all of them at the one address. */
  hosts: readonly string[];
  /** Root of its certificates, PEM. */
  root: string;
  httpPort: number;
  httpsPort: number;
  /** Requests as they came: `https shop.test /path`. */
  requests: string[];
}

const page =
  (html: string, headers: Record<string, string | string[]> = {}, status = 200): Answer =>
  (request, response) => {
    const isFront = request.url === '/' || status !== 200;
    response.writeHead(isFront ? status : 404, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(isFront ? html : '<title>Not here</title><h1>We have no such page</h1><p>Try the front page.</p>');
  };
const redirect =
  (location: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(302, { location, ...headers }).end();
  };

const html = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
const PLAIN = html(
  'The bakery at the bridge',
  '<h1>The bakery at the bridge</h1><p>Bread, rolls and cake since 1902. We open at six.</p><p>Bridge street 4, telephone +49 30 1234567, <a href="mailto:hello@plain.test">hello@plain.test</a></p>',
);
const NETFLIX = html(
  'Netflix: Sign in',
  '<h1>Netflix</h1><form method="post"><input name="email"><input type="password" name="password"></form>',
);
const SAFE = {
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin',
  'x-frame-options': 'DENY',
};

function dripHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('X-More: and more\r\n'), 50);
  socket.once('close', () => clearInterval(timer));
}

/** Sites of all kinds that a report tells apart. */
const SITES: Record<string, FakeSite> = {
  'plain.test': { certificate: 'plain', https: page(PLAIN, SAFE) },
  'shop.test': {
    certificate: 'organization',
    https: page(
      html(
        'Shoes of the valley',
        '<a href="/cart">Cart</a><a href="/collections/all">All shoes</a><p>Boots <span class="price">€ 129.00</span></p><a href="https://www.instagram.com/shoesofthevalley">Instagram</a><a href="/pages/contact">Contact</a>',
        '<script src="https://shop.test/cdn/shop/t/4/assets/theme.js"></script>',
      ),
      { 'x-shopid': '4711', 'powered-by': 'Shopify', 'set-cookie': ['_shopify_y=1; Secure; SameSite=Lax', '_shopify_s=2; Secure'] },
    ),
  },
  'phishing.test': {
    certificate: 'good',
    https: page(
      html(
        'PayPal: Log in to your account',
        '<h1>PayPal</h1><form action="https://collect.test/p.php" method="post"><input name="login_email"><input type="password" name="login_password"><button>Log In</button></form>',
        '<link rel="icon" href="https://www.paypal.com/favicon.ico">',
      ),
    ),
  },
  'suspended.test': {
    https: refuse,
    http: page(
      html(
        'Account Suspended',
        '<h1>Account Suspended</h1><p>This Account has been suspended.</p><p>Contact your hosting provider for more information.</p>',
      ),
    ),
  },
  'defaced.test': { https: refuse, http: page(html('Hacked By Night Owls', '<h1>Hacked By Night Owls</h1><p>your security is low</p>')) },
  'parked.test': {
    https: refuse,
    http: page(
      html(
        'parked.test',
        '<h1>parked.test</h1><p>This domain may be for sale.</p>',
        '<script src="http://img.sedoparking.com/js/x.js"></script>',
      ),
      { 'x-adblock-key': 'MFww' },
    ),
  },
  'listing.test': {
    https: refuse,
    http: page(
      '<html><head><title>Index of /</title></head><body><h1>Index of /</h1><pre><a href="../">../</a><a href="backup.zip">backup.zip</a></pre></body></html>',
    ),
  },
  'loop.test': { certificate: 'good', https: (request, response) => redirect(request.url === '/' ? '/a' : '/')(request, response) },
  'cookie-wall.test': {
    certificate: 'good',
    https(request, response) {
      if (request.url !== '/' || request.headers.cookie?.includes('seen=1')) page(PLAIN)(request, response);
      else redirect('/', { 'set-cookie': 'seen=1; Path=/; Secure' })(request, response);
    },
  },
  'inside.test': { certificate: 'good', https: redirect('http://169.254.169.254/latest/meta-data/') },
  'to-gov.test': { certificate: 'good', https: redirect('https://www.irs.gov/') },
  'to-opted-out.test': { certificate: 'good', https: redirect('https://quiet.test/') },
  'quiet.test': { certificate: 'good', https: page(PLAIN) },
  'tracked.test': { certificate: 'good', https: redirect('https://tracker.test/go?to=https%3A%2F%2Fcasino.test%2F') },
  'tracker.test': { certificate: 'good', https: page(html('Go', '<p>You are being led somewhere else, please wait for a while.</p>')) },
  'moved.test': {
    certificate: 'good',
    https: page(html('Moved', '<p>We moved.</p>', '<meta http-equiv="refresh" content="0; url=https://plain.test/">')),
  },
  'endless.test': {
    certificate: 'good',
    https(_request, response) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(PLAIN);
      const chunk = '<p>and more</p>'.repeat(4_000);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      response.on('error', () => {});
      more();
    },
  },
  'loris.test': {
    certificate: 'good',
    http: (_request, response) => dripHeaders(response.socket!),
    https: (_request, response) => dripHeaders(response.socket!),
  },
  'bomb.test': {
    certificate: 'good',
    https: (_request, response) => response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb()),
  },
  'gzip.test': { certificate: 'good', https: coded('gzip', gzipSync(PLAIN)) },
  'brotli.test': { certificate: 'good', https: coded('br', brotliCompressSync(PLAIN)) },
  'zstd.test': { certificate: 'good', https: coded('zstd', zstdCompressSync(PLAIN)) },
  'garbled.test': { certificate: 'good', https: coded('gzip', Buffer.from('no gzip at all')) },
  'latin.test': {
    certificate: 'good',
    https: (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
        .end(Buffer.from(html('Bäckerei', '<p>Brötchen und Kuchen, jeden Morgen ab sechs Uhr.</p>'), 'latin1')),
  },
  'expired.test': { certificate: 'expired', https: page(PLAIN, SAFE) },
  'self-signed.test': { certificate: 'self', https: page(PLAIN, SAFE) },
  'wrong-name.test': { certificate: 'other', https: page(html('Account Suspended', '<h1>Account Suspended</h1>')), http: page(PLAIN) },
  'revoked.test': { certificate: 'revoked', https: page(PLAIN, SAFE) },
  'beside.test': { certificate: 'beside', https: page(PLAIN, SAFE) },
  'netflix-partners.test': { certificate: 'brand', https: page(NETFLIX, SAFE) },
  'netflix-movies.test': { certificate: 'good', https: page(NETFLIX, SAFE) },
  'icon.test': { certificate: 'good', https: withIcon },
  'claim.test': { certificate: 'claim', https: page(PLAIN, SAFE) },
  'broken.test': {
    certificate: 'good',
    https: page(html('Error', '<h1>Internal error</h1><p>Something went wrong on our side.</p>'), {}, 500),
  },
  'soft404.test': {
    certificate: 'good',
    https: (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PLAIN),
  },
};

function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.socket?.destroy();
}

export const ICON = Buffer.from('an icon');
function withIcon(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/i.png?v=1') return void response.end(ICON);
  const form = '<form method="post"><input name="email"><input type="password" name="password"></form>';
  page(html('Sign in', `<h1>Sign in</h1>${form}`, '<link rel="icon" href="i.png?v=1">'), SAFE)(request, response);
}

function coded(coding: string, body: Buffer): Answer {
  return (request, response) => {
    if (!String(request.headers['accept-encoding']).includes(coding)) response.writeHead(406).end();
    else response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end(body);
  };
}

export const FAKE_SITES = Object.keys(SITES);

/**
 * Starts web servers with sites of all kinds at one address: `127.0.0.9` with ports 80 and 443 where a whole gateway is to find them, free
 * ones where the test's dialler maps those. `kits` are further names, each with what `phishing.test` has.
 */
export async function startFakeSites({
  address = '127.0.0.1',
  httpPort = 0,
  httpsPort = 0,
  kits = [],
}: { address?: string; httpPort?: number; httpsPort?: number; kits?: readonly string[] } = {}): Promise<FakeSites> {
  const names = [...FAKE_SITES, ...kits].flatMap((host) => [`DNS:${host}`, `DNS:www.${host}`]).join(',');
  const pki = makePki({
    good: { names, extensions: ['basicConstraints=CA:FALSE', 'certificatePolicies=2.23.140.1.2.1'] },
    organization: { names, extensions: ['basicConstraints=CA:FALSE', 'certificatePolicies=1.2.3.4,2.23.140.1.2.2'] },
    expired: { names, until: '20250601000000Z' },
    self: { names, issuer: 'self' },
    plain: { names: 'DNS:plain.test,DNS:www.plain.test', extensions: ['basicConstraints=CA:FALSE', 'certificatePolicies=2.23.140.1.2.1'] },
    other: { names: 'DNS:somebody-else.test' },
    beside: { names: 'DNS:beside.test,DNS:paypal-login-verify.test' },
    brand: {
      names: 'DNS:netflix-partners.test',
      organization: 'Netflix, Inc.',
      extensions: ['basicConstraints=CA:FALSE', 'certificatePolicies=2.23.140.1.2.2'],
    },
    claim: { names: 'DNS:claim.test', organization: 'PayPal, Inc.', issuer: 'self' },
    revoked: { names, extensions: ['basicConstraints=CA:FALSE', 'crlDistributionPoints=URI:http://crl.test/list.crl'] },
  });
  const read = (file: string) => readFileSync(join(pki.folder, file));
  const contexts = new Map(
    ['good', 'organization', 'expired', 'self', 'other', 'revoked', 'plain', 'beside', 'brand', 'claim'].map((name) => [
      name,
      createSecureContext({ key: read(`${name}.key`), cert: Buffer.concat([read(`${name}.pem`), read('ca-root.pem')]) }),
    ]),
  );
  const revocations = pki.revocationList(['revoked']);
  const requests: string[] = [];
  const siteOf = (request: IncomingMessage) =>
    SITES[
      String(request.headers.host)
        .replace(/:\d+$/, '')
        .replace(/^www\./, '')
    ];
  const serve = (scheme: 'http' | 'https') => (request: IncomingMessage, response: ServerResponse) => {
    const host = String(request.headers.host).replace(/:\d+$/, '');
    requests.push(`${scheme} ${host} ${request.url}`);
    if (host === 'crl.test') return void response.end(revocations);
    const site = siteOf(request) ?? (kits.includes(host.replace(/^www\./, '')) ? SITES['phishing.test'] : undefined);
    if (!site) return void response.writeHead(421).end();
    if (scheme === 'https') return site.https(request, response);
    return (site.http ?? redirect(`https://${host}${request.url}`))(request, response);
  };
  const http = createHttpServer(serve('http'));
  const https = createHttpsServer(
    {
      SNICallback: (name, done) => done(null, contexts.get(SITES[name.replace(/^www\./, '')]?.certificate ?? 'good')),
      key: read('good.key'),
      cert: read('good.pem'),
    },
    serve('https'),
  );
  https.on('tlsClientError', () => {});
  const { ports, close } = await listening([http, https], address, [httpPort, httpsPort]);
  return {
    hosts: FAKE_SITES,
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
