import type { Socket } from 'node:net';
import { classifyIp, formatIp, parseIp, ProbeFailure } from '@vedette/contract';

/** A proxy sees its own machine from inside of that one's firewall. The policy knows the addresses of proxies on this machine. */
export function refuseItself({ remoteAddress = '' }: Socket, address: string, seen: string): void {
  const ip = parseIp(remoteAddress);
  if (ip && formatIp(ip) === address && classifyIp(ip) !== 'loopback') throw new ProbeFailure('blocked_policy', seen);
}
