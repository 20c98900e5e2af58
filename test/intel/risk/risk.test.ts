import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADDRESS_RISK,
  assessRisk,
  BEING_LOADED,
  DOMAIN_RISK,
  type Evidence,
  freshness,
  type Override,
  type Verdict,
  verdictOf,
} from '@vedette/intel/risk';

type AddressFactor = keyof typeof ADDRESS_RISK.factors;

const found = (factor: AddressFactor, more: Partial<Evidence<AddressFactor>> = {}): Evidence<AddressFactor> => ({
  factor,
  detail: factor,
  ...more,
});
const engine = (weight: number, more: Partial<Evidence<AddressFactor>> = {}) => found('blacklist', { weight, ...more });
const attackLists = [engine(0.4), engine(0.4), engine(0.4)];

describe('the word for a risk', () => {
  it.each<[number, number, boolean, Verdict]>([
    [0, 100, true, 'clean'],
    [24, 75, true, 'clean'],
    [24, 74, true, 'unknown'],
    [0, 100, false, 'unknown'],
    [25, 100, true, 'suspicious'],
    [49, 0, false, 'suspicious'],
    [50, 0, false, 'dangerous'],
    [100, 100, true, 'dangerous'],
  ])('%i with %i of 100 sources, seen: %s', (risk, answered, isSeen, word) => {
    expect(verdictOf(risk, { asked: 100, answered, missing: [] }, isSeen)).toBe(word);
  });
  it('needs no source where none was to be asked', () => {
    expect(verdictOf(0, { asked: 0, answered: 0, missing: [] })).toBe('clean');
  });
  it.each<[number, Verdict]>([
    [0, 'unknown'],
    [49, 'unknown'],
    [50, 'dangerous'],
  ])('%i is no better than it may become by a list that is being loaded', (risk, word) => {
    expect(verdictOf(risk, { asked: 100, answered: 99, missing: [{ reason: BEING_LOADED }] })).toBe(word);
  });
});

describe('worked examples', () => {
  it.each<[string, Evidence<AddressFactor>[], number]>([
    ['a clean line of a provider', [], 0],
    ['VPN only', [found('vpn')], 35],
    ['VPN in a data centre', [found('vpn'), found('hosting')], 42],
    ['Tor in a data centre', [found('tor'), found('hosting')], 69],
    ['Tor in a data centre, on three attack lists', [found('tor'), found('hosting'), ...attackLists], 93],
    ['SpamCop alone', [engine(0.45)], 45],
    ['CINS alone', [engine(0.4)], 40],
    ['three other DNSBLs', [found('blacklist'), found('blacklist'), found('blacklist')], 49],
    ['every abuse list in the world', Array.from({ length: 60 }, () => engine(0.7)), 97],
    ['every way to hide', ['tor', 'proxy', 'vpn', 'webproxy', 'hosting'].map((factor) => found(factor as AddressFactor)), 80],
  ])('%s', (_name, evidence, result) => {
    expect(assessRisk(ADDRESS_RISK, evidence).result).toBe(result);
  });

  it.each<[string, (keyof typeof DOMAIN_RISK.factors)[], number]>([
    ['a homoglyph with three other oddities', ['suspicious_homoglyph', 'most_abused_tld', 'risky_category', 'uncommon_dash_count'], 55],
    ['a homoglyph of last week', ['suspicious_homoglyph', 'very_recent'], 68],
  ])('host name: %s', (_name, factors, result) => {
    const evidence = factors.map((factor) => ({ factor, detail: '' }));
    expect(assessRisk(DOMAIN_RISK, evidence).result).toBe(result);
  });
});

it('says what each piece adds to those before it', () => {
  const { factors } = assessRisk(ADDRESS_RISK, [found('hosting'), found('tor'), engine(0.4)]);
  expect(factors).toEqual([
    { factor: 'blacklist', effect: 40, weight: 0.4, detail: 'blacklist' },
    { factor: 'tor', effect: 39, weight: 0.65, detail: 'tor' },
    { factor: 'hosting', effect: 2, weight: 0.1, detail: 'hosting' },
  ]);
});

