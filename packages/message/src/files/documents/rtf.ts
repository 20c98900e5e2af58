import iconv from 'iconv-lite';

/** Groups deeper than that say nothing. */
const DEPTH_MAX = 256;
/** Destinations whose text is not part of the document ([MS-RTF], lists of fonts and the like). */
const NOT_TEXT = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'listtable',
  'listoverridetable',
  'generator',
  'xmlnstbl',
  'header',
  'footer',
]);
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['sect', '\n'],
  ['row', '\n'],
  ['cell', '\t'],
  ['tab', '\t'],
  ['lquote', '\u2018'],
  ['rquote', '\u2019'],
  ['ldblquote', '\u201C'],
  ['rdblquote', '\u201D'],
  ['bullet', '\u2022'],
  ['endash', '\u2013'],
  ['emdash', '\u2014'],
  ['~', '\u00A0'],
  ['_', '\u2011'],
]);

/** A run of text, or one control; what matches nothing is left out. */
const TOKEN = /([^\\{}\r\n]+)|([{}])|\\(?:'([0-9a-f]{2})|([a-z]{1,32})(-?\d{1,10})? ?|([^a-z]))/gi;

interface Group {
  /** Nothing in it is text of the document. */
  skipped: boolean;
  /** `\htmlrtf`: it stands for readers of RTF only. */
  rtfOnly: boolean;
  /** Characters that stand behind `\u` for old readers. */
  substitutes: number;
}

/**
 * The content of RTF, as latin1: the HTML inside it if the RTF was made from HTML ([MS-OXRTFEX]), else its text. Linear in its length.
 */
export function readRtf(rtf: string): { html?: string; text?: string } {
  const isHtml = /\\fromhtml1/.test(rtf.slice(0, 1_024));
  const page = /\\ansicpg(\d{1,5})/.exec(rtf.slice(0, 1_024))?.[1] ?? '1252';
  const text = new RtfText(isHtml, iconv.encodingExists(`cp${page}`) ? `cp${page}` : 'windows-1252');
  for (const token of rtf.matchAll(TOKEN)) text.take(token);
  return isHtml ? { html: text.all() } : { text: text.all() };
}

/** The state of a reader between two tokens. */
class RtfText {
  readonly #isHtml: boolean;
  readonly #encoding: string;
  readonly #parts: string[] = [];
  readonly #outer: Group[] = [];
  #group: Group = { skipped: false, rtfOnly: false, substitutes: 1 };
  /** Groups within one that is too deep. */
  #tooDeep = 0;
  /** Substitutes of a character that are still to come. */
  #left = 0;
  /** `\*` was read: a destination that is not known is to be skipped. */
  #optional = false;
  /** Bytes of the code page, until something else comes. */
  #bytes: number[] = [];

  constructor(isHtml: boolean, encoding: string) {
    this.#isHtml = isHtml;
    this.#encoding = encoding;
  }

  all(): string {
    this.#flush();
    // Some writers end it as C ends strings.
    return this.#parts.join('').replaceAll('\0', '');
  }

  take([, run, brace, hex, word, parameter, symbol]: RegExpExecArray): void {
    if (brace !== undefined) this.#brace(brace);
    else if (this.#tooDeep > 0) return;
    else if (run !== undefined) this.#run(run);
    else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
    else if (word !== undefined) this.#word(word, parameter === undefined ? undefined : Number(parameter));
    else if (symbol === '*') this.#optional = true;
    else if (symbol !== undefined) this.#write(CHARACTERS.get(symbol) ?? ('\\{}'.includes(symbol) ? symbol : ''));
  }

  #brace(brace: string): void {
    this.#flush();
    this.#left = 0;
    this.#optional = false;
    if (brace === '{' && this.#outer.length < DEPTH_MAX) {
      this.#outer.push(this.#group);
      this.#group = { ...this.#group };
    } else if (brace === '{') this.#tooDeep++;
    else if (this.#tooDeep > 0) this.#tooDeep--;
    else this.#group = this.#outer.pop() ?? this.#group;
  }

  #run(run: string): void {
    const skipped = Math.min(this.#left, run.length);
    this.#left -= skipped;
    // Bytes above ASCII do not belong here, but some writers put them.
    if (skipped < run.length)
      this.#write(/[^ -~\t]/.test(run) ? iconv.decode(Buffer.from(run.slice(skipped), 'latin1'), this.#encoding) : run.slice(skipped));
  }

  #byte(byte: number): void {
    if (this.#left > 0) this.#left--;
    else if (this.#isShown()) this.#bytes.push(byte);
  }

  #word(word: string, parameter: number | undefined): void {
    const isOptional = this.#optional;
    this.#optional = false;
    const group = this.#group;
    const said = CHARACTERS.get(word);
    if (isOptional && word === 'htmltag') group.rtfOnly = false;
    else if (isOptional || NOT_TEXT.has(word)) group.skipped = true;
    else if (word === 'htmlrtf') group.rtfOnly = this.#isHtml && parameter !== 0;
    else if (word === 'uc') group.substitutes = Math.min(8, parameter ?? 1);
    else if (word === 'u' && parameter !== undefined) {
      this.#write(String.fromCharCode(parameter & 0xffff));
      this.#left = group.substitutes;
    } else if (said !== undefined) this.#write(said);
  }

  #write(text: string): void {
    this.#flush();
    if (this.#isShown()) this.#parts.push(text);
  }

  #isShown(): boolean {
    return !this.#group.skipped && !this.#group.rtfOnly;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.#parts.push(iconv.decode(Buffer.from(this.#bytes), this.#encoding));
    this.#bytes = [];
  }
}

/** The initial dictionary of compressed RTF ([MS-OXRTFCP] 2.1.2.1). */
const DICTIONARY = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const WINDOW_BYTES = 4_096;
/** The most bytes that are read of it; bodies of ordinary mail have some 100 kB. */
export const RTF_BYTES_MAX = 1_500_000;
const [COMPRESSED, PLAIN] = [0x75465a4c, 0x414c454d];

/** The RTF of PR_RTF_COMPRESSED, as latin1; empty for other data. It grows to nine times its size, and to 1.5 MB at most. */
export function decompressRtf(data: Buffer): string {
  if (data.length < 16) return '';
  if (data.readUInt32LE(8) === PLAIN) return data.toString('latin1', 16, 16 + RTF_BYTES_MAX);
  if (data.readUInt32LE(8) !== COMPRESSED) return '';
  const window = Buffer.alloc(WINDOW_BYTES);
  DICTIONARY.copy(window);
  const output = Buffer.allocUnsafe(Math.min((data.length - 16) * 9, RTF_BYTES_MAX));
  let [at, written, end] = [16, 0, DICTIONARY.length];
  const write = (byte: number): void => {
    output[written++] = byte;
    window[end] = byte;
    end = (end + 1) % WINDOW_BYTES;
  };
  while (at < data.length && written < output.length) {
    const control = data[at++]!;
    for (let bit = 0; bit < 8 && at < data.length; bit++) {
      if ((control & (1 << bit)) === 0) write(data[at++]!);
      else if (at + 2 > data.length) at = data.length;
      else {
        const token = data.readUInt16BE(at);
        at += 2;
        // A reference to what is written next ends it.
        if (token >> 4 === end) return output.toString('latin1', 0, written);
        for (let [from, left] = [token >> 4, (token & 15) + 2]; left > 0; left--, from++) write(window[from % WINDOW_BYTES]!);
      }
    }
  }
  return output.toString('latin1', 0, written);
}
