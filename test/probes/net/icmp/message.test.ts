import { describe, expect, it } from 'vitest';
import {
  checksum,
  ECHO_BYTES,
  echoTemplate,
  flowCookie,
  ipv4HeaderBytes,
  readEcho,
  writeEchoRequest,
} from '../../../../packages/probes/src/net/icmp/message.ts';

const view = (...bytes: number[]) => new DataView(new Uint8Array(bytes).buffer);
const COOKIE = { high: 0x01020304, low: 0xfffefdfc };
const packet = (family: 4 | 6) => {
  const written = new DataView(new ArrayBuffer(ECHO_BYTES));
  writeEchoRequest(written, family, 0xabcd, 0xffff, COOKIE);
  return written;
};

describe('checksum', () => {
  it('is that of RFC 1071 §3', () => {
    expect(checksum(view(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7), 0, 8)).toBe(~0xddf2 & 0xffff);
  });
  it('takes an odd byte as the high one', () => {
    expect(checksum(view(0x12, 0x34, 0x56), 0, 3)).toBe(~(0x1234 + 0x5600) & 0xffff);
  });
  it('is 0 over a message that has it', () => {
    expect(checksum(packet(4), 0, ECHO_BYTES)).toBe(0);
  });
});

describe('echoes of a flow', () => {
  const checksumOf = (cookie: typeof COOKIE, seq: number, flow: number) => {
    const written = new DataView(echoTemplate('Vedette').buffer);
    writeEchoRequest(written, 4, 0xabcd, seq, flowCookie(cookie, seq, flow));
    return written.getUint16(2);
  };
  const cookies = [COOKIE, { high: 0, low: 0 }, { high: 0xffffffff, low: 0xffffffff }, { high: 0x8000ffff, low: 0x0001fffe }];

  it('have one checksum, whatever their number and their cookie', () => {
    for (let flow = 0; flow < 8; flow++) {
      const checksums = cookies.flatMap((cookie) => [0, 1, 2, 0x7fff, 0xfffe, 0xffff].map((seq) => checksumOf(cookie, seq, flow)));
      expect(new Set(checksums).size).toBe(1);
    }
  });
  it('have another in each flow, in both octets', () => {
    const checksums = [0, 1, 2, 3, 4, 5, 6, 7].map((flow) => checksumOf(COOKIE, 1, flow));
    expect(new Set(checksums.map((sum) => sum >> 8)).size).toBe(8);
    expect(new Set(checksums.map((sum) => sum & 255)).size).toBe(8);
  });
  it('keep most of their cookie', () => {
    expect(flowCookie(COOKIE, 7, 3)).toMatchObject({ high: COOKIE.high });
    expect(flowCookie(COOKIE, 7, 3).low >>> 16).toBe(COOKIE.low >>> 16);
  });
});

describe('an echo message', () => {
  it.each([4, 6] as const)('of IPv%i is read as it was written', (family) => {
    expect(readEcho(packet(family), 0, ECHO_BYTES, family)).toEqual({
      request: true,
      reply: false,
      id: 0xabcd,
      seq: 0xffff,
      cookie: COOKIE,
    });
  });
  it('is known by its type in its own family only', () => {
    expect(readEcho(view(0, 0, 0, 0, 0, 1, 0, 2), 0, 8, 4)).toEqual({ request: false, reply: true, id: 1, seq: 2, cookie: undefined });
    expect(readEcho(view(0, 0, 0, 0, 0, 1, 0, 2), 0, 8, 6)).toBeUndefined();
    expect(readEcho(view(129, 0, 0, 0, 0, 1, 0, 2), 0, 8, 6)).toEqual({ request: false, reply: true, id: 1, seq: 2, cookie: undefined });
    expect(readEcho(view(3, 1, 0, 0, 0, 1, 0, 2), 0, 8, 4)).toBeUndefined();
  });
  it.each([
    { title: 'shorter than its header', end: 7, read: undefined },
    { title: 'quoted with its header alone', end: 8, read: { request: true, reply: false, id: 0xabcd, seq: 0xffff, cookie: undefined } },
    { title: 'cut inside the cookie', end: 15, read: { request: true, reply: false, id: 0xabcd, seq: 0xffff, cookie: undefined } },
    { title: 'cut behind the cookie', end: 16, read: { request: true, reply: false, id: 0xabcd, seq: 0xffff, cookie: COOKIE } },
  ])('$title', ({ end, read }) => {
    expect(readEcho(packet(4), 0, end, 4)).toEqual(read);
  });
});

it('an IPv4 header is as long as it says, options included', () => {
  expect([ipv4HeaderBytes(view(0x45), 0), ipv4HeaderBytes(view(0x4f), 0)]).toEqual([20, 60]);
});

it('a sender’s echoes carry its text behind header and cookie, and then a pattern, 64 bytes in all', () => {
  const packet = Buffer.from(echoTemplate('Vedette +abuse@example.org'));
  expect([packet.length, packet.toString('latin1', 16, 43), packet[43], packet[63]]).toEqual([64, 'Vedette +abuse@example.org ', 43, 63]);
  expect([...echoTemplate('').subarray(16)]).toEqual(Array.from({ length: 48 }, (_, i) => 16 + i));
  expect(echoTemplate('x'.repeat(100)).length).toBe(64);
});
