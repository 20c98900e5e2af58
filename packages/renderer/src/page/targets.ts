import type { CDPSession, Protocol } from 'puppeteer-core';

/** The targets beside the page's own process: frames of other sites, workers. */
export type TargetType = Protocol.Target.TargetInfo['type'];

/**
 * Enters whatever of the page gets a process or thread of its own, before any of its code runs: what `enter` sends at once is heard first. A frame waits
 * until `enter` is done; a service worker answers nothing before it runs, so that workers do not. Ends with the session.
 */
export async function followTargets(session: CDPSession, enter: (target: CDPSession, type: TargetType) => Promise<void>): Promise<void> {
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const target = session.connection()?.session(sessionId);
    if (!target) return;
    // A target may be gone before it is entered.
    const entered = Promise.all([enter(target, targetInfo.type), followTargets(target, enter)]).catch(() => undefined);
    (targetInfo.type === 'iframe' ? entered : Promise.resolve())
      .then(() => target.send('Runtime.runIfWaitingForDebugger'))
      .catch(() => undefined);
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}
