import { execFileSync } from 'node:child_process';
import { deflateSync, gzipSync } from 'node:zlib';
import { again, attached, attachmentBytes, type HostileMessages, joined, numbered } from './shapes.ts';
import { centralHeader, endRecord, overlapping, zeroEntry, zeroGzip, zip, type ZipEntry } from './zips.ts';

const AES_EXTRA = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 8, 0]);
const NO_DATA = new Uint8Array();

/** A message with one attachment that is made for the room that there is. */
const withFile =
  (name: string, type: string, make: (bytes: number) => Uint8Array) =>
  (bytes: number): Buffer =>
    attached(name, type, make(attachmentBytes(bytes)));
const withZip = (make: (bytes: number) => Uint8Array) => withFile('a.zip', 'application/zip', make);

/** How many megabytes of zeros fit into that many bytes of deflate. */
const megabytesIn = (bytes: number): number => Math.max(1, Math.floor(bytes / 1100));

/** As many as make up that many bytes of a ZIP, each with both headers. */
const entriesFor = (bytes: number, entryOf: (index: number) => ZipEntry): ZipEntry[] => {
  const { name, data, extra } = entryOf(1_000_000);
  const each = 76 + 2 * (name.length + (extra?.length ?? 0)) + data.length;
  return Array.from({ length: Math.floor(bytes / each) }, (_, index) => entryOf(index));
};

/** What the programs of xz and bzip2 make of that many megabytes of zeros; Python has both in its library. */
const packed = (module: 'bz2' | 'lzma', megabytes: number): Buffer =>
  execFileSync('python3', ['-c', `import sys,${module};sys.stdout.buffer.write(${module}.compress(bytes(${megabytes * 1_000_000})))`], {
    maxBuffer: 100_000_000,
  });

