import { type ExitEndpoint, isId, vpnExitEntries } from '@vedette/contract';
import { parseProxyUrl } from '../proxy/proxy-url.ts';

/** An exit of vpn-test as configured: `socks5://user:pw@host:port`, `http://host:port`, `iface:wg0`. */
export interface VpnExit {
  kind: 'socks5' | 'http' | 'iface';
  /** The exit as configured, without credentials: safe to show to an operator. */
  label: string;
  endpoint?: ExitEndpoint;
  username?: string;
  password?: string;
  interface?: string;
}

/** An exit and the location whose agent it belongs to; without one the first agent takes it. */
export type ConfiguredExit = VpnExit & { location?: string };

/** The exit itself is at fault, not the target behind it: another exit may do better. The message holds no credential. */
export class ExitFailure extends Error {
  readonly seen: string;

  constructor(label: string, seen: string, cause?: unknown) {
    super(`${label}: ${seen}`, cause === undefined ? undefined : { cause });
    this.name = 'ExitFailure';
    this.seen = seen;
  }
}

const INTERFACE = /^[A-Za-z0-9_.:-]{1,15}$/; // IFNAMSIZ

/**
 * Reads VEDETTE_VPN_EXITS: `socks5://user:pw@host:port,http://host:port,iface:wg0`, each with an optional `#location`.
 * Reserved characters in credentials are percent-encoded. Throws, naming the entry by its number (it may hold a password).
 */
export function parseVpnExits(text: string): ConfiguredExit[] {
  return vpnExitEntries(text).map((entry, index) => {
    const exit = parseExit(entry);
    if (!exit)
      throw new Error(`VPN exit ${index + 1} is not socks5://[user:password@]host:port, http://[user:password@]host:port or iface:name`);
    return exit;
  });
}

/** Where the exits are that are proxies. */
export const exitEndpoints = (exits: readonly VpnExit[]): ExitEndpoint[] => exits.flatMap(({ endpoint }) => endpoint ?? []);

function parseExit({ exit: address, location }: ReturnType<typeof vpnExitEntries>[number]): ConfiguredExit | undefined {
  if (location !== undefined && !isId(location)) return undefined;
  const exit = address.startsWith('iface:') ? parseInterface(address.slice('iface:'.length)) : parseProxy(address);
  return exit && { ...exit, ...(location !== undefined && { location }) };
}

const parseInterface = (name: string): VpnExit | undefined =>
  INTERFACE.test(name) ? { kind: 'iface', label: `iface:${name}`, interface: name } : undefined;

function parseProxy(address: string): VpnExit | undefined {
  const proxy = parseProxyUrl(address);
  if (!proxy || proxy.kind === 'https') return undefined;
  const { kind, host, port, username, password } = proxy;
  return {
    kind,
    label: `${kind}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    endpoint: { host, port },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}
