import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Endpoint } from '@vedette/contract';

export interface UdpHandlers {
  /** A datagram from the connected peer; the kernel drops every other source. */
  message: (datagram: Buffer) => void;
  /** The socket is of no more use: the peer's host said no (ICMP port unreachable is ECONNREFUSED), or it could not be opened. */
  error: (error: Error) => void;
}

/** A UDP socket connected to one endpoint, on a random port of the kernel's choice. */
export class ConnectedUdp {
  readonly #socket: Socket;
  readonly #failed: (error: Error | null) => void;
  #outbox: Uint8Array[] = [];
  #state: 'connecting' | 'connected' | 'closed' = 'connecting';

  constructor(endpoint: Endpoint, handlers: UdpHandlers) {
    this.#socket = createSocket({
      type: isIPv6(endpoint.address) ? 'udp6' : 'udp4',
      // Endpoints are literal addresses: nothing is looked up.
      lookup: (address, _options, done) => done(null, address, isIPv6(address) ? 6 : 4),
    });
    // Later, since a socket that cannot be bound says so before its constructor is done.
    this.#failed = (error) => {
      if (error) queueMicrotask(() => this.#state !== 'closed' && handlers.error(error));
    };
    this.#socket.on('message', handlers.message);
    this.#socket.on('error', this.#failed);
    this.#socket.on('connect', () => {
      if (this.#state === 'closed') return;
      this.#state = 'connected';
      this.#flush();
    });
    this.#socket.connect(endpoint.port, endpoint.address);
  }

  /** Sends at the end of this turn of the event loop: datagrams that leave in one go wake a local server once, not each time. */
  send(datagram: Uint8Array): void {
    if (this.#state === 'connected' && this.#outbox.length === 0) setImmediate(() => this.#flush());
    this.#outbox.push(datagram);
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#socket.close();
  }

  #flush(): void {
    if (this.#state === 'closed') return;
    const outbox = this.#outbox;
    this.#outbox = [];
    // Without a callback the error of an earlier datagram would be lost here.
    for (const datagram of outbox) this.#socket.send(datagram, this.#failed);
  }
}
