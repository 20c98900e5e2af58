import type { Socket } from 'node:net';
import { type Dialler, type Endpoint, parseIp, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { abortFailure, allowedAddress } from '../net/dialler.ts';
import { interfaceAddress } from '../net/own-addresses.ts';
import { ExitFailure, type VpnExit } from './exits.ts';
import { connectHttp } from '../proxy/http-connect.ts';
import { ConnectionLost } from '../proxy/read.ts';
import type { ProxyPeer } from '../proxy/proxy.ts';
import { refuseItself } from '../proxy/refuse-itself.ts';
import { connectSocks5, greetSocks5 } from '../proxy/socks5.ts';

/** An exit that does not answer within this is down; how long the target takes is another matter. */
const EXIT_MS = 4_000;

/** The far end: a target, whose address is judged, or a resolver that the operator chose, which is exempt. */
export interface FarEnd extends Endpoint {
  is: 'target' | 'resolver';
}

export type TunnelPorts = Pick<ProbePorts, 'dialler' | 'clock'>;

/**
 * Connects to an address through the exit, or not at all: nothing here ever goes out directly, and no exit is told a name.
 * Rejects with `ExitFailure` when the exit is at fault, with `ProbeFailure` when the far end is, or may be: what an exit says in place
 * of an answer is believed of the far end when the exit passes a check.
 */
export async function openTunnel(exit: VpnExit, end: FarEnd, ports: TunnelPorts, signal: AbortSignal): Promise<Socket> {
  const { policy } = ports.dialler;
  if (end.is === 'target') allowedAddress(policy, policy.judge(end.address, end.port), `port ${end.port}`);
  if (exit.kind === 'iface') return openFromInterface(exit, end, ports.dialler, signal);
  const socket = await reachExit(exit, ports, signal);
  try {
    if (end.is === 'target') refuseItself(socket, end.address, 'the exit itself');
    await (exit.kind === 'socks5' ? connectSocks5 : connectHttp)(socket, peerOf(exit), end);
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw abortFailure(signal);
    const failure = connectFailure(exit, error);
    // A resolver is asked for the exit's sake, and only there to be reached: what the exit says is wanted in words.
    throw end.is === 'resolver' && failure instanceof ProbeFailure ? new ExitFailure(exit.label, failure.message, failure) : failure;
  }
  return socket;
}

/** Bound to the interface and to its own address, looked up each time: without the interface, the connection fails. */
async function openFromInterface(exit: VpnExit, { is, address, port }: FarEnd, dialler: Dialler, signal: AbortSignal): Promise<Socket> {
  const { version } = parseIp(address)!;
  const localAddress = interfaceAddress(exit.interface ?? '', version);
  if (localAddress === undefined) {
    // An exit that works for one family does not fail for want of the other.
    if (interfaceAddress(exit.interface ?? '', version === 4 ? 6 : 4) === undefined)
      throw new ExitFailure(exit.label, 'the interface is down or has no address');
    throw version === 6 ? new ProbeFailure('no_ipv6', 'the exit') : new ProbeFailure('no_network', 'the exit has no IPv4');
  }
  const way = { signal, localAddress, device: exit.interface! };
  try {
    return await (is === 'target'
      ? dialler.tcp({ address, port, ...way })
      : dialler.operatorTcp({ endpoint: { host: address, port }, ...way }));
  } catch (error) {
    const noWay = error instanceof ProbeFailure && error.code === 'no_network';
    throw noWay ? new ExitFailure(exit.label, `no way out through the interface: ${error.seen}`, error) : error;
  }
}

function reachExit(exit: VpnExit, { dialler, clock }: TunnelPorts, signal: AbortSignal): Promise<Socket> {
  return within(
    clock,
    EXIT_MS,
    signal,
    () => new ExitFailure(exit.label, 'it does not answer'),
    async (limited) => {
      let socket: Socket | undefined;
      const lifetime = AbortSignal.any([signal, limited]); // the socket outlives the limit, not the job
      try {
        socket = await dialler.operatorTcp({ endpoint: exit.endpoint!, signal: lifetime });
        if (exit.kind === 'socks5') await greetSocks5(socket, peerOf(exit));
        return socket;
      } catch (error) {
        socket?.destroy();
        if (signal.aborted) throw error;
        if (limited.aborted) throw limited.reason;
        throw asFailure(exit, error instanceof ProbeFailure ? new Error(error.message, { cause: error }) : error);
      }
    },
  );
}

const peerOf = (exit: VpnExit): ProxyPeer => ({ ...exit, called: 'the exit' });

/** Many exits hang up where others say that they did not reach the far end. */
const connectFailure = (exit: VpnExit, error: unknown): Error =>
  error instanceof ConnectionLost
    ? new ProbeFailure('connect_unreachable', `the exit hung up instead of an answer (${error.message})`, { cause: error })
    : asFailure(exit, error);

const asFailure = (exit: VpnExit, error: unknown): Error =>
  error instanceof ProbeFailure || error instanceof ExitFailure
    ? error
    : new ExitFailure(exit.label, error instanceof Error ? error.message : String(error), error);
