import {
  clean,
  InfoReader,
  isHidden,
  metaNames,
  type OpenElement,
  type PageReader,
  PageWalk,
  walkPage,
  wordsOf,
} from '../../page/index.ts';
import type { Asset, Form, HtmlInfo, Link, PageFacts, Price } from './page-facts.ts';
import { writtenByScript } from './written-by-script.ts';
import { pricesIn } from '../shop/prices.ts';

/** Limits on what is kept of a page, beside those on what is read; what is beyond is left out, and the rest is judged. */
const TEXT_MAX_CHARS = 200_000;
const LIST_MAX = 1_000;
const SCRIPT_MAX_CHARS = 32_768;
const HANDLERS_MAX_CHARS = 16_384;
const FIELDS_MAX = 50;
const FIELD_MAX_CHARS = 150;
const LABEL_MAX_CHARS = 300;
/** Longer URLs lose the end of their query. Each URL is parsed, and long names take long. */
const URL_MAX_CHARS = 500;

/** Elements whose text is not shown. `noscript` is not one of them: it describes the page to visitors without scripts. */
const UNREAD = new Set(['script', 'style', 'template', 'head', 'title', 'svg', 'math', 'iframe', 'select', 'textarea', 'noembed']);
/** Classes of struck-out prices. `regular` is not included: most shops have it on every price. */
const OLD_PRICE =
  /(?:old|was|compare(?:[-_]?at)?|original|strike|rrp|msrp|uvp|list|before)[-_]?(?:price|amount)|price[-_]{1,2}(?:old|was|compare|before|strike)/i;
const NEW_PRICE = /(?:sale|special|current|now|new|final|offer)[-_]?price|price[-_]{1,2}(?:sale|special|current|now|new|final|offer)/i;
/** The notes of browsers, SingleFile and HTTrack in a page that they saved. */
const SAVED_FROM = /(?:saved from url=\(\d{1,6}\)|page saved with singlefile\s+url:\s*|mirrored from )(\S{4,500})/i;
const SAVED_FROM_MAX_CHARS = 2_000;
const CARD_FIELD = /^(?:cc-|card-?(?:number|no|cvc|cvv)|credit-?card|cvv2?$|cvc2?$)/i;

type Attributes = OpenElement['attributes'];
type OpenForm = Form & { fields: string[] };
const isPlaced = (style = ''): boolean =>
  [/position\s{0,3}:\s{0,3}absolute/i, /(?:^|[;\s])left\s{0,3}:/i, /(?:^|[;\s])top\s{0,3}:/i].every((part) => part.test(style));

interface Open {
  name: string;
  /** Text inside is not read. */
  unread: boolean;
  /** The kind of price in it: the struck-out price, or the new one beside it. */
  price: 'old' | 'new' | undefined;
  /** Classes and id. */
  marks: string;
}

/**
 * Reads a page in steps, so that a long page does not block other work, in time linear in the characters read. Accepts any text: text other
 * than HTML has no elements. Rejects with the signal's reason.
 */
export async function readPage(html: string, signal?: AbortSignal): Promise<PageFacts> {
  const page = await readMarkup(html, signal);
  const written: PageFacts[] = [];
  for (const { html: text, isEncoded } of writtenByScript(page.inlineScripts)) {
    const facts = await readMarkup(text, signal);
    written.push(isEncoded ? { ...facts, forms: facts.forms.map((form) => ({ ...form, isEncoded: true as const })) } : facts);
  }
  return withPassword(written.length === 0 ? page : withWritten(page, written));
}

/** Scripts that make a field for a password of one for a text, which is then not seen as one by others. */
const MAKES_PASSWORD = /\.type\s{0,3}=\s{0,3}["']password["']|\.(?:attr|prop)\(\s{0,3}["']type["']\s{0,3},\s{0,3}["']password["']/;

