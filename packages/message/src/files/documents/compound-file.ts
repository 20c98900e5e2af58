/** Entries of the directory that are looked at; real documents have some dozens. */
const ENTRIES_MAX = 4_096;
const ENTRY_BYTES = 128;
const NONE = 0xfffffffa;

interface DirectoryEntry {
  name: string;
  isStream: boolean;
  start: number;
  size: number;
  /** The class identifier's bytes as they stand, in lower-case hex. */
  classId: string;
  left: number;
  right: number;
  child: number;
}

/** A compound file ([MS-CFB]): what Office had for files before 2007, and has for encrypted ones. Loops and lies in it end a stream, and nothing else. */
export class CompoundFile {
  readonly #data: Buffer;
  readonly #sectorBytes: number;
  readonly #fat: readonly number[];
  readonly #entries: readonly DirectoryEntry[];
  /** The entries at its root, by name. */
  readonly root: ReadonlyMap<string, DirectoryEntry>;

  constructor(bytes: Uint8Array) {
    this.#data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const word = (at: number): number => (at + 4 <= this.#data.length ? this.#data.readUInt32LE(at) : NONE);
    this.#sectorBytes = this.#data.length > 32 && this.#data.readUInt16LE(30) === 12 ? 4_096 : 512;
    this.#fat = this.#fatSectors(word);
    const directory = this.#chain(word(48), ENTRIES_MAX * ENTRY_BYTES);
    this.#entries = Array.from({ length: Math.floor(directory.length / ENTRY_BYTES) }, (_, i) =>
      readEntry(directory.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES)),
    );
    this.root = this.#childrenOf(0);
  }

  get classId(): string {
    return this.#entries[0]?.classId ?? '';
  }

  /** Whether anything in it, at whatever depth, has this name. */
  has(name: string): boolean {
    return this.#entries.some((entry) => entry.name === name);
  }

  /** The beginning of a stream at its root; empty without a stream of that name. */
  stream(name: string, max: number): Buffer {
    const entry = this.root.get(name);
    if (!entry?.isStream) return Buffer.alloc(0);
    const bytes = Math.min(max, entry.size);
    // Small streams stand in one of the root's, in sectors of 64 bytes.
    return entry.size < 4_096 ? this.#smallStream(entry.start, bytes) : this.#chain(entry.start, bytes).subarray(0, bytes);
  }

  #fatSectors(word: (at: number) => number): number[] {
    const sectors: number[] = [];
    const perSector = this.#sectorBytes / 4;
    const most = Math.ceil(this.#data.length / this.#sectorBytes / perSector);
    for (let i = 0; i < 109 && sectors.length < most; i++) if (word(76 + 4 * i) < NONE) sectors.push(word(76 + 4 * i));
    // Files of more than 7 MB have more of them; attachments do not come so far.
    return sectors;
  }

  #next(sector: number): number {
    const perSector = this.#sectorBytes / 4;
    const fatSector = this.#fat[Math.floor(sector / perSector)];
    if (fatSector === undefined) return NONE;
    const at = (fatSector + 1) * this.#sectorBytes + 4 * (sector % perSector);
    return at + 4 <= this.#data.length ? this.#data.readUInt32LE(at) : NONE;
  }

  #chain(start: number, max: number): Buffer {
    const parts: Buffer[] = [];
    // A chain of more sectors than would fill `max` is not followed, so that a loop ends too.
    for (let [sector, length] = [start, 0]; sector < NONE && length < max; sector = this.#next(sector), length += this.#sectorBytes) {
      const at = (sector + 1) * this.#sectorBytes;
      if (at >= this.#data.length) break;
      parts.push(this.#data.subarray(at, at + this.#sectorBytes));
    }
    return Buffer.concat(parts);
  }

  #smallStream(start: number, bytes: number): Buffer {
    const root = this.#entries[0];
    if (!root) return Buffer.alloc(0);
    const sectors = this.#chain(root.start, Math.min(root.size, this.#data.length));
    const first = this.#data.length >= 64 ? this.#data.readUInt32LE(60) : NONE;
    const fat = this.#chain(first, Math.ceil(sectors.length / 64) * 4);
    const parts: Buffer[] = [];
    for (let [sector, length] = [start, 0]; sector < NONE && length < bytes; length += 64) {
      parts.push(sectors.subarray(sector * 64, sector * 64 + 64));
      sector = sector * 4 + 4 <= fat.length ? fat.readUInt32LE(sector * 4) : NONE;
    }
    return Buffer.concat(parts).subarray(0, bytes);
  }

  /** The members of a storage, which are a tree of siblings. */
  #childrenOf(storage: number): Map<string, DirectoryEntry> {
    const found = new Map<string, DirectoryEntry>();
    const seen = new Set<number>();
    const open = [this.#entries[storage]?.child ?? NONE];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.#entries[index];
      if (!entry || seen.has(index)) continue;
      seen.add(index);
      found.set(entry.name, entry);
      open.push(entry.left, entry.right);
    }
    return found;
  }
}

function readEntry(data: Buffer): DirectoryEntry {
  const nameBytes = Math.min(64, Math.max(0, data.readUInt16LE(64) - 2));
  return {
    name: data.toString('utf16le', 0, nameBytes & ~1),
    isStream: data[66] === 2,
    start: data.readUInt32LE(116),
    size: data.readUInt32LE(120),
    classId: data.toString('hex', 80, 96),
    left: data.readUInt32LE(68),
    right: data.readUInt32LE(72),
    child: data.readUInt32LE(76),
  };
}
