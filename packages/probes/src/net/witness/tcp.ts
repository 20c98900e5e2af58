import { connect } from 'node:net';
import type { Endpoint } from '@vedette/contract';

/** Connects to a judged address and closes again. Resolves with '' when the server has accepted, else with the name of the error. */
export const connects = ({ address, port }: Endpoint, signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, autoSelectFamily: false });
    const end = (seen: string): void => {
      signal.removeEventListener('abort', late);
      socket.destroy();
      resolve(seen);
    };
    const late = (): void => end('no answer');
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    socket.once('connect', () => end(''));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
