import type { Socket } from 'node:net';
import { type Dialler, parseIp, type ParsedUrl, ProbeFailure, type ProbePorts, type VpnExit, within } from '@vedette/contract';
import { interfaceAddress } from '../net/own-addresses.ts';
import { ExitFailure } from './exits.ts';
import { connectHttp } from './http-connect.ts';
import { connectSocks5, greetSocks5 } from './socks5.ts';

/** An exit that does not answer within this is down; how long the target takes is another matter. */
const EXIT_MS = 4_000;

export type TunnelPorts = Pick<ProbePorts, 'dialler' | 'resolver' | 'clock'>;

/**
 * Connects to the target through the exit, or not at all: nothing here ever goes out directly. `address` is the target's,
 * as we resolved and judged it; exits that can resolve the name are given the name, since what a site shows depends on
 * who resolves it. An exit may so be told another address than we judged: run it where nothing inner can be reached.
 * Rejects with `ExitFailure` when the exit is at fault, with `ProbeFailure` when the target is.
 */
export async function openTunnel(
  exit: VpnExit,
  target: ParsedUrl,
  address: string,
  ports: TunnelPorts,
  signal: AbortSignal,
): Promise<Socket> {
  if (exit.kind === 'iface') return openFromInterface(exit, target, address, ports.dialler, signal);
  const socket = await reachExit(exit, ports, signal);
  try {
    await (exit.kind === 'socks5' ? connectSocks5(socket, exit, target) : connectHttp(socket, exit, target));
  } catch (error) {
    socket.destroy();
    throw asFailure(exit, error);
  }
  return socket;
}

/** Bound to the interface and to its own address, looked up each time: when it is gone there is no connection. */
async function openFromInterface(
  exit: VpnExit,
  { port }: ParsedUrl,
  address: string,
  dialler: Dialler,
  signal: AbortSignal,
): Promise<Socket> {
  const localAddress = interfaceAddress(exit.interface ?? '', parseIp(address)!.version);
  if (localAddress === undefined) throw new ExitFailure(exit.label, 'the interface is down or has no address of this family');
  return dialler.tcp({ address, port, signal, localAddress, device: exit.interface! });
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
        if (exit.kind === 'socks5') await greetSocks5(socket, exit);
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

const asFailure = (exit: VpnExit, error: unknown): Error =>
  error instanceof ProbeFailure || error instanceof ExitFailure
    ? error
    : new ExitFailure(exit.label, error instanceof Error ? error.message : String(error), error);
