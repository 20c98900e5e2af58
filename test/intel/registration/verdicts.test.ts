import { describe, expect, it } from 'vitest';
import { comingDayOf, dayOf } from '../../../packages/intel/src/registration/facts/dates.ts';
import { readWhoisDomain, readWhoisServer, registrarOf } from '@vedette/intel/registration';

const NOW = new Date('2026-11-21T00:00:00Z');
const verdict = (text: string) => readWhoisDomain(text, 'example-shop.zz', NOW).kind;
const TERMS = `
% The registry may limit or block access of whoever exceeds a reasonable number of queries.
% You agree that you will not use automated, high-volume queries; too frequent access is refused.`;

describe('a WHOIS answer without data', () => {
  it.each([
    'No match for "EXAMPLE-SHOP.ZZ".',
    'No match!!',
    '% No match for domain "example-shop.zz"',
    'NOT FOUND',
    'Not found: example-shop.zz',
    'No Data Found',
    'No entries found.',
    '%ERROR:101: no entries found',
    'No Object Found',
    'no matching record',
    'Domain not found.',
    'Domain example-shop.zz not found',
    'The queried object does not exist: DOMAIN NOT FOUND',
    'The domain has not been registered.',
    'domain "example-shop.zz" not found.',
    'example-shop.zz is free',
    'example-shop.zz is available for registration',
    'We do not have an entry in our database matching your query.',
    'Above domain name is not registered to KRNIC.',
    'No such domain example-shop.zz',
    'Status: AVAILABLE',
    'Object does not exist',
    'query_status: 220 Available',
    'Nothing found for this query.',
  ])('%s: there is no such registration, whatever the terms of use say', (text) => {
    expect(verdict(text)).toBe('unregistered');
    expect(verdict(`${text}\n${TERMS}`)).toBe('unregistered');
    expect(verdict(`${TERMS}\n\n${text}\n`)).toBe('unregistered');
  });

  it.each(['%', '>*', 'domain '])('a line of many %j is read in time linear in it', (part) => {
    expect(verdict(part.repeat(300_000))).toBe('unreadable');
  });

  it.each([
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS',
    'Number of allowed queries exceeded.',
    'You have exceeded allowed connection rate, please try again later.',
    'Your connection limit exceeded. Please slow down and try again later.',
    'Error: ratelimit exceeded',
    '% Query rate limit exceeded. Reduced information.',
    'Quota Exceeded',
    'Too many requests from your address',
    'Queried interval is too short.',
    'Requests of this client are not permitted. Please use https://www.nic.ch/whois/',
    '%ERROR:201: access denied for 192.0.2.77',
    'Your IP address has been blocked',
    'Sorry, your network is temporarily restricted',
    'Server is busy now, please try again later.',
    'Maximum query rate reached',
    '-1: Service unavailable\nNo match for example-shop.zz',
  ])('%s: the server does not want to be asked', (text) => {
    expect(verdict(text)).toBe('limited');
  });

  it.each([
    'The registration of this domain is restricted: reserved by the registry',
    'example-shop.zz is reserved',
    'Status: Reserved',
    'This name is reserved for the government.',
    'Blocked by registry',
  ])('%s: the registry keeps it', (text) => {
    expect(verdict(text)).toBe('reserved');
  });

  it.each([
    '',
    'Welcome to the WHOIS server of .zz',
    'This domain name is registered. Its data is not public.',
    'Domain Name: other.zz\nCreation Date: 2001-01-01',
    'Domain Name: example-shop.zz.other\nCreation Date: 2001-01-01',
    TERMS,
  ])('%j says nothing', (text) => {
    expect(verdict(text)).toBe('unreadable');
  });

  it.each([
    'Domain Name: example-shop.zz\nRegistrar: Not Found Hosting\nCreation Date: 2001-01-01',
    'Domain Name: example-shop.zz\nRegistrar: Limit Exceeded Inc.\n',
    'domain: example-shop.zz\nnserver: ns1.reserved-by-registry.example\n',
  ])('%j is data', (text) => {
    expect(verdict(text)).toBe('data');
  });
});

describe('a day', () => {
  it.each([
    ['2004-05-06T07:08:09Z', '2004-05-06'],
    ['2004-05-06T07:08:09.123+0000', '2004-05-06'],
    ['2004-05-06 07:08:09+02', '2004-05-06'],
    ['2004-5-6', '2004-05-06'],
    ['2004/05/06', '2004-05-06'],
    ['2004/05/06 01:05:04 (JST)', '2004-05-06'],
    ['2004.05.06 13:00:00', '2004-05-06'],
    ['2004. 05. 06.', '2004-05-06'],
    ['20040506', '2004-05-06'],
    ['20040506 #162310', '2004-05-06'],
    ['2004-May-06.', '2004-05-06'],
    ['06-May-2004', '2004-05-06'],
    ['6 May 2004', '2004-05-06'],
    ['06-may-2004 12:00:00', '2004-05-06'],
    ['06.05.2004 10:00:00', '2004-05-06'],
    ['6.5.2004 00:00:00', '2004-05-06'],
    ['06/05/2004', '2004-05-06'],
    ['06-05-2004', '2004-05-06'],
    ['Thu May 6 2004', '2004-05-06'],
    ['Thu May  6 07:08:09 GMT 2004', '2004-05-06'],
    ['May 6, 2004', '2004-05-06'],
    ['before Aug-1996', '1996-08-01'],
    ['31.06.2004', ''],
    ['2004-02-30', ''],
    ['1970-01-01', ''],
    ['2026-11-25', ''],
    ['20040506123456789', ''],
    ['yesterday', ''],
    ['', ''],
  ])('%j is %j', (text, day) => {
    expect(dayOf(text, NOW)).toBe(day);
  });

  it('that is to come may be the end of a registration', () => {
    expect(comingDayOf('2036-01-01', NOW)).toBe('2036-01-01');
    expect(comingDayOf('2999-01-01', NOW)).toBe('');
  });
});

it.each<[string, object | undefined]>([
  ['whois.nic.zz', { host: 'whois.nic.zz', port: 43 }],
  ['WHOIS.nic.zz:4343', { host: 'whois.nic.zz', port: 4_343 }],
  ['192.0.2.1', { host: '192.0.2.1', port: 43 }],
  ['[2001:db8::1]:43', { host: '2001:db8::1', port: 43 }],
  ['localhost', { host: 'localhost', port: 43 }],
  ['whois', undefined],
  ['whois.nic.zz:0', undefined],
  ['whois.nic.zz:99999', undefined],
  ['user@whois.nic.zz', undefined],
  ['whois.nic.zz /x', undefined],
  ['', undefined],
])('%j is a WHOIS server: %j', (text, server) => {
  expect(readWhoisServer(text)).toEqual(server);
});

it('a referral without a port leads to that of the server where referral started', () => {
  const referral = (text: string, port?: number) => readWhoisDomain(text, 'example-shop.zz', NOW, port).referral;
  expect(referral('refer: whois.nic.zz')).toEqual({ host: 'whois.nic.zz', port: 43 });
  expect(referral('refer: whois.nic.zz', 4_343)).toEqual({ host: 'whois.nic.zz', port: 4_343 });
  expect(referral('refer: whois.nic.zz:43', 4_343)).toEqual({ host: 'whois.nic.zz', port: 43 });
});

it('a registrar is known by its number, and no other number is one', () => {
  expect(registrarOf('1068').url).toBe('https://www.namecheap.com');
  expect(registrarOf('9999')).toEqual({ url: '', abuse_email: '', abuse_form: '', social: '' });
  expect(registrarOf('')).toEqual(registrarOf('9999'));
});
