import { lookUp, isSpecialUseName, ProbeFailure, type Resolver } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from './fake-resolver.ts';

const signal = new AbortController().signal;
const ask = (zone: FakeZone, name = 'a.test') => lookUp({ resolver: unlimited(fakeResolver(zone)), signal }, name, 'TXT');

describe('lookUp', () => {
  it.each<[string, FakeZone, object]>([
    ['found', { 'a.test': { TXT: ['x'] } }, { state: 'found', cname: '', error: '' }],
    [
      'found behind an alias',
      { 'a.test': { CNAME: ['b.test'] }, 'b.test': { CNAME: ['c.test'] }, 'c.test': { TXT: ['x'] } },
      { state: 'found', cname: 'b.test', error: '' },
    ],
    ['nodata', { 'a.test': { A: ['192.0.2.1'] } }, { state: 'nodata', records: [], cname: '', error: '' }],
    ['nxdomain', {}, { state: 'nxdomain', records: [], cname: '', error: '' }],
    ['nxdomain behind an alias', { 'a.test': { CNAME: ['b.test'] } }, { state: 'nxdomain', records: [], cname: 'b.test', error: '' }],
    [
      'failed',
      { 'a.test': 'REFUSED' },
      { state: 'failed', records: [], cname: '', error: 'a.test TXT: The resolver could not answer for this name: REFUSED', isOurs: false },
    ],
    [
      'failed for want of an answer',
      { 'a.test': 'TIMEOUT' },
      { state: 'failed', records: [], cname: '', error: 'a.test TXT: The resolver did not answer in time: a.test', isOurs: false },
    ],
  ])('%s', async (_state, zone, lookup) => {
    expect(await ask(zone)).toMatchObject(lookup);
  });

  it('does not ask for inner names', async () => {
    const resolver = fakeResolver({ 'db.internal': { TXT: ['secret'] } });
    expect(await lookUp({ resolver: unlimited(resolver), signal }, 'db.internal', 'TXT')).toEqual({
      state: 'nxdomain',
      records: [],
      cname: '',
      error: '',
      isOurs: false,
    });
    expect(resolver.queries).toEqual([]);
  });

  it.each([
    ['inner, and not of special use', 'mail.corp.test', {}],
    ['an alias of an inner one', 'a.test', { 'a.test': { CNAME: ['mail.corp.test'] } }],
    ['an alias of one of special use', 'a.test', { 'a.test': { CNAME: ['db.internal'] } }],
  ])('does not know of a name that is %s', async (_case, name, zone: FakeZone) => {
    const isInner = (text: string) => isSpecialUseName(text, ['corp.test']);
    const resolver = refusing(fakeResolver({ ...zone, 'mail.corp.test': { TXT: ['x'] }, 'db.internal': { TXT: ['x'] } }), isInner);
    const { state, records, error, isOurs } = await lookUp({ resolver: unlimited(resolver), signal }, name, 'TXT');
    expect({ state, records, isOurs }).toEqual({ state: 'failed', records: [], isOurs: true });
    expect(error).toContain('This target is not allowed');
  });

  it('tells what it may ask no more from what nobody answered', async () => {
    using resolver = unlimited(fakeResolver({ 'a.test': { TXT: ['x'] } })).share({ questions: 0 });
    expect(await lookUp({ resolver, signal }, 'a.test', 'TXT')).toMatchObject({ state: 'failed', isOurs: true });
  });

  it('takes a name that the DNS cannot hold for one that does not exist', async () => {
    const resolver: Resolver = { ...fakeResolver({}), query: () => Promise.reject(new ProbeFailure('dns_nxdomain')) };
    expect(await lookUp({ resolver: unlimited(resolver), signal }, `${'x'.repeat(64)}.test`, 'TXT')).toMatchObject({ state: 'nxdomain' });
  });

  it('passes defects on', async () => {
    const resolver: Resolver = { ...fakeResolver({}), query: () => Promise.reject(new TypeError('a defect')) };
    await expect(lookUp({ resolver: unlimited(resolver), signal }, 'a.test', 'TXT')).rejects.toThrow('a defect');
  });
});
