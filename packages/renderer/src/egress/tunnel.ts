import type { Socket } from 'node:net';
import { TlsRecords } from './tls-records.ts';

export interface TunnelOptions {
  browser: Socket;
  target: Socket;
  /** Counts octets, and what may have been requests among what was sent; what throws ends the tunnel. */
  count(sent: number, received: number, requests: number): void;
  /** Hears what `count` threw. */
  onRefused(error: unknown): void;
}

/** A tunnel in which nothing has moved for so long is over. */
const IDLE_MS = 60_000;

/** Joins two sockets until either closes, looking at no more than the headers of TLS records. Neither side is read faster than the other takes it. */
export function joinSockets({ browser, target, count, onRefused }: TunnelOptions): void {
  const records = new TlsRecords();
  const end = () => {
    browser.destroy();
    target.destroy();
  };
  const guarded = (step: () => void) => {
    try {
      step();
    } catch (error) {
      onRefused(error);
      end();
    }
  };
  relay(browser, target, (chunk) => guarded(() => count(chunk.length, 0, records.push(chunk))));
  relay(target, browser, (chunk) => guarded(() => count(0, chunk.length, 0)));
  target.setTimeout(IDLE_MS, end);
  for (const socket of [browser, target]) socket.once('close', end);
}

/** Hands on what comes and that it ended. */
function relay(from: Socket, to: Socket, onChunk: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    onChunk(chunk);
    if (!to.destroyed && !to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => to.end());
}
