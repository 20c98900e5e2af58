/**
 * A pattern in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), as Go and Prometheus write them, as a RegExp of ours. Throws
 * `SyntaxError` for what is none, and for what means something else here or cannot be said: `\C`, `\Q`, `\p`, flags other than `i`, `m` and `s` at
 * the very beginning. Unlike RE2's it may backtrack: run it on a stranger's text only where it can be stopped.
 */
export function fromRe2(pattern: string): RegExp {
  const [lead = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(lead.length).replace(TOKEN, translated);
  return new RegExp(source, [...new Set(letters)].join(''));
}

/** What differs between both syntaxes, or might: a class that is named, an escape, the beginning of a group. */
const TOKEN = /\[:(\^?)([a-z]+):\]|\\(?:x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))|([0-7]{2,3})|(.|$))|\(\?(P?<[A-Za-z_]\w*>|:)?/gs;

const CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: String.raw`\t `,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: String.raw`!-\/:-@\[-${'`'}{-~`,
  space: String.raw`\t\n\v\f\r `,
  upper: 'A-Z',
  word: String.raw`\w`,
  xdigit: '0-9A-Fa-f',
};
/** Letters that mean the same behind a backslash. */
const SAME = 'dDwWsSbBtnrfv';
const OTHERWISE: Readonly<Record<string, string>> = { a: String.raw`\x07`, A: '(?<![^])', z: '(?![^])' };

function translated(
  token: string,
  not = '',
  named = '',
  braced = '',
  hex = braced,
  octal = '',
  escaped: string | undefined,
  group: string | undefined,
): string {
  if (named !== '') {
    const set = CLASSES[named];
    if (set === undefined || not !== '') throw new SyntaxError(`${token} is not supported`);
    return set;
  }
  if (hex !== '') return codeUnit(Number.parseInt(hex, 16), token);
  if (octal !== '') return codeUnit(Number.parseInt(octal, 8), token);
  if (escaped !== undefined) return escape(escaped);
  if (group === undefined)
    throw new SyntaxError('a group that begins with (? and is none of (?:…), (?P<name>…); flags stand at the beginning alone');
  return group === ':' ? '(?:' : `(?<${group.replace(/^P?</, '')}`;
}

function codeUnit(code: number, token: string): string {
  if (code > 0xffff) throw new SyntaxError(`${token} is not supported`);
  return String.raw`\u` + code.toString(16).padStart(4, '0');
}

function escape(letter: string): string {
  if (letter === '') throw new SyntaxError('a backslash at the end');
  if (!/[0-9A-Za-z]/.test(letter)) return `\\${letter}`;
  if (SAME.includes(letter)) return `\\${letter}`;
  const other = OTHERWISE[letter];
  if (other === undefined) throw new SyntaxError(`\\${letter} is not supported`);
  return other;
}
