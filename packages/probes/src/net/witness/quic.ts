import { randomBytes } from 'node:crypto';
import { type Clock, type Endpoint, ENDED } from '@vedette/contract';
import { ConnectedUdp } from '../udp.ts';

/** A second try for what the network lost. */
const TRIES_AT_MS = [0, 300] as const;
const WAIT_MS = 1_000;
/** Servers answer an unknown version only where the datagram could have opened a connection (RFC 9000 §6.1, §14.1). */
const DATAGRAM_BYTES = 1_200;
/** A version of the pattern 0x?a?a?a?a is never assigned (RFC 9000 §15). */
const RESERVED_VERSION = 0x1a2a3a4a;
const ID_BYTES = 8;

/**
 * Whether a QUIC server answers: it is offered a version that there is not, and names those that it has (RFC 8999 §6). Nothing is opened, and it
 * keeps no state of us.
 */
export async function quicAnswers(endpoint: Endpoint, clock: Clock): Promise<boolean> {
  const id = { client: randomBytes(ID_BYTES), server: randomBytes(ID_BYTES) };
  const offer = offerOf(id);
  const over = new AbortController();
  const heard = Promise.withResolvers<boolean>();
  const socket = new ConnectedUdp(endpoint, {
    message: (datagram) => isAnswer(datagram, id) && heard.resolve(true),
    error: () => heard.resolve(false),
  });
  const end = () => undefined; // over before
  for (const ms of TRIES_AT_MS) clock.sleep(ms, over.signal).then(() => socket.send(offer), end);
  clock.sleep(WAIT_MS, over.signal).then(() => heard.resolve(false), end);
  try {
    return await heard.promise;
  } finally {
    over.abort(ENDED);
    socket.close();
  }
}

interface Ids {
  client: Buffer;
  server: Buffer;
}

/** A long header (RFC 8999 §5.1), and nothing behind it. */
function offerOf({ client, server }: Ids): Buffer {
  const datagram = Buffer.alloc(DATAGRAM_BYTES);
  datagram[0] = 0xc0;
  datagram.writeUInt32BE(RESERVED_VERSION, 1);
  Buffer.concat([Buffer.of(ID_BYTES), server, Buffer.of(ID_BYTES), client]).copy(datagram, 5);
  return datagram;
}

/** Version Negotiation, to us: the ids come back the other way round. */
function isAnswer(datagram: Buffer, { client, server }: Ids): boolean {
  const ids = Buffer.concat([Buffer.of(ID_BYTES), client, Buffer.of(ID_BYTES), server]);
  return datagram.length > 5 && datagram[0]! >= 0x80 && datagram.readUInt32BE(1) === 0 && datagram.subarray(5, 5 + ids.length).equals(ids);
}
