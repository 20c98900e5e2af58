import type { Feed } from './feed.ts';
import { FeedRefused, type Pause } from './ports.ts';

/** How much is read between two pauses, blank or not: some 250 names of the usual length, which take a millisecond or two. */
const PORTION_BYTES = 4096;
/** How much of a line or a string is kept: the beginning of a longer one says that it is a comment, or no name. */
const ENTRY_MAX = 1024;

/** The entries of a file, read as they are asked for, with pauses. Throws `FeedRefused` for what is no file of that format. */
export async function* entriesOf(body: Uint8Array, format: Feed['format'], pause: Pause): AsyncIterable<string> {
  const decoded = (part: Uint8Array): string => new TextDecoder().decode(part);
  const [first] = decoded(body.subarray(0, PORTION_BYTES)).trimStart();
  if (first === '<') throw new FeedRefused('html', 'a page came instead of data');
  if (format === 'json' && (first !== '[' || !decoded(body.subarray(-100)).trimEnd().endsWith(']')))
    throw new FeedRefused('format', 'no JSON array');
  for (const entries of format === 'lines' ? lines(portions(body)) : strings(portions(body))) {
    yield* entries;
    await pause();
  }
}

function* portions(body: Uint8Array): Iterable<string> {
  const decoder = new TextDecoder();
  for (let from = 0; from < body.length; from += PORTION_BYTES)
    yield decoder.decode(body.subarray(from, from + PORTION_BYTES), { stream: from + PORTION_BYTES < body.length });
}

/** The entries of each portion that end in it; an empty list for one without. */
function* lines(texts: Iterable<string>): Iterable<string[]> {
  const entriesIn = (found: readonly string[]) =>
    found.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'));
  let rest = '';
  for (const text of texts) {
    const found = (rest + text).split('\n');
    rest = found.pop()!.trimStart().slice(0, ENTRY_MAX);
    yield entriesIn(found);
  }
  yield entriesIn([rest]);
}

/** `JSON.parse` of some megabytes would hold up everybody for 50 ms. No name has an escape: what has one is given as it is written. */
function* strings(texts: Iterable<string>): Iterable<string[]> {
  const string = /"((?:[^"\\]|\\.)*)"/sy;
  let rest = '';
  for (const text of texts) {
    const unread = rest + text;
    const found: string[] = [];
    let at = unread.indexOf('"');
    for (;;) {
      string.lastIndex = at;
      const entry = at < 0 ? undefined : string.exec(unread)?.[1];
      if (entry === undefined) break;
      found.push(entry);
      at = unread.indexOf('"', string.lastIndex);
    }
    rest = at < 0 ? '' : unread.slice(at);
    if (rest.length > ENTRY_MAX) throw new FeedRefused('format', 'a string that is far too long for a name');
    yield found;
  }
}
