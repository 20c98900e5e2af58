import { parseCidrs } from '@vedette/contract';

const BITS = { 4: 32n, 6: 128n };

/** How many addresses are in any of the networks of one family: one that is announced within another counts once. */
export function addressCount(cidrs: readonly string[]): bigint {
  const ranges = parseCidrs(cidrs)
    .map(({ version, base, bits }) => ({ first: base, end: base + (1n << (BITS[version] - BigInt(bits))) }))
    .sort((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)));
  let total = 0n;
  let reached = 0n;
  for (const { first, end } of ranges) {
    if (end <= reached) continue;
    total += end - (first > reached ? first : reached);
    reached = end;
  }
  return total;
}
