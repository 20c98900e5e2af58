import { ADDRESSES_MAX } from './limits.ts';
import { decodeWords, unfolded } from './words.ts';

export interface Mailbox {
  /** Decoded; empty without one. */
  name: string;
  /** The address as it is written; empty where a name stands alone. */
  address: string;
}

export interface AddressList {
  addresses: Mailbox[];
  /** Names of the groups that have no members: `undisclosed-recipients`. */
  groups: string[];
  /** Addresses in the comments of mailboxes without an address of their own: `Parcels (<a@b.test>)`. RFC 5322 §3.2.2 has no address there. */
  commented: string[];
  /**
   * Its writer followed neither RFC 5322 §3.4 nor §4.4, so that programs differ in which mailbox they show. A comma in a name without
   * quotes is common, and does not count.
   */
  malformed: boolean;
  /** There are more than are read. */
  cut: boolean;
}

/**
 * The mailboxes of a field such as To (RFC 5322 §3.4), those in groups included, with what §4.4 allowed and what is written against it:
 * names with a comma and without quotes, semicolons for commas, angle brackets that are not closed. `raw` has one character for each byte;
 * `charset` is that of bytes beyond ASCII that are not UTF-8. Linear, never throws.
 */
export const parseAddresses = (raw: string, charset = ''): AddressList => new AddressReader(unfolded(raw), charset).read();

