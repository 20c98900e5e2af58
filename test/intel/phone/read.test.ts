import { LINE_TYPES, readPhoneNumber } from '@vedette/intel/phone';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../runs.ts';

/** What is read, as one line: type, country, place, carrier. */
async function line(number: string, country?: string): Promise<string> {
  const phone = await readPhoneNumber(number, country);
  if (!phone) return 'no such country';
  return phone.valid
    ? [phone.lineType, phone.countryCode, phone.location, phone.carrier].join('|')
    : `${phone.problem}|${phone.countryCode}|${phone.callingCode}`;
}

/** Published numbers of governments, museums, airlines and exchanges, and ranges whose use the numbering plans publish. */
const KNOWN: Record<string, string> = {
  '+442079250918': 'Fixed Line|GB|London|',
  '+441481720720': 'Fixed Line|GG|Guernsey|',
  '+441534441144': 'Fixed Line|JE|Jersey|',
  '+447400123456': 'Mobile|GB||Three',
  '+448001111111': 'Toll-Free|GB||',
  '+443000030303': 'UAN|GB||',
  '+447012345678': 'Personal Number|GB||',
  '+449012345678': 'Premium Rate|GB||',
  '+611300975123': 'Shared Cost|AU||',
  '+445612345678': 'VoIP|GB||',
  '+447640012345': 'Pager|GB||',
  '+12024561414': 'Fixed Line or Mobile|US|Washington D.C.|',
  '+12128500400': 'Fixed Line or Mobile|US|New York, NY|',
  '+16139961234': 'Fixed Line or Mobile|CA|Ontario|',
  '+18004633339': 'Toll-Free|US||',
  '+19005551212': 'Premium Rate|US||',
  '+12423571234': 'Mobile|BS||BaTelCo',
  '+18765551212': 'Mobile|JM||',
  '+390669883145': 'Fixed Line|VA|Vatican City|',
  '+390267401': 'Fixed Line|IT|Milan|',
  '+393381234567': 'Mobile|IT||TIM',
  '+4930227320': 'Fixed Line|DE|Berlin|',
  '+4915112345678': 'Mobile|DE||T-Mobile',
  '+498003301000': 'Toll-Free|DE||',
  '+33142961020': 'Fixed Line|FR||',
  '+33612345678': 'Mobile|FR||SFR',
  '+33892123456': 'Premium Rate|FR||',
  '+34915212900': 'Fixed Line|ES|Madrid|',
  '+34612345678': 'Mobile|ES||Syma',
  '+351213210000': 'Fixed Line|PT|Lisbon|',
  '+31206747000': 'Fixed Line|NL|Amsterdam|',
  '+3225062111': 'Fixed Line|BE|Brussels|',
  '+41446321111': 'Fixed Line|CH|Zurich|',
  '+41860791234567': 'Voicemail|CH||',
  '+4315322000': 'Fixed Line|AT|Vienna|',
  '+4533923300': 'Fixed Line or Mobile|DK||telenor',
  '+46851955600': 'Fixed Line|SE|Stockholm|',
  '+4722242424': 'Fixed Line|NO|Oslo|',
  '+358931001': 'Fixed Line|FI|Helsinki|',
  '+48225310000': 'Fixed Line|PL|Warsaw|',
  '+420224202071': 'Fixed Line|CZ|Prague|',
  '+37126123456': 'Mobile|LV||LMT',
  '+74956971234': 'Fixed Line|RU|Moscow|',
  '+77172740000': 'Fixed Line|KZ|Astana|',
  '+380442550000': 'Fixed Line|UA|Kyiv city|',
  '+905321234567': 'Mobile|TR||Turkcell',
  '+97226753333': 'Fixed Line|IL|Jerusalem|',
  '+971501234567': 'Mobile|AE||Etisalat',
  '+201001234567': 'Mobile|EG||Vodafone',
  '+27123121911': 'Fixed Line|ZA|Brits/Tshwane|',
  '+254722123456': 'Mobile|KE||Safaricom',
  '+2348031234567': 'Mobile|NG||MTN',
  '+919810012345': 'Mobile|IN||Airtel',
  '+911123011000': 'Fixed Line|IN|New Delhi|',
  '+861065292114': 'Fixed Line|CN|Beijing|',
  '+8613800138000': 'Mobile|CN|Beijing|China Mobile',
  '+85225227821': 'Fixed Line|HK||',
  '+81335815111': 'Fixed Line|JP|Tokyo|',
  '+819012345678': 'Mobile|JP||KDDI',
  '+81120123456': 'Toll-Free|JP||',
  '+8227303200': 'Fixed Line|KR|Seoul|',
  '+6562351111': 'Fixed Line|SG||',
  '+61262777111': 'Fixed Line|AU|Canberra|',
  '+61412345678': 'Mobile|AU||Optus',
  '+6448179999': 'Fixed Line|NZ|Wellington|',
  '+551122745000': 'Fixed Line|BR|São Paulo - SP|',
  '+5511987654321': 'Mobile|BR|São Paulo|TIM',
  '+541143318000': 'Fixed Line|AR|Buenos Aires|',
  '+5491123456789': 'Mobile|AR|Buenos Aires|',
  '+525550363000': 'Fixed Line or Mobile|MX|Mexico City, FD|',
  '+56226904000': 'Fixed Line or Mobile|CL|Santiago, Metropolitan Region|Compania De Telecomunicaciones De Chile S.A.',
  '+573001234567': 'Mobile|CO||',
  '+5117113000': 'Fixed Line|PE|Lima/Callao|',
  // Of no country.
  '+881612345678': 'Mobile|||iridium satellite',
  '+870773111632': 'Mobile|||',
  '+80012345678': 'Toll-Free|||',
  '+979123456789': 'Premium Rate|||',
  '+878101234567890': 'VoIP|||',
};

