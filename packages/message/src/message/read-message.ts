import { hash } from 'node:crypto';
import type { EmlLimit, EmlReport, MessageFacts, SignatureFacts } from '../report/index.ts';
import { FileQuota } from '../files/index.ts';
import { domainLists, IndicatorReader, type Indicators } from '../indicators/index.ts';
import { readSignatures, readTrace, type Trace } from '../mail-trace/index.ts';
import { firstField, type MailDate, parseDate, type Part, rawFields, readMime } from '../mime/index.ts';
import { describeAttachments } from './attachments.ts';
import { type Body, readBody, TextBudget } from './body.ts';
import { contentsOf } from './contents.ts';
import { isFromList, messageIdOf, type People, readPeople, unsubscribeUrls } from './head/fields.ts';
import { namesHighSum } from './words/money.ts';
import { addressesOf, comparePeople, isMessageIdMismatch, repliesElsewhere, senderDetails } from './head/sender.ts';
import { isAtNight, isInBusinessHours, timeOfDay } from './head/sending-time.ts';
import { isMarkedUrgent, urgencyOf } from './words/urgency.ts';

/**
 * Reads a message (RFC 5322, MIME). Time and memory are bounded, and `limits_reached` names the limits that the message exceeds. Never throws for the
 * content of a message.
 */
export async function readMessage(bytes: Uint8Array): Promise<MessageFacts> {
  const { root, limits } = readMime(bytes);
  const readers = { quota: new FileQuota(), indicators: new IndicatorReader(), budget: new TextBudget() };
  const people = readPeople(root);
  const trace = readTrace(root.fields);
  const signatures = readSignatures(rawFields(root, 'dkim-signature'));
  const subject = firstField(root, 'subject');
  readers.indicators.text(subject);
  for (const address of people.all) readers.indicators.address(address);
  const contents = contentsOf(root);
  const body = readBody(contents, readers.budget, readers.indicators);
  const files = await describeAttachments(contents.files, body.cids, readers);
  const indicators = await readers.indicators.read();
  const date = firstField(root, 'date');
  const sentAt = parseDate(date);
  const message: Message = { root, people, trace, signatures, subject, body, files, indicators, sentAt };
  if (people.cut) limits.add('addresses');
  if (readers.budget.truncated) limits.add('text');
  if (trace.has_more_hops) limits.add('header_fields');
  return {
    metadata: {
      message_id: messageIdOf(root),
      message_sha256_hash: hash('sha256', bytes),
      date_time: date,
      date_time_normalized: sentAt?.iso ?? '',
    },
    headers: headersOf(message),
    body: { body_text: body.text, html_text: body.htmlText },
    attachments: attachmentsOf(files),
    ioc: iocOf(message),
    sender_details: senderDetails(people.sender.address, trace.sender),
    sender_rdns: { noted: trace.sender.rdns, hostname: trace.sender.hostname },
    replies_to: repliesElsewhere(people),
    links: body.links,
    from_list: isFromList(root),
    security_details: securityOf(message),
    hops: trace.hops,
    limits_reached: sorted([...limits, ...readers.quota.limits, ...indicators.limits]),
  };
}

/** A message as it has been read. */
interface Message {
  root: Part;
  people: People;
  trace: Trace;
  signatures: SignatureFacts[];
  subject: string;
  body: Body;
  files: EmlReport['attachments']['files'];
  indicators: Indicators;
  sentAt: MailDate | undefined;
}

const sorted = (limits: readonly EmlLimit[]): EmlLimit[] => [...new Set(limits)].sort();

function headersOf({ root, people, trace, signatures, subject }: Message): MessageFacts['headers'] {
  return {
    subject,
    from_name: people.sender.name,
    from_email: people.sender.address,
    from_all: addressesOf(people),
    return_path: people.returnPath,
    reply_to: people.replyTo[0] ?? '',
    delivered_to: people.deliveredTo,
    content_type: firstField(root, 'content-type'),
    user_agent: firstField(root, 'user-agent'),
    x_mailer: firstField(root, 'x-mailer'),
    x_library: firstField(root, 'x-library'),
    received_spf: trace.authentication.received_spf,
    authentication_results: trace.authentication.authentication_results,
    to: people.to,
    cc: people.cc,
    bcc: people.bcc,
    list_unsubscribe: unsubscribeUrls(root),
    dkim_signatures: signatures,
  };
}

