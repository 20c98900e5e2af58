import type { BlacklistCheck, EngineResult } from '@vedette/contract';
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
} from '../../packages/operations/src/blacklist-block.ts';

const result = (name: string, detected: boolean, more: Partial<EngineResult> = {}): EngineResult => ({
  id: name.toLowerCase(),
  name,
  detected,
  reference: `https://${name.toLowerCase()}.test/`,
  elapsed_ms: 12.6,
  confidence: 'high',
  weight: 0.5,
  group: '',
  meanings: [],
  ...more,
});
const CHECK: BlacklistCheck = {
  results: [result('Listing', true, { confidence: 'low' }), result('Alpha', false), result('Beta', false)],
  unanswered: [{ name: 'Silent', why: 'no answer in time' }],
  scan_time_ms: 41.4,
};

describe('the blacklist block', () => {
  it('has engines by index, counts and a percentage', () => {
    const block = addressBlacklists(CHECK);
    expect(block).toEqual({
      engines: {
        0: { name: 'Listing', detected: true, reference: 'https://listing.test/', elapsed_ms: 13 },
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
  it('refuses where engines were asked and none answered', () => {
    expect(() => refuseBlind({ ...CHECK, results: [] })).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
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
