import { parseHost } from '@vedette/contract';
import { type AddressList, allAddresses, allFields, firstAddresses, firstField, type Mailbox, type Part } from '../../mime/index.ts';

/** The fields of a message that name people. The first of two equal fields counts; all From fields count. */
export interface People {
  /** The mailbox of From that counts as the sender; its texts are empty without one. */
  sender: Mailbox;
  /** All mailboxes of From, names without an address included. */
  from: Mailbox[];
  /** Whether From breaks the standard, so that programs differ in what they show. */
  fromMalformed: boolean;
  replyTo: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  /** Whether To is a group without members (RFC 5322 §3.4). */
  toNobody: boolean;
  /** The address for bounces; empty for the null sender, or without a Return-Path. */
  returnPath: string;
  deliveredTo: string;
  /** Addresses of these and other fields, as they stand. */
  all: string[];
  /** A field has more addresses than are read. */
  cut: boolean;
}

/** One is valid; senders of several want programs to show different ones. */
const FROM_FIELDS_MAX = 10;

/** Name one or more mailboxes (RFC 5322 §3.6.2, §3.6.3, §3.6.6; RFC 8098 §2.1). */
const ADDRESS_FIELDS = [
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'return-path',
  'delivered-to',
  'resent-from',
  'resent-to',
  'resent-cc',
  'x-original-from',
  'errors-to',
  'disposition-notification-to',
] as const;

/** The text that Outlook Express and some servers write between angle brackets without a recipient: it is not an address. */
const NOBODY = /^"?undisclosed[-_ ]?recipients?(?::|$)/i;

export function readPeople(message: Part): People {
  const lists = new Map(ADDRESS_FIELDS.map((key) => [key, firstAddresses(message, key)]));
  const fields = allAddresses(message, 'from', FROM_FIELDS_MAX + 1);
  const from = fields.slice(0, FROM_FIELDS_MAX);
  const sender = senderOf(from);
  const mailboxes = (key: (typeof ADDRESS_FIELDS)[number]) =>
    (lists.get(key)?.addresses ?? []).filter(({ address }) => address !== '' && !NOBODY.test(address));
  const addresses = (key: (typeof ADDRESS_FIELDS)[number]) => mailboxes(key).map(({ address }) => address);
  const to = lists.get('to');
  return {
    sender,
    from: from.flatMap((list) => list.addresses),
    fromMalformed: from.some(isMalformed),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    toNobody:
      to !== undefined &&
      (to.groups.length > 0 || to.addresses.some(({ address }) => NOBODY.test(address))) &&
      addresses('to').length === 0,
    returnPath: addresses('return-path')[0] ?? '',
    deliveredTo: addresses('delivered-to')[0] ?? '',
    all: [sender.address, ...from.flatMap((list) => list.addresses.map(({ address }) => address)), ...ADDRESS_FIELDS.flatMap(addresses)],
    cut: fields.length > FROM_FIELDS_MAX || [...from, ...lists.values()].some(({ cut }) => cut),
  };
}

/** The first mailbox with an address: receivers ignore text before it too. Some programs show a mailbox whose only address is in a comment. */
function senderOf(from: readonly AddressList[]): Mailbox {
  const mailboxes = from.flatMap((list) => list.addresses);
  const [commented] = from.flatMap((list) => list.commented);
  const { name = '', address = '' } = mailboxes[0] ?? {};
  return mailboxes.find((mailbox) => mailbox.address.includes('@')) ?? { name, address: commented ?? address };
}

/** A domain that no host can have is never that of a sender. */
const isMalformed = ({ addresses, malformed }: AddressList): boolean =>
  malformed || addresses.some(({ address }) => address.includes('@') && !isHost(address.slice(address.lastIndexOf('@') + 1)));

const isHost = (written: string): boolean => /^\[.*\]$/.test(written) || parseHost(written) !== undefined;

/** Message-ID without its angle brackets (RFC 5322 §3.6.4). */
export const messageIdOf = (message: Part): string => {
  const field = firstField(message, 'message-id');
  return (/<([^<>]*)>/.exec(field)?.[1] ?? field).trim();
};

/** URLs of List-Unsubscribe, in their order (RFC 2369 §3.2). A URL without the brackets that it should have is taken as it stands. */
export function unsubscribeUrls(message: Part): string[] {
  const field = firstField(message, 'list-unsubscribe');
  const bracketed = [...field.matchAll(/<([^<>]*)>/g)].map(([, url]) => url!.replace(/\s+/g, ''));
  const urls = bracketed.length > 0 ? bracketed : field.split(/[,\s]+/);
  return urls.filter((url) => /^(?:https?:|mailto:)/i.test(url));
}

/** Whether a mailing list handed it on (RFC 2919, RFC 2369). */
export const isFromList = (message: Part): boolean => ['list-id', 'list-post'].some((key) => allFields(message, key).length > 0);
