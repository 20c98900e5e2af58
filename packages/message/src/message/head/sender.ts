import type { EmlReport, MessageFacts } from '../../report/index.ts';
import type { Trace } from '../../mail-trace/index.ts';
import { hostParts } from '@vedette/intel/registrable';
import type { People } from './fields.ts';
import { isMessageIdForeign } from './message-id.ts';
import { hostOfMailbox, organisationOf, sameMailbox } from './mailbox.ts';

type Security = EmlReport['security_details'];

/** The sender by From, and the host that handed the message over. */
export function senderDetails(from: string, { ip_address, helo }: Trace['sender']): MessageFacts['sender_details'] {
  const domain = hostOfMailbox(from);
  const parts = hostParts(domain);
  const greeted = hostParts(helo);
  return {
    email: from,
    domain,
    root_domain: parts.root_domain,
    tld: parts.tld,
    ip_address,
    helo,
    helo_root_domain: greeted.root_domain,
    helo_tld: greeted.tld,
  };
}

/** Compares a message's addresses with each other. */
export function comparePeople(
  people: People,
): Pick<
  Security,
  | 'has_undisclosed_recipients'
  | 'from_name_has_other_email'
  | 'from_is_malformed'
  | 'has_several_from'
  | 'sender_is_recipient'
  | 'sender_and_reply_to_different_domain'
  | 'sender_and_reply_to_different_email'
> {
  const from = people.sender.address;
  const recipients = [...people.to, ...people.cc, ...people.bcc];
  const others = repliesElsewhere(people);
  return {
    has_undisclosed_recipients: people.toNobody || recipients.length === 0,
    from_name_has_other_email: [people.sender, ...people.from].some(({ name, address }) => showsAnother(name, address || from)),
    from_is_malformed: people.fromMalformed,
    has_several_from: addressesOf(people).length > 1,
    sender_is_recipient: from !== '' && recipients.some((address) => sameMailbox(address, from)),
    sender_and_reply_to_different_domain: others.some((address) => organisationOf(address) !== organisationOf(from)),
    sender_and_reply_to_different_email: others.length > 0,
  };
}

/** The addresses of From, each once. */
export const addressesOf = ({ sender, from }: People): string[] => {
  const addresses = new Map<string, string>();
  for (const { address } of [sender, ...from])
    if (address.includes('@') && !addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  return [...addresses.values()];
};

/** Whether a display name has an address in it, in whatever characters look like one, that is of others than the mailbox. */
function showsAnother(name: string, from: string): boolean {
  const shown = name.normalize('NFKC').split(/[\s<>()[\]"'“”‘’,;:|]+/);
  return shown.some((word) => hostParts(hostOfMailbox(word)).root_domain !== '' && organisationOf(word) !== organisationOf(from));
}

/** Where answers go that do not go to From. */
export function repliesElsewhere({ sender: { address }, replyTo }: People): string[] {
  return address === '' ? [] : replyTo.filter((reply) => !sameMailbox(reply, address));
}

/** Whether the Message-ID comes from an organization that is otherwise not involved in the message, as far as its header shows. */
export function isMessageIdMismatch(
  messageId: string,
  people: People,
  { trace, signers, fromList }: { trace: Trace; signers: readonly string[]; fromList: boolean },
): boolean {
  const { sender, received_from, authentication } = trace;
  return isMessageIdForeign({
    messageId,
    from: people.sender.address,
    others: [
      ...signers,
      people.returnPath,
      sender.hostname,
      sender.helo,
      ...received_from,
      // A list that writes its own address into From puts the author's there.
      ...(fromList ? people.all : []),
    ],
    othersDenied: authentication.dmarc_status === 'fail' && !fromList,
  });
}
