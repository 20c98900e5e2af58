import { createECDH, randomBytes } from 'node:crypto';
import type { Suite } from './suites.ts';

/** Versions on the wire (RFC 8446 §4.2.1); SSL 2.0 has a hello of its own. */
export const SSL3 = 0x0300;
export const TLS1_0 = 0x0301;
export const TLS1_1 = 0x0302;
export const TLS1_2 = 0x0303;
export const TLS1_3 = 0x0304;
export const FALLBACK_SCSV = 0x5600; // RFC 7507
const RENEGOTIATION_SCSV = 0x00ff; // RFC 5746 §3.3

export const EXTENSION = {
  serverName: 0,
  statusRequest: 5,
  groups: 10,
  pointFormats: 11,
  signatures: 13,
  heartbeat: 15,
  alpn: 16,
  scts: 18,
  padding: 21,
  encryptThenMac: 22,
  extendedMasterSecret: 23,
  sessionTicket: 35,
  supportedVersions: 43,
  keyShare: 51,
  renegotiation: 0xff01,
} as const;

/** A hello to be sent. */
export interface ClientHello {
  /** The newest version is offered first. */
  versions: readonly number[];
  suites: readonly (Suite | number)[];
  /** Sent as SNI. */
  serverName?: string | undefined;
  groups: readonly number[];
  signatures: readonly number[];
  alpn?: readonly string[];
  /** The group of a key share, of which nothing is kept: for servers that take no hello without one, and for answers that come behind it. */
  keyShare?: ShareGroup;
  /** Offers what only old clients do, to see whether the server accepts it: compression (RFC 3749) and heartbeats (RFC 6520). */
  oldFeatures?: boolean;
  /** Asks for the SCTs of the certificate (RFC 6962 §3.3.1). */
  scts?: boolean;
}

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const vector8 = (body: Uint8Array): Buffer => Buffer.concat([u8(body.length), body]);
const vector16 = (body: Uint8Array): Buffer => Buffer.concat([u16(body.length), body]);
const codes = (list: readonly number[]): Buffer => Buffer.concat(list.map(u16));
const extension = (type: number, body: Uint8Array = Buffer.alloc(0)): Buffer => Buffer.concat([u16(type), vector16(body)]);

/** Old load balancers of F5 hang at hellos of 256 to 511 octets (RFC 7685 §1). */
const HANGING = { from: 256, below: 512 };
const DEFLATE = 1;
const X25519 = 0x001d;
/** Groups of which we make shares, with OpenSSL's names of their curves. Any 32 octets are a public key of X25519 (RFC 7748 §5). */
const CURVES = { 0x001d: '', 0x0017: 'prime256v1', 0x0018: 'secp384r1', 0x0019: 'secp521r1' } as const;
export type ShareGroup = keyof typeof CURVES;
export const SHARE_GROUPS: readonly ShareGroup[] = [X25519, 0x0017, 0x0018, 0x0019];
const shareOf = (group: ShareGroup): Buffer =>
  Buffer.concat([u16(group), vector16(group === X25519 ? randomBytes(32) : createECDH(CURVES[group]).generateKeys())]);
const OCSP = Buffer.from([1, 0, 0, 0, 0]);
const PEER_ALLOWED_TO_SEND = 1;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;

/** The hello in a record. Without a key share the server of TLS 1.3 names the group that it wants. */
export function clientHello(hello: ClientHello): Buffer {
  const newest = Math.max(...hello.versions);
  const legacy = Math.min(newest, TLS1_2);
  const suites = hello.suites.map((suite) => (typeof suite === 'number' ? suite : suite.code));
  // Without extensions the request for secure renegotiation is a suite.
  const offered = newest === SSL3 ? [...suites, RENEGOTIATION_SCSV] : suites;
  const head = Buffer.concat([
    u16(legacy),
    randomBytes(32),
    // The looks of TLS 1.3 to devices on the way (RFC 8446 appendix D.4).
    vector8(newest === TLS1_3 ? randomBytes(32) : Buffer.alloc(0)),
    vector16(codes(offered)),
    vector8(hello.oldFeatures ? Buffer.from([DEFLATE, 0]) : u8(0)),
  ]);
  const body = newest === SSL3 ? head : padded(head, extensionsOf(hello, newest));
  const message = Buffer.concat([u8(CLIENT_HELLO), u8(body.length >> 16), u16(body.length & 0xffff), body]);
  return Buffer.concat([u8(HANDSHAKE), u16(newest === SSL3 ? SSL3 : TLS1_0), vector16(message)]);
}

function extensionsOf(
  { versions, serverName, groups, signatures, alpn = [], keyShare, oldFeatures, scts }: ClientHello,
  newest: number,
): Buffer[] {
  return [
    ...(serverName === undefined
      ? []
      : [extension(EXTENSION.serverName, vector16(Buffer.concat([u8(0), vector16(Buffer.from(serverName))])))]),
    ...(groups.length === 0 ? [] : [extension(EXTENSION.groups, vector16(codes(groups)))]),
    extension(EXTENSION.pointFormats, Buffer.from([1, 0])),
    ...(newest >= TLS1_2 ? [extension(EXTENSION.signatures, vector16(codes(signatures)))] : []),
    extension(EXTENSION.renegotiation, u8(0)),
    extension(EXTENSION.extendedMasterSecret),
    extension(EXTENSION.encryptThenMac),
    extension(EXTENSION.sessionTicket),
    extension(EXTENSION.statusRequest, OCSP),
    ...(alpn.length === 0
      ? []
      : [extension(EXTENSION.alpn, vector16(Buffer.concat(alpn.map((protocol) => vector8(Buffer.from(protocol))))))]),
    ...(scts ? [extension(EXTENSION.scts)] : []),
    ...(oldFeatures ? [extension(EXTENSION.heartbeat, u8(PEER_ALLOWED_TO_SEND))] : []),
    ...(newest === TLS1_3
      ? [
          extension(EXTENSION.supportedVersions, vector8(codes(versions))),
          extension(
            EXTENSION.keyShare,
            vector16(keyShare !== undefined && groups.includes(keyShare) ? shareOf(keyShare) : Buffer.alloc(0)),
          ),
        ]
      : []),
  ];
}

function padded(head: Buffer, extensions: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(extensions);
  const length = head.length + 2 + whole.length + 4; // with the header of the message
  const isHanging = length >= HANGING.from && length < HANGING.below;
  const padding = isHanging ? extension(EXTENSION.padding, Buffer.alloc(Math.max(1, HANGING.below - length - 4))) : Buffer.alloc(0);
  return Buffer.concat([head, vector16(Buffer.concat([whole, padding]))]);
}

/** Cipher kinds of SSL 2.0, three octets each. */
const SSL2_KINDS = ['010080', '020080', '030080', '040080', '050080', '060040', '0700c0', '080080'];

/** The hello of SSL 2.0. */
export function ssl2Hello(): Buffer {
  const kinds = Buffer.from(SSL2_KINDS.join(''), 'hex');
  const challenge = randomBytes(16);
  const body = Buffer.concat([u8(1), u16(2), u16(kinds.length), u16(0), u16(challenge.length), kinds, challenge]);
  return Buffer.concat([u16(0x8000 | body.length), body]);
}
