import { createServer, type Server } from 'node:tls';

/** One frame of HTTP/2, RFC 9113 §4.1. */
export function frame(type: number, stream: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const [HEADERS, RST_STREAM, GOAWAY] = [1, 3, 7];
const [DATA, SETTINGS] = [0, 4];
export const [END_STREAM, END_HEADERS] = [1, 4];
export const [INTERNAL_ERROR, CANCEL] = [2, 8];

export function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** An entry of HPACK's static table. */
export const STATUS_200 = Buffer.from([0x88]);
/** The head of an answer and the beginning of its body. */
export const HALF = Buffer.concat([frame(HEADERS, 1, STATUS_200, END_HEADERS), frame(DATA, 1, Buffer.from('half'))]);
/** Answers the first request, stream 1, with frames as they are. */
export const serveFrames = (credentials: { key: Buffer; cert: Buffer }, frames: Buffer): Server =>
  createServer({ ...credentials, ALPNProtocols: ['h2'] }, (socket) => {
    socket.on('error', () => {}); // the client may leave at any time
    socket.write(frame(SETTINGS, 0, Buffer.alloc(0)));
    socket.once('data', () => setTimeout(() => socket.write(frames), 100));
  });
