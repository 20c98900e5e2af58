import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FileQuota } from '@vedette/message/files';
import { describe, expect, it } from 'vitest';
import { CHANGED, describeAs, flags, listed, Workshop } from './made.ts';

const LETTER = 'Dear Ben, https://a.test/x\n';
const TOOL = 'MZ\x90\0\x03\0\0\0';
const PAGE = '<html><script>go()</script></html>';
const workshop = new Workshop({
  'letter.txt': LETTER,
  'deep/er/tool.exe': Buffer.from(TOOL, 'latin1'),
  'päge.html': PAGE,
  'empty.txt': '',
});
const ALL = ['letter.txt', 'deep/er/tool.exe', 'päge.html', 'empty.txt'];

const md5 = (text: string): string => hash('md5', Buffer.from(text, 'latin1')).slice(0, 8);
const READ = [`letter.txt 27 ${md5(LETTER)}`, `deep/er/tool.exe 8 ${md5(TOOL)}`, `päge.html 34 ${md5(PAGE)}`, `empty.txt 0 ${md5('')}`];
const UNREAD = ['letter.txt 27 -', 'deep/er/tool.exe 8 -', 'päge.html 34 -'];

let made = 0;
const zip = (...parameters: string[]) => {
  const name = `made-${made++}.zip`;
  return workshop.make(name, 'zip', '-q', ...parameters, name, ...ALL);
};
const zipOf = (...files: string[]) => {
  const name = `made-${made++}.zip`;
  return workshop.make(name, 'zip', '-q', name, ...files);
};
const sevenZip = (type: string, ...parameters: string[]) => {
  const name = `made-${made++}.${type}`;
  return workshop.make(name, '7zz', 'a', '-bso0', `-t${type}`, ...parameters, name, ...ALL);
};
const tar = (...parameters: string[]) => workshop.make('made.tar', 'tar', '-cf', 'made.tar', ...parameters, ...ALL);
const packed = (program: string, name: string, suffix: string) => workshop.make(`${name}${suffix}`, program, '-kf', name);

describe('an archive that is not encrypted is read to its last file', () => {
  it.each([
    ['zip', () => zip()],
    ['zip, stored', () => zip('-0')],
    ['zip, ZIP64 and streamed', () => workshop.make('made.zip', 'sh', '-c', `zip -q -fz - ${ALL.join(' ')} > made.zip`)],
    ['zip, AES is not what makes it one: LZMA', () => sevenZip('zip', '-mm=LZMA')],
    ['zip, bzip2', () => sevenZip('zip', '-mm=BZip2')],
    ['zip, XZ', () => sevenZip('zip', '-mm=XZ')],
    ['zip, PPMd', () => sevenZip('zip', '-mm=PPMd')],
    ['7z', () => sevenZip('7z')],
    ['7z, PPMd', () => sevenZip('7z', '-m0=PPMd')],
    ['7z, not solid, bzip2', () => sevenZip('7z', '-ms=off', '-m0=BZip2')],
    ['tar, GNU', () => tar('--format=gnu')],
    ['tar, pax', () => tar('--format=pax')],
    ['tar, ustar', () => tar('--format=ustar')],
    ['tar, V7', () => tar('--format=v7')],
    ['tar.gz', () => (tar(), packed('gzip', 'made.tar', '.gz'))],
    ['tar.bz2', () => (tar(), packed('bzip2', 'made.tar', '.bz2'))],
    ['tar.xz', () => (tar(), packed('xz', 'made.tar', '.xz'))],
  ])('%s', async (_kind, make) => {
    const described = await describeAs('made', make());
    expect(listed(described.extracted).sort()).toEqual([...READ].sort());
    expect(flags(described)).toBe('archive');
    expect(described.extracted.find(({ name }) => name === 'letter.txt')).toMatchObject({
      extension: 'txt',
      sha256_hash: hash('sha256', LETTER),
      last_modified_at: CHANGED,
      kind: 'text',
      content: Buffer.from(LETTER),
    });
    expect(Object.fromEntries(described.extracted.map((file) => [file.name, flags(file)]))).toEqual({
      'letter.txt': '',
      'deep/er/tool.exe': 'risky',
      'päge.html': 'risky',
      'empty.txt': '',
    });
  });
});