/** Fields of letters, comments and searches, whose forms have no password. */
const OF_LETTERS = /\b(?:comment|message|subject|search|full[ _]?name)\b|^text name\b/;

/** A page with the password that its script makes of a field: that of the last form of two fields, if the page has no other. */
function withPassword(page: PageFacts): PageFacts {
  const last = page.forms.findLast(({ fields }) => fields.length >= 2 && !fields.some((field) => OF_LETTERS.test(field)));
  const isMade = last !== undefined && !page.forms.some(({ hasPassword }) => hasPassword);
  if (!isMade || !page.inlineScripts.some((script) => MAKES_PASSWORD.test(script))) return page;
  return { ...page, forms: page.forms.map((form) => (form === last ? { ...form, hasPassword: true } : form)) };
}

/** Text of a page that is there to run its script. */
const SHELL_MAX_CHARS = 200;

/** A page with the forms that its scripts write. Where there is little else, what they write is the page. */
function withWritten(page: PageFacts, written: readonly PageFacts[]): PageFacts {
  const forms = [...page.forms, ...written.flatMap((each) => each.forms)].slice(0, LIST_MAX);
  if (page.text.length > SHELL_MAX_CHARS) return { ...page, forms };
  const all = [page, ...written];
  return {
    ...page,
    forms,
    info: { ...page.info, title: all.find(({ info }) => info.title !== '')?.info.title ?? '' },
    text: clean(all.map(({ text }) => text).join(' '), TEXT_MAX_CHARS),
    headings: all.flatMap(({ headings }) => headings).slice(0, LIST_MAX),
    assets: all.flatMap(({ assets }) => assets).slice(0, LIST_MAX),
    inlineScripts: all.flatMap(({ inlineScripts }) => inlineScripts).slice(0, LIST_MAX),
  };
}

async function readMarkup(html: string, signal: AbortSignal | undefined): Promise<PageFacts> {
  const facts = new FactsReader();
  const info = new InfoReader(({ types, hasPrice }) => facts.linked(types, hasPrice));
  const whole = await walkPage(new PageWalk([info, facts]), html, signal);
  const { h1, generator, ...said } = info.info;
  return facts.facts({ ...infoOf(said), generator: generator[0] ?? '' }, said.og_url, h1, !whole);
}

class FactsReader implements PageReader {
  readonly #stack: Open[] = [];
  readonly #text: string[] = [];
  readonly #savedFrom: string[] = [];
  #textChars = 0;
  readonly #links: Link[] = [];
  #link: Link | undefined;
  readonly #forms: OpenForm[] = [];
  readonly #assets: Asset[] = [];
  #rootClasses: string[] = [];
  #hasAdblockKey = false;
  readonly #dataScripts: string[] = [];
  readonly #inlineScripts: string[] = [];
  #handlers = '';
  #playsByItself = false;
  #script: { type: string; text: string } | undefined;
  readonly #schemaTypes = new Set<string>();
  #hasPriceMarkup = false;
  readonly #prices: Price[] = [];
  #showsMore = false;
  readonly #metaCsp: string[] = [];
  #metaRefresh = '';
  #metaReferrer = '';
  #partial = false;

