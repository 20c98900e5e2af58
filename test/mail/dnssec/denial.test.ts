import { describe, expect, it } from 'vitest';
import type { Denial } from '../../../packages/mail/src/dnssec/proof.ts';
import { newEffort } from '../../../packages/mail/src/dnssec/effort.ts';
import { nameOf, nameToWire } from '../../../packages/mail/src/dnssec/names.ts';
import { nsec3Denial, nsec3Hash } from '../../../packages/mail/src/dnssec/denial/nsec3.ts';
import { nsecDenial } from '../../../packages/mail/src/dnssec/denial/nsec.ts';
import { record } from './signer.ts';

const nsec = (name: string, nextName: string, ...types: string[]) => record(name, 'NSEC', { nextName, types });
const ask = (denial: Denial) => ({
  noName: (name: string) => denial.noName(nameOf(name)),
  noData: (name: string, type = 'A') => denial.noData(nameOf(name), type),
  noCloser: (name: string, encloser: string) => denial.noCloserName(nameOf(name), nameOf(encloser)),
  delegation: (name: string) => denial.delegation(nameOf(name)),
});
type Questions = ReturnType<typeof ask>;
type Row = [rule: string, records: Parameters<typeof nsecDenial>[0], question: (denial: Questions) => string, answer: string];

