import { parseWebUrl } from '@vedette/contract';
import { shippedNames } from '@vedette/intel/names';
import { urlShape } from '@vedette/intel/urls';
import { expect, it } from 'vitest';

const names = shippedNames();
const shape = (url: string) => urlShape(url, parseWebUrl(url)!, names);

it.each([
  ['https://paypal.com@evil.example/', 'paypal.com'],
  ['https://www.bank.example@evil.example/', 'www.bank.example'],
  ['https://PayPal@evil.example/', 'paypal'],
  ['https://www.paypal.com%2Fsignin:x@evil.example/', 'www.paypal.com'],
  ['https://accounts.google.com@192.0.2.1/', 'accounts.google.com'],
  ['https://jane.doe@example.org/', ''],
  ['https://jane%40paypal.com:secret@example.org/', ''],
  ['https://john.me:x@example.org/', ''],
  ['https://paypal@paypal.com/', ''],
  ['https://www.paypal.com@paypal.com/', ''],
  ['https://0123456789abcdef@pypi.company.example/simple', ''],
  ['https://example.org/@paypal.com', ''],
])('the user name of %s poses as %j', (url, posesAs) => expect(shape(url).posesAs).toBe(posesAs));

it.each([
  ['http://0x7f.1/', '0x7f.1'],
  ['http://2130706433/', '2130706433'],
  ['http://127.1/', '127.1'],
  ['http://0177.0.0.1:8080/', '0177.0.0.1'],
  ['http://p%61ypal.example/', 'p%61ypal.example'],
  ['http://127.0.0.1:8080/', ''],
  ['http://127.0.0.1./', ''],
  ['https://%CF%80.example.com/foo', ''],
  ['https://b\u00fccher.example/', ''],
])('the host of %s is obscured as %j', (url, obscured) => expect(shape(url).obscured).toBe(obscured));

it.each([
  ['https://evil.example/paypal.com/signin', 'paypal.com'],
  ['https://evil.example/x/www.paypal.com/', 'paypal.com'],
  ['https://reviews.example/review/paypal.com', ''],
  ['https://web.archive.org/web/2020/https://www.paypal.com/signin/', ''],
  ['https://godoc.org/github.com/containers/image', ''],
  ['https://www.google.com/paypal.com/x', ''],
  ['https://paypal.com/paypal.com/x', ''],
])('the path of %s names %j', (url, pathNames) => expect(shape(url).pathNames).toBe(pathNames));

it.each([
  ['https://a.example/?email=jane.doe%40example.com&x=1', 'jane.doe@example.com'],
  ['https://a.example/#jane@example.com', 'jane@example.com'],
  ['https://a.example/u/jane@example.com/edit', 'jane@example.com'],
  ['https://a.example/button@2x.png?color=blue', ''],
  ['https://a.example/@jane/posts', ''],
  ['https://jane@example.com/', ''],
])('the mailbox in %s is %j', (url, mailbox) => expect(shape(url).mailbox).toBe(mailbox));

it('takes a hostile URL in linear time', () => {
  const url = `https://a.example/${'a@'.repeat(1_500)}?${'x=a@b.'.repeat(800)}#${'@'.repeat(2_000)}`;
  expect(shape(url)).toMatchObject({ posesAs: '', pathNames: '' });
});
