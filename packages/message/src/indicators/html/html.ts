import { BREAKS, clean, Lines, readRefresh } from '@vedette/web/page';
import { cssUrls } from './css.ts';
import { Hiding } from './hidden.ts';
import { type HtmlListener, type StartTag, walkHtml } from '../../html/index.ts';
import { readReference, URL_MAX_CHARS } from '../urls.ts';

const TEXT_MAX_CHARS = 1_048_576;
const LINKS_MAX = 1_000;
const LINK_TEXT_MAX_CHARS = 300;
/** References that are kept of each kind, and characters of scripts. */
const REFERENCES_MAX = 10_000;
const SCRIPTS_MAX_CHARS = 262_144;
const DATA_MAX_CHARS = 8 * 1_048_576;
export const DATA_URLS_MAX = 1_000;

/** The text of a link and its target: absolute if it can be resolved, else as written. */
export interface HtmlLink {
  text: string;
  href: string;
}

/** The text and the references of a message's HTML. */
export interface HtmlReading {
  /** Lines, divided by `\n`, as a reader sees them: without what is hidden, scripts and styles. At most 1 MB. */
  text: string;
  /** `a` and `area` with a `href`, in their order; at most 1,000. */
  links: readonly HtmlLink[];
  /** Content-IDs that it refers to by `cid:`, and, as they stand, what may be the Content-Location of a part. */
  cids: ReadonlySet<string>;
  /** Where its reader may be led: links, forms, frames, refreshes. Absolute, of any scheme. */
  destinations: readonly string[];
  /** URLs that are fetched or notified when it is shown or one of its links is followed: pictures, style sheets, pings. Absolute, of any scheme. */
  resources: readonly string[];
  /** The `data:` URLs of either: pictures and documents in themselves. At most 1,000, and 8 MB of them. */
  data: readonly string[];
  /** Text that is not shown and may hold URLs: scripts, those of attributes such as `onload` too. */
  scripts: string;
  /** There was more of something than is kept. */
  truncated: boolean;
}

/** Reads the HTML of a message in one walk, in time linear in its length. Accepts any text: text other than HTML has no elements. */
export function htmlOf(html: string): HtmlReading {
  const reader = new HtmlReader();
  walkHtml(html, reader);
  return reader.reading();
}

/** Attributes that name what is fetched; `href` and the like depend on the element. */
const FETCHED = ['src', 'background', 'poster', 'lowsrc', 'dynsrc', 'data', 'codebase', 'ping', 'longdesc', 'o:href'];
const LED_TO = ['href', 'xlink:href', 'action', 'formaction', 'originalsrc'];
const SETS = ['srcset', 'imagesrcset'];
const OTHERS = ['style', 'alt', 'content', 'http-equiv', 'srcdoc', 'hidden', 'name'];
const WANTED = new Set([...FETCHED, ...LED_TO, ...SETS, ...OTHERS]);
/** Elements whose `src` or `data` is a document that the reader sees. */
const FRAMES = new Set(['iframe', 'frame', 'embed', 'object']);
/** Elements whose text is not shown, that have no elements in them. */
const UNSHOWN_TEXT = new Set(['script', 'style', 'title', 'iframe', 'noembed', 'noframes']);
const CELLS = new Set(['td', 'th']);
/** Comments that Outlook reads (MSO conditional comments). */
const CONDITIONAL = /^\[if\s[^\]]{0,200}\]>/i;

class HtmlReader implements HtmlListener {
  readonly #lines = new Lines(TEXT_MAX_CHARS);
  readonly #links: { text: string; alt: string; href: string }[] = [];
  readonly #destinations = new Set<string>();
  readonly #resources = new Set<string>();
  readonly #hiding = new Hiding();
  readonly #data: string[] = [];
  #dataChars = 0;
  #scripts = '';
  #base: string | undefined;
  #truncated = false;
  /** The element without markup in it (such as `style`) whose text is being read. */
  #raw = '';
  /** Text of the style sheet that is being read. */
  #style = '';
  #link: { text: string; alt: string; href: string } | undefined;
  /** HTML inside a comment or an attribute is being read for its references; HTML nested in that is not read. */
  #nested = false;

