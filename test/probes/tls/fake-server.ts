import type { Socket } from 'node:net';
import { type LocalServer, rawServer } from '../http/raw-server.ts';

/** A server as it may be in the wild, which speaks in the clear and completes no handshake. */
export interface Habits {
  /** The newest first; 0x0304 is TLS 1.3. */
  versions: readonly number[];
  /** As it prefers them. */
  suites: readonly number[];
  followsClient?: boolean;
  /** Groups of TLS 1.3, and curves before. */
  groups?: readonly number[];
  signatures?: readonly number[];
  /** Extensions that it answers, by number. */
  extensions?: readonly number[];
  dhBits?: number;
  compresses?: boolean;
  knowsFallback?: boolean;
  ssl2?: boolean;
  /** A hello of SSL 2.0 is the last thing that it answers, by a reset. */
  endsWithSsl2?: boolean;
  /** It refuses hellos of TLS 1.3 that bring no key share. */
  needsShare?: boolean;
  stapled?: boolean;
  /** It sees behind its hello of TLS 1.3 that it has no signature, so its alert is encrypted. */
  refusesEncrypted?: boolean;
  /** How it refuses a hello. */
  refuses?: 'alert' | 'reset' | 'close' | 'silence';
  /** Only so many connections are served: the others are reset behind their hello. */
  serves?: number;
  /** The beginning of a connection before TLS. */
  greets?: (socket: Socket, begin: () => void) => void;
}

export const [SSL3, TLS10, TLS11, TLS12, TLS13] = [0x0300, 0x0301, 0x0302, 0x0303, 0x0304] as const;
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const FALLBACK = 0x5600;

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const vector16 = (body: Uint8Array) => Buffer.concat([u16(body.length), body]);
const extension = (type: number, body: Uint8Array) => Buffer.concat([u16(type), vector16(body)]);
const message = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type, body.length >> 16]), u16(body.length & 0xffff), body]);
const record = (type: number, version: number, body: Buffer) => Buffer.concat([Buffer.from([type]), u16(version), vector16(body)]);
const alert = (code: number) => record(21, TLS10, Buffer.from([2, code]));

interface Asked {
  version: number;
  versions: number[];
  suites: number[];
  compressions: number[];
  extensions: Map<number, Buffer>;
}

const codesOf = (body: Buffer | undefined, skip: number): number[] =>
  body ? Array.from({ length: (body.length - skip) / 2 }, (_, index) => body.readUInt16BE(skip + index * 2)) : [];

/** The beginning of a connection in SMTP. */
export function greetsAsMail(socket: Socket, begin: () => void): void {
  socket.write('220 mail.test ESMTP\r\n');
  socket.on('data', (chunk: Buffer) => {
    const said = chunk.toString('latin1');
    if (said.startsWith('EHLO')) socket.write('250-mail.test\r\n250 STARTTLS\r\n');
    if (said.startsWith('STARTTLS')) socket.write('220 go ahead\r\n', () => setImmediate(begin));
  });
}

/** Reads a hello of SSL 3.0 or later. */
function readClientHello(octets: Buffer): Asked {
  let at = 9 + 34;
  at += 1 + octets[at]!;
  const suites = codesOf(octets.subarray(at + 2, at + 2 + octets.readUInt16BE(at)), 0);
  at += 2 + octets.readUInt16BE(at);
  const compressions = [...octets.subarray(at + 1, at + 1 + octets[at]!)];
  at += 1 + octets[at]!;
  const extensions = new Map<number, Buffer>();
  for (at += 2; at < octets.length; at += 4 + octets.readUInt16BE(at + 2))
    extensions.set(octets.readUInt16BE(at), octets.subarray(at + 4, at + 4 + octets.readUInt16BE(at + 2)));
  const version = octets.readUInt16BE(9);
  const versions = extensions.has(43) ? codesOf(extensions.get(43), 1) : [SSL3, TLS10, TLS11, TLS12].filter((each) => each <= version);
  return { version, versions, suites, compressions, extensions };
}

const isModern = (suite: number): boolean => suite >> 8 === 0x13;
/** RSA, DHE, and ECDHE by the ranges of their codes. */
const hasDh = (suite: number): boolean => [0x33, 0x39, 0x16, 0x34, 0x9e, 0x11].includes(suite);
const hasCurve = (suite: number): boolean => suite >> 8 === 0xc0;
const isAnonymous = (suite: number): boolean => suite === 0x34;

