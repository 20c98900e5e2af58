import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { IndicatorReader } from '@vedette/message/indicators';

beforeAll(() => {
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer } });
});

/** A QR code as PNG, with modules of four pixels and a margin. */
async function code(text: string): Promise<Buffer> {
  const { image } = await writeBarcode(text, { format: 'QRCode', scale: 4, addQuietZones: true });
  return Buffer.from(await image!.arrayBuffer());
}

const read = async (...images: Uint8Array[]) => {
  const reader = new IndicatorReader();
  for (const image of images) reader.image(image);
  return await reader.read();
};

/** 24 bits a pixel, lines from below, each a multiple of four bytes. */
async function bmp(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).flatten().removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const stride = Math.ceil((info.width * 3) / 4) * 4;
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + stride * info.height, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(info.width, 18);
  head.writeInt32LE(info.height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const lines = Array.from({ length: info.height }, (_, at) => {
    const line = Buffer.alloc(stride);
    data.copy(line, 0, (info.height - 1 - at) * info.width * 3, (info.height - at) * info.width * 3);
    return line;
  });
  return Buffer.concat([head, ...lines]);
}

/** A PNG of grey pixels that says it has some size, and has other lines. */
function png(width: number, height: number, lines: Buffer): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    return Buffer.concat([size, Buffer.from(type), data, Buffer.alloc(4)]); // without a checksum, which readers do not mind
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('QR codes', () => {
  it.each([
    ['PNG', (image: Buffer) => image],
    ['JPEG', (image: Buffer) => sharp(image).jpeg().toBuffer()],
    ['progressive JPEG', (image: Buffer) => sharp(image).jpeg({ progressive: true }).toBuffer()],
    ['GIF', (image: Buffer) => sharp(image).gif().toBuffer()],
    ['BMP', bmp],
    ['rotated', (image: Buffer) => sharp(image).rotate(30, { background: '#fff' }).png().toBuffer()],
    ['white on black', (image: Buffer) => sharp(image).flatten().negate().png().toBuffer()],
    [
      'small in a large picture',
      (image: Buffer) => sharp(image).extend({ top: 300, left: 600, right: 50, bottom: 20, background: '#eee' }).png().toBuffer(),
    ],
    ['interlaced', (image: Buffer) => sharp(image).png({ progressive: true }).toBuffer()],
  ])('are read: %s', async (_kind, make) => {
    const image = await make(await code('https://qr.test/login?u=1'));
    expect(await read(image)).toMatchObject({ urls: ['https://qr.test/login?u=1'], hosts: ['qr.test'], limits: new Set() });
  });

  it.each([
    ['HTTPS://QR.TEST/A', { urls: ['https://qr.test/A'] }],
    ['bit.ly/3xYz', { urls: ['http://bit.ly/3xYz'] }],
    ['Evil.com', { urls: ['http://evil.com/'] }],
    ['WWW.EVIL.TEST', { urls: ['http://www.evil.test/'] }],
    ['Scan: https://a.test/x and https://b.test/y', { urls: ['https://a.test/x', 'https://b.test/y'] }],
    ['mailto:ann@a.test?subject=x', { emails: ['ann@a.test'] }],
    ['tel:+18885550123', { phone_numbers: ['+18885550123'] }],
    ['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=1', { bitcoin_addresses: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] }],
    ['WIFI:T:WPA;S:cafe;P:secret.com;;', { urls: [], hosts: [] }],
    ['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.test%2Fx', { redirects: ['https://evil.test/x'] }],
  ])('say %s', async (text, indicators) => {
    expect(await read(await code(text))).toMatchObject(indicators);
  });

  it('are read of pictures that are written into HTML', async () => {
    const reader = new IndicatorReader();
    reader.html(`<img src="data:image/png;base64,${(await code('https://qr.test/')).toString('base64')}">`);
    expect((await reader.read()).urls).toEqual(['https://qr.test/']);
  });

  it('are not in what is no picture, or is broken', async () => {
    const image = await code('https://qr.test/');
    const others = [
      Buffer.alloc(0),
      Buffer.from('BM'),
      Buffer.from('GIF89a'),
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      Buffer.from('%PDF-1.7'),
      image.subarray(0, 60),
      ...[23, 24, 25, 26].map((end) => image.subarray(0, end)), // within its header
    ];
    expect(await read(...others)).toMatchObject({ urls: [], limits: new Set() });
  });
});

describe('limits of pictures', () => {
  const images = async (...all: Buffer[]) => [...(await read(...all)).limits];

  it('are fifty', async () => {
    const empty = png(21, 21, Buffer.alloc(21 * 22));
    expect(await images(...Array<Buffer>(50).fill(empty))).toEqual([]);
    expect(await images(...Array<Buffer>(51).fill(empty))).toEqual(['images']);
  });

  it('leave out what is too large', async () => {
    expect(await images(png(5_000, 2_501, Buffer.alloc(10)))).toEqual(['images']);
    expect(await images(png(0x7fff_ffff, 0x7fff_ffff, Buffer.alloc(10)))).toEqual(['images']);
  });

  it('leave out a picture with more lines than it says', async () => {
    expect(await images(png(100, 100, Buffer.alloc(50_000_000)))).toEqual(['images']);
  });

  it('leave out a JPEG of too many scans', async () => {
    const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
      .jpeg({ progressive: true })
      .toBuffer();
    const scan = image.subarray(image.indexOf('\xff\xda', 0, 'latin1'), -2);
    expect(await images(image)).toEqual([]);
    expect(await images(Buffer.concat([image.subarray(0, -2), ...Array<Buffer>(30).fill(scan), image.subarray(-2)]))).toEqual(['images']);
  });

  it('leave out pictures after some that are full of what looks like codes', async () => {
    // The finder patterns of ISO/IEC 18004, side by side, a module a pixel.
    const rows = [0b0000_0001, 0b0111_1101, 0b0100_0101, 0b0100_0101, 0b0100_0101, 0b0111_1101, 0b0000_0001, 0b1111_1111];
    const lines = Buffer.concat(
      Array.from({ length: 800 }, (_, y) =>
        Buffer.from(Array.from({ length: 801 }, (_none, x) => (x > 0 && (rows[y % 8]! >> (7 - ((x - 1) % 8))) & 1 ? 255 : 0))),
      ),
    );
    const finders = png(800, 800, lines);
    const before = await code('https://qr.test/');
    const behind = await sharp(before).resize(900, 900, { kernel: 'nearest' }).png().toBuffer();
    expect(await read(before, finders, behind)).toMatchObject({ urls: ['https://qr.test/'], limits: new Set() });
    expect(await read(finders, finders, finders, finders, behind)).toMatchObject({ urls: [], limits: new Set(['images']) });
  });

  it('read the smallest first, and the others as long as there are not too many pixels', async () => {
    const large = png(3_500, 3_000, Buffer.alloc(3_000 * 3_501));
    const small = await code('https://qr.test/');
    const { urls, limits } = await read(large, large, small);
    expect(urls).toEqual(['https://qr.test/']);
    expect([...limits]).toEqual(['images']);
  });
});
