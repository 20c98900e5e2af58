import { getDomain } from 'tldts';
import type { LoadedScript, PageSecurity } from './page-security.ts';
import type { Result } from './results.ts';

/** Findings from good to bad: the worst one is the result. */
const WORSE: readonly Result[] = [
  'sri-implemented-and-all-scripts-loaded-securely',
  'sri-implemented-but-external-scripts-not-loaded-securely',
  'sri-not-implemented-but-external-scripts-loaded-securely',
  'sri-not-implemented-and-external-scripts-not-loaded-securely',
];

/** The source of a script: its own site (`own`), another one over https (`secure`), or one over http or by `//` (`plain`). */
function sourceOf({ src }: LoadedScript, domain: string | null): 'own' | 'secure' | 'plain' {
  if (/^\/\/[^/]/.test(src)) return 'plain';
  if (!/^https?:\/\//.test(src) || getDomain(src) === domain) return 'own';
  return src.startsWith('https:') ? 'secure' : 'plain';
}

/**
 * Judges the digests of scripts (Subresource Integrity) as the HTTP Observatory does. `page` is undefined where the answer is not HTML. `isHttps`: the
 * page was asked for over https.
 */
export function judgeScripts(page: PageSecurity | undefined, host: string, isHttps: boolean): Result {
  if (!page) return 'sri-not-implemented-response-not-html';
  if (page.scriptsCount === 0) return 'sri-not-implemented-but-no-scripts-loaded';
  const domain = getDomain(host);
  let result: Result | undefined;
  let hasForeign = false;
  for (const script of page.scripts) {
    const source = sourceOf(script, domain);
    const found = findingOf(script, source, isHttps);
    // A digest of the site's own counts only where it comes first.
    if (source === 'own') result ??= found;
    else if (found && WORSE.indexOf(found) > (result === undefined ? -1 : WORSE.indexOf(result))) result = found;
    hasForeign ||= source !== 'own';
  }
  if (result) return result;
  return hasForeign
    ? 'sri-implemented-and-external-scripts-loaded-securely'
    : 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin';
}

function findingOf({ src, integrity }: LoadedScript, source: 'own' | 'secure' | 'plain', isHttps: boolean): Result | undefined {
  if (source === 'own') {
    const isSecure = /^https?:/.test(src) ? src.startsWith('https:') : isHttps;
    return integrity && isSecure ? 'sri-implemented-and-all-scripts-loaded-securely' : undefined;
  }
  if (source === 'secure') return integrity ? undefined : 'sri-not-implemented-but-external-scripts-loaded-securely';
  return integrity
    ? 'sri-implemented-but-external-scripts-not-loaded-securely'
    : 'sri-not-implemented-and-external-scripts-not-loaded-securely';
}
