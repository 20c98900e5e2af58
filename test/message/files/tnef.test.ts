import { readTnef } from '@vedette/message/files';
import { describe, expect, it } from 'vitest';
import { describeAs, flags } from './made.ts';

const uint32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)));
const attribute = (level: number, id: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([level]), uint32(id, data.length), data, Buffer.alloc(2)]);
/** A property of variable length ([MS-OXTNEF] 2.1.3.4), padded to four bytes. */
const property = (kind: number, id: number, data: Buffer): Buffer =>
  Buffer.concat([uint32(id * 0x10000 + kind, 1, data.length), data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
const properties = (...list: Buffer[]): Buffer => Buffer.concat([uint32(list.length), ...list]);
const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
/** Winmail.dat as Outlook lays it out: attributes of the message, then those of each file. */
const tnef = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([uint32(0x223e9f78), Buffer.alloc(2), attribute(1, 0x00069007, uint32(1251, 0)), ...attributes]);
const message = (...list: Buffer[]): Buffer => attribute(1, 0x00069003, properties(...list));
const file = (title: string, content: string, ...list: Buffer[]): Buffer =>
  Buffer.concat([
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(2, 0x0006800f, Buffer.from(content, 'latin1')),
    attribute(2, 0x00069005, properties(...list)),
  ]);
/** RTF as Outlook packs it where it does not compress. */
const rtf = (text: string): Buffer =>
  property(0x102, 0x1009, Buffer.concat([uint32(text.length + 12, text.length, 0x414c454d, 0), Buffer.from(text, 'latin1')]));

describe('winmail.dat', () => {
  it('has files, by their long names, and when they were changed', async () => {
    const modified = Buffer.concat([uint32(0x30080040), Buffer.from(BigUint64Array.of(133_541_356_280_000_000n).buffer)]);
    const bytes = tnef(file('SECRET~1.EXE', 'MZ\0\0', modified, property(0x1f, 0x3707, wide('Geheime Pläne.exe'))), file('a.txt', 'hello'));
    const described = await describeAs('winmail.dat', bytes);
    expect([described.kind, flags(described)]).toEqual(['tnef', '']);
    expect(described.extracted).toMatchObject([
      { name: 'Geheime Pläne.exe', kind: 'exe', is_risky_extension: true, last_modified_at: '2024-03-05T18:07:08Z', size: 4 },
      { name: 'a.txt', md5_hash: '5d41402abc4b2a76b9719d911017c592', last_modified_at: '' },
    ]);
  });

  it('has names in the code page that it says', () => {
    expect(readTnef(tnef(file('\xCF\xEB\xE0\xED.txt', 'x'))).files[0]?.name).toBe('План.txt');
  });

  it('has an attached object behind the identifier of its interface', () => {
    const object = property(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16, 7), Buffer.from('content')]));
    expect(Buffer.from(readTnef(tnef(file('o', '', object))).files[0]!.content).toString()).toBe('content');
  });

  it('has a text, or HTML', () => {
    expect(readTnef(tnef(message(property(0x1f, 0x1000, wide('Grüße'))))).text).toBe('Grüße');
    expect(readTnef(tnef(message(property(0x102, 0x1013, Buffer.from('<p>Hello</p>'))))).html).toBe('<p>Hello</p>');
  });

  it('has RTF, of which only what is said is read', () => {
    const text =
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\unknown left out}\\constructor Gr\\'fc\\'dfe\\par \\u8364?5 \\{x\\}}";
    expect(readTnef(tnef(message(rtf(text)))).text).toBe('Grüße\n€5 {x}');
  });

  it('has RTF that was made of HTML, which is read instead ([MS-OXRTFEX] 2.1)', () => {
    const text =
      '{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag64 <p>}\\htmlrtf {\\b \\htmlrtf0 Hello {\\*\\htmltag84 <a href="https://a.test/">}here\\htmlrtf }\\htmlrtf0 }';
    expect(readTnef(tnef(message(rtf(text)))).html).toBe('<p>Hello <a href="https://a.test/">here');
  });

  it('has compressed RTF ([MS-OXRTFCP] 3.2, both examples)', () => {
    const first = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
    expect(readTnef(tnef(message(property(0x102, 0x1009, Buffer.from(first, 'hex'))))).text).toBe('hello world');
    const second = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0';
    expect(readTnef(tnef(message(property(0x102, 0x1009, Buffer.from(second, 'hex'))))).text).toContain('WXYZWXYZWXYZ');
  });

  it('has RTF of which 1.5 MB are read, and tells that there is more', () => {
    const short = readTnef(tnef(message(rtf(`{\\rtf1 ${'x'.repeat(1_000_000)}}`))));
    expect([short.text?.length, short.truncated]).toEqual([1_000_000, false]);
    const long = readTnef(tnef(message(rtf(`{\\rtf1 ${'x'.repeat(1_600_000)}}`))));
    expect([long.text?.length, long.truncated]).toEqual([1_499_993, true]);
  });

  it('is nothing where it is cut off or something else', () => {
    expect(readTnef(Buffer.from('hello'))).toEqual({ files: [], truncated: false });
    expect(readTnef(tnef(file('a.txt', 'hello')).subarray(0, 40)).files).toEqual([]);
  });
});
