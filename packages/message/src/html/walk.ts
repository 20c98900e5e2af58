import { Tokenizer } from 'htmlparser2';

/** A start tag with its wanted attributes. The first of two attributes with the same name counts (HTML §13.2.5.33). */
export interface StartTag {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Hears what is in HTML, in its order. Names are in lower case; character references are decoded. */
export interface HtmlListener {
  wants(attribute: string): boolean;
  open(tag: StartTag): void;
  close(name: string): void;
  /** Text, including that of an element without markup in it, such as `style`: it comes between its tags. */
  text(text: string): void;
  comment(text: string): void;
}

/**
 * Reports the content of HTML to a listener, in time linear in its length. Tags are reported as they stand, not as a tree: a tree of
 * hostile HTML costs the square of its depth, and a limit on the depth would let an author hide content below it.
 */
export function walkHtml(html: string, listener: HtmlListener): void {
  let name = '';
  let attribute = '';
  let value = '';
  let wanted = false;
  let attributes = new Map<string, string>();
  const opened = (): void => {
    listener.open({ name, attributes });
    attributes = new Map();
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase();
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => listener.close(html.slice(start, end).toLowerCase()),
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
        wanted = listener.wants(attribute);
      },
      onattribdata(start, end) {
        if (wanted) value += html.slice(start, end);
      },
      onattribentity(codePoint) {
        if (wanted) value += String.fromCodePoint(codePoint);
      },
      onattribend() {
        if (wanted && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      ontext: (start, end) => listener.text(html.slice(start, end)),
      ontextentity: (codePoint) => listener.text(String.fromCodePoint(codePoint)),
      oncomment: (start, end, offset) => listener.comment(html.slice(start, end - offset)),
      oncdata: (start, end, offset) => listener.text(html.slice(start, end - offset)),
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