describe('NSEC', () => {
  it.each<Row>([
    [
      'RFC 4035 B.2: a name between two others does not exist',
      [nsec('b.example', 'ns1.example', 'NS', 'RRSIG'), nsec('example', 'a.example', 'NS', 'SOA')],
      (d) => d.noName('ml.example'),
      'proven',
    ],
    ['RFC 4035 §5.4: nor can the wildcard be left out', [nsec('b.example', 'ns1.example', 'A')], (d) => d.noName('ml.example'), 'unproven'],
    ['RFC 4035 §5.4: one record may deny both', [nsec('example', 'z.example', 'SOA', 'NS')], (d) => d.noName('ml.example'), 'proven'],
    [
      'RFC 4034 §4.1.1: the last record points back to the apex',
      [nsec('xx.example', 'example', 'A'), nsec('example', 'a.example', 'SOA', 'NS')],
      (d) => d.noName('zz.example'),
      'proven',
    ],
    [
      'RFC 4034 §6.1: case does not order names',
      [nsec('B.example', 'D.example', 'A'), nsec('example', 'a.example', 'SOA', 'NS')],
      (d) => d.noName('c.example'),
      'proven',
    ],
    ['a span that ends before the name', [nsec('example', 'a.example', 'SOA', 'NS')], (d) => d.noName('ml.example'), 'unproven'],
    ['a span that begins at the name', [nsec('ml.example', 'z.example', 'A')], (d) => d.noName('ml.example'), 'unproven'],
    [
      'RFC 4035 B.3: the type is not in the bitmap',
      [nsec('ns1.example', 'ns2.example', 'A')],
      (d) => d.noData('ns1.example', 'MX'),
      'proven',
    ],
    ['the type is in the bitmap', [nsec('ns1.example', 'ns2.example', 'A')], (d) => d.noData('ns1.example', 'A'), 'unproven'],
    [
      'RFC 6840 §4.3: a CNAME would have been the answer',
      [nsec('ns1.example', 'ns2.example', 'CNAME')],
      (d) => d.noData('ns1.example', 'A'),
      'unproven',
    ],
    [
      'RFC 4035 B.7: the wildcard has no such type',
      [nsec('x.y.w.example', 'xx.example', 'MX'), nsec('*.w.example', 'x.w.example', 'MX')],
      (d) => d.noData('a.z.w.example', 'AAAA'),
      'proven',
    ],
    [
      'RFC 4035 B.7: the wildcard has it',
      [nsec('x.y.w.example', 'xx.example', 'MX'), nsec('*.w.example', 'x.w.example', 'MX')],
      (d) => d.noData('a.z.w.example', 'MX'),
      'unproven',
    ],
    [
      'a wildcard further up does not answer',
      [nsec('x.y.w.example', 'xx.example', 'MX'), nsec('*.example', 'a.example', 'MX')],
      (d) => d.noData('a.z.w.example', 'AAAA'),
      'unproven',
    ],
    ['RFC 4592 §2.2.2: an empty non-terminal exists', [nsec('a.example', 'b.w.example', 'A')], (d) => d.noData('w.example'), 'proven'],
    [
      'RFC 4592 §2.2.2: so it cannot be denied',
      [nsec('a.example', 'b.w.example', 'A'), nsec('example', 'a.example', 'SOA', 'NS')],
      (d) => d.noName('w.example'),
      'unproven',
    ],
    [
      'RFC 4035 B.6: the wildcard is the closest match',
      [nsec('x.y.w.example', 'xx.example', 'MX')],
      (d) => d.noCloser('a.z.w.example', 'w.example'),
      'proven',
    ],
    [
      'RFC 4035 §5.3.4: a closer name exists',
      [nsec('x.z.w.example', 'xx.example', 'MX')],
      (d) => d.noCloser('y.z.w.example', 'w.example'),
      'unproven',
    ],
    [
      'RFC 6840 §4.1: a delegation says nothing of names below it',
      [nsec('b.example', 'ns1.example', 'NS', 'RRSIG'), nsec('example', 'a.example', 'SOA', 'NS')],
      (d) => d.noName('www.b.example'),
      'unproven',
    ],
    [
      'RFC 6840 §4.1: nor does a DNAME',
      [nsec('b.example', 'ns1.example', 'DNAME'), nsec('example', 'a.example', 'SOA', 'NS')],
      (d) => d.noName('www.b.example'),
      'unproven',
    ],
    [
      'RFC 6840 §4.1: above the cut only DS can be denied',
      [nsec('b.example', 'ns1.example', 'NS', 'RRSIG')],
      (d) => d.noData('b.example', 'A'),
      'unproven',
    ],
    [
      'RFC 4035 §5.2: an unsigned delegation',
      [nsec('b.example', 'ns1.example', 'NS', 'RRSIG')],
      (d) => d.delegation('b.example'),
      'unsigned',
    ],
    ['RFC 4035 §5.2: no delegation', [nsec('b.example', 'ns1.example', 'A', 'RRSIG')], (d) => d.delegation('b.example'), 'no_cut'],
    [
      'RFC 6840 §4.4: the child cannot deny its own DS',
      [nsec('b.example', 'a.b.example', 'NS', 'SOA')],
      (d) => d.delegation('b.example'),
      'unproven',
    ],
    ['an empty non-terminal is no delegation', [nsec('a.example', 'b.w.example', 'A')], (d) => d.delegation('w.example'), 'no_cut'],
    ['a name that does not exist is no delegation', [nsec('b.example', 'ns1.example', 'A')], (d) => d.delegation('ml.example'), 'absent'],
    ['a signed delegation', [nsec('b.example', 'ns1.example', 'NS', 'DS')], (d) => d.delegation('b.example'), 'unproven'],
    [
      'RFC 9824 §3.1: a compact answer denies all types of its name',
      [nsec('www.example', String.raw`\000.www.example`, 'RRSIG', 'NSEC')],
      (d) => d.noData('www.example', 'A'),
      'proven',
    ],
    [
      'RFC 9824 §3.1: and that it is no delegation',
      [nsec('www.example', String.raw`\000.www.example`, 'RRSIG', 'NSEC')],
      (d) => d.delegation('www.example'),
      'no_cut',
    ],
    [
      'RFC 4470 §4: a white lie just around the name',
      [nsec(String.raw`ml!.example`, String.raw`ml~.example`, 'RRSIG', 'NSEC'), nsec('!.example', '+.example', 'RRSIG', 'NSEC')],
      (d) => d.noName('ml0.example'),
      'proven',
    ],
    ['nothing at all', [], (d) => d.delegation('b.example'), 'unproven'],
  ])('%s', (_rule, records, question, expected) => {
    expect(question(ask(nsecDenial(records)))).toBe(expected);
  });
});

const SALT = Buffer.from('aabbccdd', 'hex');
const ITERATIONS = 12;
const hashOf = (name: string) => nsec3Hash(nameToWire(nameOf(name)), SALT, ITERATIONS);
const base32 = (hex: string) => BigInt(`0x${hex}`).toString(32).padStart(32, '0');

