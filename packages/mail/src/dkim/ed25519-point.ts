/** The field and the curve of Ed25519, RFC 8032 §5.1: -x² + y² = 1 + d·x²·y² over the integers modulo p. */
const P = 2n ** 255n - 19n;
const D = mod(-121_665n * power(121_666n, P - 2n));
const SQRT_MINUS_1 = power(2n, (P - 1n) / 4n);
const SIGN = 1n << 255n;

interface Point {
  x: bigint;
  y: bigint;
}

/**
 * Says why 32 octets are not a public key of Ed25519, as RFC 8032 §5.1.3 decodes them, or undefined. OpenSSL reports that only at the first
 * signature. A point of small order is decodable, yet any signer can forge signatures for it.
 */
export function pointProblem(octets: Uint8Array): string | undefined {
  const point = decode(octets);
  if (!point)
    return 'these 32 octets are no point on the curve of Ed25519 (RFC 8032 §5.1.3); the key was cut, mistyped or is of another kind';
  return isOfSmallOrder(point) ? 'the point has a small order, so anybody can make signatures that fit it' : undefined;
}

function decode(octets: Uint8Array): Point | undefined {
  const encoded = octets.reduceRight((value, octet) => (value << 8n) | BigInt(octet), 0n);
  const y = encoded & (SIGN - 1n);
  const isOdd = (encoded & SIGN) !== 0n;
  if (y >= P) return undefined;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  const candidate = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n));
  const square = mod(v * candidate * candidate);
  if (square !== u && square !== mod(-u)) return undefined;
  const x = square === u ? candidate : mod(candidate * SQRT_MINUS_1);
  if (x === 0n && isOdd) return undefined;
  return { x: ((x & 1n) === 1n) === isOdd ? x : mod(-x), y };
}

/** Whether eight times the point is the neutral element: the cofactor of the curve is 8. */
function isOfSmallOrder(point: Point): boolean {
  const { x, y } = double(double(double(point)));
  return x === 0n && y === 1n;
}

/** The sum of a point and itself; the denominators are never 0, since d is not a square. */
function double({ x, y }: Point): Point {
  const product = mod(D * x * x * y * y);
  return {
    x: mod(2n * x * y * power(1n + product, P - 2n)),
    y: mod((y * y + x * x) * power(1n - product, P - 2n)),
  };
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = mod(base), left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}
