import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../listening.ts';

export interface Pages extends AsyncDisposable {
  port: number;
  /** Requests as they came: `shop.test /path`, with an Authorization behind it. */
  requests: string[];
}

const html = (title: string, body: string): string => `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`;
const WORDS = 'Bread, rolls and cake since 1902. We open at six, and close when all is sold. '.repeat(3);
const KIT = html(
  'PayPal: Log in to your account',
  '<h1>PayPal</h1><form action="https://collect.test/p.php" method="post"><input name="login_email"><input type="password" name="login_password"></form>',
);
const PE = (() => {
  const bytes = Buffer.alloc(512);
  bytes.write('MZ\x90\0\x03', 'latin1');
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('PE\0\0', 0x80, 'latin1');
  return bytes;
})();
const ELF = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(64)]);
const APK = Buffer.from('PK\x03\x04\x14\0\0\0\0\0AndroidManifest.xml', 'latin1');

/** One server behind all names. Paths say what stands there. */
export async function startPages({ address = '127.0.0.1', port = 0 }: { address?: string; port?: number } = {}): Promise<Pages> {
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const host = String(request.headers.host).replace(/:\d+$/, '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any.test');
    requests.push([host, request.url, request.headers.authorization ?? ''].join(' ').trim());
    const send = (type: string, body: string | Buffer, status = 200) => response.writeHead(status, { 'content-type': type }).end(body);
    if (pathname === '/to') return void response.writeHead(302, { location: searchParams.get('u') ?? '/' }).end();
    if (pathname === '/far') return void response.writeHead(302, { location: `http://other.test/?${'x'.repeat(17_000)}` }).end();
    if (pathname === '/members' && !request.headers.authorization)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    if (pathname.startsWith('/kit')) return void send('text/html', KIT);
    if (pathname === '/invoice.pdf') return void send('application/pdf', PE);
    if (pathname === '/photo.jpg') return void send('image/jpeg', ELF);
    if (pathname === '/setup.exe') return void send('application/octet-stream', PE);
    if (pathname === '/app.apk') return void send('application/vnd.android.package-archive', APK);
    if (pathname === '/gone') return void send('text/html', html('Gone', WORDS), 404);
    if (pathname === '/login')
      return void send(
        'text/html',
        html('Log in', `<p>${WORDS}</p><form action="/in"><input name="u"><input type="password" name="p"></form>`),
      );
    send('text/html', html('The bakery', `<h1>The bakery</h1><p>${WORDS}</p>`));
  };
  const server = createServer(answer);
  const { ports, close } = await listening([server], address, [port]);
  return { port: ports[0]!, requests, [Symbol.asyncDispose]: close };
}
