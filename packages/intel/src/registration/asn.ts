/** Numbers that no registry gives out for use on the internet: [first, last, what they are for]. */
const RESERVED: readonly (readonly [first: number, last: number, why: string])[] = [
  [0, 0, 'AS0 is reserved: no network may announce it (RFC 7607)'],
  [23_456, 23_456, 'it stands for numbers of 32 bits (RFC 6793)'],
  [64_496, 64_511, 'it is for documentation (RFC 5398)'],
  [64_512, 65_534, 'it is for private use (RFC 6996)'],
  [65_535, 65_535, 'it is reserved (RFC 7300)'],
  [65_536, 65_551, 'it is for documentation (RFC 5398)'],
  [4_200_000_000, 4_294_967_294, 'it is for private use (RFC 6996)'],
  [4_294_967_295, 4_294_967_295, 'it is reserved (RFC 7300)'],
];

/** Returns the reason why a number cannot be assigned as an AS; undefined for one that can. */
export function reservedAsn(asn: number): string | undefined {
  if (asn > 4_294_967_295) return 'it has more than 32 bits (RFC 6793)';
  return RESERVED.find(([first, last]) => asn >= first && asn <= last)?.[2];
}
