import type { Clock, Echo, EchoOptions } from '@vedette/contract';
import type { PathAnswer } from './path-types.ts';

/** The result of one echo request. None of the fields: its wait ended. */
export interface EchoOutcome extends Omit<Echo, 'icmp_seq'> {
  /** Beside `unreachable`, by an engine that knows it: the ICMP error itself. */
  error?: PathAnswer;
  /** Beside `unsent` EMSGSIZE: the MTU of this machine's interface; 0 when not known. */
  interface_mtu?: number;
}

/**
 * Sends echoes by the clock, whatever comes back, and yields their outcomes in order. When the signal aborts it yields
 * what has an outcome already, then throws the signal's reason.
 */
export async function* pacedEchoes(
  clock: Clock,
  { count, interval_ms, signal }: EchoOptions,
  send: () => Promise<EchoOutcome>,
): AsyncGenerator<Echo, void, undefined> {
  signal?.throwIfAborted();
  const start = clock.now();
  const settled: Echo[] = [];
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };
  const launch = async (index: number): Promise<void> => {
    try {
      const { error: _, interface_mtu: __, ...outcome } = await send();
      settled[index] = { icmp_seq: index + 1, ...outcome };
      wake();
    } catch (error) {
      fail(error);
    }
  };
  const left = new AbortController(); // ends the sleeps, also when the consumer stops early
  const onAbort = () => fail(signal!.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let index = 0; index < count; index++) {
      const wait_ms = start + index * interval_ms - clock.now();
      if (wait_ms > 0) clock.sleep(wait_ms, left.signal).then(() => launch(index), fail);
      else void launch(index);
    }
    for (let next = 0; next < count;) {
      const echo = settled[next];
      if (echo) {
        next++;
        yield echo;
      } else if (failure) {
        yield* settled.slice(next).filter((later) => later !== undefined);
        throw failure.error;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    left.abort(LEFT);
  }
}

/** Made once: an error costs more than an echo. */
const LEFT = new Error('nobody listens any more');
