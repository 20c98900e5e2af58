/** ICMP echo messages as bytes: RFC 792, RFC 4443 §4. */
export const HEADER_BYTES = 8;
/** The size that ping(8) sends: 56 bytes of payload, 64 in all. */
export const ECHO_BYTES = 64;
const COOKIE_OFFSET = HEADER_BYTES;
const COOKIE_BYTES = 8;
const COOKIE_END = COOKIE_OFFSET + COOKIE_BYTES;
/** The rest of the payload behind the cookie. */
export const ECHO_TEXT_BYTES = ECHO_BYTES - COOKIE_END;

const TYPES = { 4: { request: 8, reply: 0 }, 6: { request: 128, reply: 129 } } as const;

/** Eight random bytes of an echo's payload, as two words: what a stranger would have to guess to forge a reply. */
export interface Cookie {
  high: number;
  low: number;
}

/**
 * The cookie of an echo in a flow: its last word makes up for the others and for the number, so that all echoes of a flow have one checksum.
 * Routers that share traffic among paths by the first bytes behind the IP header then send them all one way (Paris traceroute).
 */
export function flowCookie({ high, low }: Cookie, seq: number, flow: number): Cookie {
  const others = (high >>> 16) + (high & 0xffff) + (low >>> 16) + seq;
  const last = (FLOW_BASE - FLOW_STEP * flow + 5 * 0xffff - others) % 0xffff;
  return { high, low: ((low & 0xffff0000) | last) >>> 0 };
}
const FLOW_BASE = 0xffff;
/** Changes both bytes of the checksum. */
const FLOW_STEP = 257;

/** The first bytes of an echo message, wherever it was found. */
export interface EchoHeader {
  request: boolean;
  reply: boolean;
  id: number;
  seq: number;
  /** Undefined where the message was cut short, as routers may do when they quote one. */
  cookie: Cookie | undefined;
}

/** The beginning of every echo request of a sender: `text` and a blank behind header and cookie, and behind that a pattern as ping(8) sends. */
export function echoTemplate(text: string, bytes = ECHO_BYTES): Uint8Array {
  const packet = Uint8Array.from({ length: bytes }, (_, at) => at);
  packet.set(Buffer.from(text && `${text} `, 'latin1').subarray(0, Math.min(ECHO_TEXT_BYTES, bytes - COOKIE_END)), COOKIE_END);
  return packet;
}

/**
 * Writes header and cookie of an echo request over `packet`, which is an `echoTemplate`. The kernel fills in ICMPv6 checksums (RFC 3542 §3.1)
 * and those of datagram sockets, not those of raw IPv4 ones.
 */
export function writeEchoRequest(packet: DataView, family: 4 | 6, id: number, seq: number, cookie: Cookie): void {
  packet.setUint16(0, TYPES[family].request << 8);
  packet.setUint16(2, 0);
  packet.setUint16(4, id);
  packet.setUint16(6, seq);
  packet.setUint32(COOKIE_OFFSET, cookie.high);
  packet.setUint32(COOKIE_OFFSET + 4, cookie.low);
  if (family === 4) packet.setUint16(2, checksum(packet, 0, packet.byteLength));
}

/** Reads an echo message between `offset` and `end`. Undefined when it is shorter than its header or no echo. */
export function readEcho(view: DataView, offset: number, end: number, family: 4 | 6): EchoHeader | undefined {
  if (end - offset < HEADER_BYTES) return undefined;
  const type = view.getUint8(offset);
  const request = type === TYPES[family].request;
  const reply = type === TYPES[family].reply;
  if (!request && !reply) return undefined;
  const cookie =
    end - offset < COOKIE_END
      ? undefined
      : { high: view.getUint32(offset + COOKIE_OFFSET), low: view.getUint32(offset + COOKIE_OFFSET + 4) };
  return { request, reply, id: view.getUint16(offset + 4), seq: view.getUint16(offset + 6), cookie };
}

/** The length of the IPv4 header at `offset`, options included. */
export const ipv4HeaderBytes = (view: DataView, offset: number): number => (view.getUint8(offset) & 15) * 4;

/** The Internet checksum, RFC 1071. Over a message with its checksum in place it is 0. */
export function checksum(view: DataView, offset: number, end: number): number {
  let sum = 0;
  let at = offset;
  for (; at + 1 < end; at += 2) sum += view.getUint16(at);
  if (at < end) sum += view.getUint8(at) << 8;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
