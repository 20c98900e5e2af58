import { randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { FileQuota, readTnef } from '@vedette/message/files';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAs, flags, listed, Workshop } from './made.ts';
import { runs } from '../../runs.ts';

interface Entry {
  name: string;
  packed: Buffer;
  method?: number;
  /** What it says that it unpacks to. */
  size?: number;
  /** Where it says that it stands; behind the one before it without. */
  offset?: number;
}

/** A ZIP as nobody's program writes it: entries may share bytes, and say of themselves what they like. */
function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, packed, method = 8, size = 0, offset } of entries) {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt16LE(name.length, 26);
    const local = Buffer.concat([head, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset ?? at, 42);
    central.push(entry, Buffer.from(name));
    if (offset !== undefined) continue;
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

const MEGABYTE = 1024 * 1024;
const unpackedBytes = (files: readonly { size: number; md5_hash: string }[]): number =>
  files.reduce((sum, { size, md5_hash }) => sum + (md5_hash === '' ? 0 : size), 0);

describe('what unpacks to more than a message may', () => {
  it('files over the same bytes, all of which are as large as the archive may unpack to', async () => {
    const packed = deflateRawSync(Buffer.alloc(10 * MEGABYTE));
    const first = { name: 'a', packed };
    const bomb = zipOf([first, ...Array.from({ length: 200 }, (_, i) => ({ name: `b${i}`, packed, offset: 0 }))]);
    const quota = new FileQuota();
    const { extracted } = await describeAs('bomb.zip', bomb, quota);
    expect(extracted).toHaveLength(201);
    expect(unpackedBytes(extracted)).toBeLessThanOrEqual(200 * bomb.length);
    expect([...quota.limits]).toEqual(['archive_bytes']);
  });

  it('archives of archives of archives, 16 in each', async () => {
    let inner = zipOf([{ name: '0.dll', packed: deflateRawSync(Buffer.alloc(MEGABYTE)) }]);
    for (let level = 0; level < 4; level++)
      inner = zipOf(Array.from({ length: 16 }, (_, i) => ({ name: `${i}.zip`, packed: deflateRawSync(inner) })));
    const { extracted } = await describeAs('42.zip', inner);
    expect(extracted).toHaveLength(16 + 16 * 16);
    expect(unpackedBytes(extracted)).toBeLessThan(2 * MEGABYTE);
  });

  it('streams', async () => {
    const workshop = new Workshop({ zeros: Buffer.alloc(40 * MEGABYTE) });
    for (const [program, suffix] of [
      ['gzip', 'gz'],
      ['bzip2', 'bz2'],
      ['xz', 'xz'],
    ] as const) {
      const bomb = workshop.make(`zeros.${suffix}`, program, '-k', 'zeros');
      const quota = new FileQuota();
      const described = await describeAs('zeros', bomb, quota);
      expect(listed(described.extracted)).toMatchObject([expect.stringMatching(/^zeros \d+ -$/)]);
      expect([...quota.limits]).toEqual(['archive_bytes']);
    }
  });

  it('a solid 7z, of which no more is unpacked to get at the next name', async () => {
    const workshop = new Workshop({ a: Buffer.alloc(40 * MEGABYTE), b: 'x' });
    const quota = new FileQuota();
    const { extracted } = await describeAs('a.7z', workshop.make('a.7z', '7zz', 'a', '-bso0', '-mx=1', 'a.7z', 'a', 'b'), quota);
    expect(unpackedBytes(extracted)).toBeLessThanOrEqual(MEGABYTE);
    expect([...quota.limits]).toEqual(['archive_bytes']);
  });

  it('several archives of one message have 64 MB together', async () => {
    const quota = new FileQuota();
    quota.spend(64 * MEGABYTE - 10);
    const { extracted } = await describeAs('a.gz', gzipSync('longer than ten bytes'), quota);
    expect([extracted[0]?.md5_hash, ...quota.limits]).toEqual(['', 'archive_bytes']);
  });
});

describe('a directory that lies', () => {
  const text = Buffer.from('hello');
  it('sizes are those that are found', async () => {
    const lying = zipOf([{ name: 'a.txt', packed: deflateRawSync(text), size: 1_000_000_000 }]);
    expect(listed((await describeAs('a.zip', lying)).extracted)).toEqual(['a.txt 5 5d41402a']);
  });

  it('what is not there is not read', async () => {
    const lying = zipOf([
      { name: 'b', packed: text, method: 0 },
      { name: 'a.txt', packed: text, offset: 4_000_000_000, size: 7 },
    ]);
    expect(listed((await describeAs('a.zip', lying)).extracted)).toEqual(['b 5 5d41402a', 'a.txt 7 -']);
  });

  it('an archive before the archive is listed too, as programs show one or the other', async () => {
    const [one, other] = [zipOf([{ name: 'one.exe', packed: text, method: 0 }]), zipOf([{ name: 'other.txt', packed: text, method: 0 }])];
    expect(listed((await describeAs('a.zip', Buffer.concat([one, other]))).extracted)).toEqual([
      'one.exe 5 5d41402a',
      'other.txt 5 5d41402a',
    ]);
  });

  it('anything may stand before it and behind it', async () => {
    const whole = Buffer.concat([
      Buffer.from('PK\x03\x04junk', 'latin1'),
      zipOf([{ name: 'a', packed: text, method: 0 }]),
      Buffer.alloc(99_999, 'x'),
    ]);
    expect(listed((await describeAs('a.zip', whole)).extracted)).toEqual(['a 5 5d41402a']);
  });

  it.each([
    ['data', 'a.zip', '\0\x01\x02'],
    ['data', 'a', '\0\x01\x02'],
    ['a picture', 'a.zip', 'GIF89a\0\0'],
    ['a PDF', 'A.ZIP', '%PDF-1.4\n'],
    ['a text', 'a.zip', 'Dear Ben,\n'.repeat(500)],
  ])('%s before the first entry does not hide it from who opens %s', async (_what, name, before) => {
    const workshop = new Workshop({ 'tool.exe': 'MZ' });
    const sealed = workshop.make('a.zip', 'zip', '-q', '-P', 'secret', 'a.zip', 'tool.exe');
    const described = await describeAs(name, Buffer.concat([Buffer.from(before, 'latin1'), sealed]));
    expect([flags(described), listed(described.extracted)]).toEqual(['archive encrypted', ['tool.exe 2 -']]);
  });

  it('a picture is one, though an archive stands behind it', async () => {
    const described = await describeAs(
      'a.gif',
      Buffer.concat([Buffer.from('GIF89a\0\0'), zipOf([{ name: 'a', packed: text, method: 0 }])]),
    );
    expect([described.kind, flags(described), described.extracted]).toEqual(['gif', '', []]);
  });

  it('the last volume of an archive names what is in all of them', async () => {
    const workshop = new Workshop({ 'tool.exe': randomBytes(200_000) });
    const last = workshop.make('a.zip', 'zip', '-q', '-s', '64k', 'a.zip', 'tool.exe');
    const described = await describeAs('a.zip', last);
    expect([flags(described), listed(described.extracted)]).toEqual(['archive', ['tool.exe 200000 -']]);
  });

  it('a tar whose records are of less than nothing is read to its end', async () => {
    const header = Buffer.alloc(512);
    header.write('x');
    header.write('-1000', 124); // 512 bytes in octal: back to itself
    header.write('x', 156);
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148);
    expect((await describeAs('a.tar', header)).extracted).toEqual([]);
  });

  it('one that was cut off is read as far as it goes', async () => {
    const cut = zipOf([{ name: 'a.txt', packed: deflateRawSync(text), size: 5 }]).subarray(0, -40);
    expect((await describeAs('a.zip', cut)).extracted.map(({ name }) => name)).toEqual(['a.txt']);
  });
});

it('looks at 2,000 entries of a message, and lists 1,000 files', async () => {
  const quota = new FileQuota();
  const many = zipOf(
    Array.from({ length: 30_000 }, (_, i) => ({ name: i < 1_500 ? `${i}/` : `${i}`, packed: Buffer.alloc(0), method: 0 })),
  );
  const { extracted } = await describeAs('a.zip', many, quota);
  expect([extracted.length, ...quota.limits]).toEqual([500, 'archive_entries']);
  const files = new FileQuota();
  await describeAs('a.zip', zipOf(Array.from({ length: 1_500 }, (_, i) => ({ name: `${i}`, packed: Buffer.alloc(0), method: 0 }))), files);
  expect([...files.limits]).toEqual(['files']);
});

it('names are text only, whatever they say', async () => {
  const names = ['../../etc/passwd', '/etc/shadow', 'C:\\con', 'a\0.exe', 'fdp.\u202Eexe', 'x'.repeat(9_999)];
  const zip = zipOf(names.map((name) => ({ name: Buffer.from(name).toString('latin1'), packed: Buffer.alloc(0), method: 0 })));
  const { extracted } = await describeAs('a.zip', zip);
  expect(extracted.every(({ name }) => name.length <= 255)).toBe(true);
  expect(extracted[3]).toMatchObject({ name: 'a.exe', extension: 'exe', is_risky_extension: true });
});

it('never throws, whatever is changed in an archive, a document or winmail.dat', async () => {
  const workshop = new Workshop({ 'a.txt': 'hello', 'b.html': '<p>x</p>' });
  const made = (name: string, ...command: [string, ...string[]]) => workshop.make(name, ...command);
  const samples = [
    made('a.zip', 'zip', '-q', 'a.zip', 'a.txt', 'b.html'),
    made('a.7z', '7zz', 'a', '-bso0', 'a.7z', 'a.txt', 'b.html'),
    made('a.tar', 'tar', '-cf', 'a.tar', 'a.txt', 'b.html'),
    made('a.txt.gz', 'gzip', '-k', 'a.txt'),
    made('a.txt.xz', 'xz', '-k', 'a.txt'),
    Buffer.from('Rar!\x1A\x07\x01\0\x33\x92\xB5\xE5\x0A\x01\x05\x06\0\x05\x01\x01\x80\x80\0', 'latin1'),
    Buffer.from('\x78\x9F\x3E\x22\x01\0\x02\x02\x90\x06\0\x04\0\0\0aaaa\0\0', 'latin1'),
    Buffer.from('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'.padEnd(2_048, '\x01'), 'latin1'),
    Buffer.from('%PDF-1.4 trailer <</Encrypt 1 0 R>> 1 0 obj <</Filter/Standard/V 5/R 6/O()/U(x)>>', 'latin1'),
  ];
  const change = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), fc.array(change, { maxLength: 12 }), fc.nat(), async (sample, changes, length) => {
      const bytes = Buffer.from(sample);
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      const cut = bytes.subarray(0, bytes.length - (length % 8));
      expect((await describeAs('file', cut)).size).toBe(cut.length);
      expect(readTnef(cut).files.length).toBeLessThan(9);
    }),
    { numRuns: runs(400) },
  );
});

it('an archive that is none is what its name says, and empty', async () => {
  const described = await describeAs('a.7z', '7z\xBC\xAF\x27\x1C and nothing more');
  expect([flags(described), described.extracted]).toEqual(['archive', []]);
});
