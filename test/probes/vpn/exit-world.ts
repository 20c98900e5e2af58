import { type Clock, formatIp, parseIp, type ProbePorts } from '@vedette/contract';
import { type VpnExit, exitEndpoints } from '@vedette/probes/vpn';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Answer } from 'dns-packet';
import { connect, type Socket } from 'node:net';
import { createDialler, systemClock } from '@vedette/probes/net';
import { openExits } from '../../../packages/probes/src/vpn/open-exits.ts';
import { type Asked, response, startServer } from '../dns/scripted-server.ts';
import { hostsResolver } from '../http/loopback-ports.ts';
import { type LocalServer, rawServer } from '../http/raw-server.ts';

/** The addresses of a name; a list of lists is answered in turn, its last one for ever. */
export type Hosts = Record<string, readonly string[] | readonly (readonly string[])[]>;

export interface PublicResolver extends AsyncDisposable {
  endpoint: { address: string; port: number };
  /** What came, as `name TYPE`; all of it over TCP. */
  asked: string[];
}

/** A resolver that knows the root and these names; `say` may answer otherwise, or not at all, by returning true. */
export async function publicResolver(hosts: Hosts, say: (asked: Asked) => boolean = () => false): Promise<PublicResolver> {
  const asked: string[] = [];
  const times = new Map<string, number>();
  const server = await startServer((one) => {
    const { name, type } = one.question;
    asked.push(`${name} ${type}`);
    if (say(one)) return;
    if (name === '.') return one.reply(response(one.query, { answers: [{ type: 'NS', name: '.', data: 'a.root-servers.net' }] }));
    const known = hosts[name.toLowerCase()];
    if (!known) return one.reply(response(one.query, { rcode: 3 }));
    const nth = times.get(`${name} ${type}`) ?? 0;
    times.set(`${name} ${type}`, nth + 1);
    const addresses = typeof known[0] === 'string' ? (known as string[]) : (known[Math.min(nth, known.length - 1)] as string[]);
    const family = type === 'AAAA' ? ':' : '.';
    const answers = addresses.filter((data) => data.includes(family)).map((data) => ({ type, name, data, ttl: 0 }) as Answer);
    one.reply(response(one.query, { answers }));
  });
  return {
    endpoint: server.endpoint,
    asked,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

interface World extends Disposable {
  ports: Pick<ProbePorts, 'dialler' | 'exits' | 'resolver' | 'clock'>;
  opened: ReturnType<typeof openExits>;
}

/** What an agent has of its exits, with the loopback for the internet. Its own resolver knows no target. */
export function behindExits({
  exits,
  resolver,
  clock = systemClock,
  allowNets = ['127.0.0.0/8', '::1/128'],
}: {
  exits: readonly VpnExit[];
  resolver: Pick<PublicResolver, 'endpoint'>;
  clock?: Clock;
  allowNets?: readonly string[];
}): World {
  const policy = createAddressPolicy({ allowNets });
  const { address: host, port } = resolver.endpoint;
  const operator = {
    endpoints: [...exitEndpoints(exits), { host, port }],
    resolver: hostsResolver({ 'exit.test': ['127.0.0.1'], 'inside.test': ['10.0.0.1'] }),
  };
  const dialler = createDialler({ policy, operator });
  const opened = openExits({
    exits,
    servers: [resolver.endpoint],
    policy,
    dialler,
    clock,
    isInnerName: (name) => name.endsWith('.internal'),
  });
  return {
    ports: { dialler, clock, exits: opened.all, resolver: hostsResolver({}) },
    opened,
    [Symbol.dispose]: () => opened.close(),
  };
}

export interface Relay extends LocalServer {
  /** What it was told to connect to: `address:port` or `name:port`, with the address type of SOCKS5 before it. */
  told: string[];
}

/** An exit that does what it is told, and remembers it. `meddle` may do something else with a request, by returning true. */
export async function relay(kind: 'socks5' | 'http', meddle: (told: string, socket: Socket) => boolean = () => false): Promise<Relay> {
  const told: string[] = [];
  const serve = (socket: Socket, where: { type: string; host: string; port: number }, success: Uint8Array) => {
    const line = `${where.type}${where.host.includes(':') ? `[${where.host}]` : where.host}:${where.port}`;
    told.push(line);
    if (meddle(line, socket)) return;
    const far = connect(where.port, where.host, () => socket.write(success));
    far.on('error', () => socket.destroy());
    socket.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('close', () => socket.destroy());
    socket.pipe(far);
    far.pipe(socket);
  };
  const server = await rawServer((socket) => {
    socket.once('data', (first: Buffer) => {
      if (kind === 'http') {
        const [, host = '', port] = /^CONNECT (\S+):(\d+) HTTP/.exec(first.toString('latin1')) ?? [];
        return serve(socket, { type: '', host: host.replace(/^\[|\]$/g, ''), port: Number(port) }, Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
      }
      socket.write(Buffer.of(5, 0));
      socket.once('data', (request: Buffer) => serve(socket, socksTarget(request), Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0)));
      return undefined;
    });
  });
  return { ...server, told };
}

/** RFC 1928 §4. */
function socksTarget(request: Buffer): { type: string; host: string; port: number } {
  const type = request[3]!;
  const port = request.readUInt16BE(request.length - 2);
  const field = request.subarray(4, -2);
  const groups = () => (field.toString('hex').match(/..../g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join(':');
  const host = type === 1 ? field.join('.') : type === 4 ? formatIp(parseIp(groups())!) : field.subarray(1).toString('latin1');
  return { type: `ATYP ${type} `, host, port };
}
