import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { freePort } from '../probes/dns/free-port.ts';

/** What a name answers to a type: records, an rcode by name, or silence. */
type Response = Answer[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';
export type Zone = (name: string, type: string) => Response;

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2 };
const UDP_OCTETS = 1232;

export interface HostileDns {
  port: number;
  /** Names asked so far, lower case. */
  asked: string[];
  close(): void;
}

/** A resolver on 127.0.0.1, UDP and TCP, that answers as the zone says and truncates what is too big for UDP. */
export async function startHostileDns(zone: Zone): Promise<HostileDns> {
  const asked: string[] = [];
  const answer = (message: Buffer): Buffer | undefined => {
    const { id, questions } = decode(message);
    const [question] = questions ?? [];
    if (!question) return undefined;
    const name = question.name.toLowerCase();
    asked.push(name);
    const response = zone(name, question.type);
    if (response === 'silence') return undefined;
    const answers = typeof response === 'string' ? [] : response;
    const rcode = typeof response === 'string' ? RCODES[response] : 0;
    const packet: Packet = { id: id!, type: 'response', flags: 0x0180 | rcode, questions: [question], answers };
    return encode(packet);
  };

  const udp = createSocket('udp4');
  udp.on('message', (message, { port, address }) => {
    const octets = answer(message);
    if (!octets) return;
    const { id, questions } = decode(message);
    const truncated = (): Buffer => encode({ id: id!, type: 'response', flags: 0x0180 | TRUNCATED_RESPONSE, questions: questions! });
    udp.send(octets.length > UDP_OCTETS ? truncated() : octets, port, address);
  });
  const open = new Set<Socket>();
  const tcp = createServer((socket) => {
    open.add(socket);
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        const octets = answer(pending.subarray(2, end));
        pending = pending.subarray(end);
        if (!octets) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(octets.length);
        socket.write(Buffer.concat([length, octets]));
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  });

  const port = await freePort();
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    port,
    asked,
    close() {
      udp.close();
      tcp.close();
      for (const socket of open) socket.destroy();
    },
  };
}
