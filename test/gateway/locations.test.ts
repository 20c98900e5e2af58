import { describe, expect, it } from 'vitest';
import { readCatalogue, selectLocations } from '../../packages/gateway/src/locations/locations.ts';

const FILE = JSON.stringify({
  'eu-fra': { continent: 'EU', country: 'DE', city: 'Frankfurt', lat: 50.1, lon: 8.7 },
  'eu-par': { continent: 'EU', country: 'FR', city: 'Paris' },
  'as-pek': { continent: 'AS', country: 'CN', city: 'Beijing' },
  default: ['eu-fra', 'as-pek'],
});

describe('readCatalogue', () => {
  it('names continent and country', () => {
    expect(readCatalogue(FILE).place('eu-fra')).toEqual({
      continent_code: 'EU',
      continent_name: 'Europe',
      country_code: 'DE',
      country_name: 'Germany',
      city_name: 'Frankfurt',
      latitude: 50.1,
      longitude: 8.7,
    });
  });
  it('asks the default set, or all where there is none', () => {
    expect(readCatalogue(FILE).defaults).toEqual(['eu-fra', 'as-pek']);
    expect(readCatalogue('{"a":{"continent":"EU","country":"DE","city":""}}').defaults).toEqual(['a']);
    expect(readCatalogue('{"a":{"continent":"EU","country":"DE","city":""},"default":["a","a"]}').defaults).toEqual(['a']);
    expect(readCatalogue('{"locations":{"a":{"continent":"EU","country":"DE","city":""}}}').ids).toEqual(['a']);
  });
  it("knows the big clouds' regions without a file, and nothing of others", () => {
    expect(readCatalogue(undefined).place('ap-southeast-1').city_name).toBe('Singapore');
    expect(readCatalogue(undefined).place('rack-7').country_name).toBe('');
    expect(readCatalogue(undefined).defaults).toEqual([]);
  });
  it.each([
    ['{', 'JSON'],
    ['{"a.b":{"continent":"EU","country":"DE","city":"x"}}', 'a.b'],
    ['{"a":{"continent":"Europe","country":"DE","city":"x"}}', 'location a'],
    ['{"a":{"continent":"EU","country":"DE","city":"x"},"default":["b"]}', 'unknown locations: b'],
    ['{"a":{"continent":"EU","country":"DE","city":"x"},"default":"a"}', 'list of location ids'],
  ])('refuses %s', (text, named) => {
    expect(() => readCatalogue(text)).toThrow(named);
  });
});

describe('selectLocations', () => {
  const catalogue = readCatalogue(FILE);
  const select = (...terms: string[]) => selectLocations(terms, { defaults: catalogue.defaults, known: catalogue.ids, catalogue });

  it.each([
    [['eu-par'], ['eu-par']],
    [
      ['country:DE', 'eu-par'],
      ['eu-fra', 'eu-par'],
    ],
    [['continent:eu'], ['eu-fra', 'eu-par']],
    [
      ['continent:EU', 'eu-fra'],
      ['eu-fra', 'eu-par'],
    ],
    [['!country:CN'], ['eu-fra']],
    [['continent:EU', '!eu-fra'], ['eu-par']],
    [['eu-par', '!country:BR', '!continent:SA'], ['eu-par']],
  ])('%o picks %o', (terms, expected) => {
    expect(select(...terms)).toEqual(expected);
  });
  it('asks the defaults without a selection', () => {
    expect(selectLocations(undefined, { defaults: catalogue.defaults, known: catalogue.ids, catalogue })).toEqual(['eu-fra', 'as-pek']);
  });
  it.each([['nowhere'], ['country:XX'], ['!nowhere'], ['DE']])('%s names nothing we know', (term) => {
    expect(() => select(term)).toThrow(expect.objectContaining({ code: 'unknown_location' }));
  });
  it('says which there are, and which was probably meant', () => {
    expect(() => select('eu-frq')).toThrow('eu-frq; did you mean eu-fra? GET /v2/locations lists them');
    expect(() => select('moon\u001b[2J')).toThrow(
      expect.objectContaining({
        param: 'locations',
        message: expect.stringMatching(/: moon \[2J; known are eu-fra, .*; GET \/v2\/locations lists them$/) as string,
      }),
    );
  });
  it('refuses a selection that leaves nothing', () => {
    expect(() => select('eu-fra', '!continent:EU')).toThrow(expect.objectContaining({ code: 'unknown_location' }));
  });
});
