import { isIPv4 } from './is-ipv4.ts';
import type { LineReader, ReaderOptions } from './row.ts';

const TTL = /^(?:\d+[smhdw]?)+$/i;
const CLASS = /^(?:IN|CH|HS|CS)$/i;
const TYPE = /^[A-Z][A-Z0-9-]*$/i;

/** Lines of a zone file (RFC 1035 §5): its A records, `$ORIGIN` and what a line takes from those before it. */
export function zoneReader({ seen, origin: begin }: ReaderOptions): LineReader {
  let origin = begin === undefined ? undefined : begin.replace(/\.$/, '');
  let owner: string | undefined;
  /** How many parentheses are open: what is within them is one record, and none of ours. */
  let open = 0;

  const absolute = (name: string): string | undefined => {
    if (name === '@') return origin;
    if (name.endsWith('.')) return name.slice(0, -1);
    return origin === undefined ? undefined : origin === '' ? name : `${name}.${origin}`;
  };

  return (line) => {
    const text = uncommented(line);
    const within = open > 0;
    open = Math.max(0, open + count(text, '(') - count(text, ')'));
    if (within || text.trim() === '') return [];
    const words = text.trim().split(/\s+/);
    if (words[0]!.startsWith('$')) {
      if (words[0]!.toUpperCase() !== '$ORIGIN') return words[0]!.toUpperCase() === '$INCLUDE' ? undefined : [];
      origin = words[1] === undefined ? undefined : absolute(words[1]);
      return origin === undefined ? undefined : [];
    }
    if (!/^\s/.test(text)) owner = absolute(words.shift()!);
    while (words.length > 0 && (TTL.test(words[0]!) || CLASS.test(words[0]!))) words.shift();
    const [type = '', address = ''] = words;
    if (!TYPE.test(type)) return undefined;
    if (type.toUpperCase() !== 'A') return [];
    return owner === undefined || !isIPv4(address) ? undefined : [{ name: owner, address, seen }];
  };
}

/** The line up to a semicolon that stands outside of quotes; what is quoted is of no record of ours. */
function uncommented(line: string): string {
  if (!line.includes('"')) return line.split(';', 1)[0]!;
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').split(';', 1)[0]!;
}

const count = (text: string, character: string): number => text.split(character).length - 1;