/** The answer to a hello. */
function answerOf(hello: Asked, habits: Habits): Buffer | undefined {
  const { groups = [0x001d], signatures = [0x0401], dhBits = 2048 } = habits;
  const version = habits.versions.find((each) => hello.versions.includes(each));
  if (version === undefined) return undefined;
  if (habits.knowsFallback && hello.suites.includes(FALLBACK) && version < habits.versions[0]!) return alert(86);
  const usable = habits.suites.filter((suite) => isModern(suite) === (version === TLS13));
  const [suite] = habits.followsClient
    ? hello.suites.filter((each) => usable.includes(each))
    : usable.filter((each) => hello.suites.includes(each));
  if (suite === undefined) return undefined;
  const head = (random: Buffer, compression = 0) =>
    Buffer.concat([u16(Math.min(version, TLS12)), random, Buffer.from([0]), u16(suite), Buffer.from([compression])]);
  const offered = codesOf(hello.extensions.get(10), 2);
  const group = groups.find((each) => offered.includes(each));
  if (version === TLS13) {
    if (group === undefined || (habits.needsShare && hello.extensions.get(51)?.length === 2)) return undefined;
    // With a key share it goes on: what follows is encrypted.
    if (hello.extensions.get(51)!.length > 2) {
      const isSigned = signatures.some((each) => codesOf(hello.extensions.get(13), 2).includes(each));
      if (!isSigned && !habits.refusesEncrypted) return undefined;
      const chosen = Buffer.concat([
        head(Buffer.alloc(32, 7)),
        vector16(Buffer.concat([extension(43, u16(TLS13)), extension(51, Buffer.concat([u16(group), vector16(Buffer.alloc(32, 1))]))])),
      ]);
      const encrypted = [23, ...(isSigned ? [805] : [19])].map((octets) => record(23, TLS12, Buffer.alloc(octets, 1)));
      return Buffer.concat([record(22, TLS12, message(2, chosen)), record(20, TLS12, Buffer.from([1])), ...encrypted]);
    }
    const body = Buffer.concat([head(RETRY), vector16(Buffer.concat([extension(43, u16(TLS13)), extension(51, u16(group))]))]);
    return record(22, TLS12, message(2, body));
  }
  const extensions = (habits.extensions ?? []).filter((type) => hello.extensions.has(type)).map((type) => extension(type, Buffer.alloc(0)));
  const compression = habits.compresses && hello.compressions.includes(1) ? 1 : 0;
  const list = extensions.length === 0 ? Buffer.alloc(0) : vector16(Buffer.concat(extensions));
  const parts = [message(2, Buffer.concat([head(Buffer.alloc(32, 7), compression), list])), message(11, Buffer.from([0, 0, 0]))];
  if (habits.stapled) parts.push(message(22, Buffer.alloc(40, 1)));
  const wanted = codesOf(hello.extensions.get(13), 2);
  const signature = signatures.find((each) => wanted.includes(each));
  const needsSignature = version === TLS12 && (hasDh(suite) || hasCurve(suite)) && !isAnonymous(suite);
  if (needsSignature && signature === undefined) return undefined;
  const signed = needsSignature ? Buffer.concat([u16(signature!), vector16(Buffer.alloc(8))]) : Buffer.alloc(0);
  if (hasDh(suite)) {
    const prime = Buffer.alloc(dhBits / 8, 0xff);
    parts.push(message(12, Buffer.concat([vector16(prime), vector16(Buffer.from([2])), vector16(prime), signed])));
  } else if (hasCurve(suite)) {
    if (group === undefined) return undefined;
    parts.push(message(12, Buffer.concat([Buffer.from([3]), u16(group), Buffer.from([4, 1, 2, 3, 4]), signed])));
  }
  parts.push(message(14, Buffer.alloc(0)));
  return record(22, version, Buffer.concat(parts));
}

export interface FakeServer extends LocalServer {
  /** Hellos that came, without those of SSL 2.0. */
  hellos: Asked[];
}

export async function fakeServer(habits: Habits, host?: string): Promise<FakeServer> {
  const hellos: Asked[] = [];
  let served = 0;
  const server = await rawServer((socket) => {
    let isServed = ++served <= (habits.serves ?? Infinity);
    let heard = Buffer.alloc(0);
    let hasBegun = habits.greets === undefined;
    habits.greets?.(socket, () => (hasBegun = true));
    socket.on('data', (chunk) => {
      if (!hasBegun) return;
      heard = Buffer.concat([heard, chunk as Buffer]);
      const isSsl2 = heard[0] === 0x80;
      if (heard.length < 5 || (!isSsl2 && heard.length < 5 + heard.readUInt16BE(3))) return;
      if (isSsl2 && habits.endsWithSsl2) served = Infinity;
      isServed &&= served !== Infinity;
      if (!isServed) return void socket.resetAndDestroy();
      if (isSsl2 && habits.ssl2) return void socket.end(Buffer.from('8012040001000200000003000001008000000000'.slice(0, 40), 'hex'));
      const hello = isSsl2 ? undefined : readClientHello(heard);
      if (hello) hellos.push(hello);
      const answer = hello && answerOf(hello, habits);
      if (answer) return void (habits.refusesEncrypted ? socket.end(answer) : socket.write(answer));
      if (habits.refuses === 'reset') socket.resetAndDestroy();
      else if (habits.refuses === 'close') socket.end();
      else if (habits.refuses !== 'silence') socket.end(alert(40));
    });
  }, host);
  return { ...server, hellos };
}
