import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { freePort } from '../probes/dns/free-port.ts';

/** `a.test` with an address and a SOA, `empty.test` without records; every other name does not exist. Over UDP and TCP on one port of the loopback. */
export interface NameServer extends AsyncDisposable {
  port: number;
}

const A = 1;
const SOA = 6;
const record = (type: number, data: readonly number[]): Buffer =>
  Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
const RECORDS = new Map([
  [A, record(A, [127, 0, 0, 1])],
  [SOA, record(SOA, [0xc0, 12, 0xc0, 12, 0, 0, 0x30, 0x39, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])],
]);

/** Repeats the question, so also the case of its letters. */
function answerTo(query: Buffer): Buffer {
  let end = 12;
  while (query[end] !== 0) end += query[end]! + 1;
  const name = query.toString('latin1', 13, end).toLowerCase();
  const type = query.readUInt16BE(end + 1);
  const records = name !== 'a\x04test' ? [] : type === 255 ? [...RECORDS.values()] : [RECORDS.get(type) ?? []].flat();
  const known = name === 'a\x04test' || name === 'empty\x04test';
  const head = Buffer.from([query[0]!, query[1]!, 0x84 | (query[2]! & 1), known ? 0x80 : 0x83, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([head, query.subarray(12, end + 5), ...records]);
}

export async function openNameServer(): Promise<NameServer> {
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      const answer = answerTo(data.subarray(2));
      socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]));
    });
  });
  const own = await freePort();
  await new Promise<void>((resolve) => tcp.listen(own, '127.0.0.1', resolve));
  const udp = createSocket('udp4');
  udp.on('message', (query, { port, address: from }) => udp.send(answerTo(query), port, from));
  await new Promise<void>((resolve) => udp.bind(own, '127.0.0.1', resolve));
  return {
    port: own,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([new Promise<void>((resolve) => udp.close(resolve)), new Promise<unknown>((resolve) => tcp.close(resolve))]);
    },
  };
}
