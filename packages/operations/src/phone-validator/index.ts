import { ApiError, Enum } from '@vedette/contract';
import { central } from '../kit/index.ts';
import { countryOf } from '@vedette/intel/countries';
import { LINE_TYPES, PHONE_PROBLEMS, readPhoneNumber } from '@vedette/intel/phone';
import { Type } from 'typebox';

/** They have calling codes of their own, and ISO 3166-1 reserves their codes only. */
const TERRITORIES: Readonly<Record<string, string>> = { AC: 'Ascension Island', TA: 'Tristan da Cunha' };

/** Judges a telephone number by the numbering plans of the world. No call is made, and nothing is sent. */
export const phoneValidator = central({
  name: 'phone-validator',
  subject: 'phones',
  summary: 'Check a telephone number against its numbering plan',
  description:
    'Makes no call and sends no message, so a valid number may still be out of service. The plus is optional: without a plus and `country_code`, ' +
    'the number is read as starting with its calling code. Keypad letters count as digits (1-800-FLOWERS), and extensions are recognized.',
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
          description: 'ISO 3166-1 alpha-2 country for numbers without an international prefix; a prefix in the number takes precedence',
          examples: ['GB'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    valid: Type.Boolean({
      description: 'The numbering plan assigns such numbers; short codes (112) and fictional numbers are usually invalid',
    }),
    number: Type.String({ description: 'Telephone number as sent in the request' }),
    local_format: Type.String({
      description:
        'Number as dialled within its country; the national, international, E.164 and URI formats are empty if the digits are too few or too many',
    }),
    international_format: Type.String({ description: 'Number with its calling code, grouped' }),
    e164_format: Type.String({ description: 'Number in the ITU-T E.164 format: a plus and digits' }),
    uri: Type.String({ description: 'Number as a tel: URI (RFC 3966), with its extension' }),
    extension: Type.String({ description: 'Extension digits after the number; empty if absent' }),
    country_prefix: Type.String({ description: 'Calling code with its plus, such as +44; several countries may share a code' }),
    country_code: Type.String({
      description: 'ISO 3166-1 alpha-2 code of the country; empty if unknown and for numbers without a country (satellite, +800)',
    }),
    country_name: Type.String({ description: 'Country name in English; empty if `country_code` is empty' }),
    location: Type.String({ description: 'City or region of the number range; empty for most mobile numbers' }),
    carrier: Type.String({
      description: 'Original carrier of the number range; later porting is not visible. Empty for fixed lines and most of North America',
    }),
    line_type: Enum(LINE_TYPES, {
      description: 'Line type by the numbering plan; North America does not distinguish mobile from fixed lines',
    }),
    disposable: Type.Boolean({
      description: 'The number is on a list of public receive-only numbers. Such numbers change daily, so false is not proof',
    }),
    fictional: Type.Boolean({
      description: 'The number is reserved for fiction, such as 555-0123 or 07700 900123, and has no subscriber',
    }),
    abusive: Type.Boolean({ description: 'The number is disposable or fictional' }),
    invalid_reason: Enum(PHONE_PROBLEMS, { description: 'Reason why the number is not valid; empty if valid' }),
  }),
  bulk: 'number',
  examples: [{ number: '+442071838750' }],
  read: (request) => request,
  async run({ number, country_code }, { phones }) {
    const phone = await readPhoneNumber(number, country_code);
    if (!phone) throw new ApiError('invalid_parameter', 'country_code is not a country with a numbering plan', { param: 'country_code' });
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
