import { ADDRESSES_MAX } from './limits.ts';
import { decodeWords, unfolded } from './words.ts';

export interface Mailbox {
  /** Decoded; empty without one. */
  name: string;
  /** As it is written; empty where a name stands alone. */
  address: string;
}

export interface AddressList {
  addresses: Mailbox[];
  /** Names of the groups that have no members: `undisclosed-recipients`. */
  groups: string[];
  /** There are more than are read. */
  cut: boolean;
}

/**
 * The mailboxes of a field such as To (RFC 5322 §3.4), those in groups included, with what §4.4 allowed and what is written against it: names with a comma and
 * without quotes, semicolons for commas, angle brackets that are not closed. `raw` has one character for each byte. Linear, never throws.
 */
export function parseAddresses(raw: string): AddressList {
  const reader = new AddressReader(unfolded(raw));
  return reader.read();
}

class AddressReader {
  readonly #text: string;
  readonly #list: AddressList = { addresses: [], groups: [], cut: false };
  #at = 0;
  /** Of the mailbox that is being read: its words, its comments, what stands in its angle brackets. */
  #phrase = '';
  #comment = '';
  #angle: string | undefined;
  /** A name before a comma that may belong to the next one: `Doe, John <j@a.test>`. */
  #before = '';
  #group: { name: string; members: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): AddressList {
    while (this.#at < this.#text.length && !this.#list.cut) this.#step(this.#text[this.#at]!);
    this.#end('');
    this.#endBefore();
    this.#endGroup();
    return this.#list;
  }

  #step(char: string): void {
    if (char === '"') this.#phrase += this.#quoted();
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
    this.#phrase += this.#text.slice(this.#at, end);
    this.#at = end;
  }

  #colon(): void {
    this.#at++;
    const name = this.#phrase.trim();
    this.#phrase = '';
    if (name.toLowerCase() === 'mailto') return;
    this.#endGroup();
    this.#group = { name: decodeWords(name), members: 0 };
  }

  #quoted(): string {
    const from = ++this.#at;
    for (; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++) if (this.#text[this.#at] === '\\') this.#at++;
    return this.#text.slice(from, this.#at++).replaceAll(/\\(.)/g, '$1');
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
    this.#comment ||= this.#text.slice(from, this.#at++).replaceAll(/\\(.)/g, '$1');
  }

  /** A second one in the same mailbox is the next one's: neither hides the other. */
  #readAngle(): void {
    if (this.#angle !== undefined) this.#end('');
    const end = /[>,]|$/g;
    end.lastIndex = this.#at + 1;
    const to = end.exec(this.#text)?.index ?? this.#text.length;
    // An old source route has commas in it (§4.4), a quoted local part anything.
    const quoted = /^<\s*(?:@[^:<>]*:)?(?:"(?:[^"\\]|\\.)*"@)?[^<>,"]*>/.exec(this.#text.slice(this.#at, this.#at + 2_000))?.[0];
    const said = quoted === undefined ? this.#text.slice(this.#at + 1, to) : quoted.slice(1, -1);
    this.#at = quoted === undefined ? (this.#text[to] === '>' ? to + 1 : to) : this.#at + quoted.length;
    this.#angle = said.replace(/^\s*@[^:]*:/, '').replaceAll(/\s+/g, '');
  }

  #end(by: string): void {
    const phrase = this.#phrase.trim();
    if (this.#angle !== undefined) {
      const name = phrase || this.#comment;
      this.#add(this.#before === '' ? name : `${this.#before}, ${name}`, this.#angle);
      this.#before = '';
    } else {
      this.#endBefore();
      const words = phrase.split(/\s+/);
      const address = words.findLast((word) => word.includes('@')) ?? '';
      const name = words.filter((word) => word !== address).join(' ') || this.#comment;
      if (address === '' && by === ',') this.#before = name;
      else if (name !== '' || address !== '') this.#add(name, address);
    }
    this.#phrase = '';
    this.#comment = '';
    this.#angle = undefined;
  }

  #endBefore(): void {
    if (this.#before !== '') this.#add(this.#before, '');
    this.#before = '';
  }

  #add(name: string, address: string): void {
    if (name === '' && address === '') return;
    if (this.#list.addresses.length >= ADDRESSES_MAX) this.#list.cut = true;
    else this.#list.addresses.push({ name: decodeWords(name), address: decodeWords(address) });
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
