import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pointProblem } from '../../../packages/mail/src/dkim/ed25519-point.ts';

const P = 2n ** 255n - 19n;

/** Euler's criterion for x² = (y² - 1) / (d·y² + 1): another way than the decoding of RFC 8032 to say whether there is an x. */
function hasX(octets: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(octets).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  const d = (-121_665n * power(121_666n, P - 2n)) % P;
  const square = (y * y - 1n) * power((((d * y * y + 1n) % P) + P) % P, P - 2n);
  return y < P && [0n, 1n].includes(power(((square % P) + P) % P, (P - 1n) / 2n));
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power((base * base) % P, exponent >> 1n);
  return exponent & 1n ? (half * base) % P : half;
}

it("takes OpenSSL's keys", () => {
  for (let i = 0; i < 50; i++) {
    const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    expect(pointProblem(key), key.toString('hex')).toBeUndefined();
  }
});

it('takes of all octets those that are points', () => {
  let points = 0;
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (octets) => {
      const taken = pointProblem(octets) === undefined;
      if (taken) points++;
      // What fast-check likes to draw are small numbers, among them points of small order.
      expect(taken || /small order/.test(pointProblem(octets) ?? ''), Buffer.from(octets).toString('hex')).toBe(hasX(octets));
    }),
    { numRuns: 300, examples: [[new Uint8Array(32).fill(7)]] },
  );
  expect(points).toBeGreaterThan(50);
});
