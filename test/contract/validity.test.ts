import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validity } from '@vedette/contract';
import { expect, it } from 'vitest';
import { makePki } from '../probes/http/certificates.ts';

function certificate(): X509Certificate {
  using pki = makePki({ one: { names: 'DNS:one.test', from: '20250101000000Z', until: '20491231235959Z' } }, 'validity');
  return new X509Certificate(readFileSync(join(pki.folder, 'one.pem')));
}

it('is the first and the last second', () => {
  expect(validity(certificate())).toEqual({ from: new Date('2025-01-01T00:00:00Z'), to: new Date('2049-12-31T23:59:59Z') });
});

it.each([
  ['the year', 0],
  ['the hour', 6],
  ['the zone', 12],
])('holds no date where a letter stands in %s, whatever dates were read before', (_what, offset) => {
  const good = certificate();
  const der = Buffer.from(good.raw);
  der.write('X', der.indexOf('491231235959Z') + offset, 'latin1');
  const read = new Set<number>();
  for (let i = 0; i < 2_000; i++) {
    validity(good);
    new Date(i * 1e9).toISOString();
    read.add(validity(new X509Certificate(der)).to.getTime());
  }
  expect([...read]).toEqual([NaN]);
});
