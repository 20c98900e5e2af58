import { expect, it } from 'vitest';
import { parseAddresses } from '@vedette/message/mime';

/** Name and address of each, as they are mostly written. */
const read = (raw: string) =>
  parseAddresses(Buffer.from(raw).toString('latin1')).addresses.map(({ name, address }) => `${name} <${address}>`.trimStart());

it.each<[string, string[]]>([
  // RFC 5322 appendix A.1.
  ['John Doe <jdoe@machine.example>', ['John Doe <jdoe@machine.example>']],
  ['"Joe Q. Public" <john.q.public@example.com>', ['Joe Q. Public <john.q.public@example.com>']],
  [
    'Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>',
    ['Mary Smith <mary@x.test>', '<jdoe@example.org>', 'Who? <one@y.test>'],
  ],
  ['<boss@nil.test>, "Giant; \\"Big\\" Box" <sysservices@example.net>', ['<boss@nil.test>', 'Giant; "Big" Box <sysservices@example.net>']],
  ['A Group:Ed Jones <c@a.test>,joe@where.test,John <jdoe@one.test>;', ['Ed Jones <c@a.test>', '<joe@where.test>', 'John <jdoe@one.test>']],
  ['A:a@a.test;, b@b.test, C: c@c.test, d@d.test;', ['<a@a.test>', '<b@b.test>', '<c@c.test>', '<d@d.test>']],
  // Appendix A.5 and A.6.1: comments, white space, routes.
  ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', ['Pete <pete@silly.test>']],
  ['mary@x.test (Mary (the second) Smith)', ['Mary (the second) Smith <mary@x.test>']],
  ['Joe Q. Public <john . q . public@example.com>', ['Joe Q. Public <john.q.public@example.com>']],
  ['Mary Smith <@node.test,@b.test:mary@example.net>, , jdoe@test.example', ['Mary Smith <mary@example.net>', '<jdoe@test.example>']],
  ['a @ b.test', ['<a@b.test>']],
  ['"a b"@c.test', ['<"a b"@c.test>']],
  ['Ann <"a, b>"@c.test>', ['Ann <"a,b>"@c.test>']],
  ['a@[IPv6:2001:db8::1], b@[192.0.2.1]', ['<a@[IPv6:2001:db8::1]>', '<b@[192.0.2.1]>']],
  // Names that are addresses, as who wants to deceive writes them.
  ['"ceo@corp.test" <evil@bad.test>', ['ceo@corp.test <evil@bad.test>']],
  ['"CEO <ceo@corp.test>" <evil@bad.test>', ['CEO <ceo@corp.test> <evil@bad.test>']],
  ['ceo@corp.test <evil@bad.test>', ['ceo@corp.test <evil@bad.test>']],
  ['<ceo@corp.test> <evil@bad.test>', ['<ceo@corp.test>', '<evil@bad.test>']],
  ['=?utf-8?Q?CEO_=3Cceo=40corp.test=3E=2C?= <evil@bad.test>', ['CEO <ceo@corp.test>, <evil@bad.test>']],
  ['a@a.test, b@b.test', ['<a@a.test>', '<b@b.test>']],
  // Encoded words are decoded once everything has been taken apart.
  ['=?utf-8?B?SsO2cmc=?= =?utf-8?Q?_Doe?= <j@a.test>', ['Jörg Doe <j@a.test>']],
  ['"=?utf-8?Q?J=C3=B6rg?=" <j@a.test>', ['Jörg <j@a.test>']],
  ['j@a.test (=?utf-8?Q?J=C3=B6rg?=)', ['Jörg <j@a.test>']],
  ['Jörg <jörg@köln.test>', ['Jörg <jörg@köln.test>']],
  ['<=?utf-8?Q?j=40a.test?=>', ['<j@a.test>']],
  // Against the rules, and seen.
  ['Doe, John <j@a.test>', ['Doe, John <j@a.test>']],
  ['Doe, John <j@a.test>, Roe, Jane <r@a.test>', ['Doe, John <j@a.test>', 'Roe, Jane <r@a.test>']],
  ['a@a.test; Bob <b@b.test>;', ['<a@a.test>', 'Bob <b@b.test>']],
  ['John Doe j@a.test', ['John Doe <j@a.test>']],
  ['mailto:j@a.test', ['<j@a.test>']],
  ['John <j@a.test', ['John <j@a.test>']],
  ['John <j@a.test, b@b.test', ['John <j@a.test>', '<b@b.test>']],
  ['"John <j@a.test>', ['John <j@a.test>']],
  ['a@a.test, ""John" <j@a.test>, \\"b@b.test', ['<a@a.test>', 'John <j@a.test>', '<\\b@b.test>']],
  ['j@a.test (John', ['John <j@a.test>']],
  ["'John' <j@a.test>", ["'John' <j@a.test>"]],
  ['John <>', ['John <>']],
  ['root', ['root <>']],
  ['root, b@b.test', ['root <>', '<b@b.test>']],
  ['a, b', ['a <>', 'b <>']],
  ['<root>', ['<root>']],
  ['x @ sender . test', ['<x@sender.test>']],
  ['john . q . public @ sender .test (John)', ['John <john.q.public@sender.test>']],
  ['J. R. Doe j@a.test', ['J. R. Doe <j@a.test>']],
  // What is quoted is a name.
  ['"Streaming@brand.test", <x@a.test>', ['Streaming@brand.test <x@a.test>']],
  ['"pay@brand.test" x@a.test', ['pay@brand.test <x@a.test>']],
  ['"pay@brand.test"', ['pay@brand.test <>']],
  ['"pay@brand.test" (<x@a.test>)', ['pay@brand.test <>']],
  ['Parcel, Parcel, <x@a.test>', ['Parcel <>', 'Parcel <x@a.test>']],
  ['"Play Now" <><x@a.test>', ['Play Now <x@a.test>']],
  ['<>', []],
  ['', []],
  [' , ;, ', []],
])('%j', (raw, expected) => {
  expect(read(raw)).toEqual(expected);
});

