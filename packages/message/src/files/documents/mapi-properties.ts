/** Values that are kept; a message has some dozens. */
const PROPERTIES_MAX = 4_096;
const FIXED_BYTES: Record<number, number> = {
  0x02: 4,
  0x03: 4,
  0x04: 4,
  0x05: 8,
  0x06: 8,
  0x07: 8,
  0x0a: 4,
  0x0b: 4,
  0x14: 8,
  0x40: 8,
  0x48: 16,
};
const [STRING8, UNICODE, OBJECT, BINARY] = [0x1e, 0x1f, 0x0d, 0x102];
const MANY = 0x1000;

export interface PropertyValue {
  data: Buffer;
  /** A string in UTF-16; other strings are in the code page of the message. */
  isUnicode: boolean;
  isObject: boolean;
}

/** The properties of a message or of an attachment ([MS-OXTNEF] 2.1.3.4), of several values the first; those whose kind is not known end it. */
export function* readProperties(data: Buffer): Generator<{ id: number; value: PropertyValue }> {
  const cursor = new Cursor(data, 4);
  for (let read = 0; read < PROPERTIES_MAX && !cursor.isOver; read++) {
    const [kind, id] = [cursor.uint16(), cursor.uint16()];
    if (id >= 0x8000) skipName(cursor);
    const single = kind & ~MANY;
    const fixed = FIXED_BYTES[single];
    const isVariable = single === STRING8 || single === UNICODE || single === OBJECT || single === BINARY;
    if (fixed === undefined && !isVariable) return;
    const values = isVariable || kind !== single ? cursor.uint32() : 1;
    let first: Buffer | undefined;
    for (let i = 0; i < values && !cursor.isOver; i++) {
      const value = cursor.bytes(fixed ?? cursor.uint32());
      first ??= value;
    }
    if (first) yield { id, value: { data: first, isUnicode: single === UNICODE, isObject: single === OBJECT } };
  }
}

/** A set's identifier, and a number or a name within it. */
function skipName(cursor: Cursor): void {
  cursor.bytes(16);
  const isNamed = cursor.uint32() === 1;
  if (isNamed) cursor.bytes(cursor.uint32());
  else cursor.uint32();
}

/** Reads on in multiples of four bytes; behind the end there are zeros, and it is over. */
class Cursor {
  readonly #data: Buffer;
  #at: number;

  constructor(data: Buffer, at: number) {
    this.#data = data;
    this.#at = at;
  }

  get isOver(): boolean {
    return this.#at >= this.#data.length;
  }

  uint16(): number {
    this.#at += 2;
    return this.#at <= this.#data.length ? this.#data.readUInt16LE(this.#at - 2) : 0;
  }

  uint32(): number {
    this.#at += 4;
    return this.#at <= this.#data.length ? this.#data.readUInt32LE(this.#at - 4) : 0;
  }

  bytes(length: number): Buffer {
    const value = this.#data.subarray(this.#at, this.#at + length);
    this.#at += Math.ceil(length / 4) * 4;
    return value;
  }
}
