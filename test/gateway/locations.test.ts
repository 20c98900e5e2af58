import { ApiError } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../packages/gateway/src/locations/locations.ts';
import { selectLocations } from '../../packages/gateway/src/locations/selection.ts';

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
      asn: '',
      network: '',
      cloud: '',
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
    ['{"a":{"continent":"EU","country":"DE","city":"x","asn":"64496"}}', 'location a'],
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

describe('terms', () => {
  const at = (continent: string, country: string, city: string, lat: number, lon: number, more: object = {}) => ({
    continent,
    country,
    city,
    lat,
    lon,
    ...more,
  });
  const catalogue = readCatalogue(
    JSON.stringify({
      'de-ber': at('EU', 'DE', 'Berlin', 52.52, 13.41, { asn: 'AS64496', network: 'Example Net', cloud: 'aws' }),
      'de-fra': at('EU', 'DE', 'Frankfurt', 50.11, 8.68, { asn: 'AS64497', network: 'Other', cloud: 'gcp' }),
      'de-mun': at('EU', 'DE', 'Munich', 48.14, 11.58),
      'fi-hel': at('EU', 'FI', 'Helsinki', 60.17, 24.94, { cloud: 'aws' }),
      'pt-lis': at('EU', 'PT', 'Lisbon', 38.72, -9.14),
      'br-gru': at('SA', 'BR', 'São Paulo', -23.55, -46.63, { asn: 'AS64496' }),
      'xx-nowhere': { continent: 'EU', country: 'DE', city: '' },
    }),
  );
  const select = (terms: readonly string[], isReady?: (id: string) => boolean) =>
    selectLocations(terms, { defaults: catalogue.defaults, known: catalogue.ids, catalogue, ...(isReady && { isReady }) });
  const thrown = (term: string): string => {
    try {
      select([term]);
    } catch (error) {
      if (error instanceof ApiError) return `${error.code} ${error.status} ${error.message}`;
    }
    throw new Error('it threw nothing of ours');
  };

  it.each([
    [['city:berlin'], ['de-ber']],
    [['city:Sao Paulo'], ['br-gru']],
    [['asn:AS64496'], ['de-ber', 'br-gru']],
    [['asn:64497'], ['de-fra']],
    [['network:example net'], ['de-ber']],
    [['cloud:aws'], ['de-ber', 'fi-hel']],
    [['cloud:aws', '!country:FI'], ['de-ber']],
    [['within:500km:Berlin'], ['de-ber', 'de-fra']],
    [['within:520km:Berlin'], ['de-ber', 'de-fra', 'de-mun']],
    [['within:50km:52.4/13.1'], ['de-ber']],
    [['within:600 km:Prague'], ['de-ber', 'de-fra', 'de-mun']],
    [
      ['continent:EU', '!within:520km:Berlin'],
      ['fi-hel', 'pt-lis', 'xx-nowhere'],
    ],
    [['any:1:continent:EU'], ['de-ber']],
    [['any:3:continent:EU'], ['de-ber', 'pt-lis', 'fi-hel']],
    [
      ['any:3:continent:EU', '!country:PT', '!xx-nowhere'],
      ['de-ber', 'fi-hel', 'de-mun'],
    ],
    [['any:99:cloud:aws'], ['de-ber', 'fi-hel']],
    [
      ['any:2', '!xx-nowhere'],
      ['de-ber', 'br-gru'],
    ],
    [
      ['any:1:country:FI', 'br-gru'],
      ['fi-hel', 'br-gru'],
    ],
  ])('%o pick %o', (terms, expected) => {
    expect(select(terms)).toEqual(expected);
  });
  it('of any take locations that are ready first, and others where there are too few', () => {
    const isReady = (id: string) => id === 'de-fra' || id === 'de-mun';
    expect(select(['any:2:continent:EU'], isReady)).toEqual(['de-fra', 'de-mun']);
    expect(select(['any:3:country:DE', '!xx-nowhere'], isReady)).toEqual(['de-fra', 'de-mun', 'de-ber']);
  });
  it.each([
    ['city:Berln', 'city:Berln; did you mean city:Berlin?'],
    ['city:sao paolo', 'did you mean city:São Paulo?'],
    ['contry:DE', 'contry:DE; did you mean country:?'],
    ['region:EU', 'region:EU; terms begin with city, country, continent, asn, network, cloud, within, any;'],
    ['asn:AS1', 'known are AS64496, AS64497;'],
    ['cloud:azure', 'known are aws, gcp;'],
    ['within:Berlin', 'write within:500km:Berlin'],
    ['within:500km:Atlantis', 'known are Berlin, Frankfurt'],
    ['within:500km:Berlim', 'did you mean within:500km:Berlin?'],
    ['within:5km:0.5/0.5', 'no location is so near'],
    ['within:500km:91/13', 'known are'],
    ['any:0:continent:EU', 'write any:5, or any:5: and a term'],
    ['any:x', 'write any:5, or any:5: and a term'],
    ['any:2:any:3', 'write any:5, or any:5: and a term'],
    ['any:2:city:Berln', 'did you mean city:Berlin?'],
    ['!city:Berln', 'did you mean city:Berlin?'],
    ['constructor:x', 'terms begin with'],
    ['city:', 'known are'],
    ['network:\u001b[2J', 'known are Example Net, Other;'],
  ])('%j is refused: %s', (term, sentence) => {
    const text = thrown(term);
    expect(text).toMatch(/^unknown_location 400 .* GET \/v2\/locations lists them$/);
    expect(text).toContain(sentence);
  });
});
