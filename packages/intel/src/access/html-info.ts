import { Parser } from 'htmlparser2';

export interface HtmlInfo {
  /** Whitespace collapsed; empty when there is none. At most 1,000 characters. */
  title: string;
  /** Content of `<meta name="description">`, likewise. */
  description: string;
}

const HTML_MAX_CHARS = 256 * 1024;
const TEXT_MAX_CHARS = 1_000;
const STEP_CHARS = 4 * 1024;
/** Nesting that no head has. Beyond it each unmatched end tag would search a long stack. */
const DEPTH_MAX = 256;

/** Reads a page's title and description from its head, in time linear in what is looked at. Any text will do. */
export function readHtmlInfo(html: string): HtmlInfo {
  const info: HtmlInfo = { title: '', description: '' };
  let depth = 0;
  let title: string | undefined;
  const progress = { done: false };
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (name === 'title') title = '';
      if (name === 'meta' && attributes['name']?.toLowerCase() === 'description') info.description ||= clean(attributes['content'] ?? '');
      // A title after this is a picture's (SVG).
      if (name === 'body' || depth > DEPTH_MAX) progress.done = true;
    },
    ontext(text) {
      if (title !== undefined && title.length < TEXT_MAX_CHARS) title += text;
    },
    onclosetag(name) {
      depth--;
      if (name !== 'title' || title === undefined) return;
      if (!progress.done) info.title ||= clean(title);
      title = undefined;
    },
  });
  const end = Math.min(html.length, HTML_MAX_CHARS);
  for (let at = 0; at < end && !progress.done; at += STEP_CHARS) parser.write(html.slice(at, at + STEP_CHARS));
  parser.end(); // closes a title that never ends
  return info;
}

const clean = (text: string): string => {
  const short = text.slice(0, TEXT_MAX_CHARS * 2);
  return short
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX_CHARS);
};
