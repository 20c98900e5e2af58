import { readMessage } from '@vedette/message/message';
import { expect, it } from 'vitest';
import { mail } from './messages/builder.ts';

it.each([
  ['an address of somebody else', '"service@bank.example" <x@sender.test>', true],
  ['one in brackets of its own', '"Bank <service@bank.example>" <x@sender.test>', true],
  ['one in letters that only look plain', '"service＠bank．example" <x@sender.test>', true],
  ['its own', '"x@sender.test" <x@sender.test>', false],
  ['another one of the same organisation', '"Sender (help@mail.sender.test)" <x@sender.test>', false],
  ['a name with an at sign', '"Bob @ Work" <x@sender.test>', false],
  ['how others call him', '"Bob (@bob)" <x@sender.test>', false],
  ['nothing', 'x@sender.test', false],
])('a display name shows %s', async (_case, From, expected) => {
  const { security_details } = await readMessage(mail({ fields: { From }, text: '' }));
  expect(security_details.from_name_has_other_email).toBe(expected);
});
