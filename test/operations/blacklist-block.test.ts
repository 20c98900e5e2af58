import type { BlacklistCheck, EngineResult } from '@vedette/intel/ports';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import {
  AddressBlacklists,
  addressBlacklists,
  BLACKLIST_PARAMETERS,
  excludedEngines,
  HostBlacklists,
  hostBlacklists,
  refuseBlind,
} from '../../packages/operations/src/shared/names/blacklist-block.ts';
import { Coverage, coverageOf, engineSources, unheardShare } from '../../packages/operations/src/shared/names/coverage.ts';

const result = (name: string, detected: boolean, more: Partial<EngineResult> = {}): EngineResult => ({
  id: name.toLowerCase(),
  name,
  detected,
  reference: `https://${name.toLowerCase()}.test/`,
  elapsed_ms: 12.6,
  confidence: 'high',
  doubtful: false,
  weight: 0.5,
  group: '',
  meanings: [],
  ...more,
});
const CHECK: BlacklistCheck = {
  results: [
    result('Listing', true, { confidence: 'low', sightings: { first_seen: '2026-08-01', last_seen: null, age_days: 9 } }),
    result('Alpha', false),
    result('Beta', false),
  ],
  unanswered: [{ name: 'Silent', why: 'no answer in time' }],
  scan_time_ms: 41.4,
};

describe('the blacklist block', () => {
  it('has engines by index, counts and a percentage', () => {
    const block = addressBlacklists(CHECK);
    expect(block).toEqual({
      engines: {
        0: {
          name: 'Listing',
          detected: true,
          reference: 'https://listing.test/',
          elapsed_ms: 13,
          first_seen: '2026-08-01',
          last_seen: null,
        },
        1: { name: 'Alpha', detected: false, reference: 'https://alpha.test/', elapsed_ms: 13 },
        2: { name: 'Beta', detected: false, reference: 'https://beta.test/', elapsed_ms: 13 },
      },
      detections: 1,
      engines_count: 3,
      detection_rate: '33%',
      scan_time_ms: 41,
      unanswered: ['Silent'],
    });
    expect(Compile(AddressBlacklists).Check(block)).toBe(true);
  });

  it('says for names how sure each engine is', () => {
    const block = hostBlacklists(CHECK);
    expect(Object.values(block.engines).map(({ confidence }) => confidence)).toEqual(['low', 'high', 'high']);
    expect(Compile(HostBlacklists).Check(block)).toBe(true);
  });

  it.each([
    [0, 0, '0%'],
    [0, 3, '0%'],
    [2, 3, '67%'],
    [1, 200, '1%'],
    [3, 3, '100%'],
  ])('%i of %i is %s', (detections, engines, rate) => {
    const results = Array.from({ length: engines }, (_, i) => result(`E${i}`, i < detections));
    expect(addressBlacklists({ ...CHECK, results })).toMatchObject({ detections, engines_count: engines, detection_rate: rate });
  });
});

describe('the rule of the blind', () => {
  const heard = (answered: number, silent: number, paced = 0): BlacklistCheck => ({
    results: Array.from({ length: answered }, (_, i) => result(`E${i}`, false)),
    unanswered: [
      ...Array.from({ length: silent }, (_, i) => ({ name: `S${i}`, why: 'no answer in time' })),
      ...Array.from({ length: paced }, (_, i) => ({
        name: `P${i}`,
        why: 'too much',
        ours: { cause: 'paced' as const, retry_after_s: 1.2 + i },
      })),
    ],
    scan_time_ms: 1,
  });

  it.each([
    ['none of one', heard(0, 1), { code: 'upstream_failed', status: 502, retryAfterS: 5 }],
    ['eight of 24, sixteen being silent', heard(8, 16), { code: 'upstream_failed', status: 502 }],
    ['eight of 24, where pacing alone would not have made it a third', heard(8, 15, 1), { code: 'upstream_failed', status: 502 }],
    ['eight of 24, where we kept sixteen questions back', heard(8, 0, 16), { code: 'target_limited', status: 429, retryAfterS: 17 }],
    ['eight of 24, where we kept four back that would have made it a half', heard(8, 12, 4), { code: 'target_limited', retryAfterS: 5 }],
  ])('refuses where less than half of the engines were heard: %s', (_, check, error) => {
    expect(() => refuseBlind(check)).toThrow(expect.objectContaining(error));
  });

  it.each([
    ['one of 24', heard(23, 0, 1), 2],
    ['one of 24, beside a silent one', heard(22, 1, 1), 2],
    ['a quarter', heard(18, 0, 6), 7],
  ])('sells no report where our own pacing kept questions back: %s', (_, check, retryAfterS) => {
    expect(() => refuseBlind(check)).toThrow(expect.objectContaining({ code: 'target_limited', status: 429, retryAfterS }));
  });

  it('sells no report where our own network failed, whatever was heard', () => {
    const { results, unanswered } = heard(15, 0, 1);
    const check = {
      results,
      unanswered: [...unanswered, { name: 'N', why: 'no answer in time', ours: { cause: 'network' as const, retry_after_s: 1 } }],
    };
    expect(() => refuseBlind(check)).toThrow(expect.objectContaining({ code: 'upstream_failed', status: 502, retryAfterS: 2 }));
  });

  it.each([
    ['all', heard(24, 0), 0],
    ['half', heard(12, 12), 0.5],
    ['three quarters', heard(18, 6), 0.25],
    ['none of none', heard(0, 0), 0],
  ])('says how much was not heard: %s', (_, check, share) => {
    refuseBlind(check);
    expect(unheardShare(check)).toBe(share);
  });

  it('names who was asked and did not answer, and why', () => {
    const coverage = coverageOf([...engineSources(heard(2, 1)), { name: 'registry', problem: '' }, { name: 'page', problem: 'HTTP 403' }]);
    expect(coverage).toEqual({
      asked: 5,
      answered: 3,
      missing: [
        { name: 'S0', reason: 'no answer in time' },
        { name: 'page', reason: 'HTTP 403' },
      ],
    });
    expect(Compile(Coverage).Check(coverage)).toBe(true);
  });

  it.each([
    ['one answered', CHECK],
    ['none was to be asked', { results: [], unanswered: [], scan_time_ms: 0 }],
  ])('reports where %s', (_, check) => {
    expect(() => refuseBlind(check)).not.toThrow();
  });
});

describe('the parameters', () => {
  it.each([
    [undefined, []],
    ['', []],
    [' SpamCop ,, uceprotect-l1,', ['SpamCop', 'uceprotect-l1']],
  ])('exclude_engines %j', (text, names) => {
    expect(excludedEngines(text)).toEqual(names);
  });

  it.each([
    ['abcdefghijklmnopqrst', true],
    ['0123456789abcdefghijabcdefghij0123456789', true],
    ['abcdefghijklmnopqrs', false],
    ['abcdefghijklmnopqrsT', false],
    ['abcdefghijklmnopqrst.zen', false],
    ['a'.repeat(41), false],
  ])('blocklist_key %s', (key, fits) => {
    expect(Compile(BLACKLIST_PARAMETERS.blocklist_key).Check(key)).toBe(fits);
  });
});
