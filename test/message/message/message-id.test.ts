import { expect, it } from 'vitest';
import { isMessageIdForeign } from '../../../packages/message/src/message/head/message-id.ts';

const hands = (messageId: string, from: string, others: readonly string[] = [], othersDenied = false) =>
  isMessageIdForeign({ messageId, from, others, othersDenied });

it.each([
  ['the same domain', hands('1@example.org', 'a@example.org'), false],
  ['one organisation', hands('1@mail.example.co.uk', 'a@news.example.co.uk'), false],
  ['another', hands('1@example.net', 'a@example.org'), true],
  ['of who signed', hands('1@esp.example.net', 'a@example.org', ['example.net']), false],
  ['of who is told about bounces', hands('1@example.net', 'a@example.org', ['bounce@b.example.net']), false],
  ['of who signed, where DMARC failed', hands('1@example.net', 'a@example.org', ['example.net'], true), true],
  ['of From, where DMARC failed', hands('1@example.org', 'a@example.org', [], true), false],
  ['Google for its customer', hands('CAF@mail.gmail.com', 'a@example.org', ['mail-ed1-f41.google.com']), false],
  [
    'Microsoft for its customer',
    hands('AM0@AM0PR01.eurprd01.prod.exchangelabs.com', 'a@example.org', ['outbound.protection.outlook.com']),
    false,
  ],
  ['Google, sent by somebody else', hands('CAF@mail.gmail.com', 'a@example.org', ['mx.example.net']), true],
  ['Google for Gmail', hands('CAF@mail.gmail.com', 'a@googlemail.com'), false],
  ['an inner name', hands('1@srv01.corp.local', 'a@example.org'), false],
  ['a name under no suffix that anybody registers under', hands('JIRA.1@Atlassian.JIRA', 'a@example.org'), false],
  ['a name without a dot', hands('1@geopod-ismtpd-7', 'a@example.org'), false],
  ['the program of a telephone', hands('3f2a@email.android.com', 'a@example.org'), false],
  ['a name that only ends like it', hands('1@android.com', 'a@example.org'), true],
  ['an address', hands('1@[192.0.2.1]', 'a@example.org'), false],
  ['none', hands('', 'a@example.org'), false],
  ['no sender', hands('1@example.net', ''), false],
])('%s', (_case, found, expected) => {
  expect(found).toBe(expected);
});
