import type { StartTag } from '../../html/index.ts';

/** Declarations by which senders hide what only programs shall read: preview texts, and words between the letters of others. */
const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!important\s*)?(?:;|$))/i;
const STYLE_MAX_CHARS = 2_000;

/** Elements whose content is shown nowhere. */
const UNSHOWN = new Set(['template', 'datalist']);
/** Elements without content or end tag (HTML §13.1.2). */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);
/** Their end tag closes whatever is open in them. */
const CLOSES_ALL = new Set(['body', 'center', 'div', 'html', 'table', 'tbody', 'td', 'tr', 'ul', 'ol', 'li']);

/** Follows whether what comes is within a hidden element, by tags alone: no tree is kept. */
export class Hiding {
  /** How many of those tags that matter are open within the hidden element, that one included; undefined while nothing is hidden. */
  #open: Map<string, number> | undefined;
  #name = '';

  get hidden(): boolean {
    return this.#open !== undefined;
  }

  open({ name, attributes }: StartTag, isBlock: boolean): void {
    if (VOID.has(name)) return;
    // Every block element ends a paragraph (HTML §13.2.6.4.7).
    if (this.#open && this.#name === 'p' && isBlock) this.#open = undefined;
    if (this.#open) {
      if (name === this.#name || CLOSES_ALL.has(name)) this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    } else if (UNSHOWN.has(name) || isHiding(attributes)) {
      this.#open = new Map([[name, 1]]);
      this.#name = name;
    }
  }

  close(name: string): void {
    if (!this.#open) return;
    const open = this.#open.get(name) ?? 0;
    if (open > 0) this.#open.set(name, open - 1);
    if (open > 0 ? name === this.#name && open === 1 : CLOSES_ALL.has(name)) this.#open = undefined;
  }
}

const isHiding = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has('hidden') || HIDING.test((attributes.get('style') ?? '').slice(0, STYLE_MAX_CHARS));
