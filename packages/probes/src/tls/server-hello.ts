import { EXTENSION, TLS1_2, TLS1_3 } from './client-hello.ts';
import { nameOf } from './groups.ts';
import { suiteOfCode, type Suite } from './suites.ts';

/** The words of a server that are in the clear. */
export interface ServerHello {
  version: number;
  suite: Suite;
  compression: number;
  extensions: ReadonlySet<number>;
  /** The protocol that it chose by ALPN; empty without. */
  alpn: string;
  /** The group of the key exchange; empty where it is not told. */
  group: string;
  /** Bits of the prime of a Diffie-Hellman exchange; 0 without one. */
  dhBits: number;
  /** The scheme by which it signed its part of the exchange, in TLS 1.2; empty where it is not told. */
  signature: string;
  /** The list of SCTs that it sent along; empty without. */
  scts: Uint8Array;
  /** It sent an OCSP response along. */
  stapled: boolean;
}

/** The state of an answer: more is to come, the hello with all that we read of it, a fatal alert, or something else than TLS. */
export type Heard =
  /** Nothing new can be read before there are `needs` octets. */
  | { kind: 'more'; needs: number; hello?: ServerHello }
  | { kind: 'hello'; hello: ServerHello }
  | { kind: 'alert'; code: number }
  | { kind: 'garbage' };

const ALERT = 21;
const HANDSHAKE = 22;
const APPLICATION_DATA = 23;
const HEAD_OCTETS = 5;
const MAX_RECORD = 16_384 + 2_048;
/** A long chain of certificates in short records has half as many. */
const MAX_RECORDS = 512;
/** A chain of certificates of the largest size that a server can use. */
const MAX_MESSAGE = 128 * 1024;
const WARNING = 1;
const CLOSE_NOTIFY = 0;
const SERVER_HELLO = 2;
const SERVER_KEY_EXCHANGE = 12;
const SERVER_HELLO_DONE = 14;
const CERTIFICATE_STATUS = 22;
/** SHA-256 of "HelloRetryRequest", the random of one (RFC 8446 §4.1.3). */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

/** A stranger's message that is not what it should be. */
class Malformed extends Error {}

/** Reads all octets that a server sent so far. Reads no further than the key exchange: what comes behind it is for who goes on. */
export function readServer(heard: Buffer): Heard {
  try {
    return read(heard);
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'garbage' };
    throw error;
  }
}

function read(heard: Buffer): Heard {
  const { messages, alert, isTls, ended, needs } = recordsOf(heard);
  if (!isTls) return { kind: 'garbage' };
  let hello: ServerHello | undefined;
  for (const { type, body } of messagesOf(messages)) {
    if (type === SERVER_HELLO && !hello) {
      hello = helloOf(body);
      if (hello.version >= TLS1_3) return { kind: 'hello', hello };
    } else if (!hello) throw new Malformed();
    else if (type === CERTIFICATE_STATUS) hello.stapled = body.length > 4;
    else if (type === SERVER_KEY_EXCHANGE) {
      readExchange(hello, body);
      return { kind: 'hello', hello };
    } else if (type === SERVER_HELLO_DONE) return { kind: 'hello', hello };
  }
  if (hello) return ended ? { kind: 'hello', hello } : { kind: 'more', needs, hello };
  return alert === undefined ? { kind: 'more', needs } : { kind: 'alert', code: alert };
}

/** The octets of handshake messages, up to a fatal alert. */
function recordsOf(heard: Buffer): { messages: Buffer; alert: number | undefined; isTls: boolean; ended: boolean; needs: number } {
  const parts: Buffer[] = [];
  let alert: number | undefined;
  let at = 0;
  let needs = heard.length === 0 ? 1 : HEAD_OCTETS;
  let records = 0;
  while (alert === undefined && heard.length - at >= HEAD_OCTETS) {
    const type = heard[at]!;
    const length = heard.readUInt16BE(at + 3);
    const isKnown = type === ALERT || type === HANDSHAKE;
    if (heard[at + 1] !== 3 || length > MAX_RECORD || ++records > MAX_RECORDS || (!isKnown && parts.length === 0))
      return { messages: Buffer.alloc(0), alert, isTls: false, ended: true, needs };
    if (!isKnown) return { messages: Buffer.concat(parts), alert, isTls: true, ended: true, needs };
    needs = at + HEAD_OCTETS + length;
    if (heard.length < needs) break;
    const body = heard.subarray(at + HEAD_OCTETS, needs);
    at = needs;
    needs += HEAD_OCTETS;
    if (type === HANDSHAKE) parts.push(body);
    // A warning that the name is unknown comes ahead of the hello (RFC 6066 §3).
    else if (body.length >= 2 && (body[0] !== WARNING || body[1] === CLOSE_NOTIFY)) alert = body[1]!;
  }
  // Octets of what cannot be a record.
  const isTls = at < heard.length ? heard[at] === ALERT || heard[at] === HANDSHAKE || parts.length > 0 : true;
  return { messages: Buffer.concat(parts), alert, isTls, ended: alert !== undefined, needs };
}

