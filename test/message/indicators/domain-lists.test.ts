import { expect, it } from 'vitest';
import { domainLists } from '@vedette/message/indicators';

it('names hosts, their registrable domains and public suffixes once, in the order met', () => {
  expect(domainLists(['www.example.co.uk', 'mail.example.co.uk', 'a.test', 'www.example.co.uk'])).toEqual({
    domains: ['www.example.co.uk', 'mail.example.co.uk', 'a.test'],
    root_domains: ['example.co.uk', 'a.test'],
    tlds: ['co.uk', 'test'],
  });
});

it('leaves out addresses and what is empty', () => {
  expect(domainLists(['192.0.2.1', '[2001:db8::1]', '2001:db8::1', '', 'a.test']).domains).toEqual(['a.test']);
});

it('gives a public suffix no registrable domain', () => {
  expect(domainLists(['co.uk'])).toEqual({ domains: ['co.uk'], root_domains: [], tlds: ['co.uk'] });
});

it('tells at most a thousand', () => {
  const hosts = Array.from({ length: 1_500 }, (_, at) => `h${at}.test`);
  expect(domainLists(hosts).domains).toHaveLength(1_000);
});
