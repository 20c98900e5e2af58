import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Clock, Endpoint } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import packet, { type Answer } from 'dns-packet';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { freePort } from './free-port.ts';

export interface Asked {
  query: Buffer;
  question: { name: string; type: string };
  transport: 'udp' | 'tcp';
  /** Counts from 1, over both transports. */
  nth: number;
  /** Where a UDP query came from. */
  port: number;
  reply(message: Uint8Array): void;
}

export interface ScriptedServer {
  endpoint: Endpoint;
  asked: Asked[];
  stop(): Promise<void>;
}

/** A DNS server on a loopback port, UDP and TCP, that does what the test says: nothing unless `answer` replies. */
export async function startServer(
  answer: (asked: Asked) => void,
  { tcp: withTcp = true, address = '127.0.0.1', port = 0 } = {},
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const take = (query: Buffer, transport: 'udp' | 'tcp', from: number, reply: Asked['reply']) => {
    const { name, type } = packet.decode(query).questions![0]!;
    const one = { query, question: { name, type }, transport, nth: asked.length + 1, port: from, reply };
    asked.push(one);
    answer(one);
  };
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => take(query, 'udp', from.port, (message) => udp.send(message, from.port, from.address)));
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket.on('error', () => undefined));
    socket.setNoDelay().on('data', (data: Buffer) => {
      take(data.subarray(2), 'tcp', socket.remotePort!, (message) => {
        const frame = Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]);
        // In two pieces, cut inside the length.
        socket.write(frame.subarray(0, 1));
        setImmediate(() => socket.write(frame.subarray(1)));
      });
    });
  });
  const endpoint = { address, port: port || (await freePort()) };
  await once(udp.bind(endpoint.port, address), 'listening');
  if (withTcp) await once(tcp.listen(endpoint.port, address), 'listening');
  return {
    endpoint,
    asked,
    async stop() {
      udp.close();
      for (const socket of connections) socket.destroy();
      if (withTcp) await once(tcp.close(), 'close');
    },
  };
}

/** A response to a query, its question repeated to the letter. */
export function response(
  query: Buffer,
  { answers = [], authorities = [], rcode = 0, flags = packet.RECURSION_AVAILABLE }: ResponseParts = {},
): Buffer {
  const { id, questions } = packet.decode(query);
  return packet.encode({ type: 'response', id: id!, flags: flags | rcode, questions: questions!, answers, authorities });
}
interface ResponseParts {
  answers?: Answer[];
  authorities?: Answer[];
  rcode?: number;
  flags?: number;
}

export const a = (name: string, data = '192.0.2.1', ttl = 300): Answer => ({ type: 'A', name, data, ttl });

/** Runs ten times as fast as the machine's clock, for tests in which tries time out. */
export const fastClock: Clock = {
  now: () => performance.now() * 10,
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

export const resolverFor = (servers: readonly ScriptedServer[], clock: Clock = systemClock) =>
  createResolver({ servers: servers.map((server) => server.endpoint), policy: createAddressPolicy(), clock, cache: true });
