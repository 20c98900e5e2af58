import { inspectDmarc } from '@vedette/mail/dmarc';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const signal = new AbortController().signal;

interface Row {
  case: string;
  host: string;
  /** Records by domain. */
  records: Record<string, string>;
  zone?: FakeZone;
  /** Where the record that applies stands, what it applies, and the Organizational Domain. */
  found: [domain: string, policy: string, orgDomain: string];
}
const ROWS: Row[] = [
  {
    case: '§4.10.1 the host’s own record',
    host: 'x.a.test',
    records: { 'x.a.test': 'p=quarantine', 'a.test': 'p=reject' },
    found: ['x.a.test', 'quarantine', 'a.test'],
  },
  {
    case: '§4.10.1 the Organizational Domain’s sp',
    host: 'x.a.test',
    records: { 'a.test': 'p=reject; sp=none' },
    found: ['a.test', 'none', 'a.test'],
  },
  {
    case: '§4.10.1 sp is p where it is absent',
    host: 'x.y.a.test',
    records: { 'a.test': 'p=reject' },
    found: ['a.test', 'reject', 'a.test'],
  },
  {
    case: '§4.10.2 the highest record is the organisation’s',
    host: 'x.y.a.test',
    records: { 'y.a.test': 'p=none', 'a.test': 'p=reject' },
    found: ['a.test', 'reject', 'a.test'],
  },
  {
    case: '§4.10.2 psd=n ends the walk',
    host: 'x.y.a.test',
    records: { 'y.a.test': 'p=none; psd=n', 'a.test': 'p=reject' },
    found: ['y.a.test', 'none', 'y.a.test'],
  },
  {
    case: '§4.10.2 the organisation is one below psd=y',
    host: 'x.a.co.test',
    records: { 'a.co.test': 'p=none', 'co.test': 'p=reject; psd=y' },
    found: ['a.co.test', 'none', 'a.co.test'],
  },
  {
    case: '§4.10.1 the record of the public suffix',
    host: 'x.a.co.test',
    records: { 'co.test': 'p=reject; psd=y' },
    found: ['co.test', 'reject', 'a.co.test'],
  },
  {
    case: '§4.10.1 a public suffix itself',
    host: 'co.test',
    records: { 'co.test': 'p=reject; psd=y' },
    found: ['co.test', 'reject', 'co.test'],
  },
  {
    case: '§4.7 np for a host that does not exist',
    host: 'x.a.test',
    records: { 'a.test': 'p=none; sp=quarantine; np=reject' },
    found: ['a.test', 'reject', 'a.test'],
  },
  {
    case: '§4.7 sp for a host that exists',
    host: 'x.a.test',
    records: { 'a.test': 'p=none; sp=quarantine; np=reject' },
    zone: { 'x.a.test': {} },
    found: ['a.test', 'quarantine', 'a.test'],
  },
  {
    case: 'A.4 a dangling alias exists',
    host: 'x.a.test',
    records: { 'a.test': 'p=none; sp=quarantine; np=reject' },
    zone: { 'x.a.test': { CNAME: ['gone.test'] } },
    found: ['a.test', 'quarantine', 'a.test'],
  },
  {
    case: 'A.4 a host of which nobody knows counts as existing',
    host: 'x.a.test',
    records: { 'a.test': 'p=none; sp=quarantine; np=reject' },
    zone: { 'x.a.test': 'SERVFAIL' },
    found: ['a.test', 'quarantine', 'a.test'],
  },
  {
    case: '§4.10.1 an invalid sp makes it none',
    host: 'x.a.test',
    records: { 'a.test': 'p=reject; sp=x; rua=mailto:r@a.test' },
    found: ['a.test', 'none', 'a.test'],
  },
  {
    case: '§4.10.1 an invalid sp without rua makes it nothing',
    host: 'x.a.test',
    records: { 'a.test': 'p=reject; sp=x' },
    found: ['a.test', '', 'a.test'],
  },
  {
    case: '§4.10.2 a registry’s record without psd=y is the organisation’s, by the letter',
    host: 'mail.council.gov.uk',
    records: { 'council.gov.uk': 'p=reject', 'gov.uk': 'p=reject; sp=none' },
    found: ['gov.uk', 'none', 'gov.uk'],
  },
  { case: '§4.10 no record anywhere', host: 'x.a.test', records: {}, found: ['x.a.test', '', 'x.a.test'] },
];

