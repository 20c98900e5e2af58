const control = (type: number, size: number): number => (type << 5) | size;
const text = (value: string): Buffer => Buffer.concat([Buffer.from([control(2, value.length)]), Buffer.from(value)]);
const uint32 = (value: number): Buffer =>
  Buffer.concat([Buffer.from([control(6, 4)]), Buffer.from(new Uint8Array(4).map((_, i) => value >>> (24 - 8 * i)))]);

/** A whole MaxMind DB of both families that knows no address. */
export function emptyMmdb(): Buffer {
  const metadata: Record<string, Buffer> = {
    binary_format_major_version: uint32(2),
    binary_format_minor_version: uint32(0),
    build_epoch: Buffer.concat([Buffer.from([4, 2]), Buffer.from([0x67, 0x90, 0, 0])]), // uint64 (extended type 9), of 2025
    database_type: text('DBIP-City-Lite'),
    ip_version: uint32(6),
    node_count: uint32(1),
    record_size: uint32(24),
  };
  const fields = Object.entries(metadata).flatMap(([name, value]) => [text(name), value]);
  // Both records of the one node say that nothing is known: they are the number of nodes.
  const tree = Buffer.from([0, 0, 1, 0, 0, 1]);
  const map = Buffer.from([control(7, Object.keys(metadata).length)]);
  return Buffer.concat([tree, Buffer.alloc(16), Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), map, ...fields]);
}

/** A MaxMind DB that has no more than the metadata of so many nodes (MaxMind DB File Format 2.0). */
export function mmdbOf(nodes: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(nodes);
  return Buffer.concat([
    Buffer.alloc(16),
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    Buffer.from([(7 << 5) | 1]),
    text('node_count'),
    Buffer.from([(6 << 5) | 4]),
    count,
  ]);
}
