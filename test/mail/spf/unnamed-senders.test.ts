import { judgeUnnamedSenders } from '@vedette/mail/spf';
import { expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const signal = new AbortController().signal;
const judge = (zone: FakeZone) => judgeUnnamedSenders('a.test', { resolver: unlimited(fakeResolver(zone)), signal });
const txt = (...records: string[]) => ({ TXT: records });

it.each([
  ['4.6.2 the qualifier of all', { 'a.test': txt('v=spf1 a ~all') }, 'softfail'],
  ['4.7 no all and no redirect', { 'a.test': txt('v=spf1 mx') }, 'neutral'],
  ['5.1 what stands after all does not count', { 'a.test': txt('v=spf1 -all redirect=b.test'), 'b.test': txt('v=spf1 +all') }, 'fail'],
  ['6.1 the record that redirect names', { 'a.test': txt('v=spf1 redirect=b.test'), 'b.test': txt('v=spf1 +all') }, 'pass'],
  ['4.5 two records', { 'a.test': txt('v=spf1 -all', 'v=spf1 ~all') }, ''],
  ['4.6 a syntax error', { 'a.test': txt('v=spf1 ip4:1 -all') }, ''],
  ['6.1 a redirect to nothing', { 'a.test': txt('v=spf1 redirect=b.test') }, ''],
  ['7.1 a redirect that depends on the sender', { 'a.test': txt('v=spf1 redirect=%{l}.b.test') }, ''],
  [
    '7.2 a redirect that depends on the domain',
    { 'a.test': txt('v=spf1 redirect=%{d1r}.b.test'), 'a.b.test': txt('v=spf1 ~all') },
    'softfail',
  ],
  [
    '7.2 %{d} of a redirect is its own domain',
    { 'a.test': txt('v=spf1 redirect=b.test'), 'b.test': txt('v=spf1 redirect=x.%{d}'), 'x.b.test': txt('v=spf1 -all') },
    'fail',
  ],
  ['a redirect to itself', { 'a.test': txt('v=spf1 redirect=a.test') }, ''],
])('RFC 7208 §%s', async (_rule, zone, result) => {
  expect(await judge(zone)).toEqual({ published: true, result, error: '' });
});

it('tells a domain without SPF from one of which nobody knows', async () => {
  expect(await judge({ 'a.test': txt('something else') })).toEqual({ published: false, result: '', error: '' });
  expect(await judge({ 'a.test': 'SERVFAIL' })).toEqual({ published: false, result: '', error: expect.stringContaining('a.test TXT: ') });
  expect(await judge({ 'a.test': txt('v=spf1 redirect=b.test'), 'b.test': 'TIMEOUT' })).toEqual({
    published: true,
    result: '',
    error: expect.stringContaining('b.test TXT: '),
  });
});