  reading(): HtmlReading {
    this.#endRaw();
    const links = this.#links.map(({ text, alt, href }) => ({
      text: clean(text, LINK_TEXT_MAX_CHARS) || clean(alt, LINK_TEXT_MAX_CHARS),
      href: this.#absolute(href) ?? href.trim(),
    }));
    return {
      text: this.#lines.toString(),
      links,
      cids: this.#cids(),
      destinations: this.#absolutes(this.#destinations),
      resources: this.#absolutes(this.#resources),
      data: this.#data,
      scripts: this.#scripts,
      truncated: this.#truncated || this.#lines.truncated,
    };
  }

  wants(attribute: string): boolean {
    return WANTED.has(attribute) || attribute.startsWith('data-') || attribute.startsWith('on');
  }

  open(tag: StartTag): void {
    const { name, attributes } = tag;
    if (UNSHOWN_TEXT.has(name)) this.#raw = name;
    this.#hiding.open(tag, BREAKS.has(name));
    this.#break(name);
    if (name === 'a' || name === 'area') this.#openLink(attributes);
    else if (name === 'img' && this.#link) this.#link.alt ||= (attributes.get('alt') ?? '').slice(0, LINK_TEXT_MAX_CHARS);
    if (name === 'base') this.#base ??= readReference(attributes.get('href') ?? '', undefined)?.href;
    if (name === 'meta') this.#meta(attributes);
    for (const [attribute, value] of attributes) this.#attribute(name, attribute, value);
  }

  close(name: string): void {
    if (name === this.#raw) this.#endRaw();
    this.#hiding.close(name);
    this.#break(name);
    if (name === 'a') this.#link = undefined;
  }

  text(text: string): void {
    if (this.#raw === 'style') this.#style += text;
    else if (this.#raw === 'script') this.#script(text);
    else if (this.#raw === '' && !this.#hiding.hidden && !this.#nested) {
      this.#lines.add(text);
      if (this.#link && this.#link.text.length < 2 * LINK_TEXT_MAX_CHARS) this.#link.text += text.slice(0, 2 * LINK_TEXT_MAX_CHARS);
    }
  }

  comment(text: string): void {
    const condition = CONDITIONAL.exec(text);
    if (condition) this.#within(text.slice(condition[0].length));
  }

  #endRaw(): void {
    for (const url of cssUrls(this.#style)) this.#refer(this.#resources, url);
    this.#style = '';
    this.#raw = '';
  }

  #within(html: string): void {
    if (this.#nested) return;
    const raw = this.#raw;
    this.#nested = true;
    walkHtml(html, this);
    this.#endRaw();
    this.#nested = false;
    this.#raw = raw;
  }

  #script(text: string): void {
    if (this.#scripts.length + text.length > SCRIPTS_MAX_CHARS) this.#truncated = true;
    this.#scripts += text.slice(0, Math.max(0, SCRIPTS_MAX_CHARS - this.#scripts.length));
  }

  #break(name: string): void {
    if (this.#nested) return;
    if (BREAKS.has(name)) {
      this.#lines.apart('\n');
      if (this.#link) this.#link.text += ' ';
    } else if (CELLS.has(name)) this.#lines.apart(' ');
  }

  #openLink(attributes: StartTag['attributes']): void {
    const href = attributes.get('href');
    this.#link = undefined;
    if (href === undefined || this.#nested) return;
    if (this.#links.length >= LINKS_MAX) this.#truncated = true;
    else this.#links.push((this.#link = { text: '', alt: attributes.get('alt') ?? '', href: href.slice(0, URL_MAX_CHARS) }));
  }

  #meta(attributes: StartTag['attributes']): void {
    if (attributes.get('http-equiv')?.trim().toLowerCase() !== 'refresh') return;
    const refresh = readRefresh(attributes.get('content') ?? '', this.#base ?? NOWHERE);
    if (refresh && refresh.url !== NOWHERE) this.#refer(this.#destinations, refresh.url);
  }

  #attribute(element: string, attribute: string, value: string): void {
    if (attribute === 'style') for (const url of cssUrls(value)) this.#refer(this.#resources, url);
    else if (SETS.includes(attribute)) for (const url of srcsetUrls(value)) this.#refer(this.#resources, url);
    else if (attribute === 'srcdoc') this.#within(value);
    else if (attribute === 'ping') for (const url of value.slice(0, 10 * URL_MAX_CHARS).split(/\s+/)) this.#refer(this.#resources, url);
    else if (attribute.startsWith('on')) this.#script(`\n${value}\n`);
    else if (attribute.startsWith('data-')) {
      if (/^\s*https?:/i.test(value)) this.#refer(this.#destinations, value);
    } else if (LED_TO.includes(attribute))
      this.#refer(element === 'link' || element === 'base' ? this.#resources : this.#destinations, value);
    else if (FETCHED.includes(attribute)) this.#refer(FRAMES.has(element) ? this.#destinations : this.#resources, value);
  }

  #refer(to: Set<string>, url: string): void {
    if (/^\s*data:/i.test(url)) return this.#keepData(url.trimStart());
    const written = url.slice(0, 2 * URL_MAX_CHARS).trim();
    if (written === '' || written.startsWith('#')) return;
    if (to.size < REFERENCES_MAX) to.add(written);
    else this.#truncated = true;
  }

  #keepData(url: string): void {
    this.#dataChars += url.length;
    if (this.#dataChars > DATA_MAX_CHARS || this.#data.length === DATA_URLS_MAX) this.#truncated = true;
    else this.#data.push(url);
  }

  #cids(): Set<string> {
    const cids = new Set<string>();
    for (const url of this.#resources) cids.add(/^cid:/i.test(url) ? contentIdOf(url) : url);
    for (const url of this.#destinations) if (/^cid:/i.test(url)) cids.add(contentIdOf(url));
    return cids;
  }

  #absolute(url: string): string | undefined {
    return readReference(url, this.#base)?.href;
  }

  #absolutes(urls: ReadonlySet<string>): string[] {
    const absolute = new Set<string>();
    for (const url of urls) {
      const to = this.#absolute(url);
      if (to !== undefined) absolute.add(to);
    }
    return [...absolute];
  }
}

/** A base that leads nowhere (RFC 2606). */
const NOWHERE = 'https://base.invalid/';

/** RFC 2392: the Content-ID of the part, percent-encoded, without its angle brackets. */
function contentIdOf(url: string): string {
  const id = url.slice('cid:'.length);
  try {
    return decodeURIComponent(id).replace(/^<|>$/g, '');
  } catch {
    return id; // a URIError: a per cent sign that is one
  }
}

/** The URLs of a `srcset` (HTML §4.8.4.2): each stands before its descriptor. */
function srcsetUrls(set: string): string[] {
  return set
    .slice(0, 10 * URL_MAX_CHARS)
    .split(/\s+/)
    .map((word) => word.replace(/^[\d.]+[wxh](?:,|$)/, '').replace(/,$/, ''))
    .filter((url) => url !== '' && url !== ',');
}
