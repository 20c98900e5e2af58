import { type Endpoint, formatIp, listOf, parseIp } from '@vedette/contract';

const DNS_PORT = 53;

/** `192.0.2.53:53`, `[2001:db8::53]:53`. */
export const formatEndpoint = ({ address, port }: Endpoint): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Parses VEDETTE_RESOLVERS: `ip[:port],…`, IPv6 with a port as `[::1]:53`. Port 53 unless given. Throws with the piece that is not one. */
export const parseEndpoints = (text: string): Endpoint[] => readEndpoints(text, DNS_PORT, 'an address of a resolver');

/** The same with another port where none is given. Throws with the piece that is not `wanted`. */
export function readEndpoints(text: string, port: number, wanted: string): Endpoint[] {
  return listOf(text).map((piece) => {
    const endpoint = parseEndpoint(piece, port);
    if (!endpoint) throw new Error(`not ${wanted}: ${piece}`);
    return endpoint;
  });
}

function parseEndpoint(piece: string, usual: number): Endpoint | undefined {
  const bare = parseIp(piece);
  if (bare) return { address: formatIp(bare), port: usual };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(piece) ?? [];
  const ip = parseIp(bracketed ?? plain ?? '');
  const port = digits === undefined ? usual : Number(digits);
  if (!ip || (ip.version === 6) !== (bracketed !== undefined) || port < 1 || port > 0xffff) return undefined;
  return { address: formatIp(ip), port };
}
