import { type ExitEndpoint, isId, parseHost, type VpnExit, vpnExitEntries, type VpnExitEntry } from '@vedette/contract';

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

const DEFAULT_PORTS = { socks5: 1080, http: 8080 };
const INTERFACE = /^[A-Za-z0-9_.:-]{1,15}$/; // IFNAMSIZ
const CREDENTIAL_MAX_BYTES = 255; // RFC 1929 §2

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

function parseExit({ exit: address, location }: VpnExitEntry): ConfiguredExit | undefined {
  if (location !== undefined && !isId(location)) return undefined;
  const exit = address.startsWith('iface:') ? parseInterface(address.slice('iface:'.length)) : parseProxy(address);
  return exit && { ...exit, ...(location !== undefined && { location }) };
}

const parseInterface = (name: string): VpnExit | undefined =>
  INTERFACE.test(name) ? { kind: 'iface', label: `iface:${name}`, interface: name } : undefined;

function parseProxy(address: string): VpnExit | undefined {
  const match = /^(socks5|http):\/\/(?:([^:@/]*):([^:@/]*)@)?([^@/]+?)(?::(\d{1,5}))?\/?$/.exec(address);
  if (!match) return undefined;
  const kind = match[1] as 'socks5' | 'http';
  const host = parseHost(match[4]!)?.host;
  const port = match[5] === undefined ? DEFAULT_PORTS[kind] : Number(match[5]);
  const username = decode(match[2]);
  const password = decode(match[3]);
  if (host === undefined || port < 1 || port > 65_535 || username === false || password === false) return undefined;
  return {
    kind,
    label: `${kind}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    endpoint: { host, port },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

/** False when it is not percent-encoded text of at most 255 octets. */
function decode(text: string | undefined): string | undefined | false {
  if (text === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(text);
    return Buffer.byteLength(decoded) <= CREDENTIAL_MAX_BYTES && decoded;
  } catch {
    return false;
  }
}
