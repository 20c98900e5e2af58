import { Socket } from 'node:net';
import { deviceSocket } from './device-socket.ts';
import { type IcmpRejection, type WatchedSocket, watchedSocket } from './handshake/icmp-watch.ts';
import { LOCAL_REFUSALS } from './local-refusals.ts';
import {
  type AddressPolicy,
  type AddressVerdict,
  type Dialler,
  type ExitEndpoint,
  formatIp,
  parseIp,
  ProbeFailure,
  type Reason,
  type Resolver,
} from '@vedette/contract';

export interface DiallerOptions {
  policy: AddressPolicy;
  /** Endpoints that the operator configured (exits, the resolvers asked through them), and the resolver of their names. */
  operator?: {
    endpoints: readonly ExitEndpoint[];
    /** Servers that are reached wherever their names lead. No client can name one. */
    servers?: readonly ExitEndpoint[];
    resolver: Pick<Resolver, 'addresses'>;
  };
}

/**
 * The one way out over TCP. The address is judged before the connect and again as the kernel reports it afterwards; a
 * lookup hook would be skipped for literal addresses, so names are refused here altogether.
 */
export function createDialler({ policy, operator }: DiallerOptions): Dialler {
  const servers = new Set(operator?.servers?.map(endpointKey));
  const configured = new Set([...(operator?.endpoints.map(endpointKey) ?? []), ...servers]);
  const dialler: Dialler = {
    policy,
    async tcp({ address, port, service, signal, localAddress, device, tellsIcmp }) {
      const judged = allowedAddress(policy, policy.judge(address, port, service), `port ${port}`);
      const watch = tellsIcmp && device === undefined ? await watchedSocket(parseIp(judged)!.version) : undefined;
      const fresh = watch?.socket ?? (await socketFor(judged, device));
      const socket = await open({ socket: fresh, watch, address: judged, port, signal, localAddress }).finally(() => watch?.release());
      try {
        const remotePort = socket.remotePort ?? 0;
        const connected = allowedAddress(policy, policy.judge(socket.remoteAddress ?? '', remotePort, service), `port ${remotePort}`);
        if (connected !== judged || remotePort !== port) throw new ProbeFailure('blocked_policy', 'connected to another address');
      } catch (error) {
        socket.destroy();
        throw error;
      }
      return socket;
    },
    async operatorTcp({ endpoint, signal, localAddress, device }) {
      if (!operator || !configured.has(endpointKey(endpoint))) throw new ProbeFailure('blocked_policy', 'not a configured endpoint');
      const { host, port } = endpoint;
      if (parseIp(host)) return open({ socket: await socketFor(host, device), address: host, port, signal, localAddress });
      if (servers.has(endpointKey(endpoint))) {
        const address = await anyAddress(operator.resolver, host, signal);
        return open({ socket: new Socket(), address, port, signal, localAddress });
      }
      const [address = ''] = await operator.resolver.addresses(host, 4, { signal });
      return dialler.tcp({
        address,
        port,
        signal,
        ...(localAddress !== undefined && { localAddress }),
        ...(device !== undefined && { device }),
      });
    },
  };
  return dialler;
}

/**
 * The canonical text of an address that was judged with its port. Throws `ProbeFailure` blocked_private_address or blocked_policy when it
 * is refused, which tells the requested name (`seen`) and not the address, so that addresses of inner names stay private.
 */
export function allowedAddress(policy: AddressPolicy, verdict: AddressVerdict, seen: string): string {
  if (verdict.allowed) return verdict.address;
  // Refused for the port, or for being our own: that says nothing about the address's kind.
  const kindAllowed = verdict.class === 'public' || policy.judge(verdict.address).allowed;
  throw new ProbeFailure(kindAllowed ? 'blocked_policy' : 'blocked_private_address', seen);
}

/** An IPv4 address of the host, or an IPv6 one where it has no other. */
async function anyAddress(resolver: Pick<Resolver, 'addresses'>, host: string, signal: AbortSignal): Promise<string> {
  const v4 = await resolver.addresses(host, 4, { signal }).catch((error: unknown) => {
    if (error instanceof ProbeFailure && error.code === 'dns_no_address') return [];
    throw error;
  });
  return v4[0] ?? (await resolver.addresses(host, 6, { signal }))[0]!;
}

const socketFor = async (address: string, device: string | undefined): Promise<Socket> =>
  device === undefined ? new Socket() : await deviceSocket(device, parseIp(address)!.version);

const endpointKey = ({ host, port }: ExitEndpoint): string => {
  const ip = parseIp(host);
  return `${ip ? formatIp(ip) : host} ${port}`;
};

interface OpenOptions {
  socket: Socket;
  watch?: WatchedSocket | undefined;
  address: string;
  port: number;
  signal: AbortSignal;
  localAddress: string | undefined;
}

/** Connects, and ties the socket to the signal for as long as it lives. */
function open({ socket, watch, address, port, signal, localAddress }: OpenOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      socket.destroy();
      reject(abortFailure(signal));
    };
    let refusedHere = false;
    const onError = (error: NodeJS.ErrnoException) => {
      const rejection = watch?.rejection();
      if (rejection) reject(rejectedBy(rejection, address));
      else reject(connectFailure(error, address, refusedHere));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', onAbort));
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      // The reader of a socket listens for its errors; an error without a listener must not end the process.
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.setNoDelay(true);
    socket.connect({ host: address, port, autoSelectFamily: false, ...(localAddress !== undefined && { localAddress }) });
    // Behind the system call, which Node makes in this turn, and ahead of whatever comes from the network.
    process.nextTick(() => (refusedHere = socket.destroyed));
  });
}

const rejectedBy = (rejection: IcmpRejection, address: string): ProbeFailure =>
  new ProbeFailure(rejection.isOurs ? 'no_network' : 'connect_unreachable', `${address} ${rejection.message}`, { cause: rejection });

/** Maps an aborted signal to the failure that it carries, a timeout, or a cancellation. */
export function abortFailure(signal: AbortSignal): ProbeFailure {
  const reason: unknown = signal.reason;
  if (reason instanceof ProbeFailure) return reason;
  const timedOut = reason instanceof DOMException && reason.name === 'TimeoutError';
  return new ProbeFailure(timedOut ? 'connect_timeout' : 'cancelled', '', { cause: reason });
}

/**
 * Maps the error of a connect to its reason. `refusedHere`: the system call itself was refused, for want of a route, an address or a
 * permission, and nothing was sent.
 */
function connectFailure(error: NodeJS.ErrnoException, address: string, refusedHere: boolean): ProbeFailure {
  const { code = error.message } = error;
  if (refusedHere && LOCAL_REFUSALS.has(code)) return new ProbeFailure('no_network', code, { cause: error });
  return new ProbeFailure(CONNECT_REASONS[code] ?? 'internal', `${address} ${code}`, { cause: error });
}

/** Errors from the target, or by ICMP from a router: the kernel maps both to the same errnos (`icmp_err_convert`, `tab_unreach`). */
const CONNECT_REASONS: Record<string, Reason> = {
  ECONNREFUSED: 'connect_refused',
  ECONNRESET: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_unreachable',
  ENETUNREACH: 'connect_unreachable',
  EHOSTDOWN: 'connect_unreachable',
  ENONET: 'connect_unreachable',
  ENOPROTOOPT: 'connect_unreachable',
  EOPNOTSUPP: 'connect_unreachable',
  EACCES: 'connect_unreachable', // ICMPv6: administratively prohibited
  EPROTO: 'connect_unreachable',
};
