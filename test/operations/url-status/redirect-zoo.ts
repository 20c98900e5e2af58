import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { PICTURES } from '../../web/images/pictures.ts';
import { listening } from '../../listening.ts';
import { bomb } from '../../probes/http/behaviours.ts';
import { makePki } from '../../probes/http/certificates.ts';

type Request = IncomingMessage | Http2ServerRequest;
interface Answer {
  status?: number;
  /** Name, value, name, value … as they are sent; octets in latin1. */
  headers?: readonly string[];
  body?: string | Buffer;
}
type Behave = Answer | ((request: Request, scheme: 'http' | 'https') => Answer);

export interface RedirectZoo extends AsyncDisposable {
  /** Names that it answers for, all of them at the one address. */
  hosts: readonly string[];
  /** Root of its certificates, PEM. */
  root: string;
  httpPort: number;
  httpsPort: number;
  /** Requests as they came: `https zoo.test /path`. */
  requests: string[];
  /** Those among them that came with an Authorization, and with which. */
  authorized: string[];
}

const to = (location: string, status = 302, ...more: string[]): Answer => ({ status, headers: ['location', location, ...more] });
const html = (markup: string, ...more: string[]): Answer => ({
  headers: ['content-type', 'text/html; charset=utf-8', ...more],
  body: markup,
});
const page = (title: string, head = '', body = `<h1>${title}</h1><p>Words of ${title}.</p>`): Answer =>
  html(`<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`);
const cookieOf = (request: Request, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1];
const queryOf = (request: Request): URLSearchParams => new URL(request.url ?? '', 'http://zoo.test').searchParams;
const echo: Behave = (request) => ({ headers: ['content-type', 'application/json'], body: JSON.stringify(request.headers) });
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
/** Whoever asks over http is sent to https, as most sites do. */
const secured =
  (answer: Behave): Behave =>
  (request, scheme) =>
    scheme === 'http'
      ? to(`https://${String(request.headers.host)}${request.url}`, 301)
      : typeof answer === 'function'
        ? answer(request, scheme)
        : answer;

const ARTICLE = `<header class="top"><a href="/">Home</a></header><nav><a href="/menu">Menu</a></nav>
<div id="onetrust-banner-sdk"><p>We value your privacy.</p><a href="/cookies">Cookies</a></div>
<main><h1>The article</h1><p>${'What the article says is long enough to be read. '.repeat(8)}</p><a href="https://elsewhere.test/source" rel="nofollow">Source</a>
<a href="/next">Next</a><script>document.write('script words')</script><style>p { color: red }</style></main>
<form action="https://collect.test/" method="post"><input name="mail"><input type="password" name="secret"><input type="file" name="cv"></form>
<footer><a href="/imprint">Imprint</a></footer>`;

