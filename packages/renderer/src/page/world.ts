import type { CDPSession, Protocol } from 'puppeteer-core';

const NAME = 'vedette';

/** Code for a page: two frames, however long they take. Observers are told where things are with each. Without scripts there may be none. */
export const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0))))';

/**
 * Runs code of ours in a frame, in a world of its own: it shares the document with the page's scripts, and no variable. A page that never
 * yields is left after `timeout_ms`. The code's value must be JSON; undefined where it threw or did not end.
 */
export async function inWorld<T>(
  session: CDPSession,
  expression: string,
  { frameId, timeout_ms }: { frameId: string; timeout_ms: number },
): Promise<T | undefined> {
  const evaluated = evaluate(session, expression, { frameId, timeout_ms }).then(({ result, exceptionDetails }) =>
    exceptionDetails === undefined ? (result.value as T) : undefined,
  );
  return await within(evaluated, timeout_ms);
}

const worlds = new WeakMap<CDPSession, Map<string, number>>();

/** Evaluates in the frame's world: in the one that it had last, unless that has gone with its document. */
async function evaluate(
  session: CDPSession,
  expression: string,
  { frameId, timeout_ms }: { frameId: string; timeout_ms: number },
): Promise<Protocol.Runtime.EvaluateResponse> {
  const known = worlds.get(session) ?? new Map<string, number>();
  worlds.set(session, known);
  const within = (contextId: number) =>
    session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true, timeout: timeout_ms });
  const last = known.get(frameId);
  if (last !== undefined) {
    try {
      return await within(last);
    } catch {
      known.delete(frameId);
    }
  }
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: NAME });
  known.set(frameId, executionContextId);
  return await within(executionContextId);
}

/** Returns the result of `work`, or undefined when it fails or takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
