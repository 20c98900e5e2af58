import { type LinkedData, readJsonLd } from './json-ld.ts';
import { BREAKS, clean, metaNames, wordsOf } from './markup/markup.ts';
import { absoluteHttpUrl } from './urls.ts';
import type { OpenElement, PageReader } from './markup/walk.ts';

const LIST_MAX = 100;
const TEXT_MAX_CHARS = 4_000;
/** Longer URLs are dropped: reports do not need them, and half a URL is useless. */
const URL_MAX_CHARS = 2_048;
const LD_MAX_CHARS = 64 * 1024;
/** All its scripts together. */
const LD_ALL_MAX_CHARS = 512 * 1024;

/**
 * The metadata of a page, named as in `html_info`. Missing values are empty; each has at most 1,000 characters, URLs 2,048, lists at most
 * 100 entries.
 */
export interface PageInfo {
  title: string;
  description: string;
  keywords: string;
  author: string;
  robots: string;
  /** `meta name=googlebot`. */
  searchbot: string;
  canonical: string;
  og_image: string;
  og_type: string;
  og_site_name: string;
  og_url: string;
  article_publisher: string;
  /** `twitter:site`. */
  socialnet_site: string;
  /** `fb:app_id`. */
  social_app_id: string;
  /** The first organisation in JSON-LD has these four. */
  ld_organization: string;
  ld_url: string;
  ld_logo: string;
  ld_same_as: string[];
  /** The page's app for iOS, as Apple's smart banner, App Links or Twitter's card has it. */
  mobilevendor_app_id: string;
  mobilevendor_app_name: string;
  /** `apple-touch-icon`, in the order of the page. */
  mobilevendor_touch_icon: { size: string; href: string }[];
  icon: string;
  lang: string;
  generator: string[];
  /** Languages of the `link rel=alternate hreflang`, each once. */
  hreflang: string[];
  h1: string[];
  h2: string[];
  h3: string[];
}

export const emptyInfo = (): PageInfo => ({
  title: '', description: '', keywords: '', author: '', robots: '', searchbot: '', canonical: '', og_image: '', og_type: '', og_site_name: '', og_url: '',
  article_publisher: '', socialnet_site: '', social_app_id: '', ld_organization: '', ld_url: '', ld_logo: '', ld_same_as: [], mobilevendor_app_id: '',
  mobilevendor_app_name: '', mobilevendor_touch_icon: [], icon: '', lang: '', generator: [], hreflang: [], h1: [], h2: [], h3: [],
}); // prettier-ignore

type TextField = { [K in keyof PageInfo]: PageInfo[K] extends string ? K : never }[keyof PageInfo];
const URL_FIELDS = new Set<TextField>(['canonical', 'og_image', 'og_url', 'article_publisher']);
type Heading = 'h1' | 'h2' | 'h3';

const META_FIELDS = new Map<string, TextField>([
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['author', 'author'],
  ['robots', 'robots'],
  ['googlebot', 'searchbot'],
  ['og:image', 'og_image'],
  ['og:image:url', 'og_image'],
  ['og:image:secure_url', 'og_image'],
  ['og:type', 'og_type'],
  ['og:site_name', 'og_site_name'],
  ['og:url', 'og_url'],
  ['article:publisher', 'article_publisher'],
  ['twitter:site', 'socialnet_site'],
  ['fb:app_id', 'social_app_id'],
]);
/** The first that a page has, in this order. */
const APP_IDS = ['apple-itunes-app', 'al:ios:app_store_id', 'twitter:app:id:iphone', 'twitter:app:id:ipad'];
const APP_NAMES = ['al:ios:app_name', 'twitter:app:name:iphone', 'twitter:app:name:ipad', 'apple-mobile-web-app-title'];

const isHeading = (name: string): name is Heading => name === 'h1' || name === 'h2' || name === 'h3';

/** Reads the metadata of a page. URLs are kept as they are written until `absolute` is asked for. */
export class InfoReader implements PageReader {
  readonly #info = emptyInfo();
  readonly #apps = new Map<string, string>();
  #title: string | undefined;
  #heading: { name: Heading; text: string } | undefined;
  /** The JSON-LD script that is being read. */
  #script: string | undefined;
  #scriptChars = 0;
  /** Number of open scripts: their text is not part of a heading. */
  #silent = 0;
  readonly #onLinkedData: ((data: LinkedData) => void) | undefined;

  constructor(onLinkedData?: (data: LinkedData) => void) {
    this.#onLinkedData = onLinkedData;
  }

