import { Enum, formatIp, parseCidr } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { WantedFamily } from '../host/judge-host.ts';
import { type DirectServer, SERVER_ASKED } from './direct-schema.ts';

/** Classes by what the DNS calls them (RFC 1035 §3.2.4, RFC 2136 §1.3). */
export const DNS_CLASSES = { IN: 1, CS: 2, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const;
type DnsClass = keyof typeof DNS_CLASSES;
/** Classes for clients. */
const PUBLIC_CLASSES = ['IN', 'CH', 'HS'] as const;

/** The port of a server that names none. */
export const DNS_PORTS = { udp: 53, tcp: 53, tls: 853, https: 443 } as const;

const { transport, path, checking_disabled, dnssec, authentic_data, nsid, client_subnet } = SERVER_ASKED;
const ASKED = {
  transport,
  path,
  class: Enum(PUBLIC_CLASSES, { description: 'Class of the question; default IN' }),
  recursion: Type.Boolean({ description: 'Recursion is desired (RD); default true' }),
  checking_disabled,
  dnssec,
  authentic_data,
  nsid,
  client_subnet,
  family: WantedFamily,
};

/** The choices of a module, whose target is the server. */
export const DnsModuleOptions = Type.Partial(Type.Object({ ...ASKED, class: Enum(Object.keys(DNS_CLASSES) as DnsClass[]) }), {
  additionalProperties: false,
});
export type DnsModuleOptions = Static<typeof DnsModuleOptions>;

export const DnsOptions = Type.Partial(
  Type.Object({
    server: Type.String({
      minLength: 1,
      maxLength: 1024,
      description:
        'Server that every location asks in place of its own resolvers: a host name or an IP address. The other options require it',
      examples: ['9.9.9.9'],
    }),
    trace: Type.Boolean({
      description: 'Every location asks from the root down, as dig +trace does. Requires one type in `dns_types`, and no other option',
    }),
    ...ASKED,
  }),
  {
    additionalProperties: false,
    title: 'DnsOptions',
    description: 'Choices of the DNS questions. All are optional',
    examples: [{ server: '9.9.9.9', transport: 'tls', nsid: true }],
  },
);
export type DnsOptions = Static<typeof DnsOptions>;

/** The agents' job for a server. */
export function dnsServer(options: DnsOptions | DnsModuleOptions, at: { host: string; port?: number }): DirectServer {
  const {
    server: _,
    trace: __,
    transport: by = 'udp',
    class: ofClass = 'IN',
    recursion = true,
    family = 0,
    ...asked
  } = { server: '', trace: false, ...options };
  return { transport: by, recursion, class: DNS_CLASSES[ofClass], family, ...asked, host: at.host, port: at.port ?? DNS_PORTS[by] };
}

/** A sentence about options that do not fit together; undefined if they do. */
export function dnsConflict({ transport: by = 'udp', path: to, client_subnet: subnet }: DnsOptions | DnsModuleOptions): string | undefined {
  if (to !== undefined && by !== 'https') return 'path requires transport: https';
  return subnet === undefined || readSubnet(subnet) ? undefined : 'client_subnet is not a network such as 192.0.2.0/24';
}

/** The network of an EDNS Client Subnet option (RFC 7871 §6): its family, its bits, and as many octets as they need. */
export function readSubnet(text: string): { family: 1 | 2; bits: number; octets: Buffer } | undefined {
  const cidr = parseCidr(text);
  if (!cidr) return undefined;
  const size = cidr.version === 4 ? 4 : 16;
  const base = Buffer.from(cidr.base.toString(16).padStart(2 * size, '0'), 'hex');
  return { family: cidr.version === 4 ? 1 : 2, bits: cidr.bits, octets: base.subarray(0, Math.ceil(cidr.bits / 8)) };
}

/** The network of an answer, and how much of it the answer is for. */
export function subnetText(family: number, scope: number, octets: Uint8Array): string | undefined {
  const version = family === 1 ? 4 : family === 2 ? 6 : undefined;
  const size = version === 4 ? 4 : 16;
  if (version === undefined || octets.length > size || scope > 8 * size) return undefined;
  const value = BigInt(`0x${Buffer.concat([octets, Buffer.alloc(size - octets.length)]).toString('hex')}`);
  return `${formatIp({ version, value })}/${scope}`;
}
