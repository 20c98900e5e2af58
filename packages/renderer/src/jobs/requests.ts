import { languagesOf, type PageLoad, type RenderJob } from '@vedette/contract';
import { agentOf } from '../page/agents.ts';
import { openPage } from '../page/index.ts';

import { defineRender, type RenderTools, UNCHANGED_PAGE } from './render.ts';
import { logTargets } from '../requests/log-targets.ts';
import { RequestLog } from '../requests/log.ts';

/** The visit ends when nothing has been asked for so long, or after so long in all. */
const IDLE_MS = 1_000;
const VISIT_MS = 25_000;
const LOOK_MS = 50;
/** The part of the budget kept to report the requests. */
const TELL_MS = 1_000;
/** The part of the budget that opening a page keeps for its picture: none here. */
const AFTERWARDS_MS = 15_000;

/** Everything that a page asks for until it is quiet. */
export const requests = defineRender({
  kind: 'requests',
  nothing: (page) => ({ page, requests: [], truncated: false }),
  async run(job, tools) {
    const { page, context, egress, clock, signal, budget_ms, userAgent } = tools;
    const until = clock.now() + Math.min(VISIT_MS, budget_ms - TELL_MS);
    const log = new RequestLog(() => clock.now());
    const agent = agentOf(job.user_agent === 'mobile' ? 'android' : 'desktop', {
      browserVersion: await page.browser().version(),
      identity: userAgent,
      draw: context.id ?? '', // as the page itself draws
    });
    const stop = await logTargets({ page, context, log, agent, acceptLanguage: languagesOf(job.accept_language)?.join(',') || 'en-US' });
    try {
      const loaded = await openPage(loadOf(job), { ...tools, budget_ms: Math.min(budget_ms, VISIT_MS + AFTERWARDS_MS) });
      if (loaded.failure === undefined) await untilIdle(log, until, tools);
      signal.throwIfAborted();
      return { result: { page: loaded, requests: log.sent(egress), truncated: log.truncated } };
    } finally {
      stop();
    }
  },
});

async function untilIdle(log: RequestLog, until: number, { clock, signal }: Pick<RenderTools, 'clock' | 'signal'>): Promise<void> {
  while (log.idleFor < IDLE_MS && clock.now() < until) await clock.sleep(LOOK_MS, signal);
}

/** The page as it is: nothing of it is taken away. */
const loadOf = ({ url, user_agent, accept_language }: RenderJob<'requests'>): PageLoad => ({
  url,
  user_agent,
  accept_language,
  ...UNCHANGED_PAGE,
});
