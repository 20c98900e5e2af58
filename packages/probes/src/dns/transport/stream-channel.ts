import type { Socket } from 'node:net';
import { unlessAborted } from '@vedette/contract';

const LENGTH_OCTETS = 2;

/**
 * DNS messages over one connection, TCP or TLS, each with its two octets of length (RFC 7766 §8). Responses may come in any order: they are told
 * apart by their ids. Holds at most one unfinished message.
 */
export class StreamChannel {
  readonly #socket: Socket;
  readonly #asked = new Map<number, PromiseWithResolvers<Buffer>>();
  #received: Buffer = Buffer.alloc(0);
  #failed: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed before the answer')));
    if (socket.destroyed) this.#fail(new Error('the connection was closed before the question'));
  }

  /** Resolves with the response that has the query's id. Rejects with the socket's error, or with the signal's reason. */
  ask(query: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (this.#failed) return Promise.reject(this.#failed);
    const answer = Promise.withResolvers<Buffer>();
    this.#asked.set(query.readUInt16BE(), answer);
    const length = Buffer.allocUnsafe(LENGTH_OCTETS);
    length.writeUInt16BE(query.length);
    this.#socket.write(Buffer.concat([length, query]));
    answer.promise.catch(() => {}); // the signal may have ended the wait
    return unlessAborted(signal, answer.promise);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.length < LENGTH_OCTETS ? Infinity : LENGTH_OCTETS + this.#received.readUInt16BE();
      if (this.#received.length < end) return;
      const message = Buffer.from(this.#received.subarray(LENGTH_OCTETS, end));
      this.#received = this.#received.subarray(end);
      const id = message.length < 2 ? -1 : message.readUInt16BE();
      this.#asked.get(id)?.resolve(message);
      this.#asked.delete(id);
    }
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    for (const { reject } of this.#asked.values()) reject(this.#failed);
    this.#asked.clear();
  }
}
