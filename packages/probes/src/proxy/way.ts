import type { Socket } from 'node:net';
import { type Endpoint, parseHost, type ParsedHost, ProbeFailure, within, type ProbePorts } from '@vedette/contract';
import { familiesOf, judgeHost } from '../host/judge-host.ts';
import { PATIENT_MS } from '../host/staggered.ts';
import { abortFailure, allowedAddress } from '../net/dialler.ts';
import { startTls } from '../net/tls.ts';
import { connectHttp } from './http-connect.ts';
import { type Proxy, ProxyFailure, ProxyFault } from './proxy.ts';
import { ConnectionLost } from './read.ts';
import { refuseItself } from './refuse-itself.ts';
import { connectSocks5, greetSocks5 } from './socks5.ts';

/** A proxy that does not answer within this time counts as dead; the target behind it has its own limit. */
const PROXY_MS = 5_000;

export interface WayOptions extends Pick<ProbePorts, 'resolver' | 'dialler' | 'clock' | 'ca'> {
  proxy: Proxy;
  /** Throws `ProbeFailure` blocked_policy for a name that is not contacted. */
  refuse(name: string): void;
  isOptedOut(name: string): Promise<boolean>;
}

/** How the hosts of a visit are reached, where that is not straight. */
export interface Way {
  /** How long one address has before the next one is tried beside it. */
  readonly nextMs: number;
  /** Whether it reaches a host by its name, for which the DNS has no address. */
  reachesByName(host: string): boolean;
  /**
   * Connects to an address, or to a name that it reaches; `host` is what had the address. Rejects with `ProxyFailure` where the way is at fault,
   * with `ProbeFailure` where the target is. The returned socket closes with `signal`.
   */
  open(target: Endpoint & { host?: string }, signal: AbortSignal): Promise<Socket>;
}

/** The way of one visit through a proxy of its client's: the proxy is judged as every target is, once, and asked for addresses only. */
export class ProxyWay implements Way {
  readonly nextMs = PATIENT_MS;
  readonly #options: WayOptions;
  #address: Promise<string> | undefined;

  constructor(options: WayOptions) {
    this.#options = options;
  }

  reachesByName(): boolean {
    return false;
  }

  /** Connects to an address that was judged: see `Way`. The proxy's word about the target is believed. */
  async open(target: Endpoint, signal: AbortSignal): Promise<Socket> {
    const { policy } = this.#options.dialler;
    allowedAddress(policy, policy.judge(target.address, target.port), `port ${target.port}`);
    const socket = await this.#reach(target, signal);
    try {
      refuseItself(socket, target.address, 'the proxy itself');
      await (this.#options.proxy.kind === 'socks5' ? connectSocks5 : connectHttp)(socket, this.#options.proxy, target);
      return socket;
    } catch (error) {
      socket.destroy();
      if (signal.aborted) throw abortFailure(signal);
      // Many proxies hang up where others say that they did not reach the target.
      if (error instanceof ConnectionLost)
        throw new ProbeFailure('connect_unreachable', `the proxy hung up (${error.message})`, { cause: error });
      throw asFailure(error);
    }
  }

  /** A connection to the proxy, signed in as far as that comes before a target is named. */
  #reach({ address: beyond }: Endpoint, signal: AbortSignal): Promise<Socket> {
    const { clock, dialler, proxy } = this.#options;
    let socket: Socket | undefined;
    const late = () => new ProxyFailure('connect_timeout', 'it does not answer');
    return within(clock, PROXY_MS, signal, late, async (limited) => {
      const lifetime = AbortSignal.any([signal, limited]); // the socket outlives the limit, not the visit
      try {
        const address = await this.#judged(lifetime);
        socket = await dialler.tcp({ address, port: proxy.port, beyond, signal: lifetime });
        if (proxy.kind === 'https') socket = await secured(socket, hostOf(proxy), this.#options, lifetime);
        if (proxy.kind === 'socks5') await greetSocks5(socket, proxy);
        return socket;
      } catch (error) {
        socket?.destroy();
        // A caller that gives up before the proxy answers has waited for the proxy.
        if (signal.aborted && signal.reason instanceof ProbeFailure) throw late();
        if (limited.aborted) throw limited.reason;
        throw error instanceof ProbeFailure || error instanceof ProxyFault || error instanceof ConnectionLost ? faultOf(error) : error;
      }
    });
  }

  /** Looked up once: a name that leads elsewhere a moment later is not followed there. */
  #judged(signal: AbortSignal): Promise<string> {
    return (this.#address ??= this.#judge(signal));
  }

  async #judge(signal: AbortSignal): Promise<string> {
    const { proxy, dialler, refuse, isOptedOut } = this.#options;
    const host = hostOf(proxy);
    refuse(host.host);
    if (host.kind === 'name' && (await isOptedOut(host.host)))
      throw new ProbeFailure('blocked_policy', 'its owner does not want to be contacted');
    const verdict = await judgeHost(host, this.#options, { families: familiesOf(host), port: proxy.port, signal, onAlias: refuse });
    return allowedAddress(dialler.policy, verdict, `port ${proxy.port}`);
  }
}

const hostOf = ({ host }: Proxy): ParsedHost => parseHost(host)!; // as `parseProxyUrl` wrote it

/** It carries credentials, which must not go to a proxy without a trusted certificate. */
async function secured(
  socket: Socket,
  host: ParsedHost,
  { ca, clock }: Pick<WayOptions, 'ca' | 'clock'>,
  signal: AbortSignal,
): Promise<Socket> {
  const session = await startTls({ socket, host, alpn: ['http/1.1'], ca, profile: 'modern', clock, signal });
  if (session.certificate.valid) return session.socket;
  session.socket.destroy();
  throw new ProbeFailure('tls_cert_invalid', session.certificate.error);
}

const asFailure = (error: unknown): unknown => (error instanceof ProxyFault ? faultOf(error) : error);

const faultOf = (error: Error): ProxyFailure =>
  error instanceof ProxyFailure
    ? error
    : error instanceof ProbeFailure
      ? new ProxyFailure(error.code, error.message.replace(/\b(The|This) target\b/, '$1 proxy'), error)
      : new ProxyFailure('connect_unreachable', error.message, error);
