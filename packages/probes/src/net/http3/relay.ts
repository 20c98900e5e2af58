import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Endpoint, ProbeFailure } from '@vedette/contract';
import { LOCAL_REFUSALS } from '../local-refusals.ts';
import { ConnectedUdp } from '../udp.ts';

/** What a server may send before it is cut off: a handshake, and a head with the window of a body beside it. */
const IN_MAX_BYTES = 512 * 1024;
/** What we may send: some dozen datagrams of 1.2 kB, and acknowledgements. */
const OUT_MAX_BYTES = 128 * 1024;

/**
 * Carries the datagrams of one QUIC connection between the client, which stands on the loopback, and one judged endpoint: nothing else can be
 * reached through it, and what comes back, or does not, is seen here and not guessed.
 */
export class UdpRelay {
  /** Where the client sends to, on 127.0.0.1. */
  readonly port: number;
  readonly #inner: Socket;
  readonly #outer: ConnectedUdp;
  #closed = false;
  /** The client's port, from its first datagram on. */
  #client = 0;
  #sent = 0;
  #received = 0;

  /** `onFailure` is called at most once: ICMP said no (connect_refused, connect_unreachable), this machine did (no_network), or too much came (too_large). */
  private constructor(inner: Socket, endpoint: Endpoint, onFailure: (failure: ProbeFailure) => void) {
    const failed = (failure: ProbeFailure): void => {
      this.close();
      onFailure(failure);
    };
    this.#inner = inner;
    this.port = inner.address().port;
    this.#inner.on('error', (error: NodeJS.ErrnoException) => failed(new ProbeFailure('no_network', error.code)));
    this.#inner.on('message', (datagram, { port }) => {
      this.#client ||= port;
      this.#sent += datagram.length;
      if (port === this.#client && this.#sent <= OUT_MAX_BYTES) this.#outer.send(datagram);
    });
    this.#outer = new ConnectedUdp(endpoint, {
      message: (datagram) => {
        this.#received += datagram.length;
        if (this.#received > IN_MAX_BYTES) failed(new ProbeFailure('too_large', `more than ${IN_MAX_BYTES} bytes`));
        else this.#inner.send(datagram, this.#client, '127.0.0.1');
      },
      // A host that answered is there, whatever an error of ICMP says later.
      error: (error) => this.#received === 0 && failed(udpFailure(error, this.#sent > 0)),
    });
  }

  /** Whether the endpoint sent anything at all. */
  get answered(): boolean {
    return this.#received > 0;
  }

  static async open(endpoint: Endpoint, onFailure: (failure: ProbeFailure) => void): Promise<UdpRelay> {
    const inner = createSocket('udp4').bind(0, '127.0.0.1');
    await once(inner, 'listening');
    return new UdpRelay(inner, endpoint, onFailure);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#inner.close();
    this.#outer.close();
  }
}

/** Before anything was sent only this machine can have said no. What its firewall refuses later has an errno that no ICMP error makes. */
function udpFailure(error: NodeJS.ErrnoException, sent: boolean): ProbeFailure {
  const { code = error.message } = error;
  if (code === 'ECONNREFUSED') return new ProbeFailure('connect_refused', `UDP ${code}`, { cause: error });
  const isOurs = code === 'EPERM' || (!sent && LOCAL_REFUSALS.has(code));
  return new ProbeFailure(isOurs ? 'no_network' : 'connect_unreachable', `UDP ${code}`, { cause: error });
}
