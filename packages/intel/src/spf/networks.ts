import { type Cidr, formatIp } from '@vedette/contract';

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