  facts(info: HtmlInfo, ogUrl: string, headings: readonly string[], partial: boolean): PageFacts {
    return {
      info,
      origins: [ogUrl, ...this.#savedFrom].filter((url) => url !== ''),
      text: clean(this.#text.join(' '), TEXT_MAX_CHARS),
      headings,
      links: this.#links,
      forms: this.#forms,
      assets: this.#assets,
      rootClasses: this.#rootClasses,
      hasAdblockKey: this.#hasAdblockKey,
      dataScripts: this.#dataScripts,
      inlineScripts: this.#inlineScripts,
      handlers: this.#handlers,
      playsByItself: this.#playsByItself,
      schemaTypes: this.#schemaTypes,
      hasPriceMarkup: this.#hasPriceMarkup,
      prices: this.#prices,
      showsMore: this.#showsMore,
      metaCsp: this.#metaCsp,
      metaRefresh: this.#metaRefresh,
      metaReferrer: this.#metaReferrer,
      partial: partial || this.#partial,
    };
  }

  /** Takes the types and prices of a JSON-LD script. */
  linked(types: readonly string[], hasPrice: boolean): void {
    for (const found of types) if (this.#schemaTypes.size < LIST_MAX) this.#schemaTypes.add(found);
    this.#hasPriceMarkup ||= hasPrice;
  }

  open(element: OpenElement): void {
    const { name, attributes } = element;
    const above = this.#stack.at(-1);
    const marks = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.trim().slice(0, LABEL_MAX_CHARS);
    this.#stack.push({
      name,
      unread: above?.unread === true || UNREAD.has(name) || isHidden(attributes),
      price: priceOf(name, marks) ?? above?.price,
      marks,
    });
    this.#itemOf(attributes);
    for (const [attribute, code] of Object.entries(attributes))
      if (attribute.startsWith('on') && this.#handlers.length < HANDLERS_MAX_CHARS)
        this.#handlers += `${attribute}=${code.slice(0, HANDLERS_MAX_CHARS)}\n`;
    if ((name === 'audio' || name === 'video') && attributes['autoplay'] !== undefined && attributes['muted'] === undefined)
      this.#playsByItself = true;
    this.#element(element, marks);
  }

  #element(element: OpenElement, marks: string): void {
    const { name, attributes } = element;
    switch (name) {
      case 'html':
      case 'body':
        this.#hasAdblockKey ||= attributes['data-adblockkey'] !== undefined;
        this.#rootClasses = [...this.#rootClasses, ...wordsOf(attributes['class'])].slice(0, LIST_MAX);
        break;
      case 'meta':
        this.#meta(element);
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
        this.#add(this.#forms, {
          action: (attributes['action'] ?? '').trim().slice(0, URL_MAX_CHARS),
          hasPassword: false,
          hasCard: false,
          placed: 0,
          fields: [],
        });
        break;
      case 'textarea':
      case 'input':
        this.#input(name, attributes);
        break;
      case 'script':
        this.#script = { type: (attributes['type'] ?? '').trim().toLowerCase(), text: '' };
        this.#asset('script', attributes['src']);
        break;
      default:
        this.#embedded(name, attributes);
    }
  }

  #embedded(name: string, attributes: Attributes): void {
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

  #meta({ attributes, inert }: OpenElement): void {
    const content = attributes['content'] ?? '';
    for (const name of metaNames(attributes)) {
      if (name === 'referrer') this.#metaReferrer = clean(content);
      if (PRICE_PROPERTIES.has(name)) this.#hasPriceMarkup = true;
    }
    const equivalent = (attributes['http-equiv'] ?? '').trim().toLowerCase();
    if (equivalent === 'content-security-policy') this.#add(this.#metaCsp, content.slice(0, 16_384));
    if (equivalent === 'refresh' && !inert) this.#metaRefresh ||= content.slice(0, 4_096);
  }

  #linked(attributes: Attributes): void {
    const relations = wordsOf(attributes['rel']?.toLowerCase());
    const href = attributes['href'] ?? '';
    if (relations.includes('stylesheet')) this.#asset('style', href);
    if (relations.includes('icon')) this.#asset('icon', href);
  }

  #input(name: string, attributes: Attributes): void {
    let form = this.#forms.at(-1);
    // Scripts send what stands in no form.
    if (!form) this.#forms.push((form = { action: '', hasPassword: false, hasCard: false, placed: 0, fields: [] }));
    const type = name === 'textarea' ? name : (attributes['type'] ?? 'text').trim().toLowerCase();
    form.hasPassword ||= type === 'password';
    form.hasCard ||= [attributes['autocomplete'], attributes['name'], attributes['id']].some((word) => CARD_FIELD.test(word ?? ''));
    if (NO_FIELDS.has(type) || form.fields.length >= FIELDS_MAX) return;
    if (isPlaced(attributes['style'])) form.placed++;
    const words = [type, ...['autocomplete', 'name', 'id', 'placeholder', 'aria-label'].map((each) => attributes[each])];
    form.fields.push(
      words
        .filter((word) => word)
        .join(' ')
        .toLowerCase()
        .slice(0, FIELD_MAX_CHARS),
    );
  }

  #itemOf(attributes: Attributes): void {
    const type = /schema\.org\/(\w{1,40})/.exec(attributes['itemtype'] ?? '')?.[1];
    if (type !== undefined && this.#schemaTypes.size < LIST_MAX) this.#schemaTypes.add(type);
    if (attributes['itemprop'] === 'price') this.#hasPriceMarkup = true;
  }

  text(text: string): void {
    if (this.#script && this.#script.text.length < SCRIPT_MAX_CHARS) this.#script.text += text.slice(0, SCRIPT_MAX_CHARS);
    if (this.#stack.at(-1)?.unread === true) return;
    if (this.#link && this.#link.label.length < LABEL_MAX_CHARS) this.#link.label += ` ${text.slice(0, LABEL_MAX_CHARS)}`;
    if (this.#textChars > TEXT_MAX_CHARS) {
      this.#partial = true;
      return;
    }
    this.#textChars += text.length;
    this.#text.push(text);
    for (const price of pricesIn(text, this.#stack.at(-1)?.price)) this.#add(this.#prices, price);
  }

  comment(text: string): void {
    const url = SAVED_FROM.exec(text.slice(0, SAVED_FROM_MAX_CHARS))?.[1];
    if (url !== undefined) this.#add(this.#savedFrom, /^https?:/i.test(url) ? url : `http://${url}`);
  }

  close({ name }: OpenElement): void {
    this.#stack.pop();
    if (name === 'a' && this.#link) {
      this.#add(this.#links, { ...this.#link, label: clean(this.#link.label, LABEL_MAX_CHARS) });
      this.#link = undefined;
    } else if (name === 'script' && this.#script) {
      this.#endScript(this.#script);
      this.#script = undefined;
    }
  }

  #endScript({ type, text }: { type: string; text: string }): void {
    if (type === 'application/ld+json') return; // the reader of the page's own words has it
    if (type !== '' && !/javascript|module/.test(type)) this.#add(this.#dataScripts, type.slice(0, 100));
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

/** Types of inputs that take no text. */
const NO_FIELDS = new Set('hidden submit button image reset checkbox radio range color search file'.split(' '));
const SHOWING = new Set(['video', 'audio', 'canvas', 'svg', 'picture', 'applet', 'frameset', 'iframe', 'object', 'embed']);
const PRICE_PROPERTIES = new Set(['product:price:amount', 'og:price:amount']);
const labelOf = (attributes: Attributes, marks: string): string =>
  [attributes['aria-label'], attributes['title'], marks]
    .filter((part) => part)
    .join(' ')
    .slice(0, LABEL_MAX_CHARS);

function priceOf(name: string, marks: string): 'old' | 'new' | undefined {
  if (name === 'del' || name === 's' || name === 'strike' || OLD_PRICE.test(marks)) return 'old';
  return name === 'ins' || NEW_PRICE.test(marks) ? 'new' : undefined;
}

/** The metadata of the page that the report shows. */
const infoOf = ({
  title,
  description,
  keywords,
  robots,
  canonical,
  og_image,
  article_publisher,
  og_site_name,
  socialnet_site,
  ld_organization,
  lang,
}: Omit<HtmlInfo, 'generator'>): Omit<HtmlInfo, 'generator'> => ({
  title,
  description,
  keywords,
  robots,
  canonical,
  og_image,
  article_publisher,
  og_site_name,
  socialnet_site,
  ld_organization,
  lang,
});
