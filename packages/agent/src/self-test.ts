import { type Clock, ProbeFailure, type Resolver, within } from '@vedette/contract';
import { rootProblem } from '@vedette/probes/dns';

interface SelfTestState {
  ok: boolean;
  failing: number;
  witnesses: number;
}

export interface SelfTest {
  state(): SelfTestState;
  /** Asks the witnesses now and every minute; tells when the verdict changes. */
  start(onChange: (state: SelfTestState) => void): void;
  stop(): void;
}

const INTERVAL_MS = 60_000;
const WITNESS_MS = 3_000;
/** So many silent witnesses are our own trouble, not theirs. */
const MAX_FAILING = 1;

export interface SelfTestOptions {
  /** Addresses of name servers that know the root; none = no test, always ok. */
  witnesses: readonly string[];
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
}

/**
 * Asks witnesses for the root's name servers: an agent whose own internet is gone must not blame its targets. One that says something else is
 * none: where DNS is intercepted, anybody's address answers.
 */
export function createSelfTest({ witnesses, resolver, clock }: SelfTestOptions): SelfTest {
  const stopped = new AbortController();
  let state: SelfTestState = { ok: true, failing: 0, witnesses: witnesses.length };

  const answers = async (server: string): Promise<boolean> => {
    const late = () => new ProbeFailure('dns_timeout', server);
    try {
      return (
        rootProblem(
          await within(clock, WITNESS_MS, undefined, late, (signal) => resolver.query('.', 'NS', { server, fresh: true, signal })),
        ) === ''
      );
    } catch {
      return false; // whatever went wrong, it did not answer
    }
  };
  const test = async () => {
    const results = await Promise.all(witnesses.map(answers));
    const failing = results.filter((answered) => !answered).length;
    return { ok: failing <= Math.min(MAX_FAILING, witnesses.length - 1), failing, witnesses: witnesses.length };
  };
  const loop = async (onChange: (state: SelfTestState) => void) => {
    while (!stopped.signal.aborted) {
      const before = state;
      state = await test();
      if (state.ok !== before.ok) onChange(state);
      await clock.sleep(INTERVAL_MS, stopped.signal).catch(() => {}); // stopped
    }
  };
  return {
    state: () => state,
    start(onChange) {
      if (witnesses.length > 0) void loop(onChange);
    },
    stop: () => stopped.abort(),
  };
}
