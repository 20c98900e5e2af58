import { valuesOf } from '../headers.ts';
import type { SignedPage } from '../shop/signatures.ts';

/** The marks of one kind of guard in the site's place. Every given part must match: any site may have the same title. */
interface Sign {
  by: string;
  field?: readonly [name: string, value: RegExp];
  title?: RegExp;
  /** URL of a script or frame of the page, or a part of a script within it. */
  code?: RegExp;
  text?: RegExp;
  /** Only with a status of 400 or more: ordinary pages have the same. */
  refusal?: true;
  /** Only where the page shows next to no text: ordinary pages have the same beside their own. */
  bare?: true;
}

/** The answers of guards to clients without scripts, by their own documentation and pages. */
const SIGNS: readonly Sign[] = [
  { by: 'Cloudflare', field: ['cf-mitigated', /./] },
  { by: 'Cloudflare', title: /^(?:Just a moment\.\.\.$|Attention Required! \| Cloudflare)/i, refusal: true },
  { by: 'Cloudflare', code: /\/cdn-cgi\/challenge-platform\//, refusal: true },
  { by: 'AWS WAF', field: ['x-amzn-waf-action', /^(?:challenge|captcha)/i] },
  { by: 'Vercel', field: ['x-vercel-mitigated', /^(?:challenge|deny)/i] },
  { by: 'Sucuri', field: ['x-sucuri-block', /./] },
  { by: 'Sucuri', title: /^Sucuri WebSite Firewall - Access Denied/i, refusal: true },
  { by: 'DataDome', field: ['x-datadome', /./], refusal: true },
  { by: 'DataDome', code: /captcha-delivery\.com/, refusal: true },
  { by: 'Kasada', field: ['x-kpsdk-ct', /./], refusal: true },
  { by: 'PerimeterX', code: /\bpx-captcha\b|captcha\.px-cdn\.net/, refusal: true },
  { by: 'Imperva', code: /_Incapsula_Resource/, refusal: true },
  // Its check of scripts has status 200.
  { by: 'Imperva', code: /_Incapsula_Resource/, bare: true },
  { by: 'Imperva', code: /_Incapsula_Resource/, text: /^Request unsuccessful\. Incapsula incident ID/i },
  // The field alone is on all that passes through it.
  { by: 'Imperva', title: /^Pardon Our Interruption/i, field: ['x-iinfo', /./] },
  { by: 'Imperva', title: /^Pardon Our Interruption/i, refusal: true },
  { by: 'Akamai', text: /\berrors\.edgesuite\.net\b/i, refusal: true },
  { by: 'DDoS-Guard', title: /^DDoS-Guard$/i, refusal: true },
  { by: 'Anubis', code: /^\/\.within\.website\/x\/cmd\/anubis\// },
  {
    by: 'a guard',
    title: /^(?:checking your browser|are you (?:a )?(?:human|robot)|robot check$|human verification$)/i,
    refusal: true,
  },
];
/** A guard says little; an article about one goes on. */
const GUARD_MAX_CHARS = 2_000;
const BARE_MAX_CHARS = 30;

/** The guard that refused us in the site's place, as an unknown client without scripts; empty if the answer is the site's own. */
export function guardOf(page: SignedPage): string {
  const { text, forms } = page.page;
  // No guard asks a stranger for a password or a card.
  if (text.length > GUARD_MAX_CHARS || forms.some(({ hasPassword, hasCard }) => hasPassword || hasCard)) return '';
  return SIGNS.find((sign) => shows(sign, page))?.by ?? '';
}

function shows({ field, title, code, text, refusal, bare }: Sign, { status, fields, page }: SignedPage): boolean {
  if (refusal && status < 400) return false;
  if (bare && (page.text.length > BARE_MAX_CHARS || page.forms.length > 0)) return false;
  if (field && !valuesOf(fields, field[0]).some((value) => field[1].test(value))) return false;
  if (title && !title.test(page.info.title)) return false;
  if (code && ![...page.assets.map(({ url }) => url), ...page.inlineScripts].some((part) => code.test(part))) return false;
  return !text || text.test(page.text);
}
