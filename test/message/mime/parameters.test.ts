import { expect, it } from 'vitest';
import { readMime } from '@vedette/message/mime';
import { raw } from '../message/messages/builder.ts';

const read = (parameters: string | Uint8Array) =>
  Object.fromEntries(readMime(raw('Content-Type: application/x-stuff', parameters, '\r\n\r\n')).root.parameters);

it.each<[string, string | Uint8Array, Record<string, string>]>([
  // RFC 2231.
  ['§3: continuations', '; URL*0="ftp://";\r\n URL*1="cs.utk.edu/pub"', { url: 'ftp://cs.utk.edu/pub' }],
  ['§3: in any order', '; n*1=b; n*0=a; n*2=c', { n: 'abc' }],
  ['§3: up to a gap', '; n*0=a; n*2=c', { n: 'a' }],
  ['§3: not without the first', '; n*1=b', {}],
  ['§3: numbers with zeros before them', '; n*00=a; n*01=b', { n: 'ab' }],
  ['§3: a number without end', '; n*4294967294=x; n*99999999999999999999=y; m=z', { m: 'z' }],
  ['§4: a charset', "; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A", { title: 'This is ***fun***' }],
  ['§4.1: both', '; title*0*=us-ascii\'en\'This%20is; title*1*=%20more; title*2=" fun!%20"', { title: 'This is more fun!%20' }],
  ['a character split between pieces', "; n*0*=utf-8''J%C3; n*1*=%B6rg", { n: 'Jörg' }],
  ['another charset', "; n*=koi8-r''%f0%d2%c9", { n: 'При' }],
  ['no charset', "; n*=''J%C3%B6rg", { n: 'Jörg' }],
  ['not even its quotes', '; n*=J%C3%B6rg', { n: 'Jörg' }],
  ['percent signs that are none', "; n*=utf-8''100%_%4", { n: '100%_%4' }],
  ['percent signs without a star', '; n=a%20b', { n: 'a%20b' }],
  ['the star is before the plain one', "; n=plain; n*=utf-8''star", { n: 'star' }],
  ['pieces are before the plain one', '; n=plain; n*0=pie; n*1=ces', { n: 'pieces' }],
  // RFC 2047, which §5 (3) forbids in parameters and most programs write there.
  ['an encoded word', '; n="=?utf-8?Q?J=C3=B6rg?="', { n: 'Jörg' }],
  ['encoded words without quotes', '; n==?utf-8?Q?J=C3?= =?utf-8?Q?=B6rg?=; m=x', { n: 'Jörg', m: 'x' }],
  ['both encodings together', "; n*=utf-8''=%3Futf-8%3FQ%3FJ=C3=B6rg%3F=", { n: 'Jörg' }],
  ['encoded words in pieces', '; n*0="=?utf-8?B?SsO2"; n*1="cmc=?="', { n: 'Jörg' }],
  ['an encoded word beside what is not ASCII', "; n*=utf-8''%C3%BC=?utf-8?Q?_=C3=B6?=", { n: 'ü ö' }],
  ['raw UTF-8', '; n="Jörg"', { n: 'Jörg' }],
  ['raw windows-1252', raw('; n=J', Buffer.of(0xf6), 'rg'), { n: 'Jörg' }],
  // RFC 2045 §5.1 and what is written against it.
  ['quotes', String.raw`; n="a; b=\"c\" \\ d"; m=x`, { n: String.raw`a; b="c" \ d`, m: 'x' }],
  ['a path of Windows', String.raw`; n="C:\docs\a.doc"`, { n: String.raw`C:\docs\a.doc` }],
  ['quotes that are not closed', '; n="a; m=x', { n: 'a; m=x' }],
  ['quotes of the wrong kind', "; n='a b'", { n: "'a b'" }],
  ['text behind the quotes', '; n="a" b; m=x', { n: 'a', m: 'x' }],
  ['spaces without quotes', '; n=my file (1).pdf ; m=x', { n: 'my file (1).pdf', m: 'x' }],
  ['a comment behind a value', '; n=a (comment); m=x', { n: 'a', m: 'x' }],
  ['comments elsewhere', ' (a (b\\) ;c=d)) ; (x) n=a', { n: 'a' }],
  ['a comment that is not closed', '; n=a; (m=x', { n: 'a' }],
  ['spaces around the equals sign', '; N = a ; m\t=\t"b"', { n: 'a', m: 'b' }],
  ['semicolons without parameters', ';;; n=a;; ;', { n: 'a' }],
  ['words without values', '; flag; n=a', { n: 'a' }],
  ['no name', '; =a; n=b', { n: 'b' }],
  ['an equals sign in the value', '; n==a=', { n: '=a=' }],
  ['of two the first', '; n=a; n=b; N=c', { n: 'a' }],
  ['an empty value', '; n=; m=""', { n: '', m: '' }],
])('%s', (_, parameters, expected) => {
  expect(read(parameters)).toEqual(expected);
});
