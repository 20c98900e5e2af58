const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz';
const BITS_PER_DIGIT = 5;
const DIGITS_SHOWN = 7;

/** The geohash of a point, to 150 m: longitude and latitude halved in turn, five bits to a digit. Degrees, WGS 84. */
export function geohash(latitude: number, longitude: number): string {
  const ranges = [
    { value: longitude, low: -180, high: 180 },
    { value: latitude, low: -90, high: 90 },
  ];
  let text = '';
  let digit = 0;
  for (let bit = 0; bit < DIGITS_SHOWN * BITS_PER_DIGIT; bit++) {
    const range = ranges[bit % 2]!;
    const middle = (range.low + range.high) / 2;
    const upper = range.value >= middle;
    if (upper) range.low = middle;
    else range.high = middle;
    digit = digit * 2 + Number(upper);
    if (bit % BITS_PER_DIGIT < BITS_PER_DIGIT - 1) continue;
    text += DIGITS[digit];
    digit = 0;
  }
  return text;
}
