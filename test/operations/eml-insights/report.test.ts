import type { EmlReport } from '@vedette/message/report';
import { readMessage } from '@vedette/message/message';
import { expect, it } from 'vitest';
import { type LookedUp, reportOf } from '../../../packages/operations/src/eml-insights/report.ts';
import { mail } from '../../message/message/messages/builder.ts';

const LOOKED_UP: LookedUp = {
  dkim_signatures: [],
  sender: { hostname: '', nameless: false, problem: undefined },
  impersonations: { hosts: [], found: [], isCut: false },
  repliesToFreeMailbox: false,
};
const facts = await readMessage(mail({ text: 'Hello' }));

// The type check of this file is the test.
it('is not made of the facts alone, or of fewer look-ups', () => {
  // @ts-expect-error lacks hostname, lookalike_domains, sender_rdns_empty, reply_to_free_email and the keys of signatures
  const unfinished: EmlReport = facts;
  // @ts-expect-error lacks the sender's name
  const withoutSender: LookedUp = { dkim_signatures: [], impersonations: LOOKED_UP.impersonations, repliesToFreeMailbox: false };
  expect([unfinished.ioc.lookalike_domains, withoutSender.sender]).toEqual([undefined, undefined]);
});

it.each<[string, Partial<LookedUp>, (report: EmlReport) => unknown, unknown]>([
  [
    'look-alikes',
    { impersonations: { hosts: ['paypa1.com'], found: [], isCut: true } },
    (report) => report.ioc.lookalike_domains,
    ['paypa1.com'],
  ],
  ['the limit of hosts', { impersonations: { hosts: [], found: [], isCut: true } }, (report) => report.limits_reached, ['lookalikes']],
  ['a free mailbox', { repliesToFreeMailbox: true }, (report) => report.security_details.reply_to_free_email, true],
  [
    'an address without a name',
    { sender: { hostname: '', nameless: true, problem: undefined } },
    (report) => report.security_details.sender_rdns_empty,
    true,
  ],
  [
    'the name of the address',
    { sender: { hostname: 'mail.a.co.uk', nameless: false, problem: undefined } },
    ({ sender_details: { hostname, hostname_root_domain, hostname_tld } }) => [hostname, hostname_root_domain, hostname_tld],
    ['mail.a.co.uk', 'a.co.uk', 'co.uk'],
  ],
])('has what was looked up: %s', (_what, found, at, expected) => {
  expect(at(reportOf(facts, { ...LOOKED_UP, ...found }))).toEqual(expected);
  expect(at(reportOf(facts, LOOKED_UP))).not.toEqual(expected);
});

it('keeps to itself the facts that only decide about other fields', () => {
  const report = reportOf(facts, LOOKED_UP);
  expect([Object.hasOwn(facts, 'replies_to'), Object.hasOwn(report, 'replies_to'), Object.hasOwn(report, 'sender_rdns')]).toEqual([
    true,
    false,
    false,
  ]);
});