  /** The metadata as written in the page. */
  get info(): PageInfo {
    return {
      ...this.#info,
      mobilevendor_app_id: firstOf(this.#apps, APP_IDS),
      mobilevendor_app_name: firstOf(this.#apps, APP_NAMES),
    };
  }

  /** The same with absolute URLs; empty where one does not lead to a page. */
  absolute(base: string): PageInfo {
    const { info } = this;
    const absolute = (url: string): string => absoluteHttpUrl(url, base);
    return {
      ...info,
      canonical: absolute(info.canonical),
      og_image: absolute(info.og_image),
      og_url: absolute(info.og_url),
      ld_url: absolute(info.ld_url),
      ld_logo: absolute(info.ld_logo),
      ld_same_as: info.ld_same_as.map(absolute).filter((url) => url !== ''),
      icon: absolute(info.icon),
      mobilevendor_touch_icon: info.mobilevendor_touch_icon
        .map(({ size, href }) => ({ size, href: absolute(href) }))
        .filter(({ href }) => href !== ''),
    };
  }

  open(element: OpenElement): void {
    const { name, attributes } = element;
    if (name === 'script') this.#silent++;
    if (this.#heading && BREAKS.has(name)) this.#heading.text += ' ';
    if (element.inert) return;
    if (name === 'html') this.#info.lang ||= clean(attributes['lang'] ?? '');
    // One within a picture is the picture's.
    else if (name === 'title' && !element.inPicture) this.#title ??= '';
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'link') this.#link(attributes);
    else if (isHeading(name)) this.#heading = { name, text: '' };
    else if (name === 'script' && (attributes['type'] ?? '').trim().toLowerCase() === 'application/ld+json') this.#script = '';
  }

  text(text: string): void {
    if (this.#title !== undefined && this.#title.length < TEXT_MAX_CHARS) this.#title += text;
    if (this.#script !== undefined && this.#script.length < LD_MAX_CHARS) this.#script += text;
    if (this.#heading && this.#silent === 0 && this.#heading.text.length < TEXT_MAX_CHARS) this.#heading.text += text;
  }

  close({ name }: OpenElement): void {
    if (name === 'title' && this.#title !== undefined) {
      this.#info.title ||= clean(this.#title);
      this.#title = undefined;
    } else if (this.#heading && name === this.#heading.name) {
      add(this.#info[name], this.#heading.text);
      this.#heading = undefined;
    } else if (name === 'script') {
      this.#silent--;
      if (this.#script !== undefined) this.#endScript(this.#script);
      this.#script = undefined;
    }
  }

  #meta(attributes: OpenElement['attributes']): void {
    const content = attributes['content'] ?? '';
    for (const name of metaNames(attributes)) {
      const field = META_FIELDS.get(name);
      if (field) this.#info[field] ||= URL_FIELDS.has(field) ? urlOf(content) : clean(content);
      if (name === 'generator') add(this.#info.generator, content);
      if (!this.#apps.has(name) && (APP_IDS.includes(name) || APP_NAMES.includes(name))) this.#apps.set(name, appOf(name, content));
    }
  }

  #link(attributes: OpenElement['attributes']): void {
    const relations = wordsOf(attributes['rel']?.toLowerCase());
    const href = urlOf(attributes['href'] ?? '');
    if (href === '') return;
    if (relations.includes('canonical')) this.#info.canonical ||= href;
    if (relations.includes('icon')) this.#info.icon ||= href;
    const icons = this.#info.mobilevendor_touch_icon;
    if (relations.some((relation) => relation.startsWith('apple-touch-icon')) && icons.length < LIST_MAX)
      icons.push({ size: clean(attributes['sizes'] ?? '', 50), href });
    if (relations.includes('alternate')) add(this.#info.hreflang, attributes['hreflang'] ?? '', 50);
  }

  #endScript(text: string): void {
    this.#scriptChars += text.length;
    if (this.#scriptChars > LD_ALL_MAX_CHARS) return;
    const data = readJsonLd(text);
    this.#onLinkedData?.(data);
    const { organization } = data;
    if (!organization || this.#info.ld_organization !== '') return;
    this.#info.ld_organization = clean(organization.name);
    this.#info.ld_url = urlOf(organization.url);
    this.#info.ld_logo = urlOf(organization.logo);
    this.#info.ld_same_as = organization.sameAs.map(urlOf).filter((url) => url !== '');
  }
}

const urlOf = (text: string): string =>
  text.length > 2 * URL_MAX_CHARS || text.trim().length > URL_MAX_CHARS ? '' : clean(text, URL_MAX_CHARS);

const firstOf = (found: ReadonlyMap<string, string>, names: readonly string[]): string => {
  for (const name of names) if (found.get(name)) return found.get(name)!;
  return '';
};

/** Apple's banner has arguments: `app-id=12345, app-argument=…`. */
const appOf = (name: string, content: string): string =>
  clean(name === 'apple-itunes-app' ? (/(?:^|[\s,])app-id\s*=\s*([\w.-]{1,100})/i.exec(content.slice(0, 1_000))?.[1] ?? '') : content);

function add(list: string[], text: string, max?: number): void {
  const cleaned = clean(text, max);
  if (cleaned !== '' && list.length < LIST_MAX && (max === undefined || !list.includes(cleaned))) list.push(cleaned);
}
