import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { clean, isHidden, metaNames, wordsOf } from './markup.ts';
import { readJsonLd } from './json-ld.ts';
import { type Asset, type Form, type HtmlInfo, type Link, NO_INFO, type PageFacts, type Price } from './page-facts.ts';
import { pricesIn } from './prices.ts';

/**
 * Limits on what is read of a page; what is beyond is left out, and the rest is judged. Pages are the work of strangers: without the first two an
 * end tag may search a long stack for each of a million elements (a page of 1 MB then takes minutes).
 */
const DEPTH_MAX = 256;
const ELEMENTS_MAX = 100_000;
const CHARS_MAX = 2 * 1024 * 1024;
const TEXT_MAX_CHARS = 200_000;
const LIST_MAX = 1_000;
const SCRIPT_MAX_CHARS = 4_096;
const LD_MAX_CHARS = 64 * 1024;
const LABEL_MAX_CHARS = 300;
/** What is cut off is the query of a longer one; each is parsed, which takes long where names have many characters. */
const URL_MAX_CHARS = 500;
/** What is parsed before the limits are looked at, and before others may do something: some milliseconds. */
const STEP_CHARS = 8 * 1024;
const PAUSE_CHARS = 4 * STEP_CHARS;

/** Elements whose text nobody reads. `noscript` counts: who runs no scripts is told what the page is. */
const UNREAD = new Set(['script', 'style', 'template', 'head', 'title', 'svg', 'math', 'iframe', 'select', 'textarea', 'noembed']);
/** Classes of what is struck out. `regular` is no such word: most shops have it on every price. */
const OLD_PRICE =
  /(?:old|was|compare(?:[-_]?at)?|original|strike|rrp|msrp|uvp|list|before)[-_]?(?:price|amount)|price[-_]{1,2}(?:old|was|compare|before|strike)/i;
const NEW_PRICE = /(?:sale|special|current|now|new|final|offer)[-_]?price|price[-_]{1,2}(?:sale|special|current|now|new|final|offer)/i;
const CARD_FIELD = /^(?:cc-|card-?(?:number|no|cvc|cvv)|credit-?card|cvv2?$|cvc2?$)/i;

interface Open {
  name: string;
  /** Text inside is not read. */
  unread: boolean;
  /** Which price stands in it: the one that is struck out, or the one beside it. */
  price: 'old' | 'new' | undefined;
  /** Classes and id. */
  marks: string;
}

/**
 * Reads a page in steps, so that nobody else waits for a long one, in time linear in what is read. Any text will do: what is no HTML has
 * no elements. Rejects with the signal's reason.
 */
export async function readPage(html: string, signal?: AbortSignal): Promise<PageFacts> {
  const reader = new PageReader();
  const end = Math.min(html.length, CHARS_MAX);
  for (let at = 0; at < end && !reader.done; at += STEP_CHARS) {
    if (at > 0 && at % PAUSE_CHARS === 0) await setImmediate();
    signal?.throwIfAborted();
    reader.write(html.slice(at, Math.min(end, at + STEP_CHARS)));
  }
  return reader.end(html.length > CHARS_MAX);
}

