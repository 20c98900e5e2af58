/** The outcome of a packet of one size. */
export type Tried =
  | { heard: true }
  /** A router, or with an empty address this machine's own interface, takes no packet so large. */
  | { tooBig: { mtu: number; address: string } }
  | { silent: true }
  | { unsent: string };

/** A place on the path that takes no larger packets, as it said itself. */
export interface Narrows {
  ip_address: string;
  mtu: number;
}

export interface PathMtu {
  /** The largest packet that was answered; 0 if none was. */
  path_mtu: number;
  interface_mtu: number;
  state: 'full' | 'small' | 'black_hole' | 'silent' | 'unsent';
  narrows: Narrows[];
  /** Why this machine sent nothing, by an errno's name. */
  unsent: string;
}

/** Every link carries so much: RFC 791 §3.1 of a whole packet in practice, RFC 8200 §5. */
const SMALLEST = { 4: 576, 6: 1_280 } as const;
/** Larger than the interfaces that lead to the internet. */
const LARGEST = 9_216;
/** RFC 1191 §7.1, with what tunnels leave: for routers that do not say how much they take. */
const PLATEAUS = [9_000, 4_352, 1_492, 1_480, 1_472, 1_460, 1_400, 1_280, 1_006, 576];
/** A silence between two sizes that are so near is not looked at any closer. */
const PRECISION = 8;
const STEPS_MAX = 16;

/**
 * Looks for the largest packet that is answered. `send` tells what came of one size, after as many packets as it takes to believe a silence. A router's
 * answer leads to the next size. Between a size without answers and one with answers the search halves the distance.
 */
export async function searchMtu(family: 4 | 6, send: (bytes: number) => Promise<Tried>): Promise<PathMtu> {
  const found: PathMtu = { path_mtu: 0, interface_mtu: 0, state: 'silent', narrows: [], unsent: '' };
  let silent = Infinity;
  let size = LARGEST;
  for (let step = 0; step < STEPS_MAX; step++) {
    const tried = await send(size);
    if ('unsent' in tried) return { ...found, state: 'unsent', unsent: tried.unsent };
    if ('tooBig' in tried) {
      const { mtu, address } = tried.tooBig;
      const next = mtu > 0 && mtu < size ? mtu : (PLATEAUS.find((plateau) => plateau < size) ?? SMALLEST[family]);
      if (address === '') found.interface_mtu = next;
      else found.narrows.push({ ip_address: address, mtu: next });
      if (next >= size || next <= found.path_mtu) break;
      size = next;
      continue;
    }
    if ('heard' in tried) found.path_mtu = size;
    else silent = size;
    // Silence from the first is looked into from below.
    if (found.path_mtu === 0) {
      if (size <= SMALLEST[family]) break;
      size = SMALLEST[family];
    } else if (silent === Infinity || silent - found.path_mtu <= PRECISION) break;
    else size = (found.path_mtu + silent) >> 1;
  }
  return { ...found, state: stateOf(found, silent) };
}

function stateOf({ path_mtu, interface_mtu, narrows }: PathMtu, silent: number): PathMtu['state'] {
  if (path_mtu === 0) return 'silent';
  if (silent < Infinity) return 'black_hole';
  return narrows.length > 0 || (interface_mtu > 0 && path_mtu < interface_mtu) ? 'small' : 'full';
}