function attachmentsOf(files: Message['files']): EmlReport['attachments'] {
  const all = filesWithin(files);
  const each = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');
  return {
    files,
    file_extensions: each(all.map(({ extension }) => extension)),
    md5_hashes: each(all.map(({ md5_hash }) => md5_hash)),
  };
}

/** Files and what is in them, in their order. */
const filesWithin = (files: Message['files']) => files.flatMap((file) => [file, ...file.extracted_files]);

function iocOf({ indicators, signatures, trace }: Message): MessageFacts['ioc'] {
  const { urls, redirects, direct_downloads, with_ip_host, hosts, emails, email_hosts } = indicators;
  return {
    urls: { urls, redirects, direct_downloads, with_ip_host, ...domainLists(hosts) },
    emails: { emails, ...domainLists(email_hosts) },
    received_from: domainLists(trace.received_from),
    dkim_domains: domainLists(signatures.map(({ domain }) => domain)),
    bitcoin_addresses: indicators.bitcoin_addresses,
    phone_numbers: indicators.phone_numbers,
  };
}

function securityOf(message: Message): MessageFacts['security_details'] {
  const { root, people, trace, signatures, subject, body, files, indicators, sentAt } = message;
  const { authentication_results: _results, received_spf: _spf, ...verdicts } = trace.authentication;
  const all = filesWithin(files);
  const value = (key: string): string => firstField(root, key);
  const signers = signatures.map(({ domain }) => domain);
  return {
    ...verdicts,
    tls_status: trace.tls_status,
    sent_at_time: sentAt ? timeOfDay(sentAt) : '',
    urgency: urgencyOf({
      subject,
      texts: [body.text, body.htmlText],
      marked: isMarkedUrgent({
        importance: value('importance'),
        priority: value('priority'),
        xPriority: value('x-priority'),
        xMsMailPriority: value('x-msmail-priority'),
      }),
    }),
    total_to_emails: people.to.length,
    total_cc_emails: people.cc.length,
    total_bcc_emails: people.bcc.length,
    total_attachments: files.length,
    is_mime_html_only: body.htmlOnly,
    ...comparePeople(people),
    sender_and_message_id_mismatch: isMessageIdMismatch(messageIdOf(root), people, { trace, signers, fromList: isFromList(root) }),
    has_unsubscribe_link: body.hasUnsubscribeLink || unsubscribeUrls(root).length > 0,
    high_value_money_found: [subject, body.text, body.htmlText].some(namesHighSum),
    alternatives_differ: body.alternativesDiffer,
    has_urls_with_ip_host: indicators.with_ip_host.length > 0,
    is_body_text_empty: body.text === '',
    ...sendingTimeOf(sentAt),
    has_risky_file_extensions: all.some(({ is_risky_extension }) => is_risky_extension),
    has_document_files: all.some(({ is_document }) => is_document),
    has_archive_files: all.some(({ is_archive }) => is_archive),
    has_encrypted_archive_files: all.some(({ is_archive_encrypted }) => is_archive_encrypted),
  };
}

/** A Date that tells no zone, or says so by -00:00 (RFC 5322 §3.3), does not tell whether it was night where it was sent. */
function sendingTimeOf(
  sentAt: MailDate | undefined,
): Pick<EmlReport['security_details'], 'sent_outside_business_hours' | 'sent_on_night_hours'> {
  if (sentAt === undefined || sentAt.iso.endsWith('-00:00')) return { sent_outside_business_hours: false, sent_on_night_hours: false };
  return { sent_outside_business_hours: !isInBusinessHours(sentAt), sent_on_night_hours: isAtNight(sentAt) };
}
