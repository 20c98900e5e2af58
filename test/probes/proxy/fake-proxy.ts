import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { listen } from '../http/raw-server.ts';

/** A proxy for CONNECT on loopback. */
export interface FakeProxy extends AsyncDisposable {
  port: number;
  /** Heads of the requests that came, as they came. */
  heads: string[];
  /** How many of the connections to it are open. */
  open(): number;
}

/** A real HTTP proxy, over TLS with `tls`. `answer`: what it says instead of connecting. */
export async function startFakeProxy({ tls, answer }: { tls?: TlsOptions; answer?: string } = {}): Promise<FakeProxy> {
  const heads: string[] = [];
  let open = 0;
  const serve = (client: Socket) => {
    open++;
    client.on('error', () => {}).once('close', () => open--);
    client.once('data', (head: Buffer) => {
      heads.push(head.toString('latin1'));
      if (answer !== undefined) return void client.end(answer);
      const [, host = '', port = ''] = /^CONNECT \[?([^\s\]]+?)\]?:(\d+) /.exec(heads.at(-1)!) ?? [];
      const target = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
      target.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
      target.pipe(client).pipe(target);
      client.once('close', () => target.destroy());
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  if (tls) server.on('tlsClientError', () => {});
  return { ...(await listen(server)), heads, open: () => open };
}
