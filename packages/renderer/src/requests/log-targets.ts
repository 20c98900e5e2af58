import { type BrowserContext, type CDPSession, CDPSessionEvent, type Page, type Protocol } from 'puppeteer-core';
import type { Agent } from '../page/agents.ts';
import type { RequestLog } from './log.ts';

export interface LogTargetsOptions {
  page: Page;
  context: BrowserContext;
  log: RequestLog;
  agent: Agent;
  acceptLanguage: string;
}

/**
 * Has the log hear of the page, and of each frame and worker of it before its first line of code runs: the driver stops what a page starts,
 * tells of its session, and only then lets it go on. Shared and service workers are the browser's, and told of by it. The returned function
 * ends that.
 */
export async function logTargets({ page, context, log, agent, acceptLanguage }: LogTargetsOptions): Promise<() => void> {
  const listen = async (session: CDPSession): Promise<void> => {
    log.follow(session);
    session.on('sessionattached', begin);
    const disguise = {
      userAgent: agent.userAgent,
      platform: agent.platform,
      acceptLanguage,
      ...(agent.metadata !== undefined && { userAgentMetadata: agent.metadata }),
    };
    // In one go. A service worker waits for the word of each that listens to it, and the others take it twice.
    await Promise.allSettled([
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Network.setUserAgentOverride', disguise),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  };
  const begin = (session: CDPSession | undefined): void => void (session && listen(session));
  const main = mainSession(page);
  const connection = main.connection();
  const known = new Set<string>();
  const onAttached = ({ targetInfo, sessionId }: Protocol.Target.AttachedToTargetEvent): void => {
    // Our own session to it is told as well.
    if (targetInfo.browserContextId !== context.id || known.has(targetInfo.targetId)) return;
    known.add(targetInfo.targetId);
    if (targetInfo.type === 'service_worker' || targetInfo.type === 'shared_worker') log.expect(targetInfo.url);
    if (targetInfo.type === 'shared_worker') begin(connection?.session(sessionId) ?? undefined);
    // The driver detaches from service workers, so that they may end; its session gets no events of them.
    if (targetInfo.type === 'service_worker') connection?.createSession(targetInfo).then(begin, () => undefined);
  };
  connection?.on('Target.attachedToTarget', onAttached);
  const onDetached = (session: CDPSession): void => log.detach(session);
  connection?.on(CDPSessionEvent.SessionDetached, onDetached);
  await listen(main);
  return () => {
    connection?.off('Target.attachedToTarget', onAttached);
    connection?.off(CDPSessionEvent.SessionDetached, onDetached);
  };
}

/** The session through which the driver itself speaks to the page: what the page starts is told to it. */
// oxlint-disable-next-line no-underscore-dangle -- the driver has no other door to it, and a session of our own hears of workers too late
const mainSession = (page: Page): CDPSession => (page as Page & { _client(): CDPSession })._client();
