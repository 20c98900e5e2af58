import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../packages/intel/src/engines/engine.ts';
import { ENGINE_CATALOGUE, readEngineCatalogue, catalogueProblem } from '@vedette/intel/engines';

/** Zones that are switched off, empty, bought by others or fake, and the levels of UCEPROTECT that punish neighbours. */
const NEVER = [
  /sorbs/,
  /manitu/,
  /wpbl/,
  /virbl/,
  /msrbl/,
  /spamcannibal/,
  /ahbl/,
  /njabl/,
  /cyberlogic/,
  /justspam/,
  /nszones/,
  /imp\.ch$/,
  /\.abuse\.ch$/,
  /dns0/,
  /dnsbl-[23]\.uceprotect/,
  /^zen\.spamhaus\.org$/,
];
const isEngine = Compile(Engine);
const read = (file: unknown) => readEngineCatalogue(JSON.stringify(file));
const OURS = { name: 'Ours', subject: 'address', lists: 'ours', terms: 'ours', zone: 'bl.example.org', codes: { '127.0.0.2': 'spam' } };

describe('the catalogue', () => {
  it('defines 40 engines for addresses and 20 for names at least', () => {
    const count = (subject: string) => ENGINE_CATALOGUE.filter((engine) => engine.subject === subject).length;
    expect([count('address') >= 40, count('name') >= 20]).toEqual([true, true]);
  });

  it.each(ENGINE_CATALOGUE.map((engine) => [engine.id, engine] as const))('%s is whole', (_, { id: _id, ...engine }) => {
    expect(isEngine.Check(engine)).toBe(true);
    for (const code of Object.keys({ ...engine.codes, ...engine.notices })) expect(code).toMatch(/^127\.0\.[0-2]\.\d/);
    // It says that we are refused.
    expect(Object.keys(engine.codes ?? {})).not.toContain('127.0.0.1');
    // A client's key stands under the client's own contract.
    const terms = engine.enabled && !engine.key ? engine.terms : '';
    expect(terms).not.toMatch(/^[nN]ot |[nN]on-?commercial|\bNC\b|[Kk]ey/);
    for (const never of NEVER) expect(engine.zone ?? '').not.toMatch(never);
  });

  it('has names that exclude_engines can tell apart', () => {
    expect(catalogueProblem(ENGINE_CATALOGUE)).toBeUndefined();
  });

  it('has engines with one and the same operator in one group', () => {
    const groups = new Map<string, Set<string>>();
    for (const { zone, group } of ENGINE_CATALOGUE) {
      const operator = zone?.split('.').slice(-2).join('.');
      if (operator !== undefined) groups.set(operator, (groups.get(operator) ?? new Set()).add(group));
    }
    expect([...groups].filter(([, names]) => names.size > 1)).toEqual([]);
  });
});

describe('VEDETTE_ENGINES_FILE', () => {
  const byId = (catalogue: ReturnType<typeof read>, id: string) => catalogue.find((engine) => engine.id === id);

  it('changes engines and adds others', () => {
    const catalogue = read({ engines: { spamcop: { enabled: false }, ours: OURS } });
    expect(catalogue).toHaveLength(ENGINE_CATALOGUE.length + 1);
    expect(byId(catalogue, 'spamcop')).toEqual({ ...byId(ENGINE_CATALOGUE, 'spamcop'), enabled: false });
    expect(byId(catalogue, 'ours')).toEqual({
      ...OURS,
      id: 'ours',
      enabled: true,
      families: [4],
      reference: '',
      weight: 0.2,
      group: '',
      confidence: 'high',
      rate: { per_s: 5, burst: 100 },
    });
  });

  it('replaces them all', () => {
    expect(read({ built_in: false })).toEqual([]);
    expect(read({ built_in: false, engines: { ours: OURS } }).map(({ id }) => id)).toEqual(['ours']);
  });

  it.each([
    ['not an object', [], 'must be object'],
    ['an unknown member', { engine: {} }, '/engine is not known here'],
    ['an unknown property', { engines: { ours: { ...OURS, colour: 'red' } } }, '/engines/ours'],
    ['an id that is none', { engines: { 'Our List': OURS } }, '/engines/Our List is not known here'],
    [
      'something missing',
      { engines: { ours: { zone: 'bl.example.org' } } },
      'the engine ours is new and lacks name, subject, lists, terms',
    ],
    ['a zone and a list', { engines: { ours: { ...OURS, list: 'ours' } } }, 'needs either a zone or a list'],
    ['neither', { engines: { ours: { ...OURS, zone: undefined } } }, 'needs either a zone or a list'],
    ['a zone without codes', { engines: { ours: { ...OURS, codes: undefined } } }, 'neither codes nor bits nor notices'],
    ['a code outside 127/8', { engines: { ours: { ...OURS, codes: { '10.0.0.2': 'spam' } } } }, '/engines/ours/codes'],
    ['a bit that refuses', { engines: { ours: { ...OURS, bits: { '1': 'spam' } } } }, '/engines/ours/bits'],
    ['a zone that is none', { engines: { ours: { ...OURS, zone: 'bl..example' } } }, '/engines/ours/zone'],
    ['a weight above one', { engines: { ours: { ...OURS, weight: 1.1 } } }, '/engines/ours/weight'],
    ['a page that is no web page', { engines: { ours: { ...OURS, reference: 'javascript:alert(1)' } } }, '/engines/ours/reference'],
    ['a name that is taken', { engines: { ours: { ...OURS, name: 'SPAM cop' } } }, 'are called the same'],
    ['an id that is a name', { engines: { 'tor-exit': OURS } }, 'are called the same'],
    ['a name without letters', { engines: { ours: { ...OURS, name: '!!' } } }, 'needs a name with letters or digits'],
  ])('says what is wrong: %s', (_, file, problem) => {
    expect(() => read(file)).toThrow(problem);
  });
});
