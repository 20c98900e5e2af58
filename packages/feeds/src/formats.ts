import type { Feed } from './feed.ts';
import { FeedRefused } from './ports.ts';

/** The entries of a file, read as they are asked for. Throws `FeedRefused` for what is no file of that format at a glance. */
export function entriesOf(body: Uint8Array, format: Feed['format']): Iterable<string> {
  const text = new TextDecoder().decode(body);
  const first = /\S/.exec(text)?.[0];
  if (first === '<') throw new FeedRefused('html', 'a page came instead of data');
  if (format === 'lines') return lines(text);
  if (first !== '[' || !/\]\s*$/.test(text.slice(-100))) throw new FeedRefused('format', 'no JSON array');
  return strings(text);
}

function* lines(text: string): Iterable<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    if (line !== '' && !line.startsWith('#') && !line.startsWith('//')) yield line;
  }
}

/** `JSON.parse` of some megabytes would hold up everybody for 50 ms. No name has an escape. */
function* strings(text: string): Iterable<string> {
  for (const [, entry] of text.matchAll(/"([^"\\]*)"/g)) yield entry!;
}