/** The octets of encrypted records so far. */
export function encryptedOctets(heard: Buffer): number {
  let octets = 0;
  for (
    let at = 0, records = 0;
    heard.length - at >= HEAD_OCTETS && records < MAX_RECORDS;
    records++, at += HEAD_OCTETS + heard.readUInt16BE(at + 3)
  )
    if (heard[at] === APPLICATION_DATA) octets += Math.min(heard.readUInt16BE(at + 3), heard.length - at - HEAD_OCTETS);
  return octets;
}

function* messagesOf(octets: Buffer): Generator<{ type: number; body: Buffer }> {
  let at = 0;
  while (octets.length - at >= 4) {
    const length = octets.readUIntBE(at + 1, 3);
    if (length > MAX_MESSAGE) throw new Malformed();
    if (octets.length - at - 4 < length) return;
    yield { type: octets[at]!, body: octets.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
  }
}

/** Reads a message from its beginning to its end. */
class Reader {
  readonly #octets: Buffer;
  #at = 0;

  constructor(octets: Buffer) {
    this.#octets = octets;
  }

  get left(): number {
    return this.#octets.length - this.#at;
  }

  take(count: number): Buffer {
    if (this.left < count) throw new Malformed();
    this.#at += count;
    return this.#octets.subarray(this.#at - count, this.#at);
  }

  number(octets: number): number {
    return this.take(octets).readUIntBE(0, octets);
  }

  vector(lengthOctets: number): Buffer {
    return this.take(this.number(lengthOctets));
  }
}

function helloOf(body: Buffer): ServerHello {
  const reader = new Reader(body);
  const legacy = reader.number(2);
  const isRetry = reader.take(32).equals(RETRY);
  reader.vector(1); // the session's id
  const suite = suiteOfCode(reader.number(2));
  const compression = reader.number(1);
  const extensions = new Map<number, Buffer>();
  if (reader.left >= 2) {
    const list = new Reader(reader.vector(2));
    while (list.left > 0) extensions.set(list.number(2), list.vector(2));
  }
  const chosen = extensions.get(EXTENSION.supportedVersions);
  const version = chosen?.length === 2 ? chosen.readUInt16BE(0) : legacy;
  if (version >> 8 !== 3 || (isRetry && version !== TLS1_3)) throw new Malformed();
  const share = extensions.get(EXTENSION.keyShare);
  const alpn = extensions.get(EXTENSION.alpn);
  return {
    version,
    suite,
    compression,
    extensions: new Set(extensions.keys()),
    alpn: alpn && alpn.length > 3 ? alpn.subarray(3).toString('latin1') : '',
    group: share && share.length >= 2 ? nameOf('group', share.readUInt16BE(0)) : '',
    dhBits: 0,
    signature: '',
    scts: extensions.get(EXTENSION.scts) ?? Buffer.alloc(0),
    stapled: false,
  };
}

const NAMED_CURVE = 3;

/** ServerKeyExchange (RFC 8422 §5.4, RFC 5246 §7.4.3). */
function readExchange(hello: ServerHello, body: Buffer): void {
  const reader = new Reader(body);
  const { exchange, anonymous } = hello.suite;
  if (exchange.startsWith('ECDH')) {
    if (reader.number(1) !== NAMED_CURVE) return;
    hello.group = nameOf('group', reader.number(2));
    reader.vector(1);
  } else if (exchange.startsWith('DH')) {
    hello.dhBits = bitsOf(reader.vector(2));
    reader.vector(2);
    reader.vector(2);
  } else return; // a temporary RSA key of an export suite
  if (hello.version === TLS1_2 && !anonymous && reader.left >= 2) hello.signature = nameOf('signature', reader.number(2));
}

const bitsOf = (number: Buffer): number => {
  const first = number.findIndex((octet) => octet !== 0);
  return first < 0 ? 0 : (number.length - first) * 8 - Math.clz32(number[first]!) + 24;
};

/** Whether these octets are the hello of an SSL 2.0 server that has a cipher; undefined as long as that is open. */
export function isSsl2(heard: Buffer): boolean | undefined {
  if (heard.length > 0 && (heard[0]! & 0x80) === 0) return false;
  if (heard.length < 11) return undefined;
  return heard[2] === 4 && heard.readUInt16BE(5) === 2 && heard.readUInt16BE(9) > 0;
}
