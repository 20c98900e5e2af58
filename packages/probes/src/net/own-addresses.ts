import { classifyIp, parseIp } from '@vedette/contract';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

const CACHE_MS = 1_000;
let cached: { at: number; addresses: readonly string[] } | undefined;

/** Addresses of this machine's interfaces, at most a second old: interfaces come and go while a process runs. */
export function ownAddresses(): readonly string[] {
  const now = performance.now();
  if (cached === undefined || now - cached.at >= CACHE_MS)
    cached = {
      at: now,
      addresses: Object.values(networkInterfaces())
        .flatMap((infos) => infos ?? [])
        .map((info) => withoutZone(info.address)),
    };
  return cached.addresses;
}

/** The families of which this machine has an address that leads out of it. */
export function ownFamilies(): (4 | 6)[] {
  const ips = ownAddresses().flatMap((address) => parseIp(address) ?? []);
  const outward = ips.filter((ip) => !['loopback', 'link_local'].includes(classifyIp(ip)));
  return ([4, 6] as const).filter((family) => outward.some(({ version }) => version === family));
}

/** The address to bind to for leaving through an interface, read anew each time. Undefined when the interface is gone or lacks the family. */
export function interfaceAddress(name: string, family: 4 | 6): string | undefined {
  const usable = (info: NetworkInterfaceInfo) =>
    info.family === `IPv${family}` && !(info.family === 'IPv6' && info.scopeid !== undefined && info.scopeid !== 0);
  const info = networkInterfaces()[name]?.find(usable);
  return info && withoutZone(info.address);
}

const withoutZone = (address: string): string => address.split('%', 1)[0]!;