describe('whose policy applies, RFC 9989', () => {
  it.each(ROWS)('$case', async ({ host, records, zone, found }) => {
    const published = Object.fromEntries(
      Object.entries(records).map(([domain, tags]) => [`_dmarc.${domain}`, { TXT: [`v=DMARC1; ${tags}`] }]),
    );
    const { publication, appliedPolicy, orgDomain } = await inspectDmarc(host, {
      resolver: unlimited(fakeResolver({ ...published, ...zone })),
      signal,
    });
    expect([publication.domain, appliedPolicy, orgDomain]).toEqual(found);
  });

  it('§4.10 skips to seven labels, and asks at most eight questions', async () => {
    const resolver = fakeResolver({});
    await inspectDmarc('a.b.c.d.e.f.g.h.i.test', { resolver: unlimited(resolver), signal });
    expect(resolver.queries).toEqual(
      ['a.b.c.d.e.f.g.h.i.test', 'd.e.f.g.h.i.test', 'e.f.g.h.i.test', 'f.g.h.i.test', 'g.h.i.test', 'h.i.test', 'i.test', 'test'].map(
        (name) => `_dmarc.${name} TXT`,
      ),
    );
    expect(resolver.rounds).toBe(1);
  });

  it('says nothing of a policy where nobody knows of the host itself', async () => {
    const zone: FakeZone = { '_dmarc.x.a.test': 'SERVFAIL', '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] } };
    const report = await inspectDmarc('x.a.test', { resolver: unlimited(fakeResolver(zone)), signal });
    const error = '_dmarc.x.a.test TXT: The resolver could not answer for this name: SERVFAIL';
    expect(report).toMatchObject({ record: undefined, appliedPolicy: '', errors: [error], unanswered: error });
  });

  it.each(['SERVFAIL', 'TIMEOUT'] as const)('%s above does not hide the record found below', async (failure) => {
    const zone: FakeZone = { '_dmarc.a.co.test': { TXT: ['v=DMARC1; p=reject; sp=quarantine'] } };
    for (const above of ['_dmarc.co.test', '_dmarc.test'])
      for (const [host, appliedPolicy] of [
        ['a.co.test', 'reject'],
        ['x.y.a.co.test', 'quarantine'],
      ] as const) {
        const report = await inspectDmarc(host, { resolver: unlimited(fakeResolver({ ...zone, [above]: failure })), signal });
        expect(report).toMatchObject({ appliedPolicy, enforced: true, orgDomain: 'a.co.test', unanswered: '' });
        expect(report.publication).toMatchObject({ dmarcHost: '_dmarc.a.co.test', error: '' });
        expect(report.errors).toEqual([expect.stringContaining(`${above} TXT`)]);
      }
  });

  it('does not go on above a name of which nobody knows', async () => {
    const zone: FakeZone = { '_dmarc.y.a.test': 'SERVFAIL', '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] } };
    const report = await inspectDmarc('x.y.a.test', { resolver: unlimited(fakeResolver(zone)), signal });
    expect(report).toMatchObject({
      record: undefined,
      appliedPolicy: '',
      enforced: false,
      unanswered: expect.stringMatching(/^_dmarc\.y\.a\.test TXT/),
    });
    expect(report.publication.error).toMatch(/^_dmarc\.y\.a\.test TXT/);
  });

  it('nothing is missing while a question above is open', async () => {
    const zone: FakeZone = { '_dmarc.test': 'SERVFAIL' };
    const report = await inspectDmarc('x.a.test', { resolver: unlimited(fakeResolver(zone)), signal });
    expect(report).toMatchObject({ record: undefined, appliedPolicy: '', unanswered: expect.stringMatching(/^_dmarc\.test TXT/) });
    expect(report.publication.error).toMatch(/^_dmarc\.test TXT/);
  });
});
