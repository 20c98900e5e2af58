const NAMES: ReadonlyMap<string, number> = new Map(Object.entries({
  black: 0, white: 255, navy: 15, darkblue: 16, blue: 29, maroon: 38, red: 76, green: 75, darkgreen: 59, purple: 53, gray: 128, grey: 128,
  dimgray: 105, dimgrey: 105, darkgray: 169, darkgrey: 169, silver: 192, lightgray: 211, lightgrey: 211, whitesmoke: 245, ivory: 253, snow: 251,
  yellow: 226, lime: 150, orange: 173,
})); // prettier-ignore

/** The grey value of a colour of CSS: a name, `#rgb`, `#rrggbb` or `rgb()`. Undefined for others, and for what lets through what is beneath. */
export function greyOfColour(written: string | undefined): number | undefined {
  const text = written?.toLowerCase().trim() ?? '';
  const hex = /#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/.exec(text)?.[1];
  if (hex !== undefined) {
    const digits = hex.length < 6 ? Array.from(hex, (digit) => digit + digit) : (hex.match(/../g) ?? []);
    return grey(digits.slice(0, 3).map((pair) => Number.parseInt(pair, 16)));
  }
  const rgb = /rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]+))?/.exec(text);
  if (rgb) return Number(rgb[4] ?? 1) === 0 ? undefined : grey(rgb.slice(1, 4).map(Number));
  return /[a-z]+/.exec(text)?.map((name) => NAMES.get(name))[0];
}

const grey = ([red = 0, green = 0, blue = 0]: readonly number[]): number => Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