it(`knows ${Object.keys(KNOWN).length} numbers of ${new Set(Object.values(KNOWN).map((text) => text.split('|')[1])).size} countries`, async () => {
  const read = await Promise.all(Object.keys(KNOWN).map(async (number) => [number, await line(number)]));
  expect(Object.fromEntries(read)).toEqual(KNOWN);
});

it('has an example of every line type', () => {
  expect(new Set([...Object.values(KNOWN).map((text) => text.split('|')[0]), 'Unknown'])).toEqual(new Set(LINE_TYPES));
});

describe('a number as people write it', () => {
  const LONDON = 'Fixed Line|GB|London|';
  const SAN_FRANCISCO = 'Fixed Line or Mobile|US|San Francisco, CA|';
  const spellings: [number: string, country: string | undefined, line: string][] = [
    // With and without a plus, and with what one dials to get abroad.
    ['442071838750', undefined, LONDON],
    ['0044 20 7183 8750', undefined, LONDON],
    ['011 44 20 7183 8750', undefined, LONDON],
    ['905321234567', undefined, 'Mobile|TR||Turkcell'],
    ['(020) 7183 8750', 'GB', LONDON],
    ['020 7183 8750', 'gb', LONDON],
    ['442071838750', 'GB', LONDON],
    ['442071838750', 'US', LONDON],
    ['+442071838750', 'US', LONDON],
    ['+44 (0)20 7183 8750', undefined, LONDON],
    ['4155552671', 'US', SAN_FRANCISCO],
    ['4155552671', 'CA', SAN_FRANCISCO],
    // Signs that nobody sees, and digits of other scripts.
    ['\u202a+1 415\u2011555\u20132671\u202c', undefined, SAN_FRANCISCO],
    ['\u200f+1\u00a0415 555 2671', undefined, SAN_FRANCISCO],
    ['＋１４１５５５５２６７１', undefined, SAN_FRANCISCO],
    ['+٩٠٥٣٢١٢٣٤٥٦٧', undefined, 'Mobile|TR||Turkcell'],
    ['\t+14155552671\n', undefined, SAN_FRANCISCO],
    // RFC 3966.
    ['tel:+1-415-555-2671', undefined, SAN_FRANCISCO],
    ['TEL:020-7183-8750;phone-context=+44', undefined, LONDON],
    // The letters on the keys.
    ['1-800-FLOWERS', undefined, 'Toll-Free|US||'],
    ['+1 (800) Flowers', undefined, 'Toll-Free|US||'],
    ['1-800-CONTACTS', 'US', 'Toll-Free|US||'],
    ['1300 FLOWER', 'AU', 'Shared Cost|AU||'],
    // Zeros that belong to the number, and those that do not.
    ['06 6988 3145', 'IT', 'Fixed Line|VA|Vatican City|'],
    ['+39 02 67401', undefined, 'Fixed Line|IT|Milan|'],
    ['+39 2 67401', undefined, 'not_assigned||39'],
    ['011 15-2345-6789', 'AR', 'Mobile|AR|Buenos Aires|'],
    ['55 5036 3000', 'MX', 'Fixed Line or Mobile|MX|Mexico City, FD|'],
  ];
  it.each(spellings)('%j dialled in %s', async (number, country, expected) => {
    expect(await line(number, country)).toBe(expected);
  });

  it.each([
    ['+1 415 555 2671 ext. 22'],
    ['+1 415 555 2671 x22'],
    ['+1 415 555 2671 extension 22'],
    ['+14155552671;ext=22'],
    ['tel:+1-415-555-2671;ext=22'],
    ['+1 415 555 2671,,22#'],
  ])('%j has an extension', async (number) => {
    expect(await readPhoneNumber(number)).toMatchObject({
      valid: true,
      extension: '22',
      e164: '+14155552671',
      uri: 'tel:+14155552671;ext=22',
      internationalFormat: '+1 415 555 2671 ext. 22',
    });
  });
});

