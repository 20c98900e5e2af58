/** A MaxMind DB that has no more than the metadata of so many nodes (MaxMind DB File Format 2.0). */
export function mmdbOf(nodes: number): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
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
