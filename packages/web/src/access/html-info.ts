import { InfoReader, PageWalk } from '../page/index.ts';

export interface HtmlInfo {
  /** Whitespace collapsed; empty without one. At most 1,000 characters. */
  title: string;
  /** Content of `<meta name="description">`, likewise. */
  description: string;
}

const HTML_MAX_CHARS = 256 * 1024;
const STEP_CHARS = 4 * 1024;

/** Reads a page's title and description from its head, in time linear in what is looked at. Any text will do. */
export function readHtmlInfo(html: string): HtmlInfo {
  const reader = new InfoReader();
  const walk: PageWalk = new PageWalk([
    reader,
    {
      open({ name }) {
        if (name === 'body') walk.stop();
      },
    },
  ]);
  const end = Math.min(html.length, HTML_MAX_CHARS);
  for (let at = 0; at < end && !walk.stopped; at += STEP_CHARS) walk.write(html.slice(at, at + STEP_CHARS));
  walk.stop();
  walk.end(); // closes a title that never ends
  const { title, description } = reader.info;
  return { title, description };
}
