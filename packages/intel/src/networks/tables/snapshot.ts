/** Columns of a dataset, by name. */
export type Columns = Record<string, Column>;
type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** The contents of a snapshot: its kind, columns of numbers, and a few notes. */
export interface Snapshot {
  kind: string;
  columns: Columns;
  /** Short JSON data that fits no column. */
  notes: Record<string, unknown>;
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;
type TypeName = keyof typeof TYPES;
const VIEWS: Record<TypeName, (memory: SharedArrayBuffer) => Column> = {
  u8: (memory) => new Uint8Array(memory),
  u16: (memory) => new Uint16Array(memory),
  u32: (memory) => new Uint32Array(memory),
  f32: (memory) => new Float32Array(memory),
};

/** A snapshot begins so; the digit counts changes of the form. */
const MAGIC = Buffer.from('VDTNET1\n');
const HEAD = MAGIC.length + 8;
const MAX_HEADER = 4 * 1024 * 1024;
const ALIGN = 8;

interface Header {
  kind: string;
  notes: Record<string, unknown>;
  columns: { name: string; type: TypeName; length: number }[];
}

const aligned = (length: number): number => Math.ceil(length / ALIGN) * ALIGN;
const typeOf = (column: Column): TypeName => (Object.keys(TYPES) as TypeName[]).find((type) => column instanceof TYPES[type])!;

/** The bytes of a snapshot: what it is in JSON, then the columns as they are in memory (little endian), each on a boundary of 8 bytes. */
export function writeSnapshot({ kind, columns, notes }: Snapshot): Uint8Array {
  const entries = Object.entries(columns);
  const header: Header = { kind, notes, columns: entries.map(([name, column]) => ({ name, type: typeOf(column), length: column.length })) };
  const json = Buffer.from(JSON.stringify(header));
  if (json.length > MAX_HEADER) throw new RangeError('too many names for a snapshot');
  const total = entries.reduce((sum, [, column]) => sum + aligned(column.byteLength), aligned(HEAD + json.length));
  const bytes = Buffer.alloc(total);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(json.length, MAGIC.length);
  json.copy(bytes, HEAD);
  let at = aligned(HEAD + json.length);
  for (const [, column] of entries) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += aligned(column.byteLength);
  }
  return bytes;
}

/**
 * Reads a snapshot; throws a RangeError that names the fault if the bytes are not a snapshot of this kind. That the columns mean something
 * is for the reader to check. They are in memory that threads can share.
 */
export function readSnapshot(bytes: Uint8Array, kind: string): Snapshot {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEAD || !buffer.subarray(0, MAGIC.length).equals(MAGIC)) throw new RangeError('not a snapshot of networks');
  const length = buffer.readUInt32LE(MAGIC.length);
  if (length > MAX_HEADER || HEAD + length > buffer.length) throw new RangeError('the snapshot is cut off');
  const header: unknown = JSON.parse(buffer.toString('utf8', HEAD, HEAD + length));
  if (!isHeader(header)) throw new RangeError('the snapshot does not say what it is');
  if (header.kind !== kind) throw new RangeError(`a snapshot of ${header.kind} where one of ${kind} is wanted`);
  const columns: Columns = {};
  let at = aligned(HEAD + length);
  for (const { name, type, length: values } of header.columns) {
    const size = values * TYPES[type].BYTES_PER_ELEMENT;
    if (at + size > buffer.length) throw new RangeError('the snapshot is cut off');
    const memory = new SharedArrayBuffer(size);
    new Uint8Array(memory).set(buffer.subarray(at, at + size));
    columns[name] = VIEWS[type](memory);
    at += aligned(size);
  }
  return { kind, notes: header.notes, columns };
}

function isHeader(value: unknown): value is Header {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || !isRecord(value['notes']) || !Array.isArray(value['columns'])) return false;
  return value['columns'].every(
    (column: unknown) =>
      isRecord(column) &&
      typeof column['name'] === 'string' &&
      typeof column['type'] === 'string' &&
      Object.hasOwn(TYPES, column['type']) &&
      Number.isSafeInteger(column['length']) &&
      Number(column['length']) >= 0,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A column of numbers of 32 bits; empty where the snapshot has none. */
export function words(columns: Columns, name: string): Uint32Array {
  const column = columns[name];
  return column instanceof Uint32Array ? column : new Uint32Array(0);
}

/** A column of bytes; empty where the snapshot has none. */
export function octets(columns: Columns, name: string): Uint8Array {
  const column = columns[name];
  return column instanceof Uint8Array ? column : new Uint8Array(0);
}
