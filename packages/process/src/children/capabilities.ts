import { readFileSync } from 'node:fs';

/** The capabilities that we ask for, by their numbers in linux/capability.h. */
const BITS = { dac_read_search: 2n, kill: 5n, setpcap: 8n, net_bind_service: 10n, net_raw: 13n };
export type Capability = keyof typeof BITS;

/** Whether we have it now: the root of a container has what its start left it. */
export const hasCapability = (capability: Capability): boolean => isIn('CapEff', capability);

/** Whether a child of ours can be left it: it must be ours, and in what our programs may have at most (capabilities(7)). */
export const canLeave = (capability: Capability): boolean => isIn('CapPrm', capability) && isIn('CapBnd', capability);

function isIn(set: 'CapEff' | 'CapPrm' | 'CapBnd', capability: Capability): boolean {
  const [, digits = '0'] = new RegExp(`^${set}:\\s*([0-9a-f]+)$`, 'm').exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${digits}`) >> BITS[capability]) & 1n) === 1n;
}
