import { readHtmlInfo } from './html-info.ts';

/** An answer as it came through a VPN exit. */
export interface AccessAnswer {
  status: number;
  statusMessage: string;
  /** Lowercase names; several values joined by ", ". */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the page; empty when it is not text. */
  html: string;
}

export interface AccessVerdict {
  /** A page of the site itself came, or a redirect to one. */
  accessible: boolean;
  /** Why not, in words; empty when it is. */
  debug_message: string;
}

/** How one kind of gatekeeper shows itself. Every part that is given must match. */
interface Sign {
  by: string;
  /** Header and what it must look like. */
  header?: readonly [name: string, value: RegExp];
  html?: RegExp;
  /** Only in an answer of this status class: the same script also stands in ordinary pages. */
  refusal?: true;
}

// Patterns have no nested or unbounded repetition: pages are hostile.
const SIGNS: readonly Sign[] = [
  { by: 'Cloudflare', header: ['cf-mitigated', /./] },
  { by: 'Cloudflare', html: /\/cdn-cgi\/challenge-platform\//, refusal: true },
  { by: 'Cloudflare', html: /<title>(Just a moment\.\.\.|Attention Required! \| Cloudflare)/i },
  { by: 'AWS WAF', header: ['x-amzn-waf-action', /^(challenge|captcha)/i] },
  { by: 'Vercel', header: ['x-vercel-mitigated', /^(challenge|deny)/i] },
  { by: 'Sucuri', header: ['x-sucuri-block', /./] },
  { by: 'Sucuri', html: /<title>Sucuri WebSite Firewall - Access Denied/i },
  { by: 'DataDome', html: /captcha-delivery\.com/, refusal: true },
  { by: 'DataDome', header: ['x-datadome', /./], refusal: true },
  { by: 'Kasada', header: ['x-kpsdk-ct', /./], refusal: true },
  { by: 'PerimeterX', html: /px-captcha|_pxCaptcha|captcha\.px-cdn\.net/ },
  { by: 'Imperva', html: /_Incapsula_Resource|Incapsula incident ID/, refusal: true },
  { by: 'Imperva', html: /Request unsuccessful\. Incapsula incident ID|<title>Pardon Our Interruption/i },
  { by: 'Akamai', html: /errors\.edgesuite\.net|Reference&#32;&#35;/, refusal: true },
  { by: 'Akamai', header: ['server', /^AkamaiGHost/i], refusal: true },
  { by: 'Google', html: /Our systems have detected unusual traffic/i },
  { by: 'hCaptcha', html: /hcaptcha\.com\/1\/api\.js/, refusal: true },
  { by: 'reCAPTCHA', html: /(google\.com|recaptcha\.net)\/recaptcha\//, refusal: true },
  { by: 'Turnstile', html: /challenges\.cloudflare\.com\/turnstile/, refusal: true },
];

/** Titles of pages that stand in the way, whatever the status. */
const GATE_TITLE =
  /^(access (to this (page|site|website) )?(has been )?(denied|blocked|restricted)|(you have been |request )?blocked\b|forbidden$|403 forbidden|are you (a )?(human|robot)|robot (check|or human)|(please )?verify (that )?you are (a )?human|human verification|security (check|verification)|captcha|ddos.guard|checking your browser|pardon our interruption|unavailable in your (country|region))/i;
const ANTI_VPN = /\b(vpn|proxy|proxies|unblocker)\b[^<>]{0,80}\b(detected|not (allowed|permitted|supported)|turn off|disable|blocked)\b/i;
/** A page that says so in passing is longer. */
const NOTICE_MAX_CHARS = 20_000;

const STATUS_REASONS: Record<number, string> = {
  403: 'The target refuses access',
  407: 'A proxy on the way wants credentials',
  429: 'The target says there were too many requests',
  451: 'The target is blocked for legal reasons',
};

/** Tells the site's own answer from that of something standing in front of it: a block page, a captcha, a challenge. */
export function judgeAccess(answer: AccessAnswer): AccessVerdict {
  const gate = gateOf(answer);
  if (gate !== undefined) return { accessible: false, debug_message: `${gate} (${statusOf(answer)})` };
  if (answer.status >= 200 && answer.status < 400) return { accessible: true, debug_message: '' };
  const reason = STATUS_REASONS[answer.status] ?? 'The target answered with an error';
  return { accessible: false, debug_message: `${reason} (${statusOf(answer)})` };
}

function gateOf(answer: AccessAnswer): string | undefined {
  const sign = SIGNS.find((candidate) => shows(candidate, answer));
  if (sign) return `Blocked or challenged by ${sign.by}`;
  const { title } = readHtmlInfo(answer.html);
  if (GATE_TITLE.test(title)) return `A block page was shown: ${title.slice(0, 100)}`;
  if (answer.html.length <= NOTICE_MAX_CHARS && ANTI_VPN.test(answer.html)) return 'The page says that VPNs are not welcome';
  return undefined;
}

function shows({ header, html, refusal }: Sign, answer: AccessAnswer): boolean {
  if (refusal && answer.status < 400) return false;
  if (header && !header[1].test(answer.headers[header[0]] ?? '')) return false;
  return !html || html.test(answer.html);
}

const statusOf = ({ status, statusMessage }: AccessAnswer): string => `HTTP ${status} ${statusMessage}`.trim();
