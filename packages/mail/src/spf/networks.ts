import { type Cidr, cidrContains, formatIp, parseCidrs } from '@vedette/contract';

/** Addresses and CIDR ranges as text, by family. */
export interface NetworkTexts {
  ipv4: string[];
  ipv6: string[];
}

/** The fewest networks that cover the same addresses, in order: duplicates, nested and adjoining ones become one. */
export function mergeNetworks(networks: readonly Cidr[]): NetworkTexts {
  return { ipv4: mergeFamily(networks, 4).map(formatNetwork), ipv6: mergeFamily(networks, 6).map(formatNetwork) };
}

const sizeOf = (version: 4 | 6): number => (version === 4 ? 32 : 128);

function mergeFamily(networks: readonly Cidr[], version: 4 | 6): Cidr[] {
  const size = sizeOf(version);
  const sorted = networks
    .filter((network) => network.version === version)
    .sort((a, b) => (a.base === b.base ? a.bits - b.bits : a.base < b.base ? -1 : 1));
  const merged: Cidr[] = [];
  for (const network of sorted) {
    const last = merged.at(-1);
    if (last && network.base < last.base + span(last, size)) continue; // inside the one before
    merged.push(network);
    while (joinLastTwo(merged, size)) continue;
  }
  return merged;
}

const span = ({ bits }: Cidr, size: number): bigint => 1n << BigInt(size - bits);

/** Two halves of one network, side by side at the end of the list, become that network. */
function joinLastTwo(merged: Cidr[], size: number): boolean {
  const [low, high] = [merged.at(-2), merged.at(-1)];
  if (!low || !high || low.bits !== high.bits || low.bits === 0) return false;
  const width = span(low, size);
  if (low.base % (width * 2n) !== 0n || low.base + width !== high.base) return false;
  merged.splice(-2, 2, { ...low, bits: low.bits - 1 });
  return true;
}

function formatNetwork({ version, base, bits }: Cidr): string {
  const address = formatIp({ version, value: base });
  return bits === sizeOf(version) ? address : `${address}/${bits}`;
}

/** All IPv6 addresses that are given out (RFC 4291 §2.4). */
const GLOBAL_UNICAST = parseCidrs(['2000::/3'])[0]!;

/**
 * The largest networks of each family of which half of all addresses or more are covered; no owner has so many. For IPv6, half of the
 * assigned addresses is enough.
 */
export function internetWide(networks: readonly Cidr[]): string[] {
  const v4 = mergeFamily(networks, 4);
  const v6 = mergeFamily(networks, 6);
  const isWide = (merged: readonly Cidr[], all: number, size: number) =>
    merged.reduce((sum, network) => sum + span(network, size), 0n) >= 1n << BigInt(all - 1);
  return [
    ...(isWide(v4, 32, 32) ? largest(v4) : []),
    ...(isWide(v6, 128, 128) || isWide(v6.flatMap(inGlobalUnicast), 125, 128) ? largest(v6) : []),
  ];
}

const largest = (merged: readonly Cidr[]): string[] => merged.toSorted((a, b) => a.bits - b.bits).map(formatNetwork);

function inGlobalUnicast(network: Cidr): Cidr[] {
  if (cidrContains(GLOBAL_UNICAST, { version: 6, value: network.base }))
    return [network.bits < GLOBAL_UNICAST.bits ? GLOBAL_UNICAST : network];
  return cidrContains(network, { version: 6, value: GLOBAL_UNICAST.base }) ? [GLOBAL_UNICAST] : [];
}
