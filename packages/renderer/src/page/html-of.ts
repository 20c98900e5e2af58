import type { CDPSession, Page } from 'puppeteer-core';
import { sessionOf } from './session.ts';
import { inWorld } from './world.ts';

const HTML_MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 3_000;

const MARKUP = `(() => {
  const type = document.doctype;
  const head = type === null ? '' : new XMLSerializer().serializeToString(type) + '\\n';
  return (head + (document.documentElement?.outerHTML ?? '')).slice(0, ${HTML_MAX_BYTES});
})()`;

/** The page's markup after its scripts ran, at most its first MB; empty where the page does not answer. */
export async function htmlOf(page: Page): Promise<string> {
  const session = await sessionOf(page);
  const markup = await inWorld<string>(session, MARKUP, { frameId: await mainFrameOf(session), timeout_ms: TIMEOUT_MS });
  return cut(markup ?? '');
}

/** The first of it that fits, without a piece of a character at the end. */
function cut(html: string): string {
  const bytes = Buffer.from(html, 'utf8');
  if (bytes.length <= HTML_MAX_BYTES) return html;
  return new TextDecoder('utf-8').decode(bytes.subarray(0, HTML_MAX_BYTES), { stream: true });
}

export const mainFrameOf = async (session: CDPSession): Promise<string> => (await session.send('Page.getFrameTree')).frameTree.frame.id;
