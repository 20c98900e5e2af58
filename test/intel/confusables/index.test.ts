import { restrictionLevel, skeleton } from '@vedette/intel/confusables';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const isConfusable = (one: string, other: string) => skeleton(one) === skeleton(other);

describe('skeleton (UTS 39 §4)', () => {
  // The pairs of UTS 39 §1 and §4, and those that browsers' bug reports named.
  it.each([
    ['paypal', 'pаypаl'],
    ['scope', 'ѕсоре'],
    ['scope', '𝓼𝓬𝓸𝓹𝓮'],
    ['apple', 'аррӏе'],
    ['Circle', 'Сirсlе'],
    ['toys-я-us', 'tоуs-я-us'],
    ['modern', 'modem'],
    ['1l', 'lI'],
    ['ä', 'a\u0308'],
    ['a\u200bb', 'ab'],
  ])('%s looks like %s', (one, other) => expect(isConfusable(one, other)).toBe(true));

  it.each([
    ['münchen', 'munchen'],
    ['straße', 'strasse'],
    ['президент', 'prezident'],
    ['日本語', '日本'],
    ['paypal', 'paypa'],
  ])('%s does not look like %s', (one, other) => expect(isConfusable(one, other)).toBe(false));

  it('of a skeleton is itself, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => skeleton(skeleton(text)) === skeleton(text)));
  });

  it("is of the Unicode version whose scripts and normal forms this Node knows: npm run lists after Node's own changes", () => {
    const data = readFileSync(new URL('../../../packages/intel/src/confusables/confusables.txt', import.meta.url), 'utf8');
    expect(data).toContain(`# Unicode ${process.versions.unicode},`);
    expect(data.split('\n').filter((line) => line.includes(':') && !line.startsWith('#')).length).toBeGreaterThan(3000);
  });
});

describe('restrictionLevel (UTS 39 §5.2)', () => {
  it.each([
    ['example', 'ascii_only'],
    ['münchen', 'single_script'],
    ['президент', 'single_script'],
    ['日本語', 'single_script'],
    ['東京タワー', 'single_script'],
    ['한국漢字', 'single_script'],
    ['ひらがな123', 'single_script'],
    ['toshibaの家', 'highly_restrictive'],
    ['kbs뉴스', 'highly_restrictive'],
    ['testไทย', 'moderately_restrictive'],
    ['aभारत', 'moderately_restrictive'],
    ['pаypal', 'minimally_restrictive'],
    ['αlpha', 'minimally_restrictive'],
    ['ไทยрусский', 'minimally_restrictive'],
    ['Ꮯisco', 'unrestricted'],
  ])('%s is %s', (text, level) => expect(restrictionLevel(text)).toBe(level));
});
