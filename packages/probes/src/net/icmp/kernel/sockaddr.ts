import { formatIp, parseIp } from '@vedette/contract';
import { AF_INET, AF_INET6 } from '../../libc.ts';

const V4 = { family: AF_INET, bytes: 16, addressAt: 4, addressBytes: 4 };
const V6 = { family: AF_INET6, bytes: 28, addressAt: 8, addressBytes: 16 };

/** `sockaddr_in` or `sockaddr_in6` of an address. `port` is the ICMP id when a datagram ICMP socket is bound. */
export function sockaddr(address: string, port = 0): Uint8Array {
  const ip = parseIp(address);
  if (!ip) throw new Error(`not an address: ${address}`);
  const form = ip.version === 4 ? V4 : V6;
  const bytes = new Uint8Array(form.bytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, form.family, true);
  view.setUint16(2, port);
  let { value } = ip;
  for (let at = form.addressAt + form.addressBytes - 1; at >= form.addressAt; at--, value >>= 8n) bytes[at] = Number(value & 255n);
  return bytes;
}

/** Whether the sockaddr that the kernel wrote at `offset` names the same address. */
export function sameAddress(own: Uint8Array, bytes: Uint8Array, offset: number): boolean {
  const { family, addressAt, addressBytes } = own.length === V4.bytes ? V4 : V6;
  if (bytes[offset] !== family) return false;
  for (let at = addressAt; at < addressAt + addressBytes; at++) if (own[at] !== bytes[offset + at]) return false;
  return true;
}

/** The address in the sockaddr that the kernel wrote at `offset`. */
export function addressAt(view: DataView, offset: number): string {
  if (view.getUint16(offset, true) === AF_INET) return formatIp({ version: 4, value: BigInt(view.getUint32(offset + V4.addressAt)) });
  const at = offset + V6.addressAt;
  return formatIp({ version: 6, value: (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8) });
}
