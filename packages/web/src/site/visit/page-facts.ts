/** The facts of a page that the checks use. Everything is bounded; omissions set `partial`. */
export interface PageFacts {
  info: HtmlInfo;
  /** URLs of the page by its own account, beside the canonical one: `og:url`, and notes of programs that saved it. */
  origins: readonly string[];
  /** The visible text, whitespace collapsed; without scripts, styles and elements that hide themselves. */
  text: string;
  /** First-level headings. */
  headings: readonly string[];
  links: readonly Link[];
  forms: readonly Form[];
  /** URLs of scripts, style sheets, pictures and frames as they are written: what the page is made of. */
  assets: readonly Asset[];
  /** Classes of `html` and `body`. */
  rootClasses: readonly string[];
  /** Whether `html` or `body` carries `data-adblockkey`, by which ad blockers let advertisements of parked names through. */
  hasAdblockKey: boolean;
  /** Types of `script` elements with data, such as `text/x-magento-init`. */
  dataScripts: readonly string[];
  /** The beginning of each script within the page. */
  inlineScripts: readonly string[];
  /** Event handlers in attributes, one a line. */
  handlers: string;
  /** A sound, or a film with its sound, plays by itself. */
  playsByItself: boolean;
  /** schema.org types that it says it is about (JSON-LD and microdata). */
  schemaTypes: ReadonlySet<string>;
  /** Whether it says a price in a machine's words (microdata, JSON-LD, Open Graph). */
  hasPriceMarkup: boolean;
  /** Prices and percentages in the order of the page. */
  prices: readonly Price[];
  /** Anything that may show what the text does not: scripts, frames, pictures, an embedded document. */
  showsMore: boolean;
  /** Contents of `meta http-equiv="Content-Security-Policy"`. */
  metaCsp: readonly string[];
  /** Content of `meta http-equiv="refresh"` outside of `noscript`; empty without. */
  metaRefresh: string;
  metaReferrer: string;
  /** It was longer, deeper or had more elements than is read. */
  partial: boolean;
}

/** `html_info` of the report. Empty where the page does not say; each at most 1,000 characters. */
export interface HtmlInfo {
  title: string;
  description: string;
  keywords: string;
  robots: string;
  canonical: string;
  og_image: string;
  article_publisher: string;
  og_site_name: string;
  socialnet_site: string;
  generator: string;
  ld_organization: string;
  lang: string;
}

export interface Link {
  href: string;
  /** Its labels: its text, `aria-label`, `title`, classes, and the alternative text of pictures in it. */
  label: string;
  /** Classes and ids of the elements around it, the nearest ones. */
  around: string;
}

export interface Form {
  action: string;
  hasPassword: boolean;
  /** A field for the number of a payment card or its check digits. */
  hasCard: boolean;
  /** Fields with a place of their own on the page (`position: absolute; left; top`). */
  placed: number;
  /** A script writes it, and it stands in the page in a code. */
  isEncoded?: true;
  /** The words of each field to be filled in, in lower case: its type, name, id, placeholder and label. */
  fields: readonly string[];
}

export interface Asset {
  kind: 'script' | 'style' | 'image' | 'frame' | 'icon';
  url: string;
}

/** A price before (`old`) or after (`new`) a reduction, one of which nothing is known (`plain`), or a reduction in per cent. */
export interface Price {
  kind: 'old' | 'new' | 'plain' | 'percent';
  value: number;
}

export const NO_INFO: HtmlInfo = {
  title: '',
  description: '',
  keywords: '',
  robots: '',
  canonical: '',
  og_image: '',
  article_publisher: '',
  og_site_name: '',
  socialnet_site: '',
  generator: '',
  ld_organization: '',
  lang: '',
};

/** The facts of an answer other than HTML: all empty. */
export const NO_PAGE: PageFacts = {
  info: NO_INFO,
  origins: [],
  text: '',
  headings: [],
  links: [],
  forms: [],
  assets: [],
  rootClasses: [],
  hasAdblockKey: false,
  dataScripts: [],
  inlineScripts: [],
  handlers: '',
  playsByItself: false,
  schemaTypes: new Set(),
  hasPriceMarkup: false,
  prices: [],
  showsMore: false,
  metaCsp: [],
  metaRefresh: '',
  metaReferrer: '',
  partial: false,
};
