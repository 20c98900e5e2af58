import type { EngineResult } from '@vedette/intel/ports';
import { describe, expect, it } from 'vitest';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { domainRisk, hostCategories, judgeHostName, judgeIpv4, shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();
/** What an engine of the catalogue says of a name that it lists. */
function listing(id: string, more: Partial<EngineResult> = {}): EngineResult {
  const { name, weight, group, confidence, meaning, codes } = ENGINE_CATALOGUE.find((engine) => engine.id === id)!;
  const meanings = [meaning ?? Object.values(codes ?? {})[0]!];
  return { id, name, detected: true, reference: '', elapsed_ms: 0, confidence, doubtful: false, weight, group, meanings, ...more };
}
const HACKED = { doubtful: true, confidence: 'low', meanings: ['phishing'] } as const;

const risk = (host: string, ...detections: EngineResult[]) =>
  domainRisk({
    traits: judgeHostName(host, NAMES),
    categories: hostCategories(host, NAMES),
    ipv4: judgeIpv4(['1.1.1.1']),
    hasIpv6: true,
    detections,
    age: undefined,
    unheard: 0,
  });

describe('a listing weighs as its engine, its meaning and the doubts about it say', () => {
  it.each<[string, number, ...EngineResult[]]>([
    ['nothing', 0],
    ['a list of spam', 15, listing('scientific-spam-rhsbl')],
    ['three lists of spam', 39, listing('scientific-spam-rhsbl'), listing('zapbl-rhsbl'), listing('0spam-dbl')],
    ['an active phishing list that nobody checks', 60, listing('phishing-database')],
    ['one that is checked', 80, listing('cert-polska')],
    ['both', 92, listing('cert-polska'), listing('phishing-database')],
    ['a host of malware now', 80, listing('urlhaus')],
    ['an aggregate of aggregates', 20, listing('hagezi-tif')],
    ['DBL: spam', 53, listing('spamhaus-dbl')],
    ['DBL: phishing', 70, listing('spamhaus-dbl', { meanings: ['phishing'] })],
    ['DBL: a hacked site', 35, listing('spamhaus-dbl', HACKED)],
    ['the operator’s own list, which says no more', 60, listing('own-names', { meanings: [] })],
  ])('%s: %i', (_, result, ...detections) => {
    expect(risk('example.org', ...detections).result).toBe(result);
  });

  it('an active phishing listing outweighs a list of spam, and a free host by far', () => {
    const phishing = risk('example.org', listing('phishing-database')).result;
    for (const id of ['sem-uri', 'zapbl-rhsbl', '0spam-dbl', 'suomispam-dbl', 'swinog-uribl', 'scientific-spam-rhsbl'])
      expect([id, risk('example.org', listing(id)).result < phishing / 2]).toEqual([id, true]);
    expect(risk('torvalds.github.io').result).toBe(20);
    expect(risk('evil.github.io', listing('phishing-database')).result).toBe(68);
  });

  it('of the best known a single unchecked list says nothing, and of the well known half', () => {
    expect(risk('wikipedia.org', listing('phishing-database')).result).toBe(0);
    const traits = { ...judgeHostName('example.org', NAMES), popularity: 'medium' as const };
    const categories = hostCategories('example.org', NAMES);
    const detections = [listing('phishing-database')];
    expect(domainRisk({ traits, categories, ipv4: undefined, hasIpv6: false, detections, age: undefined, unheard: 0 }).result).toBe(30);
  });

  it('and the factors say which engine, and add up', () => {
    const { result, factors } = risk('login.duckdns.org', listing('phishing-database'), listing('sem-uri'));
    expect(factors).toEqual([
      { factor: 'detection_malicious', effect: 60, weight: 0.6, detail: 'Phishing.Database: phishing' },
      { factor: 'detection_high', effect: 6, weight: 0.15, detail: 'Spam Eating Monkey URI: spam' },
      { factor: 'risky_category', effect: 7, weight: 0.2, detail: expect.any(String) },
    ]);
    expect(factors.reduce((sum, { effect }) => sum + effect, 0)).toBe(result);
  });
});

describe('the networks of a host', () => {
  const DROP = { factor: 'drop_network', detail: 'Spamhaus DROP has the network of 198.51.100.2' } as const;
  const TOR = { factor: 'tor_exit', detail: '198.51.100.2 is an exit of Tor' } as const;
  const at = (host: string, ...networks: (typeof DROP | typeof TOR)[]) =>
    domainRisk({
      traits: judgeHostName(host, NAMES),
      categories: hostCategories(host, NAMES),
      ipv4: judgeIpv4(['1.1.1.1']),
      hasIpv6: true,
      detections: [],
      age: undefined,
      networks,
      unheard: 0,
    });

  it.each([
    ['a network of DROP', 'example.org', [DROP], 60],
    ['a Tor exit', 'example.org', [TOR], 15],
    ['both, which is one fact', 'example.org', [DROP, TOR], 60],
    ['the landlord’s, of a tenant', 'somebody.github.io', [DROP], 20],
  ] as const)('%s', (_, host, networks, result) => {
    expect(at(host, ...networks).result).toBe(result);
  });

  it('is named in the factors', () => {
    expect(at('example.org', DROP).factors[0]).toEqual({ ...DROP, effect: 60, weight: 0.6 });
  });
});