it('counts evidence of one source once, by the heaviest', () => {
  const risk = assessRisk(ADDRESS_RISK, [engine(0.4, { source: 'a' }), engine(0.5, { source: 'a' }), engine(0.4, { source: 'b' })]);
  expect(risk.result).toBe(70);
  expect(risk.factors.map(({ effect }) => effect)).toEqual([50, 0, 20]);
});

it('lets sightings decay, and forgets them', () => {
  expect(freshness(0, 30)).toBe(1);
  expect(freshness(3.75, 30)).toBeCloseTo(0.5, 10);
  expect(freshness(30, 30)).toBe(0);
  expect(freshness(300, 30)).toBe(0);
  expect(freshness(-1, 30)).toBe(1);
  expect(assessRisk(ADDRESS_RISK, [engine(0.4, { age_days: 3.75 })]).result).toBe(20);
  expect(assessRisk(ADDRESS_RISK, [engine(0.4, { age_days: 31 })])).toEqual({
    result: 0,
    factors: [{ factor: 'blacklist', effect: 0, weight: 0, detail: 'blacklist' }],
  });
});

it('multiplies by what is believed of the evidence', () => {
  expect(assessRisk(DOMAIN_RISK, [{ factor: 'suspicious_homoglyph', detail: '', confidence: 0.1 }]).result).toBe(5);
});

describe('overrides', () => {
  const cap: Override = { factor: 'known_service', detail: 'a crawler', cap: 10 };
  const floor: Override = { factor: 'drop', detail: 'DROP', floor: 90 };
  it('come last, caps before floors, and say their effect', () => {
    expect(assessRisk(ADDRESS_RISK, [engine(0.45)], [floor, cap])).toEqual({
      result: 90,
      factors: [
        { factor: 'blacklist', effect: 45, weight: 0.45, detail: 'blacklist' },
        { factor: 'known_service', effect: -35, weight: 0, detail: 'a crawler' },
        { factor: 'drop', effect: 80, weight: 0, detail: 'DROP' },
      ],
    });
  });
  it('are not mentioned where they change nothing', () => {
    expect(assessRisk(ADDRESS_RISK, [found('relay')], [cap]).factors).toHaveLength(1);
    expect(assessRisk(ADDRESS_RISK, [engine(0.95)], [floor]).factors).toHaveLength(1);
  });
});

const factors = Object.keys(ADDRESS_RISK.factors) as AddressFactor[];
const anyEvidence: fc.Arbitrary<Evidence<AddressFactor>> = fc.record(
  {
    factor: fc.constantFrom(...factors),
    detail: fc.constant(''),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    age_days: fc.integer({ min: 0, max: 60 }),
    source: fc.constantFrom('a', 'b', 'c'),
  },
  { requiredKeys: ['factor', 'detail'] },
);
const anyOverrides: fc.Arbitrary<Override[]> = fc.array(
  fc.oneof(
    fc.record({ factor: fc.constant('cap'), detail: fc.constant(''), cap: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ factor: fc.constant('floor'), detail: fc.constant(''), floor: fc.integer({ min: 0, max: 100 }) }),
  ),
  { maxLength: 3 },
);

describe('for any evidence', () => {
  it('the effects add up to a result from 0 to 100', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence, { maxLength: 12 }), anyOverrides, (evidence, overrides) => {
        const { result, factors: told } = assessRisk(ADDRESS_RISK, evidence, overrides);
        expect(told.reduce((sum, { effect }) => sum + effect, 0)).toBe(result);
        expect(Number.isInteger(result) && result >= 0 && result <= 100).toBe(true);
        expect(told.filter(({ weight }) => weight > 0).every(({ effect }) => effect >= 0)).toBe(true);
      }),
    );
  });
  it('one more piece never lowers the risk, whatever the overrides', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence, { maxLength: 8 }), anyEvidence, anyOverrides, (evidence, more, overrides) => {
        const before = assessRisk(ADDRESS_RISK, evidence, overrides).result;
        expect(assessRisk(ADDRESS_RISK, [...evidence, more], overrides).result).toBeGreaterThanOrEqual(before);
      }),
    );
  });
  it('its order does not matter', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence, { maxLength: 8 }), (evidence) => {
        expect(assessRisk(ADDRESS_RISK, evidence.toReversed()).result).toBe(assessRisk(ADDRESS_RISK, evidence).result);
      }),
    );
  });
});
