import type { EmlReport, Parsers } from '@vedette/message/report';
import { readMessage } from '@vedette/message/message';
import { readPicture } from '@vedette/message/qr';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { shippedNames } from '@vedette/intel/names';
import { reverseName } from '@vedette/probes/dns';
import { describe, expect, it } from 'vitest';
import { emlInsights } from '../../../packages/operations/src/eml-insights/index.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { BULLETINS } from '../../message/message/messages/bulletins.ts';
import type { Flag, Letter, Verdict } from '../../message/message/messages/letter.ts';
import { MACHINES } from '../../message/message/messages/machines.ts';
import { NEWSLETTERS } from '../../message/message/messages/newsletters.ts';
import { PEOPLE } from '../../message/message/messages/people.ts';
import { PHISHING } from '../../message/message/messages/phishing.ts';
import { exchange, received, type Receiver, RECEIVERS } from '../../message/message/messages/receivers.ts';
import { TRANSACTIONAL } from '../../message/message/messages/transactional.ts';
import { answer } from '../answer.ts';

const parsers: Parsers = { message: (eml) => readMessage(eml), picture: readPicture };
const names = shippedNames();
const ORDINARY = [...NEWSLETTERS, ...BULLETINS, ...TRANSACTIONAL, ...PEOPLE, ...MACHINES];

describe.each(RECEIVERS)('ordinary mail in a mailbox of $name', (receiver) => {
  it.each(ORDINARY)('$name', (letter) => expectVerdict(letter, receiver));
});

// Exchange by itself checks no DMARC, so that a forged sender there is one that nobody has denied.
describe.each(RECEIVERS.filter((receiver) => receiver !== exchange))('fraud in a mailbox of $name', (receiver) => {
  it.each(PHISHING)('$name', (letter) => expectVerdict(letter, receiver));
});

/** Asks for the whole answer, in a DNS that has the name of the sending address and no keys. */
async function expectVerdict(letter: Letter, receiver: Receiver): Promise<void> {
  const { ip, rdns } = letter.origin;
  const { context } = mailContext(rdns === '' ? {} : { [reverseName(ip)!]: { PTR: [rdns] } });
  const eml_base64 = received(letter, receiver).toString('base64');
  const report = await answer(emlInsights, { eml_base64 }, { ...context, parsers, names, mailboxes: createMailboxes() });
  const { sender, ...status } = receiver.says(letter.origin);
  expect(verdictOf(report)).toEqual(sorted({ ...NOTHING, ...letter.says }));
  expect(report.security_details).toMatchObject(status);
  expect(report.sender_details).toMatchObject(sender);
  expect(report.limits_reached).toEqual([]);
}

const NOTHING: Required<Verdict> = {
  flags: [],
  urgency: 'low',
  hosts: [],
  redirects: [],
  directDownloads: [],
  withIpHost: [],
  phones: [],
  bitcoin: [],
  lookalikes: [],
  impersonations: [],
  files: [],
};

/** What a report says in the words of a verdict. */
const verdictOf = ({ security_details, ioc, attachments, impersonations }: EmlReport): Required<Verdict> =>
  sorted({
    flags: Object.entries(security_details).flatMap(([name, value]) => (value === true ? [name as Flag] : [])),
    urgency: security_details.urgency,
    hosts: ioc.urls.domains,
    redirects: ioc.urls.redirects,
    directDownloads: ioc.urls.direct_downloads,
    withIpHost: ioc.urls.with_ip_host,
    phones: ioc.phone_numbers,
    bitcoin: ioc.bitcoin_addresses,
    lookalikes: ioc.lookalike_domains,
    impersonations: impersonations.map(({ brand, found_in }) => `${brand}: ${found_in}`),
    files: attachments.files.map(({ name, content_type, extracted_files }) =>
      [name || `(${content_type})`, extracted_files.map((file) => file.name).join(', ')].filter(Boolean).join(': '),
    ),
  });

/** In an order of their own: what is said counts, and which comes first does not. */
const sorted = (verdict: Required<Verdict>): Required<Verdict> => ({
  ...verdict,
  flags: verdict.flags.toSorted(),
  hosts: verdict.hosts.toSorted(),
  redirects: verdict.redirects.toSorted(),
});
