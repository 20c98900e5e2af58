import { ProbeFailure, type Reason } from '@vedette/contract';

/** The protocol of a proxy, and its name in messages. */
export interface ProxyPeer {
  called: 'the exit' | 'the proxy' | 'Tor';
  username?: string;
  password?: string;
  /** A SOCKS5 server that does not ask for the user name is not used. */
  mustSignIn?: true;
  /** Further fields of a CONNECT. */
  headers?: Readonly<Record<string, string>>;
}

/** A proxy that a client named: `http://`, `https://` or `socks5://`, with credentials or without. */
export interface Proxy extends ProxyPeer {
  kind: 'http' | 'https' | 'socks5';
  /** A name in A-labels, or an address without brackets. */
  host: string;
  port: number;
}

/** The proxy is at fault, not the target behind it. Without credentials in any text. */
export class ProxyFault extends Error {}

/** A visit ended at its proxy: nothing was learnt of any target. `code` says how far it came, or by what the proxy is not allowed. */
export class ProxyFailure extends ProbeFailure {
  constructor(code: Reason, seen: string, cause?: unknown) {
    super(code, seen, { cause });
    this.name = 'ProxyFailure';
    this.message = `The proxy failed: ${this.seen}`;
  }
}
