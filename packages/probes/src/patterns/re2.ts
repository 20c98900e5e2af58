/**
 * Patterns in the syntax of RE2, which is Go's and so that of Prometheus and blackbox_exporter, as regular expressions of JavaScript:
 * https://github.com/google/re2/wiki/Syntax. Where only a match is of interest, groups capture nothing and greed does not matter.
 */

const SYNTAX_CHARACTERS = new Set('^$\\.*+?()[]{}|/');
const REPEAT = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y;
const REPEAT_MAX = 1000;
const FLAGS = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;
const NAMED_GROUP = /\(\?P?<(\w+)>/y;
const POSIX_CLASS = /\[:(\w+):\]/y;
const UNICODE_CLASS = /\\([pP])(?:(\w)|\{(\^?)(\w+)\})/y;
const OCTET = /\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|([0-7]{3}))/y;
const QUOTED = /\\Q([^]*?)(?:\\E|$)/y;

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t `,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: String.raw`!-\/:-@\[-\x60\{-~`,
  space: String.raw`\t\n\v\f\r `,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
const SPACES = String.raw`\t\n\f\r `;
/** Characters that `v` reserves within a class. */
const RESERVED = new Set('()[]{}/|-&!#%,:;<=>@`~');
/** Letters that, after a backslash, stand for several characters. */
const A_CLASS = /[dDwWsSpP]/;
/** Letters that, after a backslash, mean the same in both syntaxes. */
const SAME_ESCAPES = 'bBdDwWfnrtv';

/** Flags within a group. */
interface Group {
  /** Whether a dot stands for a line feed too (`s`). */
  dotAll: boolean;
  /** Groups that were opened for flags set in the midst of it: `(?i)`. */
  opened: string[];
}

/**
 * Compiles a pattern, under `v`: with `u` V8 does not find `d [^x]$` in `d 🎉`. Throws `SyntaxError` for what RE2 refuses, and for the little of it that JavaScript
 * cannot say. Unlike RE2's it may backtrack: it is run on a stranger's text only where it can be stopped.
 */
export const fromRe2 = (text: string): RegExp => new RegExp(new Translation(text, false).source, 'v');

/** The same with its groups, which are numbered; `names` has the name of each that has one, the first group's first. */
export function withGroups(text: string): { pattern: RegExp; names: readonly (string | undefined)[] } {
  const { source, names } = new Translation(text, true);
  return { pattern: new RegExp(source, 'v'), names };
}

class Translation {
  readonly #text: string;
  #at = 0;
  #out = '';
  readonly #groups: Group[] = [{ dotAll: false, opened: [] }];
  readonly #captures: boolean;
  readonly names: (string | undefined)[] = [];

  constructor(text: string, captures: boolean) {
    this.#text = text;
    this.#captures = captures;
    while (this.#at < text.length) this.#out += this.#next();
    if (this.#groups.length > 1) throw new SyntaxError('a group that is not closed');
    this.#out += this.#closing();
  }

  get source(): string {
    return this.#out;
  }

  #next(): string {
    const char = this.#text[this.#at]!;
    if (char === '\\') return this.#escape(false);
    if (char === '[') return this.#class();
    if (char === '(') return this.#open();
    if (char === '{') {
      const [repeat, least = '', most = ''] = this.#take(REPEAT) ?? [];
      if (Math.max(Number(least), Number(most)) > REPEAT_MAX) throw new SyntaxError(`more than ${REPEAT_MAX} repetitions`);
      if (repeat !== undefined) return repeat;
    }
    this.#at += 1;
    const { dotAll, opened } = this.#group;
    if (char === '.') return dotAll ? '[^]' : String.raw`[^\n]`;
    if (char === '|') return `${this.#closing()}|${opened.join('')}`;
    if (char === ')') {
      const closing = this.#closing();
      if (this.#groups.length === 1) throw new SyntaxError('a group that was not opened');
      this.#groups.pop();
      return `${closing})`;
    }
    if (char === '^' || char === '$') return this.#assertion(char);
    return '{}]'.includes(char) ? `\\${char}` : char;
  }

  /** RE2 repeats what has no width, too: `^+OK` in blackbox_exporter's own file. */
  #assertion(source: string): string {
    return '*+?{'.includes(this.#text[this.#at] ?? ' ') ? `(?:${source})` : source;
  }

  get #group(): Group {
    return this.#groups.at(-1)!;
  }

  #closing(): string {
    return ')'.repeat(this.#group.opened.length);
  }

  #open(): string {
    const { dotAll } = this.#group;
    const named = this.#take(NAMED_GROUP);
    if (named || this.#text[this.#at + 1] !== '?') {
      if (!named) this.#at += 1;
      this.#groups.push({ dotAll, opened: [] });
      this.names.push(named?.[1]);
      return this.#captures ? '(' : '(?:';
    }
    const [, set = '', unset = '', end] = this.#take(FLAGS) ?? [];
    if (end === undefined) throw new SyntaxError('a kind of group that RE2 does not have');
    if (this.#captures && (set + unset).includes('U'))
      throw new SyntaxError('the flag U, which changes what groups capture, is not supported');
    const dots = (set.includes('s') || dotAll) && !unset.includes('s');
    const opening = `(?${known(set)}${known(unset) && `-${known(unset)}`}:`;
    if (end === ':') this.#groups.push({ dotAll: dots, opened: [] });
    else {
      this.#group.dotAll = dots;
      this.#group.opened.push(opening);
    }
    return opening;
  }

  #class(): string {
    let out = '[';
    this.#at += 1;
    if (this.#text[this.#at] === '^') {
      out += '^';
      this.#at += 1;
    }
    for (let first = true; ; first = false) {
      const char = this.#text[this.#at];
      if (char === undefined) throw new SyntaxError('a class that is not closed');
      if (char === ']' && !first) break;
      out += this.#member(char);
    }
    this.#at += 1;
    return `${out}]`;
  }

  /** A member of a class: a class, a range, or a character. */
  #member(char: string): string {
    const [named, name = ''] = this.#take(POSIX_CLASS) ?? [];
    if (named !== undefined) {
      const members = POSIX_CLASSES[name];
      if (members === undefined) throw new SyntaxError(`${named} is not supported`);
      return members;
    }
    if (char === '\\' && A_CLASS.test(this.#text[this.#at + 1] ?? '')) return this.#escape(true);
    const from = this.#character();
    const [dash, to] = [this.#text[this.#at], this.#text[this.#at + 1]];
    if (dash !== '-' || to === ']' || to === undefined) return from;
    this.#at += 1;
    return `${from}-${this.#character()}`;
  }

  /** One character within a class; `v` has a use for most punctuation there. */
  #character(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    if (char === '\\') return this.#escape(true);
    this.#at += char.length;
    return RESERVED.has(char) ? `\\${char}` : char;
  }

  #escape(inClass: boolean): string {
    const quoted = inClass ? undefined : this.#take(QUOTED)?.[1];
    if (quoted !== undefined) return quoted.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
    const [octet, two, more, octal] = this.#take(OCTET) ?? [];
    if (octet !== undefined) {
      const code = octal === undefined ? Number.parseInt(two ?? more ?? '', 16) : Number.parseInt(octal, 8);
      return `\\u{${code.toString(16)}}`;
    }
    const [unicode, p = '', letter, not = '', name = ''] = this.#take(UNICODE_CLASS) ?? [];
    if (unicode !== undefined) {
      const negated = (p === 'P') !== (not === '^');
      const property = letter ?? name;
      return `\\${negated ? 'P' : 'p'}{${property.length <= 2 ? property : `Script=${property}`}}`;
    }
    const char = this.#text[this.#at + 1];
    this.#at += 2;
    if (char === undefined) throw new SyntaxError('a backslash at the end');
    if (char === 's') return inClass ? SPACES : `[${SPACES}]`;
    if (char === 'S') return inClass ? String.raw`\S` : `[^${SPACES}]`;
    if (char === 'a') return String.raw`\x07`;
    if (char === 'A' && !inClass) return '(?<![^])';
    if (char === 'z' && !inClass) return '(?![^])';
    if (SAME_ESCAPES.includes(char) && !(inClass && (char === 'b' || char === 'B'))) return `\\${char}`;
    if (/[\w\u0080-\uffff]/.test(char) && char !== '_') throw new SyntaxError(`\\${char} is not supported`);
    return SYNTAX_CHARACTERS.has(char) || (inClass && RESERVED.has(char)) ? `\\${char}` : char;
  }

  /** Reads a match of `what` at the current position, if there is one. */
  #take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at;
    const match = what.exec(this.#text);
    if (!match) return undefined;
    this.#at += match[0].length;
    return match;
  }
}

/** Flags that JavaScript has, each once: dots are written out, and greed does not matter. */
const known = (flags: string): string => [...new Set(flags)].filter((flag) => flag === 'i' || flag === 'm').join('');