describe('what is no number', () => {
  it.each<[string, string | undefined, string]>([
    ['112', 'DE', 'too_short|DE|49'],
    ['911', 'US', 'too_short|US|1'],
    ['116117', 'DE', 'not_assigned|DE|49'],
    ['+999123456', undefined, 'not_a_number||'],
    ['+1 415 555 26711', undefined, 'too_long||1'],
    ['+4420', undefined, 'too_short||44'],
    ['+5215512345678', undefined, 'too_long|MX|52'],
    ['+1 115 555 2671', undefined, 'not_assigned||1'],
    ['abc', undefined, 'not_a_number||'],
    ['+', undefined, 'not_a_number||'],
    ['call +14155552671 now', undefined, 'not_a_number||'],
    ['+14155552671 or +442071838750', undefined, 'not_a_number||'],
    ['\u0000+14155552671', undefined, 'not_a_number||'],
    ['+14155\u0007552671', undefined, 'not_a_number||'],
    ['\ufdfa'.repeat(250), undefined, 'not_a_number||'],
    ['9'.repeat(250), undefined, 'not_a_number||'],
    ['x '.repeat(125), undefined, 'not_a_number||'],
    [`+1${'-'.repeat(248)}`, undefined, 'not_a_number||'],
  ])('%j in %s', async (number, country, expected) => {
    expect(await line(number, country)).toBe(expected);
  });

  it('has no form where its length is wrong, and one where it might be given out', async () => {
    expect(await readPhoneNumber('+4420')).toMatchObject({ localFormat: '', internationalFormat: '', e164: '', uri: '' });
    expect(await readPhoneNumber('+11155552671')).toMatchObject({ valid: false, e164: '+11155552671', lineType: 'Unknown' });
  });

  it.each(['ZZ', 'AQ', 'XX', '00'])('knows no plan of %s', async (country) => {
    expect(await readPhoneNumber('+442071838750', country)).toBeUndefined();
  });

  it('takes any text at all', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 250 }), fc.stringMatching(/^[+0-9a-z().;= -]{1,40}$/));
    await fc.assert(
      fc.asyncProperty(text, async (number) => {
        const phone = await readPhoneNumber(number);
        expect(phone?.valid === true).toBe(phone?.problem === '');
        expect(LINE_TYPES).toContain(phone?.lineType);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