class PageReader {
  /** No more is read. */
  done = false;
  readonly #stack: Open[] = [];
  readonly #info: HtmlInfo = { ...NO_INFO };
  readonly #text: string[] = [];
  #textChars = 0;
  readonly #headings: string[] = [];
  #heading: string | undefined;
  readonly #links: Link[] = [];
  #link: Link | undefined;
  readonly #forms: Form[] = [];
  readonly #assets: Asset[] = [];
  #rootClasses: string[] = [];
  readonly #dataScripts: string[] = [];
  readonly #inlineScripts: string[] = [];
  #script: { type: string; text: string } | undefined;
  #title: string | undefined;
  readonly #schemaTypes = new Set<string>();
  #hasPriceMarkup = false;
  readonly #prices: Price[] = [];
  #showsMore = false;
  readonly #metaCsp: string[] = [];
  #metaRefresh = '';
  #metaReferrer = '';
  #elements = 0;
  #partial = false;
  readonly #parser = new Parser({
    onopentag: (name, attributes) => this.#open(name, attributes),
    ontext: (text) => this.#say(text),
    onclosetag: (name) => this.#close(name),
  });

  write(html: string): void {
    this.#parser.write(html);
  }

  end(cut: boolean): PageFacts {
    const stopped = this.done;
    this.done = true; // what `end` closes says nothing new, but for a title and a script that were left open
    this.#parser.end();
    return {
      info: this.#info,
      text: clean(this.#text.join(' '), TEXT_MAX_CHARS),
      headings: this.#headings,
      links: this.#links,
      forms: this.#forms,
      assets: this.#assets,
      rootClasses: this.#rootClasses,
      dataScripts: this.#dataScripts,
      inlineScripts: this.#inlineScripts,
      schemaTypes: this.#schemaTypes,
      hasPriceMarkup: this.#hasPriceMarkup,
      prices: this.#prices,
      showsMore: this.#showsMore,
      metaCsp: this.#metaCsp,
      metaRefresh: this.#metaRefresh,
      metaReferrer: this.#metaReferrer,
      partial: cut || stopped || this.#partial,
    };
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.done) return;
    const above = this.#stack.at(-1);
    const marks = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.trim().slice(0, LABEL_MAX_CHARS);
    this.#stack.push({
      name,
      unread: above?.unread === true || UNREAD.has(name) || isHidden(attributes),
      price: priceOf(name, marks) ?? above?.price,
      marks,
    });
    if (++this.#elements > ELEMENTS_MAX || this.#stack.length > DEPTH_MAX) this.done = true;
    this.#itemOf(attributes);
    this.#element(name, attributes, marks);
  }

  #element(name: string, attributes: Record<string, string>, marks: string): void {
    switch (name) {
      case 'html':
        this.#info.lang ||= clean(attributes['lang'] ?? '');
        this.#rootClasses = [...this.#rootClasses, ...wordsOf(attributes['class'])].slice(0, LIST_MAX);
        break;
      case 'body':
        this.#rootClasses = [...this.#rootClasses, ...wordsOf(attributes['class'])].slice(0, LIST_MAX);
        break;
      case 'title':
        // One within a picture is the picture's.
        if (!this.#stack.some((open) => open.name === 'svg')) this.#title = '';
        break;
      case 'h1':
        this.#heading = '';
        break;
      case 'meta':
        this.#meta(attributes);
        break;
      case 'link':
        this.#linked(attributes);
        break;
      case 'a':
        this.#link = {
          href: (attributes['href'] ?? '').trim().slice(0, URL_MAX_CHARS),
          label: labelOf(attributes, marks),
          around: this.#around(),
        };
        break;
      case 'form':
        this.#add(this.#forms, { action: (attributes['action'] ?? '').trim().slice(0, URL_MAX_CHARS), hasPassword: false, hasCard: false });
        break;
      case 'input':
        this.#input(attributes);
        break;
      case 'script':
        this.#script = { type: (attributes['type'] ?? '').trim().toLowerCase(), text: '' };
        this.#asset('script', attributes['src']);
        break;
      default:
        this.#embedded(name, attributes);
    }
  }

  #embedded(name: string, attributes: Record<string, string>): void {
    if (name === 'img' && this.#link && attributes['alt'] !== undefined)
      this.#link.label = `${this.#link.label} ${attributes['alt']}`.slice(0, LABEL_MAX_CHARS);
    else if (this.#link && name !== 'img')
      this.#link.label = `${this.#link.label} ${labelOf(attributes, '')} ${attributes['class'] ?? ''}`.slice(0, LABEL_MAX_CHARS);
    if (name === 'img') this.#asset('image', attributes['src'] ?? attributes['data-src']);
    if (name === 'iframe' || name === 'frame' || name === 'embed') this.#asset('frame', attributes['src']);
    if (name === 'object') this.#asset('frame', attributes['data']);
    if (SHOWING.has(name)) this.#showsMore = true;
  }

  #asset(kind: Asset['kind'], url: string | undefined): void {
    if (kind !== 'style' && kind !== 'icon') this.#showsMore = true;
    if (url) this.#add(this.#assets, { kind, url: url.trim().slice(0, URL_MAX_CHARS) });
  }

  #meta(attributes: Record<string, string>): void {
    const content = attributes['content'] ?? '';
    const names = metaNames(attributes);
    for (const name of names) {
      const field = META_FIELDS.get(name);
      if (field) this.#info[field] ||= clean(content);
      if (name === 'referrer') this.#metaReferrer = clean(content);
      if (PRICE_PROPERTIES.has(name)) this.#hasPriceMarkup = true;
    }
    const equivalent = (attributes['http-equiv'] ?? '').trim().toLowerCase();
    if (equivalent === 'content-security-policy') this.#add(this.#metaCsp, content.slice(0, 16_384));
    if (equivalent === 'refresh' && !this.#stack.some((open) => open.name === 'noscript')) this.#metaRefresh ||= content.slice(0, 4_096);
  }

  #linked(attributes: Record<string, string>): void {
    const relations = wordsOf(attributes['rel']?.toLowerCase());
    const href = attributes['href'] ?? '';
    if (relations.includes('canonical')) this.#info.canonical ||= clean(href);
    if (relations.includes('stylesheet')) this.#asset('style', href);
    if (relations.includes('icon')) this.#asset('icon', href);
  }

  #input(attributes: Record<string, string>): void {
    let form = this.#forms.at(-1);
    // Scripts send what stands in no form.
    if (!form) this.#forms.push((form = { action: '', hasPassword: false, hasCard: false }));
    form.hasPassword ||= (attributes['type'] ?? '').trim().toLowerCase() === 'password';
    form.hasCard ||= [attributes['autocomplete'], attributes['name'], attributes['id']].some((word) => CARD_FIELD.test(word ?? ''));
  }

  #itemOf(attributes: Record<string, string>): void {
    const type = /schema\.org\/(\w{1,40})/.exec(attributes['itemtype'] ?? '')?.[1];
    if (type !== undefined && this.#schemaTypes.size < LIST_MAX) this.#schemaTypes.add(type);
    if (attributes['itemprop'] === 'price') this.#hasPriceMarkup = true;
  }

  #say(text: string): void {
    if (this.#title !== undefined && this.#title.length < 4_000) this.#title += text;
    if (this.#script && this.#script.text.length < LD_MAX_CHARS) this.#script.text += text;
    if (this.done || this.#stack.at(-1)?.unread === true) return;
    if (this.#heading !== undefined && this.#heading.length < 4_000) this.#heading += text;
    if (this.#link && this.#link.label.length < LABEL_MAX_CHARS) this.#link.label += ` ${text.slice(0, LABEL_MAX_CHARS)}`;
    if (this.#textChars > TEXT_MAX_CHARS) {
      this.#partial = true;
      return;
    }
    this.#textChars += text.length;
    this.#text.push(text);
    for (const price of pricesIn(text, this.#stack.at(-1)?.price)) this.#add(this.#prices, price);
  }

  #close(name: string): void {
    const open = this.#stack.pop();
    if (open?.name !== name) return;
    if (name === 'title' && this.#title !== undefined) {
      this.#info.title ||= clean(this.#title);
      this.#title = undefined;
    } else if (name === 'h1' && this.#heading !== undefined) {
      if (clean(this.#heading) !== '') this.#add(this.#headings, clean(this.#heading));
      this.#heading = undefined;
    } else if (name === 'a' && this.#link) {
      this.#add(this.#links, { ...this.#link, label: clean(this.#link.label, LABEL_MAX_CHARS) });
      this.#link = undefined;
    } else if (name === 'script' && this.#script) {
      this.#endScript(this.#script);
      this.#script = undefined;
    }
  }

  #endScript({ type, text }: { type: string; text: string }): void {
    if (type === 'application/ld+json') {
      const { organization, types, hasPrice } = readJsonLd(text);
      this.#info.ld_organization ||= clean(organization);
      for (const found of types) if (this.#schemaTypes.size < LIST_MAX) this.#schemaTypes.add(found);
      this.#hasPriceMarkup ||= hasPrice;
    } else if (type !== '' && !/javascript|module/.test(type)) this.#add(this.#dataScripts, type.slice(0, 100));
    else if (text.trim() !== '') this.#add(this.#inlineScripts, text.slice(0, SCRIPT_MAX_CHARS));
  }

  #around(): string {
    return this.#stack
      .slice(-6, -1)
      .map(({ marks }) => marks)
      .join(' ');
  }

  #add<T>(list: T[], item: T): void {
    if (list.length < LIST_MAX) list.push(item);
    else this.#partial = true;
  }
}

const SHOWING = new Set(['video', 'audio', 'canvas', 'svg', 'picture', 'applet', 'frameset', 'iframe', 'object', 'embed']);
const PRICE_PROPERTIES = new Set(['product:price:amount', 'og:price:amount']);
const META_FIELDS = new Map<string, keyof HtmlInfo>([
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['robots', 'robots'],
  ['generator', 'generator'],
  ['og:image', 'og_image'],
  ['og:site_name', 'og_site_name'],
  ['article:publisher', 'article_publisher'],
  ['twitter:site', 'socialnet_site'],
]);

const labelOf = (attributes: Record<string, string>, marks: string): string =>
  [attributes['aria-label'], attributes['title'], marks]
    .filter((part) => part)
    .join(' ')
    .slice(0, LABEL_MAX_CHARS);

function priceOf(name: string, marks: string): 'old' | 'new' | undefined {
  if (name === 'del' || name === 's' || name === 'strike' || OLD_PRICE.test(marks)) return 'old';
  return name === 'ins' || NEW_PRICE.test(marks) ? 'new' : undefined;
}