/** A source route (§4.4), which has been obsolete since 1989. */
const ROUTE = /\s{0,9}@[^:<>"]{0,500}:/y;
/** RFC 5321 §4.5.3.1 allows 254; longer addresses are kept to show them. */
const ADDRESS_MAX_CHARS = 2_000;
/** An @ of a quoted string until the name is decoded: a text of bytes has no such character. Quoted text is never an address. */
const QUOTED_AT = '\uE000';
const IN_COMMENT = /[^\s<>()",;:]{1,64}@[^\s<>()",;:]{1,255}/;

class AddressReader {
  readonly #text: string;
  readonly #charset: string;
  readonly #list: AddressList = { addresses: [], groups: [], commented: [], malformed: false, cut: false };
  #at = 0;
  /** The current mailbox as far as it was read: its words, its comment, the content of its angle brackets. */
  #phrase = '';
  #comment = '';
  #angle: string | undefined;
  #inLiteral = false;
  #hasQuote = false;
  /** A name before a comma that may belong to the next one: `Doe, John <j@a.test>`. */
  #before = '';
  /** An unclosed quote was found: later quotes are unclosed too, so the text is not searched to its end again. */
  #unclosed = false;
  #group: { name: string; members: number } | undefined;

  constructor(text: string, charset: string) {
    this.#text = text;
    this.#charset = charset;
  }

  read(): AddressList {
    while (this.#at < this.#text.length && !this.#list.cut) this.#step(this.#text[this.#at]!);
    this.#end('');
    this.#endBefore();
    this.#endGroup();
    return this.#list;
  }

  #step(char: string): void {
    if (char === '"') this.#readQuoted();
    else if (char === '(') this.#readComment();
    else if (char === '<') this.#readAngle();
    else if (char === ',' || char === ';') {
      this.#at++;
      this.#end(char);
      if (char === ';') this.#endGroup();
    } else if (char === ':' && this.#angle === undefined) this.#colon();
    else this.#word();
  }

  /** Everything up to what means something. */
  #word(): void {
    const special = /["(<,;:]/g;
    special.lastIndex = this.#at + 1;
    const end = special.exec(this.#text)?.index ?? this.#text.length;
    const word = this.#text.slice(this.#at, end);
    this.#inLiteral ||= word.includes('[');
    this.#phrase += word;
    this.#at = end;
  }

  #colon(): void {
    this.#at++;
    if (this.#inLiteral) {
      this.#phrase += ':'; // a@[IPv6:2001:db8::1]
      return;
    }
    const name = this.#phrase.trim();
    this.#phrase = '';
    if (name.toLowerCase() === 'mailto') return;
    this.#endGroup();
    this.#group = { name: decodeWords(name, this.#charset), members: 0 };
  }

  /** A name, or the local part of an address. */
  #readQuoted(): void {
    const said = this.#quoted();
    this.#hasQuote = true;
    if (this.#text[this.#at] !== '@' || this.#angle !== undefined || this.#phrase.trim() !== '')
      this.#phrase += said.replaceAll('@', QUOTED_AT);
    else this.#angle = `"${said}"${this.#find(/[^\s,;<>()"]*/y)}`;
  }

  /** Reads a quoted string; empty if it is not closed. */
  #quoted(): string {
    const from = ++this.#at;
    const end = this.#unclosed ? -1 : this.#closingQuote(from);
    if (end < 0) {
      this.#unclosed = true;
      this.#list.malformed = true;
      return '';
    }
    this.#at = end + 1;
    return this.#text.slice(from, end).replaceAll(/\\(.)/g, '$1');
  }

  #closingQuote(from: number): number {
    for (let at = from; at < this.#text.length; at++) {
      if (this.#text[at] === '"') return at;
      if (this.#text[at] === '\\') at++;
    }
    return -1;
  }

  #readComment(): void {
    const from = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '\\') this.#at++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) break;
    }
    this.#comment ||= this.#text.slice(from, this.#at).replaceAll(/\\(.)/g, '$1');
    this.#at++;
  }

  /** A second one in the same mailbox is another's: neither hides the other. An empty one before it (`"Play" <><a@b.test>`) is not a mailbox. */
  #readAngle(): void {
    if (this.#angle !== undefined) this.#list.malformed = true;
    if (this.#angle === '') this.#angle = undefined;
    if (this.#angle !== undefined) this.#end('');
    this.#at++;
    this.#find(ROUTE);
    this.#find(/\s*/y);
    let said = this.#text[this.#at] === '"' ? `"${this.#quoted()}"` : '';
    for (;;) {
      said += this.#find(/[^>,(]*/y);
      if (this.#text[this.#at] !== '(') break;
      this.#readComment();
    }
    // One that is not closed ends with the comma.
    if (this.#text[this.#at] === '>') this.#at++;
    else this.#list.malformed = true;
    this.#angle = said.slice(0, ADDRESS_MAX_CHARS).replaceAll(/\s/g, '');
  }

  /** Takes a match at the reader's position; empty without one. */
  #find(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #end(by: string): void {
    if (this.#phrase === '' && this.#comment === '' && this.#angle === undefined) return;
    const phrase = this.#phrase.trim();
    if (this.#angle === undefined) this.#endBare(phrase, by);
    else {
      const name = phrase || this.#comment;
      this.#list.malformed ||= this.#angle === '' || (name === '' && this.#before !== '');
      this.#add([this.#before, name].filter((part) => part !== '').join(', '), this.#angle);
      this.#before = '';
    }
    this.#phrase = '';
    this.#comment = '';
    this.#angle = undefined;
    this.#inLiteral = false;
    this.#hasQuote = false;
  }

  /** A mailbox without angle brackets: an address, with its name or without; or a name alone. */
  #endBare(phrase: string, by: string): void {
    this.#endBefore();
    const words = wordsOf(phrase);
    const address = words.findLast((word) => word.includes('@')) ?? '';
    const name = words.filter((word) => word !== address).join(' ') || this.#comment;
    const [commented] = address === '' ? (IN_COMMENT.exec(this.#comment) ?? []) : [];
    if (commented !== undefined) {
      this.#list.malformed = true;
      if (this.#list.commented.length < ADDRESSES_MAX) this.#list.commented.push(commented);
    }
    // A user of the machine itself (`root (Cron Daemon)`) has no domain, and needs none there.
    this.#list.malformed ||= address === '' && phrase !== '' && by === '' && (this.#hasQuote || !/^[\w.+-]{1,64}$/.test(phrase));
    if (address === '' && by === ',') this.#before = name;
    else if (name !== '' || address !== '') this.#add(name, address);
  }

  #endBefore(): void {
    if (this.#before !== '') {
      this.#list.malformed = true;
      this.#add(this.#before, '');
    }
    this.#before = '';
  }

  #add(name: string, address: string): void {
    if (name === '' && address === '') return;
    if (this.#list.addresses.length >= ADDRESSES_MAX) this.#list.cut = true;
    else
      this.#list.addresses.push({
        name: decodeWords(name.replaceAll(QUOTED_AT, '@'), this.#charset),
        address: decodeWords(address.replaceAll(QUOTED_AT, '@'), this.#charset),
      });
    if (this.#group) this.#group.members++;
  }

  #endGroup(): void {
    if (this.#group?.members === 0) {
      if (this.#list.groups.length >= ADDRESSES_MAX) this.#list.cut = true;
      else this.#list.groups.push(this.#group.name);
    }
    this.#group = undefined;
  }
}

/** The words of a mailbox without angle brackets; an address is one of them, with white space around its @ and its dots too (RFC 5322 §4.4). */
function wordsOf(phrase: string): string[] {
  const words: string[] = [];
  let goesOn = false;
  for (const word of phrase.split(/\s+/)) {
    const last = words.at(-1) ?? '';
    const joins = goesOn || word === '.' || word.startsWith('@') || (word.startsWith('.') && last.includes('@'));
    goesOn = word === '.' || word.endsWith('@');
    if (joins && words.length > 0) words[words.length - 1] = last + word;
    else words.push(word);
  }
  return words;
}
