import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  ADDRESS_RISK,
  ADDRESS_RULES,
  assessRisk,
  DOMAIN_RISK,
  HARMFUL_MEANINGS,
  LOW_CONFIDENCE,
  POPULARITY_SCALE,
  SCORES_VERSION,
  SEVERE,
  SPAM_MEANINGS,
  SPAM_SHARE,
  UNHEARD,
  URL_FLOORS,
  URL_RISK,
  VERDICT_BOUNDS,
  WEAK,
} from '@vedette/intel/risk';

const page = readFileSync(new URL('../../../docs/scores.md', import.meta.url), 'utf8');
const section = (title: string): string => page.split('\n## ').find((part) => part.startsWith(title))!;
const rows = (text: string): string[][] =>
  text.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []));

it('says which version of the weights it describes', () => {
  expect(page).toContain(`Version ${SCORES_VERSION}.`);
});

it.each([
  ['Risk of an address', ADDRESS_RISK],
  ['Risk of a host name', DOMAIN_RISK],
  ['Risk of a URL', URL_RISK],
] as const)('%s has the weights and caps of the program', (title, { caps, factors }) => {
  const documented = rows(section(title)).flatMap(([group = '', cap = '', factor = '', weight]) =>
    weight === undefined || group === 'Group' ? [] : [[group, Number(cap), factor.replaceAll('`', ''), Number.parseFloat(weight)]],
  );
  const actual = Object.entries(factors).map(([factor, { group, weight }]) => [
    group,
    Object.entries(caps).find(([name]) => name === group)![1],
    factor,
    weight,
  ]);
  expect(documented).toEqual(actual);
});

it('has the rules of the program', () => {
  const documented = rows(section('Risk of an address')).flatMap(([rule = '', result = '', when]) => {
    const [, most, points] = /^at (most|least) (\d+)$/.exec(result) ?? [];
    return when !== undefined && most !== undefined
      ? [[rule.replaceAll('`', ''), most === 'most' ? { cap: Number(points) } : { floor: Number(points) }]]
      : [];
  });
  expect(Object.fromEntries(documented)).toEqual(ADDRESS_RULES);
  expect(page).toContain(`of a weight below ${WEAK}`);
  expect(page).toContain(`of a weight of ${SEVERE} or more`);
});

it('has the rules of URLs', () => {
  const floors = rows(section('Risk of a URL')).flatMap(([rule = '', result = '']) => {
    const [, points] = /^at least (\d+)$/.exec(result) ?? [];
    return points === undefined ? [] : [[rule.replaceAll('`', ''), Number(points)]];
  });
  expect(Object.fromEntries(floors)).toEqual(URL_FLOORS);
});

it('has the bounds of the words', () => {
  const { dangerous, suspicious, coverage } = VERDICT_BOUNDS;
  expect(rows(section('Verdicts')).slice(0, 3)).toEqual([
    ['Word', 'When'],
    ['`dangerous`', `The risk is ${dangerous} or more`],
    ['`suspicious`', `The risk is ${suspicious} to ${dangerous - 1}, and no list is being loaded`],
  ]);
  expect([page.includes('at least three quarters of the sources of `coverage` answered'), coverage]).toEqual([true, 0.75]);
});

it('has the numbers of its sentences', () => {
  expect(page).toContain(`and ${LOW_CONFIDENCE} for a listing that is in doubt`);
  expect(page).toContain(`(${[...HARMFUL_MEANINGS].join(', ')})`);
  expect(page).toContain(`(${[...SPAM_MEANINGS].join(', ')}) weighs ${SPAM_SHARE} of that`);
  expect(page).toContain(
    `${ADDRESS_RISK.lifetime_days} days of life for addresses, ${DOMAIN_RISK.lifetime_days} for names, ${URL_RISK.lifetime_days} for URLs`,
  );
  expect(page).toContain(`at least ${UNHEARD} points times their share`);
  expect(POPULARITY_SCALE).toEqual({ high: 0.1, medium: 0.5, low: 1 }); // a tenth, a half
});

it('has examples that come out', () => {
  type Factor = keyof typeof ADDRESS_RISK.factors;
  const lists = [0.4, 0.4, 0.4];
  const examples: [start: string, factors: Factor[], listings: number[]][] = [
    ['A subscriber line', [], []],
    ['A VPN', ['vpn'], []],
    ['A VPN in a data centre', ['vpn', 'hosting'], []],
    ['A Tor exit in a data centre', ['tor', 'hosting'], []],
    ['The same, on three lists', ['tor', 'hosting'], lists],
    ['SpamCop alone', [], [0.45]],
    ['CINS Army alone', [], [0.4]],
    ['Three other DNSBLs', [], [0.2, 0.2, 0.2]],
  ];
  const documented = rows(section('Risk of an address')).flatMap(([what, risk, more]) =>
    more === undefined && /^\d+$/.test(risk ?? '') ? [[what, Number(risk)] as const] : [],
  );
  expect(documented).toHaveLength(examples.length);
  for (const [i, [start, factors, listings]] of examples.entries()) {
    const evidence = [
      ...factors.map((factor) => ({ factor, detail: '' })),
      ...listings.map((weight) => ({ factor: 'blacklist' as const, detail: '', weight })),
    ];
    expect(documented[i]![0]).toContain(start);
    expect(documented[i]![1]).toBe(assessRisk(ADDRESS_RISK, evidence).result);
  }
});
