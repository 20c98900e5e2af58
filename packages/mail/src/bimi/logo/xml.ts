import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** An element of a document. Names are as written, prefix included. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  parent: XmlElement | undefined;
  /** The character data directly inside. */
  text: string;
}

/** The elements in document order, the root first; and what stopped the reading, empty when the document is well-formed. */
export interface XmlDocument {
  elements: readonly XmlElement[];
  fault: string;
}

const STEP_CHARS = 4 * 1024;
const DEPTH_MAX = 64;
const ELEMENTS_MAX = 20_000;
const NAME = /^[A-Za-z_:][A-Za-z0-9_.:-]{0,127}$/;

/**
 * Reads XML without a document type, in time linear in its length. That leaves out entities (beyond the five of XML and
 * character references) and so every way to make a small text large.
 */
export function readXml(text: string): XmlDocument {
  const reader = new XmlReader(text);
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, reader);
  for (let at = 0; at < text.length && reader.fault === ''; at += STEP_CHARS) tokenizer.write(text.slice(at, at + STEP_CHARS));
  if (reader.fault === '') tokenizer.end();
  return { elements: reader.elements, fault: reader.fault };
}

/** Takes tokens by their position in the text. The first fault stands; what comes after it in the same step is ignored. */
class XmlReader implements TokenizerCallbacks {
  readonly elements: XmlElement[] = [];
  fault = '';
  readonly #text: string;
  #open: XmlElement | undefined;
  #depth = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attribute = '';
  #value = '';

  constructor(text: string) {
    this.#text = text;
  }

  #fail(fault: string): void {
    this.fault ||= fault;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#text.slice(start, end);
    this.#attributes = new Map();
    if (!NAME.test(this.#name)) this.#fail('an element with a name that is not one');
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#text.slice(start, end);
    this.#value = '';
    if (!NAME.test(this.#attribute)) this.#fail(`an attribute of <${this.#name}> with a name that is not one`);
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#data(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(quote: QuoteType): void {
    if (quote === QuoteType.NoValue || quote === QuoteType.Unquoted) this.#fail(`${this.#attribute} without quotes around its value`);
    if (this.#attributes.has(this.#attribute)) this.#fail(`${this.#attribute} twice in <${this.#name}>`);
    this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    if (this.fault !== '') return;
    if (!this.#open && this.elements.length > 0) return this.#fail('more than one root element');
    const element = { name: this.#name, attributes: this.#attributes, parent: this.#open, text: '' };
    this.elements.push(element);
    this.#open = element;
    if (++this.#depth > DEPTH_MAX) this.#fail(`elements nested more than ${DEPTH_MAX} deep`);
    if (this.elements.length > ELEMENTS_MAX) this.#fail(`more than ${ELEMENTS_MAX} elements`);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.#close(this.#name);
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#text.slice(start, end));
  }

  #close(name: string): void {
    if (this.fault !== '') return;
    if (this.#open?.name !== name) return this.#fail(`</${name.slice(0, 128)}> where another element has to end first`);
    this.#open = this.#open.parent;
    this.#depth--;
  }

  ontext(start: number, end: number): void {
    this.#addText(this.#data(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addText(this.#text.slice(start, end - endOffset));
  }

  #addText(text: string): void {
    if (this.#open) this.#open.text += text;
    else if (text.replaceAll('\ufeff', '').trim() !== '') this.#fail('text outside the root element');
  }

  /** The tokenizer decodes known entities, so an ampersand here is an entity that XML does not know. */
  #data(start: number, end: number): string {
    const data = this.#text.slice(start, end);
    if (data.includes('&')) this.#fail('an entity that is not declared, or a bare "&"');
    return data;
  }

  ondeclaration(): void {
    this.#fail('a document type declaration');
  }

  onprocessinginstruction(start: number, end: number): void {
    if (!/^xml\s/.test(this.#text.slice(start, end))) this.#fail('a processing instruction');
  }

  oncomment(): void {}

  onend(): void {
    if (this.#open) this.#fail(`<${this.#open.name}> is not closed`);
    if (this.elements.length === 0) this.#fail('no element');
  }
}
