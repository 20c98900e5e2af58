import { caaIdentifiersOf, type CaaRecord, judgeCaa } from '@vedette/mail/certificates';
import { describe, expect, it } from 'vitest';

const record = (text: string): CaaRecord => {
  const [flags, tag, ...value] = text.split(' ');
  return { flags: Number(flags), tag: tag!, value: value.join(' ') };
};
const OURS = caaIdentifiersOf("Let's Encrypt");

describe('CAA records (RFC 8659)', () => {
  it.each<[string[], string, string]>([
    // records, for a name, for a wildcard
    [[], 'any', 'any'],
    [['0 iodef mailto:a@example.org'], 'any', 'any'],
    [['0 issue letsencrypt.org'], 'allowed', 'allowed'],
    [['0 ISSUE LetsEncrypt.org'], 'allowed', 'allowed'],
    [['0 issue letsencrypt.org; validationmethods=dns-01'], 'allowed', 'allowed'],
    [['0 issue letsencrypt.org.example'], 'forbidden', 'forbidden'],
    [['0 issue digicert.com', '0 issue letsencrypt.org'], 'allowed', 'allowed'],
    [['0 issue ;'], 'forbidden', 'forbidden'],
    [['0 issue letsencrypt.org', '0 issuewild ;'], 'allowed', 'forbidden'],
    [['0 issue ;', '0 issuewild letsencrypt.org'], 'forbidden', 'allowed'],
    [['0 issuewild ;'], 'any', 'forbidden'],
    // §4.1: an authority that does not know a critical tag must not issue.
    [['128 tbs x'], 'unknown', 'unknown'],
    [['0 tbs x'], 'any', 'any'],
    [['128 tbs x', '0 issue letsencrypt.org'], 'unknown', 'unknown'],
    [['128 tbs x', '0 issue ;'], 'forbidden', 'forbidden'],
    [['128 ISSUE letsencrypt.org', '128 iodef mailto:a@example.org'], 'allowed', 'allowed'],
    [['128 issue letsencrypt.org', '128 issuewild ;'], 'allowed', 'forbidden'],
  ])('%j: a name is %s, a wildcard is %s', (texts, name, wildcard) => {
    const records = texts.map(record);
    expect([judgeCaa(records, OURS, false), judgeCaa(records, OURS, true)]).toEqual([name, wildcard]);
  });

  it('accuse no authority whose names are not known', () => {
    expect(caaIdentifiersOf('Example CA')).toEqual([]);
    expect(caaIdentifiersOf('constructor')).toEqual([]);
    expect(judgeCaa([record('0 issue digicert.com')], [], false)).toBe('unknown');
    expect(judgeCaa([], [], false)).toBe('any');
  });
});
