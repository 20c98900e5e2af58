import { cidrContains, parseCidr, parseIp } from '@vedette/contract';

/** What a database can hold; `Typed` says which type a number has. */
export type Value = string | boolean | Typed | Uint8Array | Value[] | { [key: string]: Value };
type TypeName = 'double' | 'float' | 'uint16' | 'uint32' | 'int32' | 'uint64' | 'uint128';
export class Typed {
  readonly type: TypeName;
  readonly value: number | bigint;

  constructor(type: TypeName, value: number | bigint) {
    this.type = type;
    this.value = value;
  }
}

const TYPES = { double: 3, uint16: 5, uint32: 6, int32: 8, uint64: 9, uint128: 10, float: 15 };
const LENGTHS = { double: 8, uint16: 2, uint32: 4, int32: 4, uint64: 8, uint128: 16, float: 4 };

function control(type: number, size: number): Buffer {
  const large = size >= 65_821 ? 31 : size >= 285 ? 30 : size >= 29 ? 29 : size;
  const first = ((type > 7 ? 0 : type) << 5) | large;
  const bytes = [first, ...(type > 7 ? [type - 7] : [])];
  const rest = Buffer.alloc(4);
  rest.writeUInt32BE(large === 31 ? size - 65_821 : large === 30 ? size - 285 : large === 29 ? size - 29 : 0);
  return Buffer.concat([Uint8Array.from(bytes), rest.subarray(4 - Math.max(0, large - 28))]);
}

/** A value as it stands in the data section. */
export function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return control(14, Number(value));
  if (value instanceof Uint8Array) return Buffer.concat([control(4, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  if (!(value instanceof Typed))
    return Buffer.concat([
      control(7, Object.keys(value).length),
      ...Object.entries(value).flatMap(([key, of]) => [encode(key), encode(of)]),
    ]);
  const bytes = Buffer.alloc(LENGTHS[value.type]);
  if (value.type === 'double') bytes.writeDoubleBE(Number(value.value));
  else if (value.type === 'float') bytes.writeFloatBE(Number(value.value));
  else {
    let rest = BigInt.asUintN(8 * bytes.length, BigInt(value.value));
    for (let at = bytes.length - 1; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
  }
  return Buffer.concat([control(TYPES[value.type], bytes.length), bytes]);
}

export interface MmdbOptions {
  ipVersion: 4 | 6;
  recordBits: 24 | 28 | 32;
  /** The longest network around an address counts. `data` is the data section, to which the numbers are offsets. */
  networks: readonly [cidr: string, offset: number][];
  data: Uint8Array;
  metadata?: { [key: string]: Value };
}

type Node = [Node | number | undefined, Node | number | undefined];

/** A database as the format's specification has it. IPv4 networks are at ::/96 of a tree of IPv6. */
export function mmdbFile({ ipVersion, recordBits, networks, data, metadata }: MmdbOptions): Buffer {
  const root: Node = [undefined, undefined];
  const bitsOf = (cidr: string): number[] => {
    const { version, base, bits } = parseCidr(cidr)!;
    const text = base
      .toString(2)
      .padStart(version === 4 ? 32 : 128, '0')
      .slice(0, bits);
    return Array.from((version === 4 && ipVersion === 6 ? '0'.repeat(96) : '') + text, Number);
  };
  const inOrder = networks.toSorted(([a], [b]) => parseCidr(a)!.bits - parseCidr(b)!.bits);
  for (const [cidr, offset] of inOrder) {
    let node = root;
    const bits = bitsOf(cidr);
    for (const bit of bits.slice(0, -1)) {
      const next = node[bit];
      node = typeof next === 'object' ? next : (node[bit] = [next, next]);
    }
    node[bits.at(-1)!] = offset;
  }
  const nodes: Node[] = [];
  const ids = new Map<Node, number>();
  for (const stack = [root]; stack.length > 0;) {
    const node = stack.pop()!;
    ids.set(node, nodes.push(node) - 1);
    stack.push(...node.filter((child) => typeof child === 'object'));
  }
  const record = (child: Node[0]) =>
    child === undefined ? nodes.length : typeof child === 'number' ? nodes.length + 16 + child : ids.get(child)!;
  const tree = Buffer.alloc((nodes.length * recordBits) / 4);
  nodes.forEach(([left, right], at) => writeNode(tree, at, recordBits, record(left), record(right)));
  const head = encode({
    binary_format_major_version: new Typed('uint16', 2),
    binary_format_minor_version: new Typed('uint16', 0),
    build_epoch: new Typed('uint64', 1_780_617_600n),
    database_type: 'Test',
    ip_version: new Typed('uint16', ipVersion),
    node_count: new Typed('uint32', nodes.length),
    record_size: new Typed('uint16', recordBits),
    languages: [],
    description: {},
    ...metadata,
  });
  return Buffer.concat([tree, Buffer.alloc(16), data, Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com'), head]);
}

function writeNode(tree: Buffer, at: number, bits: 24 | 28 | 32, left: number, right: number): void {
  const from = (at * bits) / 4;
  if (bits === 32) {
    tree.writeUInt32BE(left, from);
    tree.writeUInt32BE(right, from + 4);
    return;
  }
  tree.writeUIntBE(left & 0xff_ffff, from, 3);
  tree.writeUIntBE(right & 0xff_ffff, from + (bits === 24 ? 3 : 4), 3);
  if (bits === 28) tree[from + 3] = ((left >>> 24) << 4) | (right >>> 24);
}

/** The offset that the networks give an address, by looking at all of them. */
export function offsetByScan(networks: MmdbOptions['networks'], address: string): number {
  const ip = parseIp(address)!;
  const around = networks.filter(([cidr]) => cidrContains(parseCidr(cidr)!, ip));
  return around.toSorted(([a], [b]) => parseCidr(b)!.bits - parseCidr(a)!.bits)[0]?.[1] ?? -1;
}
