import { createNames, HSTS_PRELOAD, isPreloaded, PreloadedBuilder } from '@vedette/intel/names';
import { describe, expect, it } from 'vitest';

async function namesWith(rows: readonly (readonly [string, string])[]) {
  const builder = new PreloadedBuilder();
  for (const [name, subdomains] of rows) builder.add(name, subdomains);
  const names = createNames();
  names.setList(HSTS_PRELOAD, await builder.build(() => Promise.resolve()));
  return names;
}

describe('the list of preloaded names', () => {
  it.each([
    ['whole.example', true],
    ['www.whole.example', true],
    ['a.b.whole.example', true],
    ['awhole.example', false],
    ['alone.example', true],
    ['www.alone.example', false],
    ['below.shared.example.co.uk', true],
    ['shared.example.co.uk', false],
    ['someone.dev', true],
    ['dev', true],
    ['dev.example', false],
    ['_alone.alone.example', false],
    ['192.0.2.1', false],
    ['2001:db8::1', false],
  ])('%s: %s', async (host, expected) => {
    const names = await namesWith([
      ['whole.example', '1'],
      ['alone.example', '0'],
      ['below.shared.example.co.uk', '1'],
      ['dev', '1'],
    ]);
    expect(isPreloaded(host, names)).toBe(expected);
  });

  it('tells nothing while it is not loaded', () => expect(isPreloaded('whole.example', createNames())).toBeUndefined());

  it.each([
    ['const PRTime gPreloadListExpirationTime = INT64_C(1802453482275000);', ''],
    ['example.org', ''],
    ['example.org', '2'],
    ['not a name', '1'],
    ['192.0.2.1', '1'],
  ])('has no row %s, %s', (name, subdomains) => expect(new PreloadedBuilder().add(name, subdomains)).toBe(false));
});
