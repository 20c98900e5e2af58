import { randomBytes, randomInt } from 'node:crypto';
import netPing, { type Request } from 'net-ping';
import { type Cookie, checksum, ECHO_BYTES, echoTemplate, HEADER_BYTES, ipv4HeaderBytes, readEcho, writeEchoRequest } from '../message.ts';
import type { EchoOutcome } from '../pace.ts';
import { LOCAL_REFUSALS } from '../../local-refusals.ts';
import { unreachableText } from '../unreachable.ts';

interface EchoRequest extends Request {
  cookie: Cookie;
  /** Monotonic ms. */
  sentAt: number;
  outcome: EchoOutcome;
}

const IPV6_HEADER_BYTES = 40;
const TTL = 64;
const MAX_PENDING = 0x8000; // half the sequence space: a free number is always near

/** raw-socket tells of a refused send by strerror's text alone. */
const ERRNO_NAMES: Readonly<Record<string, string>> = {
  'Network is unreachable': 'ENETUNREACH',
  'No route to host': 'EHOSTUNREACH',
  'Cannot assign requested address': 'EADDRNOTAVAIL',
  'Network is down': 'ENETDOWN',
  'Permission denied': 'EACCES',
  'Operation not permitted': 'EPERM',
};

/**
 * A net-ping session that takes its times itself, on the monotonic clock, right around the socket's own callbacks, and
 * believes a message only when source, id, sequence number and cookie are those of the request. Raw IPv6 sockets hand
 * over no header, so hop limits are unknown and given as 0.
 */
export class NetPingSession extends netPing.Session<EchoRequest> {
  readonly #family: 4 | 6;
  readonly #template: Uint8Array;
  #lastSeq = 0;

  constructor(family: 4 | 6, text: string) {
    super({
      networkProtocol: family === 4 ? netPing.NetworkProtocol.IPv4 : netPing.NetworkProtocol.IPv6,
      sessionId: randomInt(1, 0xffff),
      retries: 0, // a retry would hide the loss and add its timeout to the time
      packetSize: ECHO_BYTES,
      ttl: TTL,
    });
    this.#family = family;
    this.#template = echoTemplate(text);
  }

  /**
   * Sends one echo. `done` is called once, from a callback of raw-socket's or at once, with an error only for reasons of
   * our own.
   */
  ping(target: string, wait_ms: number, done: (outcome: EchoOutcome | Error) => void): void {
    if (this.reqsPending >= MAX_PENDING) return done(new Error('too many echoes on their way'));
    do this.#lastSeq = (this.#lastSeq + 1) & 0xffff;
    while (this.reqs[this.#lastSeq]);
    const random = randomBytes(8);
    const request: EchoRequest = {
      id: this.#lastSeq,
      target,
      retries: 0,
      timeout: wait_ms,
      cookie: { high: random.readUInt32BE(0), low: random.readUInt32BE(4) },
      sentAt: 0,
      outcome: {},
      callback(error) {
        if (error === null || error instanceof netPing.RequestTimedOutError) return done(request.outcome);
        const unsent = ERRNO_NAMES[error.message];
        done(unsent === undefined || !LOCAL_REFUSALS.has(unsent) ? error : { unsent });
      },
    };
    this.reqQueue(request);
  }

  override toBuffer({ id, cookie }: EchoRequest): Buffer {
    const packet = Buffer.from(this.#template);
    writeEchoRequest(viewOf(packet), this.#family, this.sessionId, id, cookie);
    return packet;
  }

  override onBeforeSocketSend(request: EchoRequest): void {
    super.onBeforeSocketSend(request);
    request.sentAt = performance.now();
  }

  override onSocketMessage(buffer: Buffer, source: string): void {
    const receivedAt = performance.now();
    const view = viewOf(buffer);
    const start = this.#family === 4 && buffer.length > 0 ? ipv4HeaderBytes(view, 0) : 0;
    const bytes = buffer.length - start;
    if (bytes < HEADER_BYTES || (this.#family === 4 && checksum(view, start, buffer.length) !== 0)) return;
    const header = readEcho(view, start, buffer.length, this.#family);
    if (header?.reply) {
      const request = this.#requestOf(header);
      if (!request || !header.cookie || request.target !== source) return;
      const rtt_ms = receivedAt - request.sentAt;
      if (rtt_ms <= request.timeout) request.outcome = { reply: { rtt_ms, ttl: this.#family === 4 ? view.getUint8(8) : 0, bytes } };
      this.#finish(request);
    } else if (!header) {
      const unreachable = unreachableText(this.#family, view.getUint8(start), view.getUint8(start + 1));
      if (unreachable === undefined) return;
      const request = this.#quoted(view, start);
      if (!request) return;
      request.outcome = { unreachable };
      this.#finish(request);
    }
  }

  /** The request that an ICMP error quotes, behind the IP header of the packet that we sent. */
  #quoted(view: DataView, start: number): EchoRequest | undefined {
    const ip = start + HEADER_BYTES;
    if (view.byteLength <= ip) return undefined;
    const header = readEcho(view, ip + (this.#family === 4 ? ipv4HeaderBytes(view, ip) : IPV6_HEADER_BYTES), view.byteLength, this.#family);
    return header?.request ? this.#requestOf(header) : undefined;
  }

  #requestOf({ id, seq, cookie }: { id: number; seq: number; cookie: Cookie | undefined }): EchoRequest | undefined {
    if (id !== this.sessionId) return undefined;
    const request = this.reqs[seq];
    return cookie === undefined || (cookie.high === request?.cookie.high && cookie.low === request.cookie.low) ? request : undefined;
  }

  #finish(request: EchoRequest): void {
    this.reqRemove(request.id);
    request.callback(null);
  }
}

const viewOf = (buffer: Buffer): DataView => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
