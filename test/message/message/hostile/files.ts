import { crc32, deflateSync } from 'node:zlib';
import { again, attached, attachmentBytes, type HostileMessages, joined, numbered, single } from './shapes.ts';

const withFile =
  (name: string, type: string, make: (bytes: number) => Uint8Array) =>
  (bytes: number): Buffer =>
    attached(name, type, make(attachmentBytes(bytes)));

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff]);
const u32 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >>> 24) & 0xff]);

const TNEF = joined(u32(0x22_3e_9f_78), u16(1));
/** An attribute of winmail.dat ([MS-OXTNEF] 2.1.3.1), whatever its length says. */
const attribute = (level: number, id: number, data: Uint8Array, length = data.length): Buffer =>
  joined(Buffer.from([level]), u32(id), u32(length), data, u16(data.reduce((sum, byte) => (sum + byte) & 0xff_ff, 0)));
const ATTACH_RENDER_DATA = 0x06_90_02;
const ATTACH_TITLE = 0x01_80_10;
const ATTACH_DATA = 0x06_80_0f;
const MESSAGE_PROPERTIES = 0x06_90_03;

const chunk = (kind: string, data: Uint8Array): Buffer => {
  const body = joined(kind, data);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return joined(head, body, check);
};
const picture = (width: number, height: number, rows: Uint8Array): Buffer => {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size[8] = 1;
  return joined(
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  );
};
/** A PNG in black and white, of that size as it says, whose rows are zeros as far as they go. */
const png = (width: number, height: number, bytes = (Math.ceil(width / 8) + 1) * height): Buffer =>
  picture(width, height, Buffer.alloc(bytes));
/** One finder pattern of a QR code (ISO/IEC 18004) beside the other. */
const finders = (width: number): Buffer => {
  const pattern = [0b0000_0001, 0b0111_1101, 0b0100_0101, 0b0100_0101, 0b0100_0101, 0b0111_1101, 0b0000_0001, 0b1111_1111];
  return picture(
    width,
    width,
    Buffer.concat(Array.from({ length: width }, (_, row) => joined(Buffer.alloc(1), Buffer.alloc(width / 8, pattern[row % 8])))),
  );
};
const pictures = (bytes: number, type: string, picture: Uint8Array): Buffer =>
  single(
    'Content-Type: multipart/related; boundary=b\r\n',
    Buffer.alloc(
      bytes,
      `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(picture).toString('base64')}\r\n`,
    ),
  );

/** The header of a compound file ([MS-CFB] 2.2) whose chains lead in a circle, and sectors of whatever stands there. */
const compound = (bytes: number, sector: Uint8Array): Buffer => {
  const header = Buffer.alloc(512);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xff_fe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(109, 44);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(2, 60);
  header.writeUInt32LE(1_000_000, 64);
  header.writeUInt32LE(3, 68);
  header.writeUInt32LE(1_000_000, 72);
  for (let at = 76; at < 512; at += 4) header.writeUInt32LE(0, at);
  return joined(header, Buffer.alloc(bytes, sector));
};
/** A directory entry of a compound file that is its own sibling and child. */
const selfish = (): Buffer => {
  const entry = Buffer.alloc(128);
  entry.write('EncryptedPackage', 'utf16le');
  entry.writeUInt16LE(34, 64);
  entry[66] = 2;
  return entry;
};

/** Compressed RTF ([MS-OXRTFCP]) whose references go back to themselves, and that says it is a gigabyte. */
const rtf = (bytes: number): Buffer =>
  joined(u32(bytes + 12), u32(1_000_000_000), 'LZFu', u32(0), Buffer.alloc(bytes, Buffer.from([0xff, 0x00, 0x0f, 0x01, 0x1f, 0x02, 0x2f])));