/** A header of ustar (POSIX pax) that says that a file of that size follows. */
const tarHeader = (name: string, size: number | string, kind = '0'): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100));
  header.write('0000644\u00000000000\u00000000000\0', 100);
  header.write(typeof size === 'string' ? size : `${size.toString(8).padStart(11, '0')} `, 124);
  header.write(`${(1_700_000_000).toString(8)} `, 136);
  header.write(`        ${kind}`, 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** A ZIP in a ZIP in a ZIP…, at each level as many as that. */
const zipsInZips = (depth: number, width: number, megabytes: number): Buffer =>
  zip(
    Array.from({ length: width }, (_, index) =>
      depth === 0 ? zeroEntry(`${index}.dll`, megabytes) : { name: `lib ${index}.zip`, data: zipsInZips(depth - 1, width, megabytes) },
    ),
  );

/** As 42.zip: all that are at one level are the same, and packed away to almost nothing. */
const fortyTwo = (): Buffer => {
  let inner = zip([zeroEntry('0.dll', 100)]);
  for (let depth = 0; depth < 5; depth++) {
    const data = inner;
    inner = zip(Array.from({ length: 16 }, (_, index) => ({ name: `lib ${index.toString(16)}.zip`, ...deflated(data) })));
  }
  return inner;
};

const deflated = (data: Uint8Array): { data: Buffer; size: number; method: number } => ({
  // The raw stream without the two octets before and the four after it (RFC 1950).
  data: deflateSync(data, { level: 9 }).subarray(2, -4),
  size: data.length,
  method: 8,
});

/** What archives can be made to cost: more than they hold, more entries than there is room for, and lies. */
export const HOSTILE_ARCHIVES: HostileMessages = {
  'a ZIP as 42.zip': withZip(fortyTwo),
  'a ZIP of overlapping entries': withZip((bytes) => overlapping(250, Math.max(1, Math.floor(bytes / 25_000)))),
  'a ZIP whose entries are one': withZip((bytes) => {
    const bomb = zeroEntry('0', Math.max(1, Math.floor(bytes / 25_000)));
    return zip([bomb, ...Array.from({ length: Math.floor(bytes / 60) }, (_, index) => ({ ...bomb, name: `${index}`, offset: 0 }))]);
  }),
  'a ZIP of zeros': withZip((bytes) => zip([zeroEntry('a.exe', megabytesIn(bytes))])),
  'a ZIP of a hundred entries of zeros': withZip((bytes) => {
    const bomb = zeroEntry('a', Math.max(1, Math.floor(bytes / 110_000)));
    return zip(Array.from({ length: 100 }, (_, index) => ({ ...bomb, name: `${index}.exe` })));
  }),
  'a ZIP of ZIPs of ZIPs of zeros': withZip((bytes) => zipsInZips(2, 4, Math.max(1, Math.floor(bytes / 100_000)))),
  'a ZIP of empty entries': withZip((bytes) => zip(entriesFor(bytes, (index) => ({ name: `${index}`, data: NO_DATA })))),
  'a ZIP of entries without names': withZip((bytes) => zip(entriesFor(bytes, () => ({ name: '', data: NO_DATA })))),
  'a ZIP of small files': withZip((bytes) =>
    zip(entriesFor(bytes, (index) => ({ name: `${index}.txt`, data: Buffer.from('https://a.test/') }))),
  ),
  'a ZIP of a central directory alone': withZip((bytes) => {
    const entries = numbered(bytes, (index) => centralHeader({ name: `${index}`, data: NO_DATA }, 0).toString('latin1'));
    return joined(entries, endRecord(65_535, entries.length, 0));
  }),
  'a ZIP of entries of one gigabyte, they say': withZip((bytes) =>
    zip(entriesFor(bytes, (index) => ({ name: `${index}.exe`, data: Buffer.from('x'), size: 1_000_000_000, compressed: 1_000_000_000 }))),
  ),
  'a ZIP of entries of one byte, they say': withZip((bytes) => zip([{ ...zeroEntry('a.exe', megabytesIn(bytes)), size: 1 }])),
  'a ZIP of encrypted entries': withZip((bytes) =>
    zip(entriesFor(bytes, (index) => ({ name: `${index}.exe`, data: Buffer.alloc(12), flags: 1 }))),
  ),
  'a ZIP of entries in AES': withZip((bytes) =>
    zip(entriesFor(bytes, (index) => ({ name: `${index}.exe`, data: Buffer.alloc(20), flags: 1, method: 99, extra: AES_EXTRA }))),
  ),
  'a ZIP with names that lead elsewhere': withZip((bytes) =>
    zip(
      entriesFor(bytes, (index) => ({
        name: ['../../../etc/passwd', '/abs.sh', 'C:\\con', 'a\0.exe', 'cod\u202Eexe.txt', 'con'][index % 6]!.padEnd(20, 'x'),
        data: NO_DATA,
      })),
    ),
  ),
  'a ZIP with a name of 64 KB for each entry': withZip((bytes) =>
    zip(entriesFor(bytes, () => ({ name: '\u202Ea'.repeat(16_000), data: NO_DATA }))),
  ),
  'a ZIP with extra fields that do not end': withZip((bytes) =>
    zip(entriesFor(bytes, (index) => ({ name: `${index}`, data: NO_DATA, extra: Buffer.alloc(60_000, Buffer.from([1, 0, 0, 0])) }))),
  ),
  'a ZIP of ends': withZip((bytes) => joined(zip([{ name: 'a', data: NO_DATA }]), again('PK\u0005\u0006', bytes))),
  'a ZIP of beginnings': withZip((bytes) => again('PK\u0003\u0004', bytes)),
  'a ZIP of beginnings of its directory': withZip((bytes) => joined(again('PK\u0001\u0002', bytes), endRecord(60_000, bytes, 0))),
  'a ZIP that points at itself': withZip((bytes) => {
    const file = joined(Buffer.alloc(Math.floor(bytes / 2)), centralHeader({ name: 'a', data: NO_DATA }, 0));
    return joined(file, endRecord(65_535, 0xff_ff_ff_ff, 0xff_ff_ff_ff));
  }),
  'a ZIP whose entries point at their directory': withZip((bytes) => {
    const offset = Math.floor(bytes / 2);
    return zip([
      { name: 'a', data: Buffer.alloc(offset) },
      ...Array.from({ length: 1000 }, (_, index) => ({
        name: `${index}`,
        data: NO_DATA,
        offset: offset + 31,
        compressed: bytes,
        size: bytes,
      })),
    ]);
  }),
  'an OOXML of zeros': withFile('a.docx', 'application/octet-stream', (bytes) =>
    zip([{ name: '[Content_Types].xml', data: Buffer.from('<Types/>') }, zeroEntry('word/document.xml', megabytesIn(bytes))]),
  ),
  'an ODF whose manifest is everything': withFile('a.odt', 'application/octet-stream', (bytes) =>
    zip([
      { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text') },
      { name: 'META-INF/manifest.xml', ...deflated(again('<manifest:file-entry manifest:encryption-dat', bytes * 20)) },
    ]),
  ),
  'gzip of zeros': withFile('a.gz', 'application/gzip', (bytes) => zeroGzip(megabytesIn(bytes))),
  'gzip of members': withFile('a.gz', 'application/gzip', (bytes) => Buffer.alloc(bytes, gzipSync('x'))),
  'gzip of a name without end': withFile('a.gz', 'application/gzip', (bytes) =>
    joined(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), again('a', bytes)),
  ),
  'gzip of gzip of zeros': withFile('a.gz', 'application/gzip', (bytes) => gzipSync(zeroGzip(megabytesIn(bytes)))),
  'a TAR in gzip, of zeros': withFile('a.tgz', 'application/gzip', (bytes) =>
    // Two members of gzip are one file (RFC 1952 §2.2).
    joined(gzipSync(tarHeader('a.exe', megabytesIn(bytes) * 1_000_000)), zeroGzip(megabytesIn(bytes) + 1)),
  ),
  'a TAR of empty entries': withFile('a.tar', 'application/x-tar', (bytes) => Buffer.alloc(bytes, tarHeader('a.exe', 0))),
  'a TAR in gzip, of a hundred thousand empty entries': withFile('a.tgz', 'application/gzip', (bytes) =>
    gzipSync(Buffer.alloc(bytes * 10, tarHeader('a.exe', 0))),
  ),
  'a TAR of one gigabyte, it says': withFile('a.tar', 'application/x-tar', (bytes) =>
    joined(tarHeader('a.exe', 1_000_000_000), Buffer.alloc(bytes)),
  ),
  'a TAR of negative sizes': withFile('a.tar', 'application/x-tar', (bytes) =>
    Buffer.alloc(bytes, tarHeader('a.exe', '\u00ff\u00ff\u00ff\u00ff')),
  ),
  'a TAR of long names of long names': withFile('a.tar', 'application/x-tar', (bytes) =>
    Buffer.alloc(bytes, joined(tarHeader('././@LongLink', 512, 'L'), again('a', 512))),
  ),
  'a TAR of pax headers': withFile('a.tar', 'application/x-tar', (bytes) =>
    Buffer.alloc(bytes, joined(tarHeader('PaxHeaders', 512, 'x'), again('28 size=99999999999999999999\n', 512))),
  ),
  'bzip2 of zeros': withFile('a.bz2', 'application/x-bzip2', (bytes) => packed('bz2', Math.max(1, Math.floor(bytes / 10_000)))),
  'xz of zeros': withFile('a.xz', 'application/x-xz', (bytes) => packed('lzma', Math.max(1, Math.floor(bytes / 10_000)))),
  'beginnings of every kind of archive': withFile('a.7z', 'application/octet-stream', (bytes) =>
    joined(
      Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, 0, 0, 0, 0]),
      Buffer.alloc(20, 0x7f),
      Buffer.alloc(bytes, Buffer.from([1, 4, 6, 0, 255])),
    ),
  ),
  'a RAR of lies': withFile('a.rar', 'application/vnd.rar', (bytes) =>
    joined('Rar!\u001A\u0007\u0001\0', Buffer.alloc(bytes, Buffer.from([0x81, 0x82, 3, 2, 1]))),
  ),
  'a RAR 4 of lies': withFile('a.rar', 'application/vnd.rar', (bytes) =>
    joined(
      'Rar!\u001A\u0007\0',
      Buffer.from([0xcf, 0x90, 0x73, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.alloc(bytes, Buffer.from([1, 2, 0x74, 0, 0x80, 7, 0])),
    ),
  ),
  'a cabinet of lies': withFile('a.cab', 'application/vnd.ms-cab-compressed', (bytes) => joined('MSCF\0\0\0\0', Buffer.alloc(bytes, 0xff))),
  'an ISO image of lies': withFile('a.iso', 'application/octet-stream', (bytes) =>
    joined(Buffer.alloc(0x80_00), '\u0001CD001\u0001', Buffer.alloc(bytes, Buffer.from([34, 0, 20]))),
  ),
};
