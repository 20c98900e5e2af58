import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type LibarchiveWasm, libarchiveWasm } from 'libarchive-wasm';
import { type ArchiveEntry, isoSeconds, TooLarge, type Unpacked } from './archive-entry.ts';
import { OutOfTime, type UnpackTime } from './unpack-time.ts';
import type { UnpackOther } from './zip.ts';

/** The used part of the API; its types are in the DOM library. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
  Memory: new () => Memory;
  RuntimeError: ErrorConstructor;
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const WASM = readFileSync(createRequire(import.meta.url).resolve('libarchive-wasm/dist/libarchive.wasm'));

/** Dictionaries of 64 MB, what 7-Zip and RAR take at their best, and the archive beside them. One that asks for more is not unpacked. */
const HEAP_MAX_BYTES = 192 * 1024 * 1024;
/** Memory of WebAssembly never shrinks: an instance that has grown beyond this is not used again. */
const HEAP_KEPT_BYTES = 48 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const RESERVED_BYTES = 16 * 1024 * 1024;
/** S_IFREG. Entries of other types (directories, links) have no content of their own. */
const FILE = 0o100000;

let compiled: object | undefined;
let spare: LibarchiveWasm | undefined;

/** An instance of libarchive that has its own memory, of at most `HEAP_MAX_BYTES`. */
async function instance(): Promise<LibarchiveWasm> {
  if (spare) return spare;
  compiled ??= new WebAssembly.Module(WASM);
  const compiledOnce = compiled;
  spare = await libarchiveWasm({
    instantiateWasm(imports: object, done: (instance: object, module: object) => void) {
      const made = new WebAssembly.Instance(compiledOnce, imports);
      for (const exported of Object.values(made.exports)) if (exported instanceof WebAssembly.Memory) limit(exported);
      done(made, compiledOnce);
    },
  });
  return spare;
}

/** The library grows its memory through this object only; where it may not, its malloc gives nothing and the archive cannot be read. */
function limit(memory: Memory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65_536 > HEAP_MAX_BYTES) throw new RangeError('an archive asks for too much memory');
    return grow(pages);
  };
}

export interface UnpackLimits {
  /** Bytes. */
  max: number;
  time: UnpackTime;
}

/** An archive that libarchive reads, one entry after the other: 7z, RAR, CAB, ISO 9660, LHA, cpio, ar, and streams of them. */
export class LibarchiveReader {
  readonly #library: LibarchiveWasm;
  readonly #time: UnpackTime;
  /** Pointers into its memory: to the archive's bytes, to a chunk of what is unpacked, to its own state. Zero is the null pointer. */
  readonly #bytes: number;
  readonly #chunk: number;
  #archive = 0;