/** What attached files of other kinds than archives can be made to cost. */
export const HOSTILE_FILES: HostileMessages = {
  'a file of zeros': withFile('a.bin', 'application/octet-stream', (bytes) => Buffer.alloc(bytes)),
  'a file name of line ends and controls': (bytes) =>
    attached(`a${'\u0001'.repeat(300)}.exe`, 'application/octet-stream', Buffer.alloc(attachmentBytes(bytes))),
  'TNEF of attachments': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(
      TNEF,
      Buffer.alloc(
        bytes,
        joined(
          attribute(2, ATTACH_RENDER_DATA, Buffer.alloc(14)),
          attribute(2, ATTACH_TITLE, Buffer.from('a.exe\0')),
          attribute(2, ATTACH_DATA, Buffer.from('MZ')),
        ),
      ),
    ),
  ),
  'TNEF of attributes without data': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(TNEF, Buffer.alloc(bytes, attribute(2, ATTACH_RENDER_DATA, new Uint8Array()))),
  ),
  'TNEF of four gigabytes, it says': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(TNEF, attribute(2, ATTACH_DATA, Buffer.alloc(bytes), 0xff_ff_ff_ff)),
  ),
  'TNEF of properties, four thousand million of them': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(TNEF, attribute(1, MESSAGE_PROPERTIES, joined(u32(0xff_ff_ff_ff), Buffer.alloc(bytes, joined(u16(3), u16(0x10_00), u32(1)))))),
  ),
  'TNEF of a property of many values': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(TNEF, attribute(1, MESSAGE_PROPERTIES, joined(u32(1), u16(0x10_1e), u16(0x10_00), u32(0xff_ff_ff), Buffer.alloc(bytes)))),
  ),
  'TNEF of RTF that refers to itself': withFile('winmail.dat', 'application/ms-tnef', (bytes) =>
    joined(TNEF, attribute(1, MESSAGE_PROPERTIES, joined(u32(1), u16(0x01_02), u16(0x10_09), u32(1), u32(bytes), rtf(bytes)))),
  ),
  'TNEF in TNEF': withFile('winmail.dat', 'application/ms-tnef', (bytes) => {
    let inner: Buffer = TNEF;
    while (inner.length < Math.min(bytes, 100_000))
      inner = joined(
        TNEF,
        attribute(2, ATTACH_RENDER_DATA, Buffer.alloc(14)),
        attribute(2, ATTACH_TITLE, Buffer.from('winmail.dat\0')),
        attribute(2, ATTACH_DATA, inner),
      );
    return inner;
  }),
  'a PDF of objects': withFile('a.pdf', 'application/pdf', (bytes) =>
    joined(
      '%PDF-1.7\n',
      numbered(bytes, (index) => `${index} 0 obj<</Type/Catalog>>endobj\n`),
    ),
  ),
  'a PDF of Encrypt': withFile('a.pdf', 'application/pdf', (bytes) => joined('%PDF-1.7\n', again('/Encrypt ', bytes))),
  'a PDF of trailers': withFile('a.pdf', 'application/pdf', (bytes) =>
    joined('%PDF-1.7\n', again('trailer<</Prev 9>>startxref\n9\n%%EOF\n', bytes)),
  ),
  'a PDF of dictionaries in dictionaries': withFile('a.pdf', 'application/pdf', (bytes) =>
    joined('%PDF-1.7\ntrailer', again('<<', bytes), 'startxref\n9\n%%EOF'),
  ),
  'a PDF of white space after its trailer': withFile('a.pdf', 'application/pdf', (bytes) =>
    joined('%PDF-1.7\ntrailer', again(' ', bytes), 'startxref'),
  ),
  'a PDF of strings': withFile('a.pdf', 'application/pdf', (bytes) => joined('%PDF-1.7\n', again('(\\(', bytes), '%%EOF')),
  'a PDF of streams': withFile('a.pdf', 'application/pdf', (bytes) =>
    joined('%PDF-1.7\n', again('1 0 obj<</Type/XRef/Length 99999999>>stream\n', bytes)),
  ),
  'a compound file whose chains are circles': withFile('a.doc', 'application/msword', (bytes) => compound(bytes, Buffer.alloc(512))),
  'a compound file of entries that are their own': withFile('a.doc', 'application/msword', (bytes) => compound(bytes, selfish())),
  'a compound file of free sectors': withFile('a.xls', 'application/vnd.ms-excel', (bytes) => compound(bytes, Buffer.alloc(512, 0xff))),
  'an SVG of entities': withFile('a.svg', 'image/svg+xml', (bytes) =>
    joined(
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">',
      numbered(bytes, (index) => `<!ENTITY a${index} "&a;&a;&a;&a;&a;">`),
      ']><svg>&a9;</svg>',
    ),
  ),
  'an HTML file of scripts': withFile('a.html', 'text/html', (bytes) => again('<script>atob("QQ");new Blob([])</script>', bytes)),
  'an HTML file of one script': withFile('a.html', 'text/html', (bytes) => joined('<script>var a="', again('QUJD', bytes), '"')),
  'an RTF of groups': withFile('a.rtf', 'application/rtf', (bytes) => joined('{\\rtf1', again('{\\object', bytes))),
  'a shortcut of nothing': withFile('a.url', 'application/octet-stream', (bytes) => joined('[InternetShortcut]\r\n', again('URL=', bytes))),
  'a message as a file': withFile('a.eml', 'application/octet-stream', (bytes) => again('Content-Type: message/rfc822\r\n\r\n', bytes)),
  'a text file of addresses': withFile('a.txt', 'text/plain', (bytes) => numbered(bytes, (index) => `https://a${index}.test/\n`)),
  'a program with a header of everything': withFile('a.dat', 'image/png', (bytes) =>
    joined('MZ', Buffer.alloc(58), u32(0xff_ff_ff), Buffer.alloc(bytes)),
  ),
  'a PNG of a hundred thousand by a hundred thousand': withFile('a.png', 'image/png', () => png(100_000, 100_000, 10_000_000)),
  'a PNG of 4 thousand million by one': withFile('a.png', 'image/png', () => png(4_000_000_000, 1, 1000)),
  'a PNG of 39 million': withFile('a.png', 'image/png', () => png(6240, 6240)),
  'a PNG of two hundred thousand finder patterns': withFile('a.png', 'image/png', () => finders(3528)),
  'PNGs of finder patterns': (bytes) => pictures(bytes, 'image/png', finders(800)),
  'PNGs of 39 million': (bytes) => pictures(bytes, 'image/png', png(6240, 6240)),
  'small PNGs': (bytes) => pictures(bytes, 'image/png', png(300, 300)),
  'a PNG of chunks': withFile('a.png', 'image/png', (bytes) =>
    joined(png(10, 10).subarray(0, 33), Buffer.alloc(bytes, chunk('tEXt', Buffer.from('a\0b')))),
  ),
  'a PNG of text that is packed': withFile('a.png', 'image/png', (bytes) =>
    joined(png(10, 10).subarray(0, 33), Buffer.alloc(bytes, chunk('zTXt', joined('a\0\0', deflateSync(Buffer.alloc(10_000_000)))))),
  ),
  'a GIF of frames': withFile('a.gif', 'image/gif', (bytes) =>
    joined(
      'GIF89a',
      u16(4000),
      u16(4000),
      Buffer.from([0, 0, 0]),
      Buffer.alloc(bytes, joined(',', u16(0), u16(0), u16(4000), u16(4000), Buffer.from([0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x44, 1, 0]))),
      ';',
    ),
  ),
  'a GIF of one code': withFile('a.gif', 'image/gif', (bytes) =>
    joined(
      'GIF89a',
      u16(6000),
      u16(6000),
      Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
      ',',
      u16(0),
      u16(0),
      u16(6000),
      u16(6000),
      Buffer.from([0, 2]),
      Buffer.alloc(bytes, joined(Buffer.from([255]), Buffer.alloc(255, 0x44))),
    ),
  ),
  'a BMP of a million by a million': withFile('a.bmp', 'image/bmp', (bytes) =>
    joined(
      'BM',
      u32(bytes),
      u32(0),
      u32(54),
      u32(40),
      u32(1_000_000),
      u32(1_000_000),
      u16(1),
      u16(24),
      Buffer.alloc(24),
      Buffer.alloc(bytes),
    ),
  ),
  'a JPEG of segments': withFile('a.jpg', 'image/jpeg', (bytes) =>
    joined(Buffer.from([0xff, 0xd8]), Buffer.alloc(bytes, Buffer.from([0xff, 0xe0, 0, 2]))),
  ),
  'a JPEG of scans': withFile('a.jpg', 'image/jpeg', (bytes) =>
    joined(
      Buffer.from([
        0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0x18, 0, 0x18, 0, 1, 1, 0x11, 0, 0xff, 0xc4, 0, 20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0,
      ]),
      Buffer.alloc(bytes, Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 0])),
    ),
  ),
  'a WebP of lies': withFile('a.webp', 'image/webp', (bytes) =>
    joined('RIFF', u32(bytes), 'WEBPVP8L', u32(bytes), Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f]), Buffer.alloc(bytes, 0x55)),
  ),
};
