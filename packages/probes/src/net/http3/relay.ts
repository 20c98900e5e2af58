import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Endpoint, ProbeFailure } from '@vedette/contract';
import { LOCAL_REFUSALS } from '../local-refusals.ts';
import { ConnectedUdp } from '../udp.ts';
import { initialIdOf, type Said, whatServerSaid } from './initial.ts';

/** The bytes that a server may send before it is cut off: a handshake, and a head with the window of a body. */
const IN_MAX_BYTES = 512 * 1024;
/** The bytes that we may send: some dozen datagrams of 1.2 kB, and acknowledgements. */
const OUT_MAX_BYTES = 128 * 1024;
/** A larger datagram would be sent in fragments, which QUIC forbids (RFC 9000 §14). The client tries the loopback's size, and takes the loss for an answer. */
const DATAGRAM_MAX_BYTES = 1_452;
/** The one that the client chose, that of a Retry, and that of the server. */
const MAX_IDS = 3;
const MAX_VERSIONS = 8;
/** Datagrams of the server that are read: it refuses with the first, or with the one behind a Retry. */
const MAX_READ = 3;

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
  #answers = 0;
  /** Connection ids of the client's Initial packets. */
  readonly #ids = new Map<string, Buffer>();

  /** `onFailure` is called at most once: ICMP said no (connect_refused, connect_unreachable), the server did (tls_handshake), this machine did (no_network), or too much came (too_large). */
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
      const id = this.#ids.size < MAX_IDS ? initialIdOf(datagram) : undefined;
      if (id) this.#ids.set(id.toString('latin1'), id);
      if (port === this.#client && this.#sent <= OUT_MAX_BYTES && datagram.length <= DATAGRAM_MAX_BYTES) this.#outer.send(datagram);
    });
    this.#outer = new ConnectedUdp(endpoint, {
      message: (datagram) => {
        this.#received += datagram.length;
        const said = ++this.#answers <= MAX_READ ? whatServerSaid(datagram, this.#ids.values()) : undefined;
        if (said) failed(refusal(said));
        else if (this.#received > IN_MAX_BYTES) failed(new ProbeFailure('too_large', `more than ${IN_MAX_BYTES} bytes`));
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

/** CRYPTO_ERROR with the alert no_application_protocol (RFC 9001 §4.8, RFC 7301 §3.2). */
const NO_ALPN = 0x178;

/** Why a server wants no connection: quiche waits for another answer, and says that it timed out. */
function refusal(said: Said): ProbeFailure {
  if (said.kind === 'close') return quicFailure(said.code, said.reason);
  const offered = said.versions.slice(0, MAX_VERSIONS).map((version) => `0x${version.toString(16)}`);
  return new ProbeFailure('tls_handshake', `the server speaks other versions of QUIC only: ${offered.join(', ')}`);
}

/** Why a server closed a connection before the handshake was finished. */
function quicFailure(code: number, reason: string): ProbeFailure {
  if (code === NO_ALPN) return new ProbeFailure('tls_handshake', 'the server does not speak h3 (TLS alert 120, no application protocol)');
  return new ProbeFailure('tls_handshake', `the server closed the connection: QUIC error 0x${code.toString(16)} ${reason}`.trim());
}

/** Before anything was sent only this machine can have said no. A later refusal by its firewall has an errno that no ICMP error makes. */
function udpFailure(error: NodeJS.ErrnoException, sent: boolean): ProbeFailure {
  const { code = error.message } = error;
  if (code === 'ECONNREFUSED') return new ProbeFailure('connect_refused', `UDP ${code}`, { cause: error });
  const isOurs = code === 'EPERM' || (!sent && LOCAL_REFUSALS.has(code));
  return new ProbeFailure(isOurs ? 'no_network' : 'connect_unreachable', `UDP ${code}`, { cause: error });
}
