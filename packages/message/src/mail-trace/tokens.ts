/** A piece of a structured field (RFC 5322 §3.2). `text` of a quoted string or a comment is its content. */
export interface Token {
  kind: 'word' | 'quoted' | 'comment' | 'semicolon';
  text: string;
}

/** No server writes a longer trace field; text that a stranger appends behind that is ignored. */
const FIELD_MAX_CHARS = 8_192;

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n';

/** Splits a field at white space, semicolons, comments and quoted strings. An unclosed string or comment ends with the field. Linear. */
export function tokensOf(raw: string): Token[] {
  const text = raw.slice(0, FIELD_MAX_CHARS);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (isSpace(char)) at++;
    else if (char === ';') {
      tokens.push({ kind: 'semicolon', text: '' });
      at++;
    } else {
      const end = char === '(' ? commentEnd(text, at) : char === '"' ? quoteEnd(text, at) : wordEnd(text, at);
      tokens.push(char === '(' || char === '"' ? enclosed(text, at, end) : { kind: 'word', text: text.slice(at, end) });
      at = end;
    }
  }
  return tokens;
}

const enclosed = (text: string, start: number, end: number): Token => ({
  kind: text.charAt(start) === '(' ? 'comment' : 'quoted',
  text: plain(text.slice(start + 1, text.charAt(end - 1) === closing(text.charAt(start)) && end - 1 > start ? end - 1 : end)),
});

const closing = (opening: string): string => (opening === '(' ? ')' : '"');

/** A text without folds and quoted pairs. */
const plain = (text: string): string =>
  text
    .replace(/\\(.)/gs, '$1')
    .split(/[ \t\r\n]+/)
    .join(' ')
    .trim();

/** Comments nest (RFC 5322 §3.2.2). */
function commentEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}

function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"') return at + 1;
  }
  return text.length;
}

/** A quote within a word, as in `smtp.mailfrom="a b"`, begins a token of its own. */
function wordEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (isSpace(char) || char === ';' || char === '(' || char === '"') return at;
  }
  return text.length;
}
