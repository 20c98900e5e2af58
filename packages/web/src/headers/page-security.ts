import { metaNames, type OpenElement, type PageReader, PageWalk, walkPage } from '../page/index.ts';

/** Limits on what is kept of a page. */
const LIST_MAX = 1_000;
/** One more than judges read, so that they see that it is longer. */
const POLICY_MAX_CHARS = 64 * 1024 + 1;
const URL_MAX_CHARS = 2_000;

/** A script that a page loads. */
export interface LoadedScript {
  src: string;
  /** The element names a digest. */
  integrity: boolean;
}

/** The parts of a page that say what browsers may do with it. */
export interface PageSecurity {
  /** Contents of `meta http-equiv="Content-Security-Policy"`. */
  policies: readonly string[];
  /** Content of the last `meta name="referrer"`; empty without. */
  referrer: string;
  /** Elements `script`, with a source or without. */
  scriptsCount: number;
  scripts: readonly LoadedScript[];
}

/** Reads a page in steps. Accepts any text. Rejects with the signal's reason. */
export async function readPageSecurity(html: string, signal?: AbortSignal): Promise<PageSecurity> {
  const reader = new SecurityReader();
  await walkPage(new PageWalk([reader]), html, signal);
  return reader;
}

class SecurityReader implements PageReader, PageSecurity {
  readonly policies: string[] = [];
  referrer = '';
  scriptsCount = 0;
  readonly scripts: LoadedScript[] = [];

  open({ name, attributes }: OpenElement): void {
    if (name === 'script') this.#script(attributes);
    if (name === 'meta') this.#meta(attributes);
  }

  #script(attributes: OpenElement['attributes']): void {
    this.scriptsCount++;
    const src = attributes['src'] ?? '';
    if (src === '' || this.scripts.length >= LIST_MAX) return;
    this.scripts.push({
      src: src.slice(0, URL_MAX_CHARS),
      integrity: (attributes['integrity'] ?? '') !== '',
    });
  }

  #meta(attributes: OpenElement['attributes']): void {
    const content = attributes['content'] ?? '';
    if (content === '') return;
    const equivalent = (attributes['http-equiv'] ?? '').trim().toLowerCase();
    if (equivalent === 'content-security-policy' && this.policies.length < LIST_MAX) this.policies.push(content.slice(0, POLICY_MAX_CHARS));
    else if (equivalent === '' && metaNames(attributes).includes('referrer')) this.referrer = content.slice(0, POLICY_MAX_CHARS);
  }
}
