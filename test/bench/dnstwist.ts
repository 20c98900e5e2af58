// How many of dnstwist's forms of every brand are recognised: DNSTWIST=<folder of its program> npm run bench -- dnstwist. It runs dnstwist's own algorithms with python3,
// which need no network. FORMS of each kind and brand are judged, chosen by hash: all 5.7 million take ten minutes of CPU. With VEDETTE_CORPUS (verdicts/corpus.ts) it also
// prints which share of the forms that are missed are names of honest strangers.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { domainToASCII } from 'node:url';
import { isEducationalHost, isGovernmentHost } from '@vedette/contract';
import { judgeHostName, shippedNames } from '@vedette/intel/names';
import { Corpus } from './verdicts/corpus.ts';
import { percent } from './verdicts/figures.ts';

const folder = process.env['DNSTWIST'];
if (folder === undefined) {
  process.stdout.write('DNSTWIST is not set: there is no dnstwist.py to take the forms from\n');
  process.exit(0);
}
const FORMS = process.env['FORMS'] ?? '30';
const GOAL = 0.9;

/** Prints domain, number of forms of the kind, kind and form. Domains of the second level are below suffixes that dnstwist does not know without its own table. */
const PROGRAM = `
import sys, hashlib, heapq
sys.path.insert(0, sys.argv[1])
import dnstwist
most = int(sys.argv[2])
kinds = 'addition bitsquatting cyrillic homoglyph hyphenation insertion omission plural repetition replacement subdomain transposition vowel-swap'
place = lambda form: hashlib.blake2b(form.encode(), digest_size=8).digest()
for line in sys.stdin:
    fuzzer = dnstwist.Fuzzer(line.strip(), [], [])
    for kind in kinds.split():
        forms = set(getattr(fuzzer, '_' + kind.replace('-', '_'))()) - {fuzzer.domain}
        for form in heapq.nsmallest(most, forms, key=place):
            print(line.strip(), len(forms), kind, form + '.' + fuzzer.tld, sep='\\t')
`;

interface Kind {
  /** All forms; those that were judged, recognised, and strangers' own. */
  all: number;
  judged: number;
  found: number;
  strangers: number;
}

const names = shippedNames();
const brands = names.brands();
const mains = [...new Set(brands.tokens.map(({ brand }) => brand))].map(({ domains }) => domains[0]!);
const corpus = process.env['VEDETTE_CORPUS'];
const labelOf = (host: string): string => judgeHostName(host, names).tenant.split('.', 1)[0]!;
const strangers = new Set(
  corpus === undefined ? [] : new Corpus(corpus).lists('names/honest').flatMap(({ lines }) => lines.map((line) => labelOf(line))),
);

const counts = new Map<string, Map<string, Kind>>();
const python = spawn('python3', ['-c', PROGRAM, folder, FORMS], { stdio: ['pipe', 'pipe', 'inherit'] });
python.stdin.end(mains.join('\n'));
for await (const line of createInterface({ input: python.stdout })) {
  const [domain = '', all = '', kind = '', form = ''] = line.split('\t');
  const host = domainToASCII(form);
  if (host === '') continue; // IDNA has no such name
  const { homoglyph, identity, tenant } = judgeHostName(host, names);
  if (brands.ownerOf(tenant)) continue; // another name of a brand
  const kinds = counts.get(domain) ?? new Map<string, Kind>();
  counts.set(domain, kinds);
  const count = kinds.get(kind) ?? { all: Number(all), judged: 0, found: 0, strangers: 0 };
  kinds.set(kind, count);
  count.judged++;
  if (homoglyph !== '' || identity !== undefined) count.found++;
  else if (strangers.has(tenant.split('.', 1)[0]!)) count.strangers++;
}

const NOT_GLYPHS = (kind: string): boolean => kind !== 'homoglyph';
function share(kinds: Iterable<readonly [string, Kind]>, of: 'found' | 'strangers', isCounted = (_kind: string) => true): number {
  const counted = [...kinds].filter(([kind]) => isCounted(kind)).map(([, count]) => count);
  return counted.reduce((sum, count) => sum + (count[of] / count.judged) * count.all, 0) / counted.reduce((sum, { all }) => sum + all, 0);
}

/** Why forms of a brand are missed. */
function reasonOf(domain: string): string {
  const token = brands.token(domain.split('.', 1)[0]!.replaceAll('-', ''));
  if (isGovernmentHost(domain) || isEducationalHost(domain)) return 'its registry gives names to states and schools alone';
  if (!token) return 'its domain is a word or an abbreviation, which is not a name of the brand';
  if (token.text.length < 5) return 'its name has fewer than five letters';
  if (token.isWord) return 'its name is a word';
  if (token.isAmongOthers) return 'honest names are near it';
  return token.text.length < 7 ? 'its name has five or six letters' : 'other';
}

const rows = [...counts].map(([domain, kinds]) => ({
  domain,
  all: share(kinds, 'found'),
  plain: share(kinds, 'found', NOT_GLYPHS),
  strangers: share(kinds, 'strangers', NOT_GLYPHS),
}));
const judged = [...counts.values()].flatMap((kinds) => [...kinds]).reduce((sum, [, count]) => sum + count.judged, 0);
const reached = (row: (typeof rows)[number]): boolean => row.all >= GOAL;
process.stdout.write(
  `${rows.length} brands, ${judged} forms judged: ${rows.filter(reached).length} brands at ${percent(GOAL)} of all forms or more, ${rows.filter(({ plain }) => plain >= GOAL).length} of all forms but homoglyphs\n`,
);
for (const kind of new Set([...counts.values()].flatMap((kinds) => [...kinds.keys()]))) {
  const ofKind = [...counts.values()].flatMap((kinds) => [...kinds].filter(([one]) => one === kind));
  process.stdout.write(`  ${kind}: ${percent(share(ofKind, 'found'))} of ${ofKind.reduce((sum, [, { all }]) => sum + all, 0)}\n`);
}
const below = Map.groupBy(
  rows.filter((row) => !reached(row)),
  ({ domain }) => reasonOf(domain),
);
for (const [reason, those] of [...below].toSorted(([, a], [, b]) => b.length - a.length)) {
  const mean = (of: 'all' | 'plain' | 'strangers') => percent(those.reduce((sum, row) => sum + row[of], 0) / those.length);
  const ceiling = strangers.size === 0 ? '' : `, ${mean('strangers')} of the latter are missed and honest strangers' labels`;
  process.stdout.write(
    `below, ${reason}: ${those.length} brands, mean ${mean('all')} of all forms, ${mean('plain')} of all but homoglyphs${ceiling}\n`,
  );
  const shown = those.toSorted((a, b) => a.all - b.all).map(({ domain, all, plain }) => `${domain} ${percent(all)}/${percent(plain)}`);
  process.stdout.write(`  ${shown.slice(0, Number(process.env['SHOW'] ?? 12)).join(', ')}\n`);
}
