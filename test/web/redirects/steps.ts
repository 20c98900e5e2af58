import type { Step } from '@vedette/web/redirects';

export const step = (more: Partial<Step> = {}): Step => ({
  url: 'https://a.test/',
  status: 200,
  failure: undefined,
  elapsed_ms: 10,
  setsCookies: false,
  tlsFault: false,
  redirect: undefined,
  ...more,
});

/** A chain of redirects over these URLs; `-` before the last one: it was not followed. */
export function chain(...urls: string[]): Step[] {
  const steps: Step[] = [];
  for (const [i, url] of urls.entries()) {
    if (url.startsWith('-')) break;
    const next = urls[i + 1];
    steps.push(
      step({
        url,
        ...(next !== undefined && { status: 302, redirect: { to: next.replace(/^-/, ''), followed: !next.startsWith('-') } }),
      }),
    );
  }
  return steps;
}