/** Every way to lead on that is told apart, by host and path. */
const ANSWERS: Record<string, Record<string, Behave>> = {
  'zoo.test': {
    ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`/${status}`, to('/end', status)])),
    '/end': page('The end'),
    '/304': { status: 304 },
    '/refresh-header': html('<title>Refresh</title>', 'refresh', '0; url=/end'),
    '/refresh-late': html('<title>Late</title>', 'refresh', '31; url=/end'),
    '/refresh-self': html('<title>Self</title>', 'refresh', '5'),
    '/refresh-private': html('<title>In</title>', 'refresh', '0; url=http://10.0.0.7/'),
    '/meta': page('Meta', `<meta http-equiv="refresh" content="0;URL='/end'">`),
    '/meta-late': page('Late', '<meta http-equiv="refresh" content="300;url=/end">'),
    '/meta-noscript': page('Noscript', '<noscript><meta http-equiv="refresh" content="0;url=/end"></noscript>'),
    '/meta-comment': page('Comment', '<!-- <meta http-equiv="refresh" content="0;url=/end"> -->'),
    '/meta-private': page('In', '<meta http-equiv="refresh" content="0;url=http://169.254.169.254/latest/">'),
    '/both': html(`<title>Both</title><meta http-equiv="refresh" content="0;url=/end">`, 'refresh', '0; url=/end?header'),
    '/relative/deep/': to('../../end'),
    '/scheme-relative': to('//www.zoo.test/end'),
    '/backslash': to('\\\\www.zoo.test\\end'),
    '/tab': to('/e\tnd'),
    '/non-ascii': to(latin1('/caf\u00e9')),
    '/caf%C3%A9': page('Caf\u00e9'),
    '/idn': to(latin1('https://b\u00fccher.test/')),
    '/spaces': to('  /end?a b  '),
    '/two': { status: 302, headers: ['location', '/end', 'location', '/other'] },
    '/missing': { status: 302 },
    '/empty': to(''),
    '/no-url': to('http://'),
    '/to-fragment': to('/end#new'),
    '/mail': to('mailto:me@zoo.test'),
    '/script': to('javascript:alert(1)'),
    '/login-in-url': to('http://user:secret@zoo.test/members'),
    '/trick': to('http://www.irs.gov@zoo.test/end'),
    '/to-member-elsewhere': to('http://user:secret@other.test/to-members'),
    '/to-members': to('http://zoo.test/members'),
    '/members': (request) =>
      request.headers.authorization === undefined
        ? { status: 401, headers: ['www-authenticate', 'Digest realm="x", Basic realm="members"'], body: 'who are you?' }
        : page(`Welcome ${Buffer.from(request.headers.authorization.slice('Basic '.length), 'base64').toString()}`),
    '/members/on': (request) =>
      request.headers.authorization === undefined ? { status: 401, headers: ['www-authenticate', 'Basic realm="x"'] } : to('../members'),
    '/bearer-only': { status: 401, headers: ['www-authenticate', 'Bearer realm="x"'], body: 'no' },
    '/long': to(`/end?${'x'.repeat(9_000)}`),
    '/a': to('/b'),
    '/b': to('/a'),
    '/self': to('/self'),
    '/counted': (request) => to('/counted', 302, 'set-cookie', `n=${Number(cookieOf(request, 'n') ?? 0) + 1}`),
    '/down': (request) => {
      const left = Number(queryOf(request).get('left'));
      return left === 0 ? page('Bottom') : to(`/down?left=${left - 1}`);
    },
    '/to-private': to('http://10.0.0.7/'),
    '/to-inner-name': to('http://private.test/'),
    '/to-localhost': to('http://localhost/'),
    '/to-us': to('//127.0.0.1:9/'),
    '/to-government': to('https://www.irs.gov/'),
    '/to-denied': to('https://denied.test/'),
    '/to-quiet': to('https://quiet.test/'),
    '/to-nowhere': to('http://nowhere.test/'),
    '/to-unanswered': to('http://unanswered.test/'),
    '/to-closed': to('http://zoo.test:81/'),
    '/to-silent': to('/silent'),
    '/to-exit': to('https://l.facebook.com/l.php?u=https%3A%2F%2Fother.test%2F'),
    '/to-article': to('/article'),
    '/external': to('https://other.test/'),
    '/to-www': to('https://www.zoo.test/end'),
    '/echo': echo,
    '/to-echo': to('/echo'),
    '/to-port': to('http://zoo.test:8080/echo'),
    '/to-other-echo': to('https://other.test/echo'),
    '/cookies': to('/echo', 302, 'set-cookie', 'here=1; Path=/', 'set-cookie', 'there=2; Domain=other.test'),
    '/headers': {
      headers: ['content-type', 'text/plain', 'X-Two', 'one', 'x-two', 'two', 'set-cookie', 'a=1', 'set-cookie', 'b=2'],
      body: 'plain words',
    },
    '/article': page('Article', '<meta property="og:image" content="/picture.png"><link rel="icon" href="/icon.png">', ARTICLE),
    '/picture.png': { headers: ['content-type', 'image/png'], body: Buffer.from(PICTURES.png, 'base64') },
    '/icon.png': { status: 404, body: 'no icon' },
    '/favicon.ico': { headers: ['content-type', 'image/x-icon'], body: 'hello' },
    '/large': html(`<title>Large</title><p>${'words '.repeat(500_000)}`),
    '/bomb': { headers: ['content-type', 'text/html', 'content-encoding', 'gzip'], body: bomb() },
    '/unusual': { status: 799, headers: ['content-type', 'text/html', 'x-odd', '\u009bescape\u00ff'], body: '<title>Unusual</title>' },
    '/deep': page('Deep', '', '<div>'.repeat(100_000)),
    '/broken': { status: 500, headers: ['content-type', 'text/html'], body: '<title>Broken</title>' },
    '/gone': { status: 404, headers: ['content-type', 'text/html'], body: '<title>Gone</title>' },
    '/with-signed-in-icon': page('Icon', '<link rel="icon" href="//ann:secret@zoo.test/favicon.ico">', ''),
    '/with-icon-inside': page(
      'In',
      '<meta property="og:image" content="http://10.0.0.7/x.png"><link rel="icon" href="http://10.0.0.7/i.ico">',
    ),
  },
  'www.zoo.test': { '/end': page('The www end') },
  'other.test': { '/': page('Other'), '/echo': echo, '/to-members': to('http://zoo.test/members') },
  'xn--bcher-kva.test': { '/': page('Books') },
  'l.facebook.com': { '/l.php': page('Leaving', '', '<p>You are leaving.</p>') },
  'pingpong.test': { '/': (_request, scheme) => to(scheme === 'http' ? 'https://pingpong.test/' : 'http://pingpong.test/', 301) },
  'names.test': { '/': to('https://www.names.test/', 301) },
  'www.names.test': { '/': to('https://names.test/', 301) },
  'expired.test': { '/': page('Expired') },
  'wrong.test': { '/': page('Wrong') },
  'self.test': { '/': page('Self') },
  'revoked.test': { '/': page('Revoked') },
  'crl.test': {},
  // What ordinary sites do.
  'shop.test': { '/': secured(to('https://www.shop.test/', 301)) },
  'www.shop.test': { '/': page('Shop', '', '<h1>Shop</h1><p>Boots and shoes.</p><a href="/boots">Boots</a>') },
  'bank.test': {
    '/': secured((request) =>
      cookieOf(request, 'session')
        ? page('Account')
        : to('https://login.bank.test/?back=https%3A%2F%2Fbank.test%2F', 302, 'set-cookie', 'seen=1; Path=/'),
    ),
  },
  'login.bank.test': {
    '/': secured((request) => to(queryOf(request).get('back') ?? '/', 303, 'set-cookie', 'session=1; Domain=bank.test; Path=/; Secure')),
  },
  'paper.test': {
    '/': secured((request) => (cookieOf(request, 'consent') ? to('/en/') : to('https://paper.test/consent?return=%2F', 302))),
    '/consent': secured(to('/', 302, 'set-cookie', 'consent=1; Path=/')),
    '/en': secured(to('/en/', 301)),
    '/en/': secured((request) => (String(request.headers['accept-language']).startsWith('de') ? to('/de/') : page('Paper'))),
    '/de/': secured(page('Zeitung')),
  },
  'tracker.test': {
    '/c/1': secured(to('https://www.shop.test/?utm_source=mail', 302, 'set-cookie', 'id=1; Path=/; SameSite=None; Secure')),
  },
  'docs.test': { '/guide': secured(to('/guide/', 308)), '/guide/': secured(page('Guide')) },
};

