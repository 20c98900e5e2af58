import iconv from 'iconv-lite';
import { isoSeconds, windowsSeconds } from '../archives/archive-entry.ts';
import { type PropertyValue, readProperties } from './mapi-properties.ts';
import { decompressRtf, readRtf, RTF_BYTES_MAX } from './rtf.ts';

const SIGNATURE = 0x223e9f78;
/** More than a report lists. */
const FILES_MAX = 2_000;

/** Attributes ([MS-OXTNEF] 2.1.3.3), the kind of value in the upper half. */
const ATTRIBUTE = {
  body: 0x0002800c,
  messageProperties: 0x00069003,
  codePage: 0x00069007,
  attachBegins: 0x00069002,
  attachTitle: 0x00018010,
  attachData: 0x0006800f,
  attachProperties: 0x00069005,
};

/** Properties ([MS-OXPROPS]). */
const PROPERTY = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  name: 0x3001,
  modified: 0x3008,
  attachData: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
};

/** The content of Outlook's winmail.dat ([MS-OXTNEF]). */
export interface Tnef {
  files: TnefFile[];
  text?: string;
  html?: string;
  /** There is more RTF than is read. */
  truncated: boolean;
}

export interface TnefFile {
  name: string;
  content: Uint8Array;
  /** YYYY-MM-DDTHH:MM:SSZ; empty where it is not said. */
  modified: string;
}

interface Attribute {
  id: number;
  data: Buffer;
}

/** Readings of files that are still held: one is wanted for its text, for its files and for its indicators. */
const readings = new WeakMap<Uint8Array, Tnef>();

/** Reads a file of application/ms-tnef; empty for other data. Never throws; linear in its length. */
export function readTnef(bytes: Uint8Array): Tnef {
  const reading = readings.get(bytes) ?? readOnce(bytes);
  readings.set(bytes, reading);
  return reading;
}

function readOnce(bytes: Uint8Array): Tnef {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tnef: Tnef = { files: [], truncated: false };
  if (data.length < 6 || data.readUInt32LE(0) !== SIGNATURE) return tnef;
  let encoding = 'windows-1252';
  let file: TnefFile | undefined;
  for (const { id, data: value } of attributes(data)) {
    if (tnef.files.length === FILES_MAX) break;
    if (id === ATTRIBUTE.codePage && value.length >= 4) encoding = codePage(value.readUInt32LE(0));
    else if (id === ATTRIBUTE.body) tnef.text ??= decode(value, encoding);
    else if (id === ATTRIBUTE.messageProperties) readMessage(tnef, value, encoding);
    else if (id === ATTRIBUTE.attachBegins) tnef.files.push((file = { name: '', content: new Uint8Array(), modified: '' }));
    else if (id === ATTRIBUTE.attachTitle && file) file.name ||= decode(value, encoding);
    else if (id === ATTRIBUTE.attachData && file) file.content = value;
    else if (id === ATTRIBUTE.attachProperties && file) readAttachment(file, value, encoding);
  }
  return tnef;
}

/** Level, attribute, length, the value and its checksum, one behind the other. */
function* attributes(data: Buffer): Generator<Attribute> {
  for (let at = 6; at + 9 <= data.length;) {
    const [id, start] = [data.readUInt32LE(at + 1), at + 9];
    const end = start + data.readUInt32LE(at + 5);
    if (end > data.length) return;
    yield { id, data: data.subarray(start, end) };
    at = end + 2;
  }
}

function readMessage(tnef: Tnef, data: Buffer, encoding: string): void {
  for (const { id, value } of readProperties(data)) {
    if (id === PROPERTY.body) tnef.text = textOf(value, encoding);
    if (id === PROPERTY.html) tnef.html = textOf(value, encoding);
    if (id === PROPERTY.rtf && tnef.html === undefined) {
      const rtf = decompressRtf(value.data);
      tnef.truncated ||= rtf.length >= RTF_BYTES_MAX;
      const { html, text } = readRtf(rtf);
      if (html !== undefined) tnef.html = html;
      if (text !== undefined) tnef.text ??= text;
    }
  }
}

function readAttachment(file: TnefFile, data: Buffer, encoding: string): void {
  let [longName, shortName, name] = ['', '', ''];
  for (const { id, value } of readProperties(data)) {
    if (id === PROPERTY.longName) longName = textOf(value, encoding);
    if (id === PROPERTY.shortName) shortName = textOf(value, encoding);
    if (id === PROPERTY.name) name = textOf(value, encoding);
    if (id === PROPERTY.modified && value.data.length === 8) file.modified = isoSeconds(windowsSeconds(value.data.readBigUInt64LE(0)));
    // Objects begin with the identifier of their interface.
    if (id === PROPERTY.attachData) file.content = value.isObject ? value.data.subarray(16) : value.data;
  }
  file.name = longName || file.name || shortName || name;
}

const textOf = ({ data, isUnicode }: PropertyValue, encoding: string): string => decode(data, isUnicode ? 'utf16le' : encoding);

/** Up to the NUL that ends it. */
const decode = (data: Buffer, encoding: string): string => iconv.decode(data, encoding).replace(/\0.*$/s, '');

function codePage(page: number): string {
  if (page === 65_001) return 'utf8';
  return iconv.encodingExists(`cp${page}`) ? `cp${page}` : 'windows-1252';
}
