import type { ParsedHost, ProbeFailure } from '@vedette/contract';
import type { CapabilityVerdict } from '../../health/capability.ts';

/** One GET over HTTP/3. */
export interface Http3Request {
  /** Judged before anything is sent, with the port. */
  address: string;
  port: number;
  /** The host that the certificate must name, even at another address (RFC 7838 §2.1). For an address it is not checked. */
  host: ParsedHost;
  /** `:authority` and `:path`. */
  authority: string;
  path: string;
  /** Lower-case names. */
  fields: Readonly<Record<string, string>>;
  handshake_ms: number;
  /** Time from the start to the head of the answer. */
  answer_ms: number;
  /** Called once the handshake is finished. */
  onConnected?(): void;
  signal: AbortSignal;
}

export interface Http3Outcome {
  /** The result over UDP: datagrams of the server, an ICMP error, or nothing. */
  udp: 'answered' | 'refused' | 'silent';
  /** Whether the QUIC handshake was finished, the certificate verified. */
  connected: boolean;
  /** The final answer's, names in lower case, in the order received; undefined where none came. */
  head: { version: 'HTTP/3'; status: number; statusMessage: string; headers: [name: string, value: string][] } | undefined;
  /** Why none came: connect_…, tls_…, http_…, too_large; `internal` where our own client could not go on. */
  failure: ProbeFailure | undefined;
}

/** Speaks HTTP/3, and no other version of HTTP. */
export interface Http3Client {
  /** Starts what a request needs, so that its time is not taken for a server's. What fails here fails in `get`. */
  ready(): Promise<void>;
  /**
   * Does a handshake and a GET over a fresh connection, without reading the body. Faults of the server are in the outcome.
   * Rejects with `ProbeFailure` blocked_private_address, blocked_policy, no_network, internal where there is no client, or with what the signal means.
   */
  get(request: Http3Request): Promise<Http3Outcome>;
  /**
   * Whether QUIC servers that the operator vouches for have answered us over UDP after `since`, on the clock; they are asked where that is not known.
   * Where there is none, it is good while a server has answered within the last minute, else unknown.
   */
  udpVerdict(since: number): Promise<CapabilityVerdict>;
}