describe('NSEC3 hashes', () => {
  it.each([
    ['example', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
    ['a.example', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
    ['ai.example', 'gjeqe526plbf1g8mklp59enfd789njgi'],
    ['ns1.example', '2t7b4g4vsa5smi47k61mv5bv1a22bojr'],
    ['w.example', 'k8udemvp1j2f7eg6jebps17vp3n8i58h'],
    ['*.w.example', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
    ['x.y.w.example', '2vptu5timamqttgl4luu9kg21e0aor3s'],
  ])('RFC 5155 appendix A: %s', (name, hash) => {
    expect(base32(hashOf(name))).toBe(hash);
  });
});

/** The chain over the names that exist, as a signer makes it. */
function chain(names: Record<string, string[]>, { optOut = false, only }: { optOut?: boolean; only?: string[] } = {}) {
  const hashes = Object.entries(names)
    .map(([name, types]) => ({ name, hash: hashOf(name), types }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return hashes.flatMap(({ name, hash, types }, i) => {
    if (only && !only.includes(name)) return [];
    const nextHash = Buffer.from(hashes[(i + 1) % hashes.length]!.hash, 'hex');
    return [record(`${base32(hash)}.example`, 'NSEC3', { hashAlgorithm: 1, optOut, iterations: ITERATIONS, salt: SALT, nextHash, types })];
  });
}
const ZONE = {
  example: ['SOA', 'NS'],
  'a.example': ['NS', 'DS'],
  'b.example': ['NS'],
  'ns1.example': ['A'],
  'w.example': [],
  '*.w.example': ['MX'],
  'x.w.example': ['MX'],
};
const nsec3 = (options: Parameters<typeof chain>[1] = {}) => ask(nsec3Denial(chain(ZONE, options), nameOf('example'), newEffort()));

describe('NSEC3', () => {
  it.each<[rule: string, question: () => string, answer: string]>([
    ['RFC 5155 §8.4: no such name', () => nsec3().noName('c.x.w.example'), 'proven'],
    ['RFC 5155 §8.4: the name exists', () => nsec3().noName('ns1.example'), 'unproven'],
    ['RFC 5155 §8.4: a wildcard would answer', () => nsec3().noName('c.w.example'), 'unproven'],
    ['RFC 5155 §8.3: no proof of the closest encloser', () => nsec3({ only: ['ns1.example'] }).noName('c.example'), 'unproven'],
    ['RFC 5155 §9.2: opt-out leaves it open', () => nsec3({ optOut: true }).noName('c.x.w.example'), 'opt_out'],
    ['RFC 5155 §8.5: no such type', () => nsec3().noData('ns1.example', 'MX'), 'proven'],
    ['RFC 5155 §8.5: the type is there', () => nsec3().noData('ns1.example', 'A'), 'unproven'],
    ['RFC 5155 §8.5: an empty non-terminal', () => nsec3().noData('w.example', 'A'), 'proven'],
    ['RFC 5155 §8.5: the parent of a delegation denies only DS', () => nsec3().noData('b.example', 'A'), 'unproven'],
    ['RFC 5155 §8.6: a delegation without DS', () => nsec3().delegation('b.example'), 'unsigned'],
    ['RFC 5155 §8.6: a delegation with DS', () => nsec3().delegation('a.example'), 'unproven'],
    ['RFC 5155 §8.6: a delegation in an opt-out span', () => nsec3({ optOut: true }).delegation('c.example'), 'opt_out'],
    ['RFC 5155 §8.6: no name, no opt-out', () => nsec3().delegation('c.example'), 'absent'],
    ['a host is no delegation', () => nsec3().delegation('ns1.example'), 'no_cut'],
    ['RFC 5155 §8.7: the wildcard has no such type', () => nsec3().noData('c.w.example', 'A'), 'proven'],
    ['RFC 5155 §8.7: the wildcard has it', () => nsec3().noData('c.w.example', 'MX'), 'unproven'],
    ['RFC 5155 §8.8: the wildcard is the closest match', () => nsec3().noCloser('c.d.w.example', 'w.example'), 'proven'],
    ['RFC 5155 §8.8: a closer name exists', () => nsec3().noCloser('c.x.w.example', 'w.example'), 'unproven'],
    ['RFC 5155 §8.3: the closest encloser is a delegation', () => nsec3().noName('c.b.example'), 'unproven'],
  ])('%s', (_rule, question, expected) => {
    expect(question()).toBe(expected);
  });

  it('proves nothing once the hashes it may compute are spent', () => {
    const effort = { signatures: 10, hashes: 3 * (ITERATIONS + 1) };
    const denial = ask(nsec3Denial(chain(ZONE), nameOf('example'), effort));
    expect([denial.noName(`${'a.'.repeat(60)}example`), effort.hashes < 0]).toEqual(['unproven', true]);
  });

  it('RFC 5155 §7.2: leaves out records of another salt', () => {
    const [first, ...rest] = chain(ZONE);
    const odd = rest.map((other) => record(other.name, 'NSEC3', { ...other.data, salt: Buffer.from('00', 'hex') }));
    const denial = ask(nsec3Denial([first!, ...odd], nameOf('example'), newEffort()));
    expect(denial.noName('c.x.w.example')).toBe('unproven');
  });
});
