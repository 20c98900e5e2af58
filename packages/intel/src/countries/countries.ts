import { continents, countries, type TCountryCode } from 'countries-list';

/** The known facts about a country or territory, by its ISO 3166-1 code. Empty strings for missing values. */
export interface Country {
  country_code: string;
  /** Its name in English. */
  country_name: string;
  continent_code: string;
  continent_name: string;
  /** ISO 4217. */
  currency: string;
  /** `US Dollar`. */
  currency_name: string;
  /** `US dollars`. */
  currency_name_plural: string;
  /** How it is told apart in English: `CA$`. */
  currency_symbol: string;
  /** How it is written there: `$`. */
  currency_symbol_native: string;
  /** Digits, without the plus: `1`, `44`, `1809`. */
  calling_code: string;
  emoji_flag: string;
  /** `U+1F1FA U+1F1F8`. */
  emoji_flag_unicode: string;
  /** Whether the law of the European Union holds there. */
  is_eu: boolean;
}

/**
 * Where the treaties apply (TEU article 52, TFEU article 355): the members, Åland, and the outermost regions that have codes of their own. Not
 * so the overseas countries and territories (Greenland, New Caledonia, Aruba …), the Faroes, nor those that only share the euro or a market.
 */
const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK AX GF GP MF MQ RE YT'.split(' '));

/**
 * Codes for countries where the list has several codes, or one that is not dialled: Kosovo has a code of its own since 2016, the Vatican is
 * called through Italy, Svalbard through Norway.
 */
const CALLING_CODES: Readonly<Record<string, string>> = { XK: '383', VA: '39', SJ: '47', AQ: '672' };

const NOWHERE: Country = {
  country_code: '',
  country_name: '',
  continent_code: '',
  continent_name: '',
  currency: '',
  currency_name: '',
  currency_name_plural: '',
  currency_symbol: '',
  currency_symbol_native: '',
  calling_code: '',
  emoji_flag: '',
  emoji_flag_unicode: '',
  is_eu: false,
};

const known = new Map<string, Country>();
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

/** Returns the country of an upper-case code; all fields are empty for an unassigned code. Made once each: formatters are dear. */
export function countryOf(code: string): Country {
  const before = known.get(code);
  if (before) return before;
  if (!isCode(code)) return NOWHERE;
  const made = make(code);
  known.set(code, made);
  return made;
}

const isCode = (code: string): code is TCountryCode => Object.hasOwn(countries, code);

function make(code: TCountryCode): Country {
  const { name, continent, currency: tenders, phone, languages } = countries[code];
  const flag = [0, 1].map((at) => 0x1f1e6 + code.charCodeAt(at) - 'A'.charCodeAt(0));
  return {
    country_code: code,
    country_name: name,
    continent_code: continent,
    continent_name: continents[continent],
    ...currencyOf(tenders[0] ?? '', `${languages[0] ?? 'en'}-${code}`),
    calling_code: CALLING_CODES[code] ?? String(phone[0] ?? ''),
    emoji_flag: String.fromCodePoint(...flag),
    emoji_flag_unicode: flag.map((point) => `U+${point.toString(16).toUpperCase()}`).join(' '),
    is_eu: EU.has(code),
  };
}

type Currency = Pick<Country, 'currency' | 'currency_name' | 'currency_name_plural' | 'currency_symbol' | 'currency_symbol_native'>;

function currencyOf(currency: string, locale: string): Currency {
  if (currency === '') return { currency, currency_name: '', currency_name_plural: '', currency_symbol: '', currency_symbol_native: '' };
  const written = (where: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name', amount: number): string =>
    new Intl.NumberFormat(where, { style: 'currency', currency, currencyDisplay })
      .formatToParts(amount)
      .find(({ type }) => type === 'currency')!
      .value.replaceAll(/[\u200e\u200f\u061c]/g, '');
  const native = written(locale, 'symbol', 1);
  return {
    currency,
    currency_name: currencyNames.of(currency) ?? currency,
    currency_name_plural: written('en', 'name', 2),
    currency_symbol: written('en', 'symbol', 1),
    // A language that Intl does not know the habits of leaves the bare code.
    currency_symbol_native: native === currency ? written('en', 'narrowSymbol', 1) : native,
  };
}