describe('of an encrypted archive the names are listed as far as they can be seen', () => {
  it.each([
    ['zip, as of old', () => zip('-e', '-P', 'secret')],
    ['zip, AES', () => sevenZip('zip', '-mem=AES256', '-psecret')],
    ['7z', () => sevenZip('7z', '-psecret')],
  ])('%s', async (_kind, make) => {
    const described = await describeAs('made', make());
    expect(flags(described)).toBe('archive encrypted');
    expect(listed(described.extracted).filter((file) => !file.startsWith('empty.txt'))).toEqual(expect.arrayContaining(UNREAD));
    expect(described.extracted.map(flags).filter((said) => said === 'risky')).toHaveLength(2);
  });

  it('7z with its directory', async () => {
    const described = await describeAs('made.7z', sevenZip('7z', '-psecret', '-mhe=on'));
    expect([flags(described), described.extracted]).toEqual(['archive encrypted', []]);
  });

  it('zip of which one file is encrypted: that one is not read, the others are', async () => {
    zip();
    workshop.put({ 'secret.txt': 'secret' });
    const described = await describeAs('made.zip', workshop.make('made.zip', 'zip', '-q', '-e', '-P', 'x', 'made.zip', 'secret.txt'));
    expect(listed(described.extracted)).toEqual([...READ, 'secret.txt 6 -']);
    expect(flags(described)).toBe('archive encrypted');
  });
});

describe('RAR', () => {
  const rar = (name: string) => readFileSync(new URL(`rar/${name}.rar`, import.meta.url));
  // The readers that these files are from say the same; libarchive holds what it unpacks against the checksum in the header.
  const rows: [name: string, flags: string, files: string[]][] = [
    [
      'test_read_format_rar_unicode',
      'archive',
      [
        '表だよ/新しいフォルダ/新規テキスト ドキュメント.txt 0 d41d8cd9',
        '表だよ/漢字長いファイル名long-filename-in-漢字.txt 5 7a48b332',
        '表だよ/ファイル 54 cd13a34b',
        'abcdefghijklmnopqrsテスト.txt 16 45226aa2',
      ],
    ],
    [
      'test_read_format_rar5_multiple_files_solid',
      'archive',
      ['test1.bin 4096 b0ee823d', 'test2.bin 4096 dbd7c92b', 'test3.bin 4096 47e41903', 'test4.bin 4096 06761069'],
    ],
    ['test_read_format_rar_encryption_data', 'archive encrypted', ['foo.txt 16 -', 'bar.txt 16 -']],
    ['test_read_format_rar_encryption_header', 'archive encrypted', []],
    ['test_read_format_rar_encryption_partially', 'archive encrypted', ['foo.txt 16 -', 'bar.txt 16 cf4b4671']],
    // Solid ones of RAR 4 nobody unpacks who may; of the others the names are there.
    ['rar3-solid', 'archive', ['stest1.txt 2048 2c3dc805', 'stest2.txt 2048 -']],
    ['rar5-crc', 'archive', ['stest1.txt 2048 2c3dc805', 'stest2.txt 2048 2c3dc805']],
    ['rar5-psw', 'archive encrypted', ['stest1.txt 2048 -', 'stest2.txt 2048 -']],
    ['rar5-hpsw', 'archive encrypted', []],
    [
      'rar5-subdirs',
      'archive',
      [
        'sub/dir2/file2.txt 6 3d709e89',
        'sub/with space/long fn.txt 8 9d3bfd4f',
        'sub/üȵĩöḋè/file.txt 5 bbe02f94',
        'sub/dir1/file1.txt 6 5149d403',
      ],
    ],
    ['unicode', 'archive', ['уииоотивл.txt 2 b026324c', '𝐀𝐁𝐁𝐂.txt 2 -']],
  ];
  it.each(rows)('%s: %s', async (name, said, files) => {
    const described = await describeAs(`${name}.rar`, rar(name));
    expect(described.kind).toBe('rar');
    expect([flags(described), listed(described.extracted)]).toEqual([said, files]);
  });

  it('tells when a file was changed', async () => {
    const { extracted } = await describeAs('a.rar', rar('rar5-psw'));
    expect(extracted.map((file) => file.last_modified_at)).toEqual(['2011-06-12T09:53:33Z', '2011-06-12T09:53:33Z']);
  });
});

