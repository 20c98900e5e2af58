import { describe, expect, it } from 'vitest';
import { countryOf } from '@vedette/intel/countries';

it('knows all of a country', () => {
  expect(countryOf('US')).toEqual({
    country_code: 'US',
    country_name: 'United States',
    continent_code: 'NA',
    continent_name: 'North America',
    currency: 'USD',
    currency_name: 'US Dollar',
    currency_name_plural: 'US dollars',
    currency_symbol: '$',
    currency_symbol_native: '$',
    calling_code: '1',
    emoji_flag: '🇺🇸',
    emoji_flag_unicode: 'U+1F1FA U+1F1F8',
    is_eu: false,
  });
});

it.each([
  ['CA', 'CAD', 'CA$', '$', 'Canadian dollars'],
  ['CH', 'CHF', 'CHF', 'CHF', 'Swiss francs'],
  ['PL', 'PLN', 'PLN', 'zł', 'Polish zlotys'],
  ['AE', 'AED', 'AED', 'د.إ.', 'UAE dirhams'],
  ['BG', 'EUR', '€', '€', 'euros'], // since 2026-01-01
  ['CW', 'XCG', 'Cg.', 'Cg.', 'Caribbean guilders'], // since 2025-03-31
  ['SV', 'USD', '$', '$', 'US dollars'],
  ['XK', 'EUR', '€', '€', 'euros'],
])('%s pays with %s', (code, currency, symbol, native, plural) => {
  expect(countryOf(code)).toMatchObject({
    currency,
    currency_symbol: symbol,
    currency_symbol_native: native,
    currency_name_plural: plural,
  });
});

it.each([
  ['GB', '44'],
  ['DO', '1809'],
  ['KZ', '7'],
  ['XK', '383'],
  ['VA', '39'],
  ['SJ', '47'],
])('%s is called by +%s', (code, calling) => {
  expect(countryOf(code).calling_code).toBe(calling);
});

describe('the European Union', () => {
  it('has 27 members', () => {
    const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
    expect(members).toHaveLength(27);
    expect(members.filter((code) => !countryOf(code).is_eu)).toEqual([]);
  });
  it.each(['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'])('reaches to %s', (code) => {
    expect(countryOf(code).is_eu).toBe(true);
  });
  it.each('GB GG JE IM GI CH NO IS LI TR UA XK RS MC SM VA AD GL FO NC PF PM BL WF AW CW SX BQ SJ US EU ZZ'.split(' '))(
    'does not reach to %s',
    (code) => {
      expect(countryOf(code).is_eu).toBe(false);
    },
  );
});

it.each(['', 'ZZ', 'EU', 'AP', 'A1', 'us', '__proto__', 'toString'])('knows nothing of %j', (code) => {
  const { is_eu: isEu, ...texts } = countryOf(code);
  expect(isEu).toBe(false);
  expect(new Set(Object.values(texts))).toEqual(new Set(['']));
});

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));

it('leaves no field of any country empty but those of Antarctica, which has no currency', () => {
  const all = LETTERS.flatMap((first) => LETTERS.map((second) => countryOf(first + second))).filter((one) => one.country_code !== '');
  expect(all).toHaveLength(252);
  const bare = all.flatMap((country) =>
    Object.entries(country).flatMap(([field, value]) => (value === '' ? [`${country.country_code} ${field}`] : [])),
  );
  expect(bare).toEqual(['AQ currency', 'AQ currency_name', 'AQ currency_name_plural', 'AQ currency_symbol', 'AQ currency_symbol_native']);
});
