import { type BrowserContext, type CDPSession, type Page, TargetType } from 'puppeteer-core';

/** Answers whatever a browser asks its user, so that no page waits for an answer, and closes every window but the job's. */
export function closePopups(session: CDPSession, page: Page, context: BrowserContext): void {
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    // A page that asks whether it may be left is left.
    session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
  });
  const own = page.target();
  context.on('targetcreated', (target) => {
    if (target.type() !== TargetType.PAGE || target === own) return;
    target
      .page()
      .then((popup) => popup?.close())
      .catch(() => undefined);
  });
}
