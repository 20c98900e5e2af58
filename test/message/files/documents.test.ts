import * as cfb from 'cfb';
import { describe, expect, it } from 'vitest';
import { describeAs, flags, Workshop } from './made.ts';

const PDF = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000054 00000 n 
0000000105 00000 n 
trailer <</Size 4/Root 1 0 R>>
startxref
166
%%EOF
`;

describe('a PDF is encrypted where it asks for a password', () => {
  const workshop = new Workshop({ 'plain.pdf': PDF });
  const encrypted = (user: string, ...parameters: string[]) =>
    workshop.make('sealed.pdf', 'qpdf', '--allow-weak-crypto', 'plain.pdf', '--encrypt', user, 'owner', ...parameters, '--', 'sealed.pdf');
  it.each([
    ['RC4, 40 bits', ['40']],
    ['RC4, 128 bits', ['128', '--use-aes=n']],
    ['RC4, 128 bits, metadata in clear', ['128', '--use-aes=n', '--force-V4', '--cleartext-metadata']],
    ['AES, 128 bits', ['128', '--use-aes=y']],
    ['AES, 256 bits', ['256']],
    ['AES, 256 bits, Acrobat 9', ['256', '--force-R5']],
  ])('%s', async (_algorithm, parameters) => {
    expect(flags(await describeAs('a.pdf', encrypted('secret', ...parameters)))).toBe('document encrypted');
    // Its author's restrictions alone, that it may not be printed, keep nobody from reading it.
    expect(flags(await describeAs('a.pdf', encrypted('', ...parameters)))).toBe('document');
  });

  it('with a cross-reference stream', async () => {
    encrypted('secret', '256');
    const streams = workshop.make('streams.pdf', 'qpdf', '--password=secret', '--object-streams=generate', 'sealed.pdf', 'streams.pdf');
    expect(flags(await describeAs('a.pdf', streams))).toBe('document encrypted');
  });

  it.each([
    ['plain', PDF],
    ['about encryption', PDF.replace('%%EOF', '4 0 obj << /Length 40 >> stream\n(/Encrypt 5 0 R) Tj\nendstream endobj\n%%EOF')],
    ['whose metadata may be in clear', PDF.replace('/Size 4', '/Size 4/EncryptMetadata 5 0 R')],
  ])('but not one that is %s', async (_what, content) => {
    expect(flags(await describeAs('a.pdf', content))).toBe('document');
  });

  it('by a handler of its own', async () => {
    const sealed = PDF.replace('/Size 4', '/Size 4/Encrypt 9 0 R').replace('xref', '9 0 obj <</Filter/Adept.EBX>> endobj\nxref');
    expect(flags(await describeAs('a.pdf', sealed))).toBe('document encrypted');
  });
});

describe('packages of Office and their like', () => {
  const parts = {
    docx: { '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' },
    xlsx: { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<w/>' },
    pptx: { '[Content_Types].xml': '<Types/>', 'ppt/presentation.xml': '<p/>' },
    odt: { mimetype: 'application/vnd.oasis.opendocument.text', 'META-INF/manifest.xml': '<manifest:manifest/>' },
    epub: { mimetype: 'application/epub+zip', 'META-INF/container.xml': '<c/>' },
    jar: { 'META-INF/MANIFEST.MF': 'Main-Class: A\n', 'A.class': '\xCA\xFE\xBA\xBE\0\0\0\x34' },
    apk: { 'AndroidManifest.xml': 'x', 'META-INF/MANIFEST.MF': '' },
  };
  const made = (files: Record<string, string>) => {
    const workshop = new Workshop(files);
    return workshop.make('made.zip', 'zip', '-q', 'made.zip', ...Object.keys(files));
  };
  it.each([
    ['docx', 'docx', 'document', parts.docx],
    ['xlsx', 'xlsx', 'document', parts.xlsx],
    ['pptx', 'pptx', 'document', parts.pptx],
    ['odt', 'odt', 'document', parts.odt],
    ['epub', 'epub', 'document', parts.epub],
    ['jar', 'jar', 'risky', parts.jar],
    ['apk', 'apk', 'risky', parts.apk],
    ['docx', 'docx with macros', 'risky document', { ...parts.docx, 'word/vbaProject.bin': 'x' }],
    ['xlsx', 'xlsx with macros of Excel 4', 'risky document', { ...parts.xlsx, 'xl/macrosheets/sheet1.xml': 'x' }],
    ['odt', 'odt with macros', 'risky document', { ...parts.odt, 'Basic/Standard/Module1.xml': 'x' }],
    ['odt', 'odt with a password', 'document encrypted', { ...parts.odt, 'META-INF/manifest.xml': '<m><manifest:encryption-data/></m>' }],
    ['zip', 'zip', 'archive', { 'a.txt': 'word/document.xml' }],
  ])('%s: %s', async (kind, _what, said, files) => {
    const described = await describeAs('file', made(files));
    expect([described.kind, described.extension, flags(described)]).toEqual([kind, kind, said]);
    // What is in a document are its own parts, and no files of anybody.
    expect(described.extracted).toHaveLength(kind === 'zip' ? 1 : 0);
  });

  const PROGRAM = 'MZ\x90\0\x03\0\0\0';
  const namesIn = ({ extracted }: { extracted: readonly { name: string }[] }) => extracted.map(({ name }) => name);

  it.each<[string, Record<string, string>]>([
    ['xl/workbook.xml', { 'xl/workbook.xml': '' }],
    ['word/document.xml', { 'word/document.xml': '' }],
    ['FixedDocSeq.fdseq', { 'FixedDocSeq.fdseq': '' }],
    ['the media type of an EPUB', { mimetype: 'application/epub+zip' }],
    ['the manifest of a jar', { 'META-INF/MANIFEST.MF': '' }],
    ['a manifest of Android', { 'AndroidManifest.xml': '' }],
    ['a whole docx', parts.docx],
  ])('a .zip with %s hides no program', async (_what, decoy) => {
    const described = await describeAs('invoice.zip', made({ ...decoy, 'invoice.exe': PROGRAM }));
    expect(described.is_archive).toBe(true);
    expect(namesIn(described).toSorted()).toEqual([...Object.keys(decoy), 'invoice.exe'].toSorted());
    expect(described.extracted.find(({ name }) => name === 'invoice.exe')!.is_risky_extension).toBe(true);
  });

  const types = (...more: string[]) =>
    `<Types><Default Extension="rels" ContentType="r"/><Default ContentType='x' Extension = 'XML'/>${more.join('')}</Types>`;
  const docx = { 'word/document.xml': '<w/>', 'docProps/app.xml': '<a/>', '_rels/.rels': '<r/>' };
  const odt = (...names: string[]) => ({
    mimetype: parts.odt.mimetype,
    'META-INF/manifest.xml': `<m>${names.map((name) => `<manifest:file-entry manifest:full-path="${name}"/>`).join('')}</m>`,
  });

  it.each<[string, string, Record<string, string>]>([
    ['a.docx', 'invoice.exe', { ...docx, '[Content_Types].xml': types(), 'invoice.exe': PROGRAM }],
    ['a.docx', 'word/run.js', { ...docx, '[Content_Types].xml': types('<Default Extension="js" ContentType="x"/>'), 'word/run.js': 'x()' }],
    ['a.docx', 'notes.txt', { ...docx, '[Content_Types].xml': types(), 'notes.txt': 'https://a.test/' }],
    ['a.docx', 'more.zip', { ...docx, 'more.zip': 'PK' }],
    ['a.odt', 'a.txt', { ...odt('content.xml'), 'content.xml': '<c/>', 'a.txt': 'x' }],
    ['a.epub', 'OEBPS/setup.exe', { ...parts.epub, 'OEBPS/1.xhtml': '<p/>', 'OEBPS/setup.exe': PROGRAM }],
  ])('what is in %s and no part of it is told: %s', async (name, stranger, files) => {
    const described = await describeAs(name, made(files));
    expect([described.is_document, described.is_archive, namesIn(described)]).toEqual([true, true, [stranger]]);
  });

  it.each<[string, Record<string, string>]>([
    ['a.docx', { ...docx, '[Content_Types].xml': types() }],
    [
      'a.docx',
      {
        ...docx,
        '[Content_Types].xml': types(
          '<Default Extension="png" ContentType="x"/><Default Extension="wmz" ContentType="x"/>',
          '<Override PartName="/word/afchunk.mht" ContentType="x"/><Override PartName="/word/embeddings/Book%201.xlsx" ContentType="x"/>',
        ),
        'word/media/1.PNG': 'x',
        'word/media/2.wmz': 'x',
        'word/afchunk.mht': 'x',
        'word/embeddings/Book 1.xlsx': 'x',
        '[trash]/0000.dat': 'x',
      },
    ],
    ['a.odt', { ...odt('content.xml', 'Pictures/1.png'), 'content.xml': '<c/>', 'Pictures/1.png': 'x', 'Thumbnails/thumbnail.png': 'x' }],
    ['a.epub', { ...parts.epub, 'OEBPS/1.xhtml': '<p/>', 'OEBPS/a.js': 'x', 'OEBPS/fonts/a.ttf': 'x' }],
    ['a.pages', { 'Index.zip': 'PK', 'Data/a.pdf': '%PDF-1.4', 'preview.jpg': 'x' }],
  ])('an ordinary %s has files in it, and is no archive', async (name, files) => {
    const described = await describeAs(name, made(files));
    expect([flags(described), described.extracted]).toEqual(['document', []]);
  });

  it.each(['a.jar', 'a.apk'])('%s is risky in itself, and no archive', async (name) => {
    const described = await describeAs(name, made(name === 'a.jar' ? parts.jar : parts.apk));
    expect([flags(described), described.extracted]).toEqual(['risky', []]);
  });

  it('a document that is called an archive is both', async () => {
    const described = await describeAs('a.zip', made({ ...docx, '[Content_Types].xml': types() }));
    expect([flags(described), described.extracted.length]).toEqual(['document archive', 4]);
  });

  it('in an archive they are read so too', async () => {
    const workshop = new Workshop({
      'plain.docx': made({ ...docx, '[Content_Types].xml': types() }),
      'odd.docx': made({ ...docx, '[Content_Types].xml': types(), 'invoice.exe': PROGRAM }),
    });
    const { extracted } = await describeAs('a.zip', workshop.make('a.zip', 'zip', '-q', 'a.zip', 'plain.docx', 'odd.docx'));
    expect(extracted.map((file) => [file.name, flags(file)])).toEqual([
      ['plain.docx', 'document'],
      ['odd.docx', 'document archive'],
      ['odd.docx/invoice.exe', 'risky'],
    ]);
  });
});

/** A record of BIFF ([MS-XLS] 2.1.4). */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

describe('compound files', () => {
  const made = (streams: Record<string, Uint8Array>): Buffer => {
    const container = cfb.utils.cfb_new();
    for (const [name, content] of Object.entries(streams)) cfb.utils.cfb_add(container, name, content);
    return Buffer.from(cfb.write(container, { type: 'buffer' }) as Uint8Array);
  };
  const word = (flag: number): Buffer => {
    const fib = Buffer.alloc(600);
    fib.writeUInt16LE(0xa5ec, 0);
    fib.writeUInt16LE(flag, 10);
    return fib;
  };
  const user = (token: number): Buffer => {
    const atom = Buffer.alloc(28);
    atom.writeUInt32LE(token, 12);
    return atom;
  };
  const BOF = record(0x0809, Buffer.alloc(16));
  const END = record(0x000a, Buffer.alloc(0));
  const sheet = (kind: number) => record(0x0085, Buffer.from([0, 0, 0, 0, 0, kind, 1, 0, 0x41]));
  const book = (...records: Buffer[]) => ({ Workbook: Buffer.concat([BOF, ...records, END, Buffer.alloc(5_000)]) });
  const filePass = (hex: string) => record(0x002f, Buffer.from(hex, 'hex'));
  const rows: [kind: string, what: string, flags: string, streams: Record<string, Uint8Array>][] = [
    ['doc', 'plain', 'document', { WordDocument: word(0) }],
    ['doc', 'with a password', 'document encrypted', { WordDocument: word(0x0100) }],
    ['doc', 'with macros', 'risky document', { WordDocument: word(0), 'Macros/VBA/_VBA_PROJECT': Buffer.from('x') }],
    ['xls', 'plain', 'document', book(sheet(0))],
    ['xls', 'with a sheet of macros', 'risky document', book(sheet(0), sheet(1))],
    ['xls', 'with a password, RC4', 'document encrypted', book(filePass(`0100${'0100'.repeat(2)}${'00'.repeat(48)}`))],
    ['xls', 'with a password, XOR', 'document encrypted', book(filePass('000059b30a9b'))],
    ['xls', 'whose structure alone is protected', 'document', book(filePass('000059b30a9a'))],
    ['ppt', 'plain', 'document', { 'PowerPoint Document': Buffer.alloc(9), 'Current User': user(0xe391c05f) }],
    ['ppt', 'with a password', 'document encrypted', { 'PowerPoint Document': Buffer.alloc(9), 'Current User': user(0xf3d1c4df) }],
    [
      'encrypted-office',
      'docx with a password',
      'document encrypted',
      { EncryptedPackage: Buffer.alloc(99), EncryptionInfo: Buffer.alloc(9) },
    ],
    ['msg', 'Outlook', '', { '__properties_version1.0': Buffer.alloc(9) }],
  ];
  it.each(rows)('%s: %s', async (kind, _what, said, streams) => {
    const file = made(streams);
    const described = await describeAs('file', file);
    expect([described.kind, flags(described)]).toEqual([kind, said]);
  });

  it('that are cut off, or lead in circles, are of no kind', async () => {
    const file = made({ WordDocument: word(0) });
    for (const length of [8, 64, 512, 600, 1_024]) expect((await describeAs('file', file.subarray(0, length))).kind).toBe('ole');
    const circle = Buffer.from(file);
    // Every sector leads to itself.
    const fat = (circle.readUInt32LE(76) + 1) * 512;
    for (let i = 0; i < 128; i++) circle.writeUInt32LE(i, fat + 4 * i);
    expect(['doc', 'ole']).toContain((await describeAs('file', circle)).kind);
  });
});
