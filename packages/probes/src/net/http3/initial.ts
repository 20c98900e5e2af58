import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** A server's message before keys were agreed on, which every host on the path can read. */
export type Said = { kind: 'versions'; versions: readonly number[] } | { kind: 'close'; code: number; reason: string };

const LONG_HEADER = 0x80;
const VERSION_1 = 1;
/** RFC 9001 §5.2. */
const INITIAL_SALT = Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex');
const TAG_BYTES = 16;
const SAMPLE_BYTES = 16;

interface Header {
  version: number;
  destination: Buffer;
  /** Where the rest begins. */
  end: number;
}

/** The destination id of a client's Initial packet, of which the keys are made; undefined of anything else. */
export function initialIdOf(datagram: Buffer): Buffer | undefined {
  const header = headerOf(datagram);
  return header && header.version === VERSION_1 && isInitial(datagram[0]!) ? header.destination : undefined;
}

/** Reads a server's datagram: that it has other versions only, or why it closes before the handshake. Undefined where it says neither. */
export function whatServerSaid(datagram: Buffer, ids: Iterable<Buffer>): Said | undefined {
  try {
    const header = headerOf(datagram);
    if (header?.version === 0) return versionsOf(datagram, header);
    if (header?.version !== VERSION_1 || !isInitial(datagram[0]!)) return undefined;
    for (const id of ids) {
      const frames = opened(datagram, header, id);
      if (frames) return closeOf(frames);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // cut short: read beyond its end
  }
  return undefined;
}

const isInitial = (first: number): boolean => (first & 0x30) === 0;

/** A long header, RFC 8999 §5.1. */
function headerOf(datagram: Buffer): Header | undefined {
  if (datagram.length < 7 || (datagram[0]! & LONG_HEADER) === 0) return undefined;
  const destination = datagram.subarray(6, 6 + datagram[5]!);
  const end = 6 + destination.length + 1 + (datagram[6 + destination.length] ?? 0);
  return end > datagram.length ? undefined : { version: datagram.readUInt32BE(1), destination, end };
}

/** RFC 9000 §17.2.1; a packet that lists our version must be ignored (§6.2). */
function versionsOf(datagram: Buffer, { end }: Header): Said | undefined {
  const versions: number[] = [];
  for (let at = end; at + 4 <= datagram.length; at += 4) versions.push(datagram.readUInt32BE(at));
  return versions.length === 0 || versions.includes(VERSION_1) ? undefined : { kind: 'versions', versions };
}

/** The frames of a server's Initial packet, RFC 9001 §5.3 and §5.4; undefined where they were not sealed with keys of this id. */
function opened(datagram: Buffer, { end }: Header, id: Buffer): Buffer | undefined {
  const reader = new Reader(datagram, end);
  reader.take(reader.number()); // token
  const length = reader.number();
  const start = reader.at;
  const packetEnd = start + length;
  if (length < 4 + SAMPLE_BYTES || packetEnd > datagram.length) return undefined;
  const secret = Buffer.from(hkdfSync('sha256', id, INITIAL_SALT, label('server in', 32), 32));
  const header = createCipheriv('aes-128-ecb', expanded(secret, 'quic hp', 16), null);
  const mask = header.update(datagram.subarray(start + 4, start + 4 + SAMPLE_BYTES));
  const first = datagram[0]! ^ (mask[0]! & 0x0f);
  const numberBytes = (first & 0x03) + 1;
  const seen = Buffer.from(datagram.subarray(0, start + numberBytes));
  seen[0] = first;
  const nonce = expanded(secret, 'quic iv', 12);
  for (let index = 0; index < numberBytes; index++) {
    seen[start + index]! ^= mask[1 + index]!;
    nonce[nonce.length - numberBytes + index]! ^= seen[start + index]!;
  }
  const opener = createDecipheriv('aes-128-gcm', expanded(secret, 'quic key', 16), nonce);
  opener.setAAD(seen).setAuthTag(datagram.subarray(packetEnd - TAG_BYTES, packetEnd));
  const frames = opener.update(datagram.subarray(start + numberBytes, packetEnd - TAG_BYTES));
  try {
    opener.final();
    return frames;
  } catch {
    return undefined; // not sealed with these keys
  }
}

/** The CONNECTION_CLOSE among the frames that an Initial packet may have, RFC 9000 §12.4 and §19. */
function closeOf(frames: Buffer): Said | undefined {
  const reader = new Reader(frames);
  while (reader.at < frames.length) {
    const type = reader.number();
    if (type === 0x1c) {
      const code = reader.number();
      reader.number(); // the type of the frame that it is about
      // NO_ERROR answers a close of the client's own, who knows better why (RFC 9000 §10.2.2).
      if (code === 0) return undefined;
      return { kind: 'close', code, reason: reader.take(reader.number()).toString('utf8') };
    }
    if (type === 0x06) {
      reader.number();
      reader.take(reader.number());
    } else if (type === 0x02 || type === 0x03) skipAck(reader, type === 0x03);
    else if (type > 0x01) return undefined;
  }
  return undefined;
}

function skipAck(reader: Reader, hasCounts: boolean): void {
  reader.number();
  reader.number();
  const ranges = reader.number();
  reader.number();
  for (let range = 0; range < ranges; range++) {
    reader.number();
    reader.number();
  }
  if (hasCounts) for (let count = 0; count < 3; count++) reader.number();
}

/** HkdfLabel, RFC 8446 §7.1. */
const label = (text: string, bytes: number): Buffer => {
  const name = Buffer.from(`tls13 ${text}`);
  return Buffer.concat([Buffer.of(0, bytes, name.length), name, Buffer.of(0)]);
};

/** HKDF-Expand-Label for up to 32 octets. */
const expanded = (secret: Buffer, text: string, bytes: number): Buffer =>
  createHmac('sha256', secret).update(label(text, bytes)).update(Buffer.of(1)).digest().subarray(0, bytes);

/** Throws a `RangeError` beyond the end. */
class Reader {
  at: number;
  readonly #octets: Buffer;

  constructor(octets: Buffer, at = 0) {
    this.#octets = octets;
    this.at = at;
  }

  /** A variable-length integer, RFC 9000 §16. */
  number(): number {
    const first = this.#octets.readUInt8(this.at);
    const bytes = 1 << (first >> 6);
    const octets = Buffer.from(this.take(bytes));
    octets[0]! &= 0x3f;
    return bytes === 8 ? Number(octets.readBigUInt64BE()) : octets.readUIntBE(0, bytes);
  }

  take(bytes: number): Buffer {
    if (this.at + bytes > this.#octets.length) throw new RangeError('cut short');
    this.at += bytes;
    return this.#octets.subarray(this.at - bytes, this.at);
  }
}
