/** Stands before the metadata, within the last 128 KB (MaxMind DB File Format 2.0). */
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_BYTES = 131_072;
const NODE_COUNT = Buffer.from('node_count');
const TYPE_BITS = 5;
const UINT16 = 5;
const UINT32 = 6;

/** Returns the number of nodes in the tree of a MaxMind DB; undefined for another format or a truncated file. */
export function nodesOf(bytes: Buffer): number | undefined {
  const tail = bytes.subarray(-METADATA_BYTES);
  const metadata = tail.lastIndexOf(MARKER);
  const key = metadata < 0 ? -1 : tail.indexOf(NODE_COUNT, metadata);
  const control = key < 0 ? undefined : tail[key + NODE_COUNT.length];
  if (control === undefined) return undefined;
  const [type, size] = [control >>> TYPE_BITS, control & 31];
  const from = key + NODE_COUNT.length + 1;
  if ((type !== UINT16 && type !== UINT32) || size < 1 || size > 4 || from + size > tail.length) return undefined;
  return tail.readUIntBE(from, size);
}