  private constructor(library: LibarchiveWasm, bytes: Uint8Array, time: UnpackTime) {
    this.#library = library;
    this.#time = time;
    this.#bytes = this.#try(() => this.#reserve(bytes.length)) ?? 0;
    this.#chunk = this.#try(() => this.#reserve(CHUNK_BYTES)) ?? 0;
    if (this.#bytes === 0 || this.#chunk === 0) return;
    library.module.HEAPU8.set(bytes, this.#bytes);
    this.#archive = this.#try(() => library.read_new_memory(this.#bytes, bytes.length)) ?? 0;
  }

  static async open(bytes: Uint8Array, time: UnpackTime): Promise<LibarchiveReader> {
    return new LibarchiveReader(await instance(), bytes, time);
  }

  /** Unpacks the only entry of an archive; with `isPartWelcome`, a damaged entry gives the bytes before the damage. */
  static async only(bytes: Uint8Array, { max, time }: UnpackLimits, isPartWelcome = false): Promise<Unpacked> {
    const reader = await LibarchiveReader.open(bytes, time);
    try {
      const entry = reader.next();
      return entry && reader.#unpack(entry.size, max, isPartWelcome);
    } finally {
      reader.close();
    }
  }

  /** Whether anything in it, or its directory, is encrypted: known once its entries have been asked for. */
  get encrypted(): boolean {
    return this.#archive !== 0 && this.#try(() => this.#library.read_has_encrypted_entries(this.#archive)) === 1;
  }

  /**
   * The next entry; undefined after the last, and where the archive is unreadable. Entries that were not unpacked are skipped, which may
   * take long.
   */
  next(): ArchiveEntry | undefined {
    const library = this.#library;
    const pointer = this.#archive === 0 ? 0 : (this.#try(() => library.read_next_entry(this.#archive)) ?? 0);
    if (pointer === 0) return undefined;
    const type = library.entry_filetype(pointer);
    const header = {
      name: library.entry_pathname(pointer),
      size: Math.max(0, library.entry_size(pointer)),
      modified: isoSeconds(library.entry_mtime(pointer)),
      encrypted: library.entry_is_encrypted(pointer) !== 0,
      directory: type !== FILE,
    };
    return { ...header, unpack: (max) => (type === FILE && !header.encrypted ? this.#unpack(header.size, max) : undefined) };
  }

  close(): void {
    const { module } = this.#library;
    // Without time to free its memory, the library is dropped.
    if (this.#time.isOver) {
      if (this.#bytes !== 0) this.#drop();
      return;
    }
    this.#try(() => {
      if (this.#archive !== 0) this.#library.read_free(this.#archive);
      this.#release(this.#bytes);
      this.#release(this.#chunk);
    });
    this.#archive = 0;
    if (module.HEAPU8.length > HEAP_KEPT_BYTES) this.#drop();
  }

  #unpack(expected: number, max: number, isPartWelcome = false): Unpacked {
    // The size by the archive is only a hint for the reservation.
    let whole = Buffer.allocUnsafe(Math.min(expected, max, RESERVED_BYTES));
    let length = 0;
    for (;;) {
      const read = this.#try(() => this.#library.read_data(this.#archive, this.#chunk, CHUNK_BYTES));
      if (read === undefined && !isPartWelcome) return undefined;
      if (!read) return whole.subarray(0, length);
      if (length + read > max) throw new TooLarge();
      if (length + read > whole.length) {
        const longer = Buffer.allocUnsafe(Math.min(max, Math.max(2 * whole.length, length + read)));
        whole.copy(longer, 0, 0, length);
        whole = longer;
      }
      whole.set(this.#library.module.HEAPU8.subarray(this.#chunk, this.#chunk + read), length);
      length += read;
    }
  }

  #reserve(bytes: number): number {
    return this.#library.module._malloc(bytes); // oxlint-disable-line no-underscore-dangle -- as C's functions are called there
  }

  #release(pointer: number): void {
    this.#library.module._free(pointer); // oxlint-disable-line no-underscore-dangle -- likewise
  }

  /** Returns the result of `work`; undefined where the library fails or traps. */
  #try<T>(work: () => T): T | undefined {
    try {
      return this.#time.spend(work);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || (error instanceof OutOfTime && error.midway)) this.#drop();
      return undefined;
    }
  }

  /** Gives the instance up: after a trap, and in the midst of a call, nothing in its memory can be relied on. The next archive gets another. */
  #drop(): void {
    this.#archive = 0;
    if (spare === this.#library) spare = undefined;
  }
}

/** Unpacks a stream of one of ZIP's methods, which is passed to libarchive as an archive with this one entry. */
export async function unpackZipEntry(
  entry: { method: number; packed: Uint8Array; size: number; crc: number },
  limits: UnpackLimits,
): Promise<Unpacked> {
  const header = Buffer.alloc(31, 0);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(63, 4);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(entry.packed.length, 18);
  header.writeUInt32LE(Math.min(entry.size, 0xfffffffe), 22);
  header.writeUInt16LE(1, 26);
  header.write('-', 30);
  return LibarchiveReader.only(Buffer.concat([header, entry.packed]), limits);
}

/** How a ZIP unpacks what node:zlib cannot. */
export const otherMethods =
  (time: UnpackTime): UnpackOther =>
  (entry, max) =>
    unpackZipEntry(entry, { max, time });

const END_MARK = Buffer.from('\0vedette: the stream ends here\0\n');

/**
 * This build of libarchive reads only streams of archives. Therefore the stream becomes the only file of a tar: both formats continue with
 * any stream that follows. A packed header of a file of 8 GB comes before it. `END_MARK` with half a megabyte of zeros comes behind it,
 * since libarchive loses the data of its last read when a file ends too early.
 */
const AROUND = {
  bzip2: {
    before: 'QlpoMTFBWSZTWewdCIkAAAzbgMiAQAJ1gAAA4AAeAAgAIABUQTIaBkwJSeknqNqPRGl+BDTmY5IUMiLLeHYewFIFXkp71hk33u5m9C7kinChIdg6ERI=',
    behind: 'QlpoMTFBWSZTWeMzFIkADA7ZgMQQQAAAECZDHQAACCAAVCUmagA0CpU00Yh6h8IA3tIQBm9kQB1V87Tyq9eeqaxOCEnppcYGAAPi7kinChIcZmKRIA==',
  },
  xz: {
    before:
      '/Td6WFoAAAD/EtlBAgAhAQwAAACPmEGc4AH/AC1dABaAM1AYpUU3RJFAdSTWYyXTYhbhQguhHosm194ZQ75anVkjXkfFkIQuxVClAAAAAAAAAUGABAAAANEq1TmoAAr8AgAAAAAAWVo=',
    behind:
      '/Td6WFoAAAD/EtlBAgAhAQwAAACPmEGc6AAfALBdAAAejMbepLP4r4Y+S95o2ggBV3XWIvphtE1+Eq5AwSDnzXLp2BzARlVzn2XJBFiZQj7ZPt5PWXRSB7q8zTxqNTi4/TGAMGxnlSk15wXXM/eSvGJql60yyDRweMXeEwOpKiKe0Kh85AZDpeRocDZUsj+C/nA6PAdbODJNG9RXc22m4cj+eSG1qDOPYoR9WlFiknRJXMRtspLnoMjOBwTun96lQsuIP1wAj9BOribtjgAAAAABxAGggCAA6IeWTagACvwCAAAAAABZWg==',
  },
};

/** Unpacks a stream of bzip2 or xz; undefined if it is damaged. Throws `TooLarge`. */
export async function unpackStream(kind: keyof typeof AROUND, bytes: Uint8Array, { max, time }: UnpackLimits): Promise<Unpacked> {
  const { before, behind } = AROUND[kind];
  const whole = Buffer.concat([Buffer.from(before, 'base64'), bytes, Buffer.from(behind, 'base64')]);
  const unpacked = await LibarchiveReader.only(whole, { max: max + END_MARK.length + 2 * CHUNK_BYTES, time }, true);
  const end = unpacked ? Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.byteLength).lastIndexOf(END_MARK) : -1;
  if (end > max) throw new TooLarge();
  return end === -1 ? undefined : unpacked!.subarray(0, end);
}
