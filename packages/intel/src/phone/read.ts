import type { CountryCode, NumberType, PhoneNumber as Parsed } from 'libphonenumber-js/max';
import { fictionalCountry } from './fictional.ts';
import { loadNumbering } from './numbering.ts';
import { carrierOf, placeOf } from './places.ts';
import { plain } from './spelling.ts';

export const LINE_TYPES = [
  'Fixed Line',
  'Mobile',
  'Fixed Line or Mobile',
  'VoIP',
  'Toll-Free',
  'Premium Rate',
  'Shared Cost',
  'Personal Number',
  'Pager',
  'UAN',
  'Voicemail',
  'Unknown',
] as const;
type LineType = (typeof LINE_TYPES)[number];

/** Why a number is not valid; empty where it is. */
export const PHONE_PROBLEMS = ['', 'not_a_number', 'unknown_country', 'too_short', 'too_long', 'not_assigned'] as const;
type Problem = (typeof PHONE_PROBLEMS)[number];

/** The facts about a number in the numbering plans. Empty strings where they do not. */
export interface PhoneNumber {
  valid: boolean;
  problem: Problem;
  /** The number as it is dialled within its country. */
  localFormat: string;
  internationalFormat: string;
  e164: string;
  /** RFC 3966. */
  uri: string;
  extension: string;
  /** The calling code, digits only. */
  callingCode: string;
  /** ISO 3166-1 alpha-2; empty for a number of no country, such as a satellite's. */
  countryCode: string;
  location: string;
  /** The carrier that the number was given to: it may have been taken along to another since. */
  carrier: string;
  lineType: LineType;
  /** Kept free for films and books. */
  fictional: boolean;
}

const TYPES: Record<Exclude<NumberType, undefined>, LineType> = {
  FIXED_LINE: 'Fixed Line',
  MOBILE: 'Mobile',
  FIXED_LINE_OR_MOBILE: 'Fixed Line or Mobile',
  VOIP: 'VoIP',
  TOLL_FREE: 'Toll-Free',
  PREMIUM_RATE: 'Premium Rate',
  SHARED_COST: 'Shared Cost',
  PERSONAL_NUMBER: 'Personal Number',
  PAGER: 'Pager',
  UAN: 'UAN',
  VOICEMAIL: 'Voicemail',
};

const NOTHING: PhoneNumber = {
  valid: false,
  problem: 'not_a_number',
  localFormat: '',
  internationalFormat: '',
  e164: '',
  uri: '',
  extension: '',
  callingCode: '',
  countryCode: '',
  location: '',
  carrier: '',
  lineType: 'Unknown',
  fictional: false,
};

/** Where mobile numbers have an area too, and what stands before it (libphonenumber, GEO_MOBILE_COUNTRIES). */
const MOBILE_AREAS = new Map([
  ['52', ''],
  ['54', '9'],
  ['55', ''],
  ['62', ''],
  ['86', ''],
]);
/** The types that have carriers of their own. Carriers of the NANP's fixed lines are unknown, and are left empty. */
const WITH_CARRIER: readonly LineType[] = ['Mobile', 'Fixed Line or Mobile', 'Pager'];
const INTERNATIONAL_PREFIX = /^(?:00|011)[\s\-./]*(?=[1-9])/;

/** Reads a number. Undefined where no numbering plan of the country is known. Asks no server. */
export async function readPhoneNumber(text: string, country?: string): Promise<PhoneNumber | undefined> {
  const library = await loadNumbering();
  const region = country?.toUpperCase();
  if (region !== undefined && !library.isSupportedCountry(region)) return undefined;
  const parsed = parse(library, plain(text), region);
  if (!parsed) return NOTHING;
  return await describe(parsed, library.validatePhoneNumberLength(parsed.number));
}

type Library = Awaited<ReturnType<typeof loadNumbering>>;

/** The first reading that is valid, else the first that is a number at all. */
function parse(library: Library, text: string, region: CountryCode | undefined): Parsed | undefined {
  let any: Parsed | undefined;
  for (const [candidate, home] of readings(text, region)) {
    const parsed = library.parsePhoneNumberFromString(candidate, { extract: false, ...(home !== undefined && { defaultCountry: home }) });
    if (parsed?.isValid()) return parsed;
    any ??= parsed;
  }
  return any;
}

/** The text as it is given; with the plus that was left out; without the prefix by which one dials abroad. */
function* readings(text: string, region: CountryCode | undefined): Generator<[string, CountryCode | undefined]> {
  yield [text, region];
  if (text.startsWith('+')) return;
  yield [`+${text}`, undefined];
  const digits = text.replace(/^[\s(]+/, '');
  if (INTERNATIONAL_PREFIX.test(digits)) yield [`+${digits.replace(INTERNATIONAL_PREFIX, '')}`, undefined];
}

async function describe(parsed: Parsed, length: string | undefined): Promise<PhoneNumber> {
  const callingCode: string = parsed.countryCallingCode;
  const national: string = parsed.nationalNumber;
  const fictional = fictionalCountry(callingCode, national);
  const lineType = TYPES[parsed.getType() ?? 'FIXED_LINE'];
  const found = {
    ...NOTHING,
    extension: parsed.ext ?? '',
    callingCode,
    countryCode: parsed.country ?? fictional ?? '',
    fictional: fictional !== undefined,
    problem: problemOf(parsed, length),
    valid: parsed.isValid(),
  };
  // A number with too few or too many digits has no form: it would look as if it could be dialled.
  if (!parsed.isPossible()) return found;
  const forms = {
    localFormat: parsed.formatNational(),
    internationalFormat: parsed.formatInternational(),
    e164: parsed.number,
    uri: parsed.getURI(),
  };
  if (!found.valid) return { ...found, ...forms };
  const area = areaOf(callingCode, national, lineType);
  return {
    ...found,
    ...forms,
    lineType,
    location: area === undefined ? '' : await placeOf(callingCode, area),
    carrier: WITH_CARRIER.includes(lineType) ? await carrierOf(callingCode, national) : '',
  };
}

/** The digits that tell where a number is; undefined where it may be anywhere. */
function areaOf(callingCode: string, national: string, lineType: LineType): string | undefined {
  if (lineType === 'Fixed Line' || lineType === 'Fixed Line or Mobile') return national;
  const token = lineType === 'Mobile' ? MOBILE_AREAS.get(callingCode) : undefined;
  return token === undefined ? undefined : national.slice(national.startsWith(token) ? token.length : 0);
}

function problemOf(parsed: Parsed, length: string | undefined): Problem {
  if (parsed.isValid()) return '';
  if (length === 'TOO_SHORT') return 'too_short';
  if (length === 'TOO_LONG') return 'too_long';
  return length === 'INVALID_COUNTRY' ? 'unknown_country' : 'not_assigned';
}