/** Hosts whose certificate is another than the good one. */
const CERTIFICATES: Record<string, string> = {
  'expired.test': 'expired',
  'wrong.test': 'other',
  'self.test': 'self',
  'revoked.test': 'revoked',
};

export const ZOO_HOSTS = Object.keys(ANSWERS);

/**
 * Starts a web server with every way to lead on, over http and https (HTTP/1.1 and HTTP/2), at one address: ports 80 and 443 where a whole gateway
 * is to find it, free ones where the test's dialler maps those.
 */
export async function startRedirectZoo({ address = '127.0.0.1', httpPort = 0, httpsPort = 0 } = {}): Promise<RedirectZoo> {
  const names = ZOO_HOSTS.map((host) => `DNS:${host}`).join(',');
  const pki = makePki({
    good: { names, extensions: ['basicConstraints=CA:FALSE', 'certificatePolicies=2.23.140.1.2.1'] },
    expired: { names, until: '20250601000000Z' },
    self: { names, issuer: 'self' },
    other: { names: 'DNS:somebody-else.test' },
    revoked: { names, extensions: ['basicConstraints=CA:FALSE', 'crlDistributionPoints=URI:http://crl.test/list.crl'] },
  });
  const file = (name: string) => readFileSync(join(pki.folder, name));
  const contexts = new Map(
    ['good', 'expired', 'self', 'other', 'revoked'].map((name) => [
      name,
      createSecureContext({ key: file(`${name}.key`), cert: Buffer.concat([file(`${name}.pem`), file('ca-root.pem')]) }),
    ]),
  );
  ANSWERS['crl.test']!['/list.crl'] = { headers: ['content-type', 'application/pkix-crl'], body: pki.revocationList(['revoked']) };
  const requests: string[] = [];
  const authorized: string[] = [];
  const serve = (scheme: 'http' | 'https') => (request: Request, response: ServerResponse | Http2ServerResponse) => {
    const host = String(request.headers[':authority'] ?? request.headers.host).replace(/:\d+$/, '');
    requests.push(`${scheme} ${host} ${request.url}`);
    if (request.headers.authorization !== undefined) authorized.push(`${host} ${request.headers.authorization}`);
    const path = request.url!.split('?', 1)[0]!;
    if (path === '/silent') return;
    const found = ANSWERS[host]?.[path] ?? { status: 404, headers: ['content-type', 'text/html'], body: '<title>Not here</title>' };
    const { status = 200, headers = [], body = '' } = typeof found === 'function' ? found(request, scheme) : found;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!.toLowerCase();
      const before = response.getHeader(name);
      response.setHeader(name, before === undefined ? headers[i + 1]! : [before, headers[i + 1]!].flat().map(String));
    }
    response.statusCode = status;
    response.end(body);
  };
  const http = createServer(serve('http'));
  const https = createSecureServer(
    {
      allowHTTP1: true,
      SNICallback: (name, done) => done(null, contexts.get(CERTIFICATES[name] ?? 'good')),
      key: file('good.key'),
      cert: file('good.pem'),
    },
    serve('https'),
  );
  https.on('tlsClientError', () => {}).on('sessionError', () => {});
  const { ports, close } = await listening([http, https], address, [httpPort, httpsPort]);
  return {
    hosts: ZOO_HOSTS,
    root: pki.root,
    httpPort: ports[0]!,
    httpsPort: ports[1]!,
    requests,
    authorized,
    async [Symbol.asyncDispose]() {
      await close();
      pki[Symbol.dispose]();
    },
  };
}
