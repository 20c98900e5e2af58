/** Where a text stops being JSON (RFC 8259), and what could have stood there. */
export interface Breach {
  /** Index of the first character that does not belong. */
  at: number;
  expected: string;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y; // oxlint-disable-line no-control-regex -- JSON has none inside a string
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

/** The tokens that may come next. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

const EXPECTED: Record<Exclude<Next, 'comma'>, string> = {
  value: 'a value',
  'first value': 'a value or ]',
  key: 'a name in double quotes',
  'first key': 'a name in double quotes or }',
  colon: 'a colon',
  end: 'the end',
};

/** Undefined where the text is JSON. Only what JSON.parse has refused is asked about: its messages do not always say where. */
export function whereBroken(text: string): Breach | undefined {
  const open: ('}' | ']')[] = [];
  let next: Next = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const after = (): Next => (open.length === 0 ? 'end' : 'comma');
  for (;;) {
    take(SPACE);
    const char = text[at];
    if (next === 'end' && char === undefined) return undefined;
    if ((next === 'comma' || next === 'first key' || next === 'first value') && char === open.at(-1) && char !== undefined) {
      open.pop();
      at++;
      next = after();
    } else if (next === 'comma' && char === ',') {
      at++;
      next = open.at(-1) === '}' ? 'key' : 'value';
    } else if ((next === 'key' || next === 'first key') && take(STRING)) {
      next = 'colon';
    } else if (next === 'colon' && char === ':') {
      at++;
      next = 'value';
    } else if ((next === 'value' || next === 'first value') && (char === '{' || char === '[')) {
      open.push(char === '{' ? '}' : ']');
      at++;
      next = char === '{' ? 'first key' : 'first value';
    } else if ((next === 'value' || next === 'first value') && (take(STRING) || take(SCALAR))) {
      next = after();
    } else {
      if (char === '"' && next !== 'comma' && next !== 'colon' && next !== 'end') return { at, expected: 'a whole string' };
      return { at, expected: next === 'comma' ? `a comma or ${open.at(-1)}` : EXPECTED[next] };
    }
  }
}
