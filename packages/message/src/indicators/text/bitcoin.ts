import { hash } from 'node:crypto';

/** Addresses that are tried: each costs two hashes. */
const TRIED_MAX = 20_000;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE58_VALUES = new Map(Array.from(BASE58, (character, value) => [character, value]));
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_VALUES = new Map(Array.from(BECH32, (character, value) => [character, value]));
/** P2PKH and P2SH of the main network. */
const VERSIONS = [0x00, 0x05];
const ADDRESS_BYTES = 25;

const CANDIDATE = /(?<![A-Za-z\d])(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,87}|BC1[02-9AC-HJ-NP-Z]{11,87})(?![A-Za-z\d])/g;

/** Finds the Bitcoin addresses of a text whose checksum holds: base58check, bech32 and bech32m of the main network. Linear in its length. Whether all was read. */
export function findBitcoin(text: string, found: (address: string) => void): boolean {
  const tried = new Set<string>();
  for (const [address] of text.matchAll(CANDIDATE)) {
    if (tried.has(address)) continue;
    if (tried.size >= TRIED_MAX) return false;
    tried.add(address);
    if (/^bc1/i.test(address)) {
      const lower = address.toLowerCase();
      if (isSegwit(lower)) found(lower);
    } else if (isBase58Check(address)) found(address);
  }
  return true;
}

function isBase58Check(address: string): boolean {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  for (const character of address) {
    let carry = BASE58_VALUES.get(character)!;
    for (let at = ADDRESS_BYTES - 1; at >= 0; at--) {
      carry += bytes[at]! * 58;
      bytes[at] = carry & 0xff;
      carry >>>= 8;
    }
    if (carry > 0) return false; // longer than an address
  }
  // Each zero byte at the beginning is written as one `1`.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  if (zeros !== address.length - address.replace(/^1+/, '').length) return false;
  const payload = bytes.subarray(0, ADDRESS_BYTES - 4);
  const checksum = hash('sha256', hash('sha256', payload, 'buffer'), 'buffer').subarray(0, 4);
  return VERSIONS.includes(bytes[0]!) && checksum.equals(bytes.subarray(ADDRESS_BYTES - 4));
}

/** BIP 173 and BIP 350: version 0 has a checksum of bech32, later ones of bech32m; programs are of 20 or 32 bytes, later ones of 2 to 40. */
function isSegwit(address: string): boolean {
  const values = Array.from(address.slice('bc1'.length), (character) => BECH32_VALUES.get(character)!);
  const [version, groups] = [values[0]!, values.slice(1, -6)];
  const bits = groups.length * 5;
  const bytes = bits >> 3;
  const padding = (groups.at(-1) ?? 0) & ((1 << (bits & 7)) - 1);
  const fits = version === 0 ? bytes === 20 || bytes === 32 : version <= 16 && bytes >= 2 && bytes <= 40;
  const prefix = [3, 3, 0, 2, 3]; // `bc`: the high bits, a zero, the low bits
  return fits && (bits & 7) < 5 && padding === 0 && polymod([...prefix, ...values]) === (version === 0 ? 1 : 0x2bc8_30a3);
}

const GENERATORS = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ff_ffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if (((top >>> bit) & 1) === 1) sum ^= generator;
  }
  return sum;
}
