import { searchMtu, type Tried } from '@vedette/probes/mtu';
import { describe, expect, it } from 'vitest';

interface PathOf {
  interface_mtu?: number;
  /** The path's own limit. */
  limit?: number;
  /** What its router says of a larger packet; undefined: nothing. */
  says?: (bytes: number) => number;
  answers?: boolean;
}

/** Runs a search over a path, and says which sizes it tried. */
async function search(family: 4 | 6, { interface_mtu = 1_500, limit = interface_mtu, says, answers = true }: PathOf) {
  const tried: number[] = [];
  const found = await searchMtu(family, async (bytes): Promise<Tried> => {
    tried.push(bytes);
    if (bytes > interface_mtu) return { tooBig: { mtu: interface_mtu, address: '' } };
    if (bytes > limit) return says ? { tooBig: { mtu: says(bytes), address: '198.51.100.1' } } : { silent: true };
    return answers ? { heard: true } : { silent: true };
  });
  return { ...found, tried };
}

it('asks the interface first, and is done where the path takes as much', async () => {
  expect(await search(4, {})).toMatchObject({ state: 'full', path_mtu: 1_500, interface_mtu: 1_500, narrows: [], tried: [9_216, 1_500] });
});

it('goes on with what a router says', async () => {
  expect(await search(6, { limit: 1_420, says: () => 1_420 })).toMatchObject({
    state: 'small',
    path_mtu: 1_420,
    narrows: [{ ip_address: '198.51.100.1', mtu: 1_420 }],
    tried: [9_216, 1_500, 1_420],
  });
});

it('tries the next plateau where a router does not say how much it takes (RFC 1191 §7.1)', async () => {
  const found = await search(4, { limit: 1_470, says: () => 0 });
  expect(found).toMatchObject({ state: 'small', path_mtu: 1_460 });
  expect(found.tried).toEqual([9_216, 1_500, 1_492, 1_480, 1_472, 1_460]);
});

it.each([4, 6] as const)('finds the border of a black hole to within eight bytes, over IPv%i', async (family) => {
  for (const limit of [1_280, 1_300, 1_350, 1_400, 1_492, 1_499]) {
    const found = await search(family, { limit });
    expect(found).toMatchObject({ state: 'black_hole', interface_mtu: 1_500, narrows: [] });
    expect(found.path_mtu).toBeLessThanOrEqual(limit);
    expect(found.path_mtu).toBeGreaterThan(limit - 9);
    expect(found.tried.length).toBeLessThan(13);
  }
});

describe('does not believe', () => {
  it('a router that names the size that it refused', async () => {
    expect((await search(4, { limit: 1_400, says: (bytes) => bytes })).path_mtu).toBe(1_400);
  });
  it('one that names nonsense, for ever', async () => {
    const found = await search(4, { limit: 0, says: () => 65_535 });
    expect(found).toMatchObject({ state: 'silent', path_mtu: 0 });
    expect(found.tried.length).toBeLessThan(17);
  });
});

it('says nothing of a host that answers no size', async () => {
  expect(await search(4, { answers: false })).toMatchObject({ state: 'silent', path_mtu: 0, tried: [9_216, 1_500, 576] });
});

it('says why this machine sent nothing', async () => {
  expect(await searchMtu(4, () => Promise.resolve({ unsent: 'ENETUNREACH' }))).toMatchObject({ state: 'unsent', unsent: 'ENETUNREACH' });
});
