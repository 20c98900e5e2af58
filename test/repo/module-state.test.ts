import { expect, it } from 'vitest';
import { linesWith, packageSources } from './sources.ts';

/**
 * Two gateways in one process share no state: it comes in by ports, as an object that each gateway makes once. What is listed here is no
 * state but a constant that is made late or kept by what it is made of: the same input has the same result, whoever asked before.
 */
const MADE_LATE: Record<string, string> = {
  'intel/src/confusables/skeleton.ts: prototypes': 'a table of a shipped file, read on first use',
  'intel/src/countries/countries.ts: known': 'countries of a package, each made once',
  'intel/src/identity/brands.ts: shipped': 'a table of a shipped file, read on first use',
  'intel/src/identity/disguised.ts: tables': 'tables of constants, made on first use',
  'intel/src/identity/imitation.ts: long': 'a table of constants, made on first use',
  'intel/src/identity/imitation.ts: shapes': 'a table of constants, made on first use',
  'intel/src/identity/letters.ts: table': 'a table of a shipped file, read on first use',
  'intel/src/identity/slips.ts: tables': 'tables of constants, made on first use',
  'intel/src/networks/tables/address-words.ts: GROUPS': 'scratch of one synchronous call, which overwrites it first',
  'intel/src/networks/tables/address-words.ts: SCRATCH': 'scratch of one synchronous call, which overwrites it first',
  'intel/src/networks/tables/range-entry.ts: SCRATCH': 'scratch of one synchronous call, which overwrites it first',
  'intel/src/networks/tables/range-entry.ts: first': 'scratch of one synchronous call, which overwrites it first',
  'intel/src/networks/tables/range-entry.ts: last': 'scratch of one synchronous call, which overwrites it first',
  'intel/src/phone/numbering.ts: loading': 'a library that is being loaded',
  'intel/src/phone/places.ts: tables': 'tables of a package, each read on first use',
  'intel/src/registration/facts/country.ts: codes': 'a table of constants, made on first use',
  'mail/src/bimi/chain.ts: stores': 'roots as certificates, by the list of their texts',
  'mail/src/dnssec/keys.ts: keyObjects': 'keys as OpenSSL has them, by the record that they are read from',
  'message/src/files/archives/libarchive.ts: compiled': 'a library that is compiled on first use',
  'message/src/files/archives/libarchive.ts: spare': 'an instance of that library, in a parser process that reads one message at a time',
  'message/src/files/archives/unpack-time.ts: context': 'an empty context of V8, in a parser process that reads one message at a time',
  'message/src/files/documents/tnef.ts: readings': 'readings by the bytes that they are of',
  'message/src/mime/charset.ts: decoders': 'decoders by the name of their charset',
  'message/src/pictures/libraries.ts: loading': 'libraries that are being loaded',
  'message/src/pictures/libraries.ts: spoilt': 'whether one of them has stopped midway, in a parser process that ends then',
  'web/src/links/unwrap.ts: BELOW': 'a table of constants, filled as the module is loaded',
  'web/src/links/unwrap.ts: EXACT': 'a table of constants, filled as the module is loaded',
};

/** What may change at the top of a module: `let`, and collections without content. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:(?:Weak)?(?:Map|Set)|\w*Array|[A-Z]\w*(?:Map|Cache|Slots|Recent|Buckets)|Slots|Recent)(?:<.*>)?\([\w.]*\)|\[\]|\{\});)/;
/** Constants that are copied from others look the same. */
const COPY = /new (?:Set|Map)\([A-Z]\w*\);$/;

const found = (sources: ReadonlyMap<string, string>): string[] =>
  [...sources].flatMap(([path, text]) =>
    text
      .split('\n')
      .filter((line) => STATE.test(line) && !COPY.test(line))
      .map((line) => {
        const [, changing, held] = STATE.exec(line)!;
        return `${path.replace('packages/', '')}: ${changing ?? held}`;
      }),
  );

it('judges and operations keep no state at module level', () => {
  const judges = new Map([...packageSources].filter(([path]) => /^packages\/(operations|intel|mail|message|web)\//.test(path)));
  expect(judges.size).toBeGreaterThan(400);
  expect(linesWith(/^\s*static (?!async )(?:readonly )?#?\w+(?:: [^=(]+)? = new /, judges)).toEqual([]);
  expect(found(judges).toSorted()).toEqual(Object.keys(MADE_LATE));
});

it.each([
  ['let loading: Promise<unknown> | undefined;', 'loading'],
  ['export let last = 0;', 'last'],
  ['const slots = new Slots(4);', 'slots'],
  ['const stores = new WeakMap<readonly string[], Kept>();', 'stores'],
  ['const counted = new WeakMap<Networks, BoundedMap<number, { at: number; totals: Totals }>>();', 'counted'],
  ['const kept = new BoundedMap<string, TextDecoder | null>(KEPT_MAX);', 'kept'],
  ['const waiting: string[] = [];', 'waiting'],
])('state would be found: %s', (line, name) => {
  expect(found(new Map([['packages/intel/src/a.ts', line]]))).toEqual([`intel/src/a.ts: ${name}`]);
});
