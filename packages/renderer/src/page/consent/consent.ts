import { readFileSync } from 'node:fs';
import type { Clock } from '@vedette/contract';
import { filterCompactRules } from '@duckduckgo/autoconsent';
import type { CDPSession } from 'puppeteer-core';

/** Each look at a page uses a new isolated world without any state. */
const WORLD = 'vedette-consent';
const BINDING = 'vedetteConsent';
/** Frames that are looked into: consents stand in the first ones. */
const FRAMES_MAX = 30;
/** A search that takes longer has found nothing. */
const SEARCH_MS = 1_500;
/** Something that manages consents is there, and shows nothing. */
const SHOW_MS = 2_500;
/** Refusing may take several clicks in windows that move. */
const REFUSE_MS = 7_000;
/** Windows fade away. */
const FADE_MS = 350;

const at = (path: string) => readFileSync(new URL(path, import.meta.resolve('@duckduckgo/autoconsent')), 'utf8');
/** Reads what the package brings when the first page needs it: its script for pages, and its rules. */
const pieces = (() => {
  let read: { script: string; rules: Parameters<typeof filterCompactRules>[0] } | undefined;
  return () =>
    (read ??= {
      script: `if (!window.autoconsentReceiveMessage) { window.autoconsentSendMessage = (message) => { ${BINDING}(JSON.stringify(message)); return Promise.resolve(); };\n${at('autoconsent.playwright.js')}\n}`,
      rules: JSON.parse(at('../rules/compact-rules.json')) as Parameters<typeof filterCompactRules>[0],
    });
})();

const CONFIG = {
  enabled: true,
  autoAction: 'optOut',
  disabledCmps: [],
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  // The page is quiet: what is not there now, or in half a second, does not come of itself.
  detectRetries: 1,
  isMainWorld: false,
  prehideTimeout: 0,
  enableHeuristicDetection: false,
  enablePopupMutationObserver: false,
  visualTest: false,
  performanceLoggingEnabled: false,
  heuristicPopupSearchTimeout: 0,
  // Its guesses may accept; ours come afterwards, and do not (overlays.ts).
  heuristicMode: 'off',
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false, waits: false },
};

/** Messages of the script, as far as they matter here. */
interface Message {
  type: string;
  id?: string;
  url?: string;
  code?: string;
  result?: unknown;
  state?: { lifecycle?: string };
}

interface Scope {
  clock: Clock;
  signal: AbortSignal;
  within_ms: number;
}

/**
 * Refuses what consent managers ask, in all frames, with the clicks that a user would need. `sessions`: the page's, and those of its frames that have
 * one. Returns whether a dialog was found; it may still be visible.
 */
export async function refuseConsents(sessions: readonly CDPSession[], { clock, signal, within_ms }: Scope): Promise<boolean> {
  const refusal = new Refusal();
  const begun = clock.now();
  await Promise.all(sessions.map((session, index) => refusal.enter(session, index === 0).catch(() => undefined)));
  const limit = () => Math.min(within_ms, refusal.shown ? REFUSE_MS : refusal.found ? SHOW_MS : SEARCH_MS);
  while (!refusal.ended && clock.now() - begun < limit()) {
    signal.throwIfAborted();
    await clock.sleep(25, signal);
  }
  if (refusal.shown) await clock.sleep(FADE_MS, signal);
  return refusal.shown;
}

let refusals = 0;

class Refusal {
  readonly #world = `${WORLD}-${++refusals}`;
  /** Something manages consents here. */
  found = false;
  /** It asks for one. */
  shown = false;
  #open = 0;

  get ended(): boolean {
    return this.#open === 0;
  }

  /** Starts the script in each frame of a session. */
  async enter(session: CDPSession, isTop: boolean): Promise<void> {
    const worlds = new Map<number, { frameId: string; isMain: boolean; ended: boolean }>();
    const main = new Map<string, number>();
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = context.auxData as { frameId?: string; isDefault?: boolean };
      if (isDefault === true && frameId !== undefined) main.set(frameId, context.id);
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      const world = worlds.get(executionContextId);
      if (name !== BINDING || world === undefined) return;
      const message = JSON.parse(payload) as Message;
      if (this.#note(message) && !world.ended) {
        world.ended = true;
        this.#open--;
      }
      const answer = (value: object) => say(session, executionContextId, value);
      if (message.type === 'init') answer(initial(message.url ?? '', world.isMain));
      if (message.type === 'eval')
        void evaluate(session, main.get(world.frameId), message.code ?? '').then((result) =>
          answer({ type: 'evalResp', id: message.id, result }),
        );
    });
    await Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: BINDING, executionContextName: this.#world }),
    ]);
    const { frameTree } = await session.send('Page.getFrameTree');
    const frames = framesOf(frameTree).slice(0, FRAMES_MAX);
    for (const frameId of frames) {
      const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: this.#world });
      worlds.set(executionContextId, { frameId, isMain: isTop && frameId === frameTree.frame.id, ended: false });
      this.#open++;
      session.send('Runtime.evaluate', { expression: pieces().script, contextId: executionContextId }).catch(() => undefined);
    }
  }

  /** Whether this was a script's last word. */
  #note({ type, state, result }: Message): boolean {
    if (type === 'cmpDetected') this.found = true;
    if (type === 'popupFound') this.shown = true;
    if (type === 'report') return state?.lifecycle === 'nothingDetected';
    return type === 'autoconsentDone' || (type === 'optOutResult' && result === false);
  }
}

const initial = (url: string, mainFrame: boolean) => ({
  type: 'initResp',
  config: CONFIG,
  rules: { autoconsent: [], compact: filterCompactRules(pieces().rules, { url, mainFrame }) },
});

function say(session: CDPSession, contextId: number, message: object): void {
  session
    .send('Runtime.evaluate', { expression: `window.autoconsentReceiveMessage(${JSON.stringify(message)}); 0`, contextId })
    .catch(() => undefined);
}

/** Code of a rule, in the page's own world: some managers can only be asked there. */
async function evaluate(session: CDPSession, contextId: number | undefined, code: string): Promise<unknown> {
  if (contextId === undefined) return false;
  try {
    const { result } = await session.send('Runtime.evaluate', {
      expression: code,
      contextId,
      awaitPromise: true,
      returnByValue: true,
      timeout: 1_000,
    });
    return result.value as unknown;
  } catch {
    return false;
  }
}

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}
const framesOf = ({ frame, childFrames = [] }: FrameTree): string[] => [frame.id, ...childFrames.flatMap(framesOf)];