it.each([
  ['undisclosed-recipients:;', ['undisclosed-recipients']],
  ['"Undisclosed recipients" : ;', ['Undisclosed recipients']],
  ['=?utf-8?Q?Empf=C3=A4nger?=:;', ['Empfänger']],
  ['Nobody: ;, Team: a@a.test;, None:', ['Nobody', 'None']],
  ['a@a.test', []],
])('groups without members of %j', (raw, groups) => {
  expect(parseAddresses(raw).groups).toEqual(groups);
});

it('at most 1,000 of each', () => {
  const count = (raw: string) => {
    const { addresses, groups, cut } = parseAddresses(raw);
    return [addresses.length, groups.length, cut];
  };
  expect(count('a@a.test,'.repeat(1_000))).toEqual([1_000, 0, false]);
  expect(count('a@a.test,'.repeat(1_001))).toEqual([1_000, 0, true]);
  expect(count('g:;'.repeat(1_000))).toEqual([0, 1_000, false]);
  expect(count('g:'.repeat(1_001))).toEqual([0, 1_000, true]);
});

it.each([
  ['Parcels (<x@a.test>)', ['x@a.test']],
  ['Parcels,(<x@a.test>)', ['x@a.test']],
  ['"pay@brand.test" (x@a.test)', ['x@a.test']],
  ['a@a.test (formerly b@b.test)', []],
  ['root (Cron Daemon)', []],
])('addresses of %j that stand in comments alone', (raw, commented) => {
  expect(parseAddresses(raw).commented).toEqual(commented);
});

it.each([
  'Parcel, Parcel, <x@a.test>',
  '"pay@brand.test", <x@a.test>',
  '"Play Now" <><x@a.test>',
  '"Brand" <>',
  '"Brand"',
  'Kristalina Doe',
  'Brand <x@a,test>',
  'Brand <x@a.test',
  '"Brand <x@a.test>',
  'Brand (<x@a.test>)',
  'Brand <x@a.test> <y@b.test>',
])('%j follows no standard', (raw) => {
  expect(parseAddresses(raw).malformed).toBe(true);
});

it.each([
  'Doe, John <j@a.test>',
  'J. R. Doe <j@a.test>',
  'x @ sender . test',
  'a@a.test, "B" <b@b.test>',
  'j@a.test (John)',
  '"a b"@c.test',

  'root (Cron Daemon)',
  '<MAILER-DAEMON>',
  'MAILER-DAEMON (Mail Delivery System)',
  'Team: a@a.test;',
  '=?utf-8?Q?J=C3=B6rg,_D?= <j@a.test>',
])('%j follows a standard, or is common', (raw) => {
  expect(parseAddresses(raw).malformed).toBe(false);
});
