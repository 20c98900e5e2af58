import { wordsOf } from './markup/markup.ts';
import { absoluteHttpUrl, URL_MAX_CHARS } from './urls.ts';
import type { OpenElement, PageReader } from './markup/walk.ts';

const ICONS_MAX = 20;

/** Finds the icons that a page has declared. */
export class IconReader implements PageReader {
  readonly #icons: string[] = [];

  /** Absolute, each once: those of the page, then `/favicon.ico`, where browsers look without being told to. */
  icons(url: string, base: string): string[] {
    const declared = this.#icons.map((href) => absoluteHttpUrl(href, base)).filter((icon) => icon !== '');
    return [...new Set([...declared, absoluteHttpUrl('/favicon.ico', url)].filter((icon) => icon !== ''))];
  }

  open({ name, attributes, inert }: OpenElement): void {
    if (name !== 'link' || inert || this.#icons.length >= ICONS_MAX) return;
    if (wordsOf(attributes['rel']?.toLowerCase()).includes('icon'))
      this.#icons.push((attributes['href'] ?? '').slice(0, URL_MAX_CHARS + 1));
  }
}
