/** SHA-1 (FIPS 180-4 §6.1). The browser's own is missing where a gateway is reached by plain HTTP. */
function sha1(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const hash = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Uint32Array(80);
  const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 80; i++) words[i] = rotated(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
    let [a, b, c, d, e] = hash as unknown as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      const mixed =
        i < 20
          ? ((b & c) | (~b & d)) + 0x5a827999
          : i < 40
            ? (b ^ c ^ d) + 0x6ed9eba1
            : i < 60
              ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
              : (b ^ c ^ d) + 0xca62c1d6;
      [a, b, c, d, e] = [(rotated(a, 5) + mixed + e + words[i]!) | 0, a, rotated(b, 30), c, d];
    }
    [a, b, c, d, e].forEach((word, i) => (hash[i]! += word));
  }
  const digest = new Uint8Array(20);
  hash.forEach((word, i) => new DataView(digest.buffer).setUint32(i * 4, word));
  return digest;
}

/** The UUID of a name in a namespace (RFC 9562 §5.5): the same name has the same one in every file. */
export function uuid5(namespace: string, name: string): string {
  const space = Uint8Array.from(namespace.replaceAll('-', '').match(/../g)!, (octet) => Number.parseInt(octet, 16));
  const text = new TextEncoder().encode(name);
  const octets = sha1(Uint8Array.from([...space, ...text])).slice(0, 16);
  octets[6] = (octets[6]! & 0x0f) | 0x50;
  octets[8] = (octets[8]! & 0x3f) | 0x80;
  const hex = Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Namespace of what we name ourselves: everything but the observables of STIX. */
export const OURS = 'f2a4c1de-6b3e-5d27-9c58-0e7d41b6a390';