describe('one file that is compressed', () => {
  const files = new Workshop({ 'report.pdf': '%PDF-1.4\n' });
  const SHA256 = hash('sha256', '%PDF-1.4\n');
  it.each([
    ['gzip', 'report.pdf.gz', 'gzip', '-k'],
    ['bzip2', 'report.pdf.bz2', 'bzip2', '-k'],
    ['xz', 'report.pdf.xz', 'xz', '-k'],
  ])('%s', async (kind, name, program, keep) => {
    const described = await describeAs(name, files.make(name, program, keep, 'report.pdf'));
    expect([described.kind, flags(described)]).toEqual([kind, 'archive']);
    expect(described.extracted).toMatchObject([{ name: 'report.pdf', sha256_hash: SHA256, size: 9, is_document: true }]);
  });

  it('which gzip names otherwise than its archive, and dates', async () => {
    const packed = files.make('report.pdf.gz', 'gzip', '-kf', 'report.pdf');
    expect((await describeAs('x.bin', packed)).extracted).toMatchObject([{ name: 'report.pdf', last_modified_at: CHANGED }]);
  });
});

describe('archives in archives', () => {
  const inner = () => zip();
  it('are opened one level deep', async () => {
    workshop.put({ 'inner.zip': inner() });
    workshop.put({ 'middle.zip': zipOf('inner.zip', 'letter.txt') });
    const quota = new FileQuota();
    const { extracted } = await describeAs('outer.zip', zipOf('middle.zip'), quota);
    expect(extracted.map(({ name, depth }) => [name, depth])).toEqual([
      ['middle.zip', 1],
      ['middle.zip/inner.zip', 2],
      ['middle.zip/letter.txt', 2],
    ]);
    expect([...quota.limits]).toEqual(['depth']); // what is in the innermost is in no list
    const shallow = new FileQuota();
    await describeAs('middle.zip', zipOf('inner.zip', 'letter.txt'), shallow);
    expect([...shallow.limits]).toEqual([]);
    expect(extracted.map(flags)).toEqual(['archive', 'archive', '']);
  });

  it('say that they are encrypted even where they are not opened', async () => {
    workshop.put({ 'inner.zip': zip('-e', '-P', 'secret') });
    workshop.put({ 'middle.zip': zipOf('inner.zip') });
    const { extracted } = await describeAs('outer.zip', zipOf('middle.zip'));
    expect(extracted.map((file) => `${file.name}: ${flags(file)}`)).toEqual([
      'middle.zip: archive',
      'middle.zip/inner.zip: archive encrypted',
    ]);
  });
});

it('recognises what it does not open', async () => {
  const rows: [string, string][] = [
    ['arj', '\x60\xEA\x2B\0\x22\x0B\x01\x02'],
    ['ace', '\x11\x22\x31\0\0\0\0**ACE**'],
    ['wim', 'MSWIM\0\0\0\xD0\0\0\0'],
    ['vhdx', 'vhdxfile'],
    ['dmg', `${'\0'.repeat(512)}koly${'\0'.repeat(508)}`],
  ];
  for (const [kind, content] of rows) {
    const described = await describeAs('a', content);
    expect([described.kind, described.is_archive, described.extracted]).toEqual([kind, true, []]);
  }
});

it('lists a disk image, which is risky whatever is in it', async () => {
  const image = Buffer.alloc(34 * 2048);
  image.write('CD001', 32_769);
  expect(await describeAs('made.bin', image)).toMatchObject({ kind: 'iso', is_archive: true, is_risky_extension: true, extracted: [] });
});

it('takes a page for what it is called where it cannot be read, and for what it does where it can', async () => {
  workshop.put({ 'plain.html': '<p>Hello</p>' });
  const plain = workshop.make('plain.zip', 'zip', '-q', 'plain.zip', 'plain.html');
  const sealed = workshop.make('sealed.zip', 'zip', '-q', '-e', '-P', 'x', 'sealed.zip', 'plain.html');
  expect((await describeAs('h.zip', plain)).extracted.map(flags)).toEqual(['']);
  expect((await describeAs('h.zip', sealed, new FileQuota())).extracted.map(flags)).toEqual(['risky']);
});
