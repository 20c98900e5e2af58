import { type HeaderEvidence, type SeenVisit, valuesOf } from './evidence.ts';
import type { Result } from './results.ts';

/** Half a year; sites that write 180 days get it too. */
const SIX_MONTHS_S = 15_552_000;
/** Content of Strict-Transport-Security. */
export interface Hsts {
  isSent: boolean;
  /** Seconds; undefined where it names none that browsers take. */
  maxAge: number | undefined;
  includeSubDomains: boolean;
  preload: boolean;
}

const hstsOf = (https: SeenVisit | undefined): string[] => valuesOf(https?.hops.at(-1)?.fields ?? [], 'strict-transport-security');
const directivesOf = (text: string): string[] => text.split(';').map((part) => part.trim().toLowerCase());

/** Reads the field of the judged answer over https, as browsers do (RFC 6797 §6.1). */
export function readHsts(https: SeenVisit | undefined): Hsts {
  const values = hstsOf(https);
  const text = values.join(', ');
  const directives = directivesOf(text);
  const written = directives.findLast((directive) => /^max-age\s*=/.test(directive)) ?? '';
  const [, quoted, bare = quoted] = /^max-age\s*=\s*(?:"(\d+)"|(\d+))$/.exec(written) ?? [];
  return {
    isSent: values.length > 0,
    maxAge: bare === undefined || text.includes(',') ? undefined : Math.min(Number(bare), Number.MAX_SAFE_INTEGER),
    includeSubDomains: directives.includes('includesubdomains'),
    preload: directives.includes('preload'),
  };
}

/** Seconds as the HTTP Observatory reads them; NaN for anything else, undefined without a value. */
function observedAge(https: SeenVisit): number | undefined {
  const text = hstsOf(https).join(', ').slice(0, 1_024);
  const written = directivesOf(text).findLast((directive) => directive.startsWith('max-age='))?.slice('max-age='.length, 128); // prettier-ignore
  return written === undefined || text.includes(',') ? undefined : Number.parseInt(written.replace(/^"/, ''), 10);
}

/** Judges HSTS as the HTTP Observatory does. The list that browsers ship counts more than the field. */
export function judgeHsts({ https, host, isPreloaded }: Pick<HeaderEvidence, 'https' | 'host' | 'isPreloaded'>): Result {
  if (!https) return 'hsts-not-implemented-no-https';
  if (isPreloaded(host)) return 'hsts-preloaded';
  if (!https.verified) return 'hsts-invalid-cert';
  if (hstsOf(https).length === 0) return 'hsts-not-implemented';
  const maxAge = observedAge(https);
  if (maxAge === undefined) return 'hsts-header-invalid';
  return maxAge < SIX_MONTHS_S ? 'hsts-implemented-max-age-less-than-six-months' : 'hsts-implemented-max-age-at-least-six-months';
}

/** Judges the way of a visit over http as the HTTP Observatory does, and a redirect by its target, even if nothing answers there. */
export function judgeRedirection({ http, isPreloaded }: Pick<HeaderEvidence, 'http' | 'isPreloaded'>): Result {
  if (!http) return 'redirection-not-needed-no-http';
  if (!http.verified) return 'redirection-invalid-cert';
  const way = [...http.hops.map(({ url }) => url), ...(http.unanswered === '' ? [] : [http.unanswered])].map((url) => new URL(url));
  if (way.every(({ hostname }) => isPreloaded(hostname))) return 'redirection-all-redirects-preloaded';
  const [first, second] = way;
  if (!second) return 'redirection-missing';
  if (way.at(-1)!.protocol !== 'https:') return 'redirection-not-to-https';
  if (second.protocol === 'http:') return 'redirection-not-to-https-on-initial-redirection';
  return first!.hostname === second.hostname ? 'redirection-to-https' : 'redirection-off-host-from-http';
}
