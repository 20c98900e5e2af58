import { domainRisk, hostCategories, judgeHostName, judgeIpv4, type shippedNames } from '@vedette/intel/names';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { type Corpus, halfOf } from './corpus.ts';
import { curve, percent, print, THRESHOLDS } from './figures.ts';

type ShippedNames = ReturnType<typeof shippedNames>;

/** The risk of a name with a public address, by the name alone, and with the lists of `feeds`. */
function riskOf(host: string, names: ShippedNames, lists: readonly Listing[]): number {
  const detections = lists
    .filter(({ has }) => has.has(host) || has.has(host.replace(/^www\./, '')))
    .map(({ engine, weight }) => ({
      id: engine,
      name: engine,
      detected: true,
      reference: '',
      elapsed_ms: 0,
      confidence: 'low' as const,
      doubtful: false,
      weight,
      group: '',
      meanings: ['phishing' as const],
    }));
  return domainRisk({
    traits: judgeHostName(host, names),
    categories: hostCategories(host, names),
    ipv4: judgeIpv4(['1.1.1.1']),
    hasIpv6: false,
    detections,
    age: undefined,
    unheard: 0,
  }).result;
}

interface Listing {
  engine: string;
  weight: number;
  has: ReadonlySet<string>;
}

/** Prints how many names of each list reach each threshold, then precision and recall with and without lists. */
export function judgedNames(corpus: Corpus, half: 'calibrate' | 'report', names: ShippedNames): void {
  const feeds = corpus.lists('feeds').map(({ name, lines }) => ({
    engine: name,
    weight: ENGINE_CATALOGUE.find(({ id }) => id === name)?.weight ?? 0.5,
    has: new Set(lines),
  }));
  const risks: Record<'honest' | 'bad', { host: string; alone: number; fed: number }[]> = { honest: [], bad: [] };
  const seen = new Set<string>();
  for (const label of ['honest', 'bad'] as const) {
    for (const { name, lines } of corpus.lists(`names/${label}`)) {
      const hosts = lines.filter((line) => halfOf(line) === half);
      const began = process.hrtime.bigint();
      const alone = hosts.map((host) => riskOf(host, names, []));
      const us = Number(process.hrtime.bigint() - began) / 1_000 / Math.max(1, hosts.length);
      print(`${label} ${name}`, alone, `${us.toFixed(0)} µs each`);
      hosts.forEach((host, i) => {
        if (seen.has(`${label} ${host}`)) return;
        seen.add(`${label} ${host}`);
        risks[label].push({ host, alone: alone[i]!, fed: feeds.length === 0 ? alone[i]! : riskOf(host, names, feeds) });
      });
      if (process.env['SHOW'] === name)
        for (const [i, host] of hosts.entries())
          if (alone[i]! >= Number(process.env['AT'] ?? 35)) process.stdout.write(`  ${alone[i]} ${host}\n`);
    }
  }
  for (const which of ['alone', 'fed'] as const) {
    if (which === 'fed' && feeds.length === 0) continue;
    for (const threshold of THRESHOLDS) {
      const share = (label: 'honest' | 'bad') => risks[label].filter((risk) => risk[which] >= threshold).length / risks[label].length;
      curve(`domain-reputation ${which === 'alone' ? 'by the name alone' : 'with lists'} ≥ ${threshold}`, share('bad'), share('honest'));
    }
  }
  const isListed = ({ host }: { host: string }) => feeds.some(({ has }) => has.has(host));
  const listed = (label: 'honest' | 'bad') => risks[label].filter(isListed).length / risks[label].length;
  if (feeds.length > 0) curve('a plain "is it listed"', listed('bad'), listed('honest'));
  const forms = new Set(corpus.lists('names/permutations').flatMap(({ lines }) => lines.map((line) => line.split('\t')[1])));
  const isForm = ({ host }: { host: string }) => forms.has(host.replace(/^www\./, ''));
  const formed = (label: 'honest' | 'bad') => risks[label].filter(isForm).length / risks[label].length;
  if (forms.size > 0) curve("dnstwist's forms", formed('bad'), formed('honest'));
  for (const { name, lines } of corpus.lists('names/generated')) {
    const hosts = lines.filter((line) => halfOf(line) === half);
    print(
      `generated ${name}`,
      hosts.map((host) => riskOf(host, names, [])),
      '',
    );
  }
}

/** Prints how many of dnstwist's forms of each brand are recognised. */
export function judgedPermutations(corpus: Corpus, names: ShippedNames): void {
  const byBrand = new Map<string, [found: number, all: number]>();
  const byKind = new Map<string, [found: number, all: number]>();
  const count = (counts: Map<string, [number, number]>, of: string, isFound: boolean) => {
    const [found, all] = counts.get(of) ?? [0, 0];
    counts.set(of, [found + Number(isFound), all + 1]);
  };
  for (const { lines } of corpus.lists('names/permutations'))
    for (const [brand = '', form = '', kind = ''] of lines.map((line) => line.split('\t'))) {
      const { homoglyph, identity } = judgeHostName(form, names);
      const isFound = homoglyph !== '' || identity !== undefined;
      count(byBrand, brand, isFound);
      count(byKind, kind, isFound);
    }
  if (byBrand.size === 0) return;
  const shares = [...byBrand].map(([brand, [found, all]]) => ({ brand, share: found / all })).toSorted((a, b) => a.share - b.share);
  const total = [...byBrand.values()].reduce(([found, all], [f, a]) => [found + f, all + a] as const, [0, 0] as readonly [number, number]);
  process.stdout.write(
    `dnstwist's forms: ${percent(total[0] / total[1])} of ${total[1]} recognised; ${shares.filter(({ share }) => share >= 0.9).length} of ${shares.length} brands at 90 % or more; least: ${shares
      .slice(0, 12)
      .map(({ brand, share }) => `${brand} ${percent(share)}`)
      .join(', ')}\n`,
  );
  process.stdout.write(`  ${[...byKind].map(([kind, [found, all]]) => `${kind} ${percent(found / all)} of ${all}`).join(', ')}\n`);
}
