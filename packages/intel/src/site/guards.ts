import { valuesOf } from './headers.ts';
import type { SignedPage } from './signatures.ts';

/** How one kind of gatekeeper shows itself in the site's place. Every part that is given must match. */
interface Sign {
  by: string;
  field?: readonly [name: string, value: RegExp];
  title?: RegExp;
  /** URL of a script or frame of the page. */
  code?: RegExp;
  text?: RegExp;
  /** Only with a status of 400 or more: ordinary pages have the same. */
  refusal?: true;
}

/** What guards answer who runs no scripts, as their own documentation and pages have it. */
const SIGNS: readonly Sign[] = [
  { by: 'Cloudflare', field: ['cf-mitigated', /./] },
  { by: 'Cloudflare', title: /^(?:Just a moment\.\.\.$|Attention Required! \| Cloudflare)/i },
  { by: 'Cloudflare', code: /\/cdn-cgi\/challenge-platform\//, refusal: true },
  { by: 'AWS WAF', field: ['x-amzn-waf-action', /^(?:challenge|captcha)/i] },
  { by: 'Vercel', field: ['x-vercel-mitigated', /^(?:challenge|deny)/i] },
  { by: 'Sucuri', field: ['x-sucuri-block', /./] },
  { by: 'Sucuri', title: /^Sucuri WebSite Firewall - Access Denied/i },
  { by: 'DataDome', field: ['x-datadome', /./], refusal: true },
  { by: 'DataDome', code: /captcha-delivery\.com/, refusal: true },
  { by: 'Kasada', field: ['x-kpsdk-ct', /./], refusal: true },
  { by: 'PerimeterX', code: /\bpx-captcha\b|captcha\.px-cdn\.net/ },
  { by: 'Imperva', code: /_Incapsula_Resource/, refusal: true },
  { by: 'Imperva', text: /^Request unsuccessful\. Incapsula incident ID/i },
  { by: 'Imperva', title: /^Pardon Our Interruption/i },
  { by: 'Akamai', text: /\berrors\.edgesuite\.net\b/i, refusal: true },
  { by: 'DDoS-Guard', title: /^DDoS-Guard$/i },
  { by: 'a guard', title: /^(?:checking your browser|are you (?:a )?(?:human|robot)|robot check$|human verification$)/i },
];
/** A guard says little; an article about one goes on. */
const GUARD_MAX_CHARS = 2_000;

/** Who turned us away in the site's place, as a stranger without scripts; empty where the answer is the site's own. */
export const guardOf = (page: SignedPage): string =>
  page.page.text.length > GUARD_MAX_CHARS ? '' : (SIGNS.find((sign) => shows(sign, page))?.by ?? '');

function shows({ field, title, code, text, refusal }: Sign, { status, fields, page }: SignedPage): boolean {
  if (refusal && status < 400) return false;
  if (field && !valuesOf(fields, field[0]).some((value) => field[1].test(value))) return false;
  if (title && !title.test(page.info.title)) return false;
  if (code && ![...page.assets.map(({ url }) => url), ...page.inlineScripts].some((part) => code.test(part))) return false;
  return !text || text.test(page.text);
}
