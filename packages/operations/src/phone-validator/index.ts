import { ApiError, central, Enum } from '@vedette/contract';
import { countryOf } from '@vedette/intel/countries';
import { LINE_TYPES, PHONE_PROBLEMS, readPhoneNumber } from '@vedette/intel/phone';
import { Type } from 'typebox';

/** They have calling codes of their own, and ISO 3166-1 reserves their codes only. */
const TERRITORIES: Readonly<Record<string, string>> = { AC: 'Ascension Island', TA: 'Tristan da Cunha' };

/** Judges a telephone number by the numbering plans of the world. Nobody is called, and nothing is sent. */
export const phoneValidator = central({
  name: 'phone-validator',
  summary: 'Judge a telephone number by its numbering plan',
  description:
    'Nothing is sent and nobody is called: whether a valid number is in service is not said. A number needs no plus: without one, and without `country_code`, it is read as ' +
    'beginning with its country. Letters on the keys count as digits (1-800-FLOWERS), and an extension is told apart.',
  cost: 1,
  deadline_ms: 10_000,
  references: ['ITU-T E.164', 'ITU-T E.161', 'RFC 3966'],
  request: Type.Object(
    {
      number: Type.String({
        minLength: 1,
        maxLength: 250,
        description: 'Telephone number, with or without a leading plus, or a tel: URI',
        examples: ['+442071838750'],
      }),
      country_code: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{2}$',
          description: 'ISO 3166-1 alpha-2: where a number without its country is dialled. A prefix in the number counts for more',
          examples: ['GB'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    valid: Type.Boolean({ description: 'Whether such numbers are given out; short codes (112) and numbers for fiction are mostly not' }),
    number: Type.String({ description: 'As it was sent' }),
    local_format: Type.String({
      description: 'As it is dialled within its country; empty, like the next three, where the digits are too few or too many',
    }),
    international_format: Type.String({ description: 'With its calling code, grouped' }),
    e164_format: Type.String({ description: 'ITU-T E.164: a plus and digits' }),
    uri: Type.String({ description: 'RFC 3966: tel: and the number, with its extension' }),
    extension: Type.String({ description: 'Digits behind the number; empty where there are none' }),
    country_prefix: Type.String({ description: 'Calling code with its plus, such as +44; several countries may share one' }),
    country_code: Type.String({
      description: 'ISO 3166-1 alpha-2; empty for numbers of no country (satellites, +800) and where it is not known',
    }),
    country_name: Type.String({ description: 'In English; empty as country_code is' }),
    location: Type.String({ description: 'City or region that numbers like it are given out in; empty for most mobile numbers' }),
    carrier: Type.String({
      description:
        'To whom the range was first given. Numbers may be taken to another carrier, which nobody tells; empty for fixed lines and in most of North America',
    }),
    line_type: Enum(LINE_TYPES, { description: 'By the numbering plan; North America does not tell mobile numbers from fixed lines' }),
    disposable: Type.Boolean({
      description:
        'On a list of numbers whose messages anybody can read. Such numbers change by the day: false does not say that it is none',
    }),
    fictional: Type.Boolean({
      description: 'Kept free by its authority for films and books, such as 555-0123 or 07700 900123: nobody is there',
    }),
    abusive: Type.Boolean({ description: 'Disposable or fictional' }),
    invalid_reason: Enum(PHONE_PROBLEMS, { description: 'Why it is not valid; empty where it is' }),
  }),
  examples: [{ number: '+442071838750' }],
  read: (request) => request,
  async run({ number, country_code }, { phones }) {
    const phone = await readPhoneNumber(number, country_code);
    if (!phone) throw new ApiError('invalid_parameter', 'country_code is no country with a numbering plan', { param: 'country_code' });
    const disposable = phone.e164 !== '' && phones.isDisposable(phone.e164);
    return {
      valid: phone.valid,
      number,
      local_format: phone.localFormat,
      international_format: phone.internationalFormat,
      e164_format: phone.e164,
      uri: phone.uri,
      extension: phone.extension,
      country_prefix: phone.callingCode === '' ? '' : `+${phone.callingCode}`,
      country_code: phone.countryCode,
      country_name: TERRITORIES[phone.countryCode] ?? countryOf(phone.countryCode).country_name,
      location: phone.location,
      carrier: phone.carrier,
      line_type: phone.lineType,
      disposable,
      fictional: phone.fictional,
      abusive: disposable || phone.fictional,
      invalid_reason: phone.problem,
    };
  },
});
