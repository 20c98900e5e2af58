import { connect, createServer, type Socket } from 'node:net';
import { createHash } from 'node:crypto';
import { listen } from '../http/raw-server.ts';

/** What Tor was asked for. */
export interface TorRequest {
  user: string;
  password: string;
  /** An address, or a name where `byName`. */
  host: string;
  byName: boolean;
  port: number;
}

export interface FakeTor extends AsyncDisposable {
  port: number;
  /** Connections to it, whether or not they came to a request. */
  connections(): number;
  /** Connections that its clients have not closed. */
  open(): number;
  requests: TorRequest[];
}

type Reply = number | 'silent' | 'hang up' | undefined;

interface FakeTorOptions {
  /** Where onion services are: the port on loopback. */
  services?: Readonly<Record<string, number>>;
  /** A reply in place of a connection; `silent` for none at all, 'hang up' to close. Undefined: it connects. */
  reply?(request: TorRequest, nth: number): Reply | Promise<Reply>;
  /** The method that it chooses; 2 is user name and password. */
  method?: number;
  address?: string;
}

/** What targets see of it. */
export const EXIT = '127.0.0.23';

/** A SOCKS5 server on loopback that behaves as the port of a Tor client, with real connections behind it. */
export async function startFakeTor({ services = {}, reply, method = 2, address = '127.0.0.1' }: FakeTorOptions = {}): Promise<FakeTor> {
  const requests: TorRequest[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer((client) => {
    connections++;
    open++;
    client.once('close', () => open--);
    client.on('error', () => {});
    void serve(client).catch(() => client.destroy());
  });
  async function serve(client: Socket): Promise<void> {
    const read = reader(client);
    const [, count = 0] = await read(2);
    await read(count);
    client.write(Uint8Array.of(5, method));
    if (method === 0xff) return void client.end();
    const [user, password] = method === 2 ? await credentials(client, read) : ['', ''];
    const [, , , type] = await read(4);
    const byName = type === 3;
    const host = byName ? (await read((await read(1))[0]!)).toString('latin1') : (await read(type === 4 ? 16 : 4)).join('.');
    const port = (await read(2)).readUInt16BE();
    const request = { user, password, host, byName, port };
    const nth = requests.push(request) - 1;
    const said = await reply?.(request, nth);
    if (said === 'silent') return;
    if (said === 'hang up') return void client.end();
    if (said !== undefined) return void client.end(Uint8Array.of(5, said, 0, 1, 0, 0, 0, 0, 0, 0));
    if (byName && services[host] === undefined) return void client.end(Uint8Array.of(5, 0xf0, 0, 1, 0, 0, 0, 0, 0, 0));
    const target = connect({ host: byName ? '127.0.0.1' : host, port: byName ? services[host]! : port, localAddress: EXIT }, () => {
      client.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)));
    client.once('close', () => target.destroy());
  }
  return { ...(await listen(server, address)), connections: () => connections, open: () => open, requests };
}

async function credentials(client: Socket, read: (count: number) => Promise<Buffer>): Promise<[string, string]> {
  const part = async () => (await read((await read(1))[0]!)).toString();
  await read(1);
  const pair: [string, string] = [await part(), await part()];
  client.write(Uint8Array.of(1, 0));
  return pair;
}

const reader = (socket: Socket) => async (count: number) => {
  for (;;) {
    const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null);
    if (bytes) return bytes;
    if (socket.destroyed || socket.readableEnded) throw new Error('the client hung up');
    await new Promise((resolve) => {
      for (const event of ['readable', 'end', 'close']) socket.once(event, resolve);
    });
  }
};

/** The name of an onion service with this key (rend-spec-v3 §6). */
export function onionOf(key: number): string {
  const publicKey = Buffer.alloc(32, key);
  const version = Buffer.of(3);
  const checksum = createHash('sha3-256')
    .update(Buffer.concat([Buffer.from('.onion checksum'), publicKey, version]))
    .digest();
  const bits = Array.from(Buffer.concat([publicKey, checksum.subarray(0, 2), version]), (octet) => octet.toString(2).padStart(8, '0')).join(
    '',
  );
  const letters = Array.from(
    { length: 56 },
    (_, at) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)],
  );
  return `${letters.join('')}.onion`;
}
