/** The part of net-ping 1.2.4 that we use; the package has no types. */
declare module 'net-ping' {
  import type { EventEmitter } from 'node:events';

  export interface Request {
    /** Becomes the ICMP sequence number. */
    id: number;
    retries: number;
    /** ms, counted from the send. */
    timeout: number;
    target: string;
    callback(error: Error | null): void;
  }
  export interface SessionOptions {
    networkProtocol: number;
    sessionId: number;
    retries: number;
    packetSize: number;
    ttl: number;
  }
  export class Session<R extends Request = Request> extends EventEmitter {
    constructor(options: SessionOptions);
    readonly sessionId: number;
    /** Requests on their way, by id. */
    readonly reqs: Record<number, R | undefined>;
    readonly reqsPending: number;
    reqQueue(request: R): this;
    reqRemove(id: number): R | undefined;
    toBuffer(request: R): Buffer;
    onBeforeSocketSend(request: R): void;
    onSocketMessage(buffer: Buffer, source: string): void;
  }
  export const NetworkProtocol: { IPv4: number; IPv6: number };
  export class RequestTimedOutError extends Error {}
}
