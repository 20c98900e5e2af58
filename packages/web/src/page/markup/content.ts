import { isHidden } from './markup.ts';
import { Markup } from './write-markup.ts';
import { breakAt, isUnread, Lines } from './text.ts';
import type { OpenElement, PageReader } from './walk.ts';

/** A page's main part is believed where it says so much, or so much of the whole. */
const MAIN_MIN_CHARS = 200;
const MAIN_MIN_SHARE = 0.25;
const MARKS_MAX_CHARS = 300;

/** Elements around the article. */
const AROUND = new Set(['nav', 'aside', 'footer', 'dialog', 'button', 'select', 'textarea', 'menu']);
const ROLES_AROUND = new Set(
  'navigation contentinfo complementary search dialog alertdialog menu menubar toolbar tooltip button tablist'.split(' '),
);
/** Never dropped for what they are called: sites mark the whole page with the state of their cookies. */
const WHOLE = new Set(['html', 'body', 'main', 'article']);
/** Banners that ask for consent, by what the makers of them and sites call theirs. */
const CONSENT =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|ccpa|onetrust|ot-sdk-container|cookiebot|cybotcookiebot\w*|usercentrics|didomi|qc-cmp2?|truste|trustarc|osano|iubenda|cmplz|klaro|sp_message\w*|borlabs\w*|termly|quantcast)(?=$|[\s_-])|cookie-?(?:banner|bar|notice|consent|popup|law)|(?:privacy|consent)-?(?:banner|bar|notice|popup|manager|overlay)/i;

/**
 * Reads the article of a page: its text without navigation, headers, footers, asides, dialogs, controls, consent banners and elements that
 * hide themselves. If the page has a main part (`main`, `role=main`, `article`) with enough text, only that part.
 */
export class ContentReader implements PageReader {
  readonly #all = new Lines();
  readonly #main = new Lines();
  readonly #markup: { all: Markup; main: Markup } | undefined;
  #dropped: OpenElement | undefined;
  #mainElement: OpenElement | undefined;

  /** `writesMarkup`: it is asked for `markup`, too. */
  constructor(writesMarkup = false) {
    this.#markup = writesMarkup ? { all: new Markup(), main: new Markup() } : undefined;
  }

  /** Lines, divided by `\n`; empty where all of the page was dropped. */
  get content(): string {
    return (this.#hasMain ? this.#main : this.#all).toString();
  }

  /** The same with its elements. */
  get markup(): string {
    return (this.#hasMain ? this.#markup?.main : this.#markup?.all)?.toString() ?? '';
  }

  get #hasMain(): boolean {
    const says = this.#main.chars >= MAIN_MIN_CHARS || this.#main.chars >= this.#all.chars * MAIN_MIN_SHARE;
    return says && this.#main.chars > 0;
  }

  open(element: OpenElement): void {
    if (this.#dropped) return;
    if (isUnread(element) || this.#isAround(element)) {
      this.#dropped = element;
      this.#break(element);
      return;
    }
    if (!this.#mainElement && isMain(element)) this.#mainElement = element;
    this.#break(element);
    this.#write((markup) => markup.open(element));
  }

  text(text: string): void {
    if (this.#dropped) return;
    this.#all.add(text);
    if (this.#mainElement) this.#main.add(text);
    this.#write((markup) => markup.text(text));
  }

  close(element: OpenElement): void {
    if (this.#dropped) {
      if (this.#dropped === element) {
        this.#dropped = undefined;
        this.#break(element);
      }
      return;
    }
    this.#break(element);
    this.#write((markup) => markup.close(element));
    if (this.#mainElement === element) this.#mainElement = undefined;
  }

  #break(element: OpenElement): void {
    breakAt(element, this.#all);
    breakAt(element, this.#main);
  }

  #write(write: (markup: Markup) => void): void {
    if (!this.#markup) return;
    write(this.#markup.all);
    if (this.#mainElement) write(this.#markup.main);
  }

  #isAround({ name, attributes }: OpenElement): boolean {
    const role = attributes['role']?.trim().toLowerCase() ?? '';
    if (AROUND.has(name) || ROLES_AROUND.has(role) || isHidden(attributes) || attributes['aria-hidden'] === 'true') return true;
    // The head of an article is its title.
    if ((name === 'header' || role === 'banner') && !this.#mainElement) return true;
    if (WHOLE.has(name)) return false;
    const marks = `${attributes['id'] ?? ''} ${attributes['class'] ?? ''}`.slice(0, MARKS_MAX_CHARS);
    return CONSENT.test(marks);
  }
}

const isMain = ({ name, attributes }: OpenElement): boolean =>
  name === 'main' || name === 'article' || attributes['role']?.trim().toLowerCase() === 'main';
