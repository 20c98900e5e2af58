import { createPhones, NumberList } from '@vedette/intel/phone';
import { describe, expect, it } from 'vitest';
import { phoneValidator } from '../../../packages/operations/src/phone-validator/index.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const phones = createPhones();
// Every other port is shut: nothing may be asked.
const ask = (number: string, country_code?: string) =>
  answer(phoneValidator, { number, ...(country_code && { country_code }) }, { ...SHUT, phones });

it('tells all that a numbering plan says of a number', async () => {
  expect(await ask('442079250918')).toEqual({
    valid: true,
    number: '442079250918',
    local_format: '020 7925 0918',
    international_format: '+44 20 7925 0918',
    e164_format: '+442079250918',
    uri: 'tel:+442079250918',
    extension: '',
    country_prefix: '+44',
    country_code: 'GB',
    country_name: 'United Kingdom',
    location: 'London',
    carrier: '',
    line_type: 'Fixed Line',
    disposable: false,
    fictional: false,
    abusive: false,
    invalid_reason: '',
  });
  expect(await ask('0532 123 45 67', 'tr')).toMatchObject({ carrier: 'Turkcell', line_type: 'Mobile', country_code: 'TR' });
});

it('leaves empty what is not known of what is no number', async () => {
  expect(await ask('not a number')).toEqual({
    valid: false,
    number: 'not a number',
    local_format: '',
    international_format: '',
    e164_format: '',
    uri: '',
    extension: '',
    country_prefix: '',
    country_code: '',
    country_name: '',
    location: '',
    carrier: '',
    line_type: 'Unknown',
    disposable: false,
    fictional: false,
    abusive: false,
    invalid_reason: 'not_a_number',
  });
});

it('names no country for the numbers of none, and its territories by name', async () => {
  expect(await ask('+881612345678')).toMatchObject({ valid: true, country_prefix: '+881', country_code: '', country_name: '' });
  expect(await ask('+247 40123')).toMatchObject({ valid: true, country_code: 'AC', country_name: 'Ascension Island' });
  expect(await ask('+383 44 123 456')).toMatchObject({ valid: true, country_code: 'XK', country_name: 'Kosovo' });
});

it('refuses a country that has no numbering plan', async () => {
  await expect(ask('4155552671', 'ZZ')).rejects.toMatchObject({ code: 'invalid_parameter', param: 'country_code' });
});

describe('abusive numbers', () => {
  it('are those that are kept for fiction', async () => {
    expect(await ask('+12025550123')).toMatchObject({ valid: true, fictional: true, disposable: false, abusive: true });
    expect(await ask('07700 900123', 'GB')).toMatchObject({ valid: false, fictional: true, abusive: true });
    expect(await ask('+12025551212')).toMatchObject({ valid: true, fictional: false, abusive: false });
  });

  it('are those whose messages anybody can read', async () => {
    expect(await ask('+447400123456')).toMatchObject({ disposable: false, abusive: false });
    phones.setDisposable('test', new NumberList(NumberList.compile(['447400123456']).bytes));
    expect(await ask('07400 123456', 'GB')).toMatchObject({ disposable: true, abusive: true });
    expect(await ask('07400 123457', 'GB')).toMatchObject({ disposable: false, abusive: false });
  });
});
