import type { Price } from '../visit/page-facts.ts';

/** Prices are short; a text node without one is not searched further. */
const SEARCHED_CHARS = 400;
const CURRENCY = String.raw`[$€£¥₹₽₺₩₪]|R\$|US\$|USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK|zł|kr\b|Kč|Ft\b`;
const NUMBER = String.raw`\d{1,3}(?:[ .,'\u00a0\u202f]\d{3}){0,3}(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?`;
const PRICE = new RegExp(`(?:${CURRENCY})\\s?(${NUMBER})|(${NUMBER})\\s?(?:${CURRENCY})`, 'g');
/** `-70%`, `70 % off`, and the same in the languages of most shops; `40–70 %` is a range. */
const REDUCTION =
  /(?<![\d%]\s?)[-−–]\s?(\d{1,2})\s?%|\b(\d{1,2})\s?%\s?(?:off|rabatt|reduziert|günstiger|de réduction|de remise|de descuento|dto|di sconto|korting|desconto|rabat|taniej)/gi;

/** The prices and reductions in one text of a page; `kind` is what its element says of them. */
export function pricesIn(text: string, kind: 'old' | 'new' | undefined): Price[] {
  if (!/\d/.test(text)) return [];
  const searched = text.slice(0, SEARCHED_CHARS);
  const percents = [...searched.matchAll(REDUCTION)].map((match): Price => ({ kind: 'percent', value: Number(match[1] ?? match[2]) }));
  const prices = [...searched.matchAll(PRICE)].map((match): Price => ({
    kind: kind ?? 'plain',
    value: numberOf(match[1] ?? match[2] ?? ''),
  }));
  return [...percents, ...prices].filter(({ value }) => value > 0);
}

/** `1.299,00` and `1,299.00`: a separator with one or two digits behind it is the last, and that of the decimals. */
function numberOf(text: string): number {
  const [, whole = text, decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  return Number(`${whole.replace(/\D/g, '')}.${decimals || '0'}`);
}

/** Per cent by which products are reduced, as far as the page says: one number per product, whether it tells old and new price or the difference. */
export function reductions(prices: readonly Price[]): number[] {
  const percents = prices.filter(({ kind }) => kind === 'percent').map(({ value }) => value);
  const pairs: number[] = [];
  for (const [i, price] of prices.entries()) {
    if (price.kind !== 'old') continue;
    const now = priceBeside(prices, i);
    if (now !== undefined) pairs.push(100 * (1 - now / price.value));
  }
  return pairs.length >= percents.length ? pairs : percents;
}

/**
 * The current price of the product with its old price at `i`: the nearest price that is marked as the new one, else the higher one beside
 * it. Savings and prices per 100 g or month stand there too.
 */
function priceBeside(prices: readonly Price[], i: number): number | undefined {
  const before = [prices[i - 1], prices[i - 2]];
  const behind = [prices[i + 1], prices[i + 2]];
  const lower = (price: Price | undefined, kind: Price['kind']): price is Price => price?.kind === kind && price.value < prices[i]!.value;
  const reaches = ([near]: (Price | undefined)[]): boolean => near?.kind === 'plain' || near?.kind === 'percent';
  const said = [behind[0], before[0], reaches(behind) ? behind[1] : undefined, reaches(before) ? before[1] : undefined];
  const found = said.find((price) => lower(price, 'new'));
  if (found) return found.value;
  const plain = [behind[0], before[0]].filter((price) => lower(price, 'plain')).map(({ value }) => value);
  return plain.length === 0 ? undefined : Math.max(...plain);
}
