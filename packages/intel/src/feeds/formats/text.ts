import { type Row } from './row.ts';
import { FeedRefused } from '../refusal.ts';
import type { Pick } from './pick.ts';

/** How much of a line is kept: the beginning of a longer one says that it is a comment, or no entry. */
export const LINE_MAX = 16_384;

type Texts = AsyncIterable<string>;
type Lines = AsyncIterable<readonly string[]>;

/** Lines without white space around them, as many at a time as end in a portion; blank ones are left out. */
export async function* lines(texts: Texts): Lines {
  let rest = '';
  for await (const text of texts) {
    const found = (rest + text).split('\n');
    rest = found.pop()!.trimStart().slice(0, LINE_MAX);
    yield trimmed(found);
  }
  yield trimmed([rest]);
}

const trimmed = (found: readonly string[]): string[] => found.map((line) => line.trim()).filter((line) => line !== '');

const isComment = (line: string): boolean => line.startsWith('#') || line.startsWith(';') || line.startsWith('//');
const uncommented = (found: readonly string[]): string[] => found.filter((line) => !isComment(line));

type ReadLines = (found: readonly string[], pick: Pick) => Row[];

function columnsOf(fields: readonly string[], { columns, suffix }: Pick): Row {
  const row = columns?.map((at) => fields[Number(at)]?.trim() ?? '') ?? fields;
  return suffix === undefined ? row : [`${row[0] ?? ''}${suffix}`, ...row.slice(1)];
}

/** The readers of the line formats. */
export const LINE_FORMATS: Readonly<Record<'lines' | 'words' | 'hosts' | 'csv' | 'json_lines' | 'delegated', ReadLines>> = {
  lines: (found) => uncommented(found).map((line) => [line]),

  words: (found, pick) =>
    uncommented(found).map((line) =>
      columnsOf(
        line
          .replace(/[#;].*$/, '')
          .trimEnd()
          .split(pick.separator ?? /\s+/),
        pick,
      ),
    ),

  // The names at the beginning of every such file are reserved.
  hosts: (found) =>
    uncommented(found).flatMap((line) => {
      const [address = '', ...names] = line.replace(/#.*$/, '').trimEnd().split(/\s+/);
      if (!/^[0-9a-f.:]+$/i.test(address)) return [[address]];
      return names.filter((name) => name.includes('.') && !/^[\d.]+$/.test(name) && !name.endsWith('.localdomain')).map((name) => [name]);
    }),

  csv: (found, pick) => found.filter((line) => !line.startsWith('#')).map((line) => columnsOf(fieldsOf(line, pick.separator ?? ','), pick)),

  // Told apart by `picked`: an object without an entry is a row without one.
  json_lines: (found) => found.map((line) => [line]),

  // registry|cc|type|start|value|date|status|opaque-id…; the version line and summaries have other forms.
  delegated: (found) =>
    uncommented(found)
      .map((line) => line.split('|'))
      .filter((fields) => !/^\d/.test(fields[0]!) && fields.at(-1) !== 'summary')
      .map((fields) => fields.slice(0, 7)),
};

/** RFC 4180 §2, on one line: fields in quotes may hold the separator, and a quote twice. */
function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  for (let at = 0; at <= line.length;) {
    // Some put a space between a comma and a quote.
    while (line[at] === ' ') at++;
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at);
      fields.push(line.slice(at, end < 0 ? undefined : end));
      at = end < 0 ? line.length + 1 : end + 1;
      continue;
    }
    let end = at + 1;
    while (end < line.length && !(line[end] === '"' && line[end + 1] !== '"')) end += line[end] === '"' ? 2 : 1;
    fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
    const next = line.indexOf(separator, end);
    at = next < 0 ? line.length + 1 : next + 1;
  }
  return fields;
}

/** The objects of a JSON array of any length, one text each: depth is counted outside of strings. */
export async function* objects(texts: Texts): Lines {
  const mark = /["\\{}]/g;
  let rest = '';
  for await (const text of texts) {
    const unread = rest + text;
    const found: string[] = [];
    let [from, depth, quoted] = [-1, 0, false];
    let done = 0;
    mark.lastIndex = 0;
    for (let hit = mark.exec(unread); hit; hit = mark.exec(unread)) {
      const [character] = hit;
      if (character === '\\') mark.lastIndex++;
      else if (character === '"') quoted = !quoted;
      else if (quoted) continue;
      else if (character === '{' && depth++ === 0) from = hit.index;
      else if (character === '}' && --depth === 0) {
        found.push(unread.slice(from, hit.index + 1));
        done = hit.index + 1;
      }
      if (depth < 0) throw new FeedRefused('format', 'no JSON array');
    }
    rest = unread.slice(done);
    if (rest.length > 1_048_576) throw new FeedRefused('format', 'an object of the array that is far too large');
    yield found;
  }
}
