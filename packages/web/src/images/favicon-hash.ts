const BASE64_LINE = 76;

/**
 * The hash by which search engines of hosts find a favicon: MurmurHash3 (x86, 32 bits, seed 0) as a signed integer, of its base64 in lines of 76
 * characters, each with its line feed, as Python's `base64.encodebytes` writes it.
 */
export function faviconHash(bytes: Uint8Array): number {
  const base64 = Buffer.from(bytes).toString('base64');
  return murmur3(Buffer.from(base64.replace(new RegExp(`.{1,${BASE64_LINE}}`, 'g'), '$&\n'), 'latin1'));
}

/** MurmurHash3_x86_32 with seed 0, signed. */
function murmur3(data: Buffer): number {
  let hash = 0;
  const whole = data.length - (data.length % 4);
  for (let at = 0; at < whole; at += 4) {
    hash ^= scrambled(data.readUInt32LE(at));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = data.length - 1; at >= whole; at--) rest = (rest << 8) | data[at]!;
  if (whole < data.length) hash ^= scrambled(rest);
  hash ^= data.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function scrambled(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
