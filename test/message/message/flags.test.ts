import { gzipSync } from 'node:zlib';
import type { MessageFacts } from '@vedette/message/report';
import { readMessage } from '@vedette/message/message';
import { describe, expect, it } from 'vitest';
import { type Fields, mail, type Mail } from './messages/builder.ts';

type Security = MessageFacts['security_details'];
type Flag = { [K in keyof Security]: Security[K] extends boolean ? K : never }[keyof Security];

const securityOf = async (what: Mail): Promise<Security> => (await readMessage(mail(what))).security_details;
const fields = (given: Fields): Mail => ({ text: 'Hello', fields: given });
const file = (name: string, content: string | Uint8Array = 'x'): Mail => ({ text: 'Hello', attach: [{ name, content }] });
const RECEIVED = (from: string) => `from ${from} by mx.receiver.test (Postfix) with ESMTPS id 1; Tue, 17 Nov 2026 10:15:01 +0100`;

const LURE =
  '<p>URGENT: your account has been suspended. Verify within 24 hours, or wire $25,000.00 to restore your access and avoid legal action.</p>';
const JAPANESE = 'お客様のアカウントは停止されました。二十四時間以内に確認してください。';

/** Of each flag what raises it, and what comes near and does not. `reply_to_free_email` is up to the lists of names: test/operations/eml-insights. */
const CASES: Readonly<Record<Exclude<Flag, 'reply_to_free_email'>, { hits: Mail[]; misses: Mail[] }>> = {
  is_mime_html_only: {
    hits: [{ html: '<p>Hello' }, { html: '<p>Hello', text: ' \n' }],
    misses: [
      { html: '<p>Hello', text: 'Hello' },
      { text: 'Hello' },
      { text: 'Hello', attach: [{ name: 'a.html', content: '<p>', type: 'text/html' }] },
    ],
  },
  has_undisclosed_recipients: {
    hits: [
      fields({ To: 'undisclosed-recipients:;' }),
      fields({ To: [] }),
      fields({ To: 'Undisclosed recipients: ;', Cc: 'c@receiver.test' }),
      fields({ To: '<Undisclosed-Recipient:;>', Cc: 'c@receiver.test' }),
      fields({ To: '"Undisclosed-Recipient:;"@relay.test' }),
    ],
    misses: [
      fields({ To: 'undisclosed-recipients@receiver.test' }),
      fields({ To: [], Cc: 'c@receiver.test' }),
      fields({ To: 'friends: a@receiver.test;' }),
      fields({ To: [], Bcc: 'b@receiver.test' }),
    ],
  },
  is_detected_by_server_antispam: {
    hits: [fields({ 'X-Spam-Flag': 'YES', Received: RECEIVED('mail.sender.test (mail.sender.test [203.0.113.9])') })],
    misses: [
      fields({ 'X-Spam-Flag': 'NO', Received: RECEIVED('mail.sender.test (mail.sender.test [203.0.113.9])') }),
      // Below the receiver's own field its sender may have written whatever it likes.
      fields({ Received: RECEIVED('mail.sender.test (mail.sender.test [203.0.113.9])'), 'X-Spam-Flag': 'YES' }),
    ],
  },
  from_name_has_other_email: {
    hits: [
      fields({ From: '"support@brand.example" <x@sender.test>' }),
      fields({ From: '"Brand <support@brand.example>" <x@sender.test>' }),
      fields({ From: '"support@brand.example", <x@sender.test>' }),
      fields({ From: '"support@brand.example"' }),
      fields({ From: '"x@sender.test" <x@sender.test>, "support@brand.example" <y@other.test>' }),
    ],
    misses: [
      fields({ From: '"anna@mail.sender.test" <x@sender.test>' }),
      fields({ From: 'Anna @ Brand <x@sender.test>' }),
      fields({ From: 'x@sender.test' }),
      fields({ From: '"x@sender.test" <x@sender.test>, "y@other.test" <y@other.test>' }),
    ],
  },
  from_is_malformed: {
    hits: [
      fields({ From: 'Parcel, Parcel, <x@sender.test>' }),
      fields({ From: 'Parcel (<x@sender.test>)' }),
      fields({ From: '"Play Now" <><x@sender.test>' }),
      fields({ From: 'Parcel <x@sender,test>' }),
      fields({ From: '"Parcel"' }),
      fields({ From: 'Parcel <x@par%cel.test>' }),
    ],
    misses: [
      fields({ From: 'Doe, Anna <x@sender.test>' }),
      fields({ From: 'x @ sender . test (Anna)' }),
      fields({ From: 'Anna <x@sender.test>, ben@sender.test' }),
      fields({ From: 'root (Cron Daemon)' }),
      fields({ From: 'x@[192.0.2.1]' }),
    ],
  },
  has_several_from: {
    hits: [
      fields({ From: 'Anna <x@sender.test>, ben@sender.test' }),
      fields({ From: ['x@sender.test', 'y@other.test'] }),
      fields({ From: 'Anna <a@sender.test> <x@sender.test>' }),
    ],
    misses: [fields({ From: ['x@sender.test', 'Anna <X@SENDER.test>'] }), fields({ From: '"a@sender.test" <x@sender.test>' })],
  },
  sender_is_recipient: {
    hits: [fields({ To: 'Anna <ANNA@sender.test>' }), fields({ Cc: 'anna@sender.test' }), fields({ Bcc: 'anna@sender.test' })],
    misses: [fields({ To: 'ben@sender.test' }), fields({ To: '"anna@sender.test" <ben@receiver.test>' })],
  },
  sender_and_reply_to_different_domain: {
    hits: [fields({ 'Reply-To': 'anna@sender.example.org' }), fields({ 'Reply-To': 'anna@sender.test, anna@evil.example.org' })],
    misses: [fields({ 'Reply-To': 'replies@mail.sender.test' }), fields({ 'Reply-To': 'anna@sender.test' }), fields({})],
  },
  sender_and_reply_to_different_email: {
    hits: [fields({ 'Reply-To': 'replies@sender.test' })],
    misses: [fields({ 'Reply-To': 'Somebody else <ANNA@SENDER.TEST>' }), fields({})],
  },
  sender_and_message_id_mismatch: {
    hits: [fields({ 'Message-ID': '<1@other.example.org>' })],
    misses: [
      fields({ 'Message-ID': '<1@mail.sender.test>' }),
      fields({ 'Message-ID': '<1@other.example.org>', 'DKIM-Signature': 'v=1; a=rsa-sha256; d=example.org; s=a; h=from; bh=; b=' }),
      fields({ 'Message-ID': '<1@laptop.local>' }),
    ],
  },
  has_unsubscribe_link: {
    hits: [
      fields({ 'List-Unsubscribe': '<https://sender.test/u>' }),
      fields({ 'List-Unsubscribe': '<mailto:leave@sender.test>' }),
      { html: '<a href="https://sender.test/x">Unsubscribe</a>' },
      { text: 'To unsubscribe go to https://sender.test/x' },
    ],
    misses: [
      fields({ 'List-Unsubscribe': '' }),
      { html: 'Unsubscribe <a href="https://sender.test/x">never</a>' },
      { text: 'I want to unsubscribe.' },
    ],
  },
  high_value_money_found: {
    hits: [
      { text: 'Please pay € 12.500,00 today.' },
      { html: LURE, text: 'Thank you for your order.' },
      { html: '<b>$</b>10,000' },
      fields({ Subject: 'Transfer of USD 50,000' }),
    ],
    misses: [{ text: 'Please pay € 999,00, order 10000.' }, { text: 'Dinner for ¥12,000' }],
  },
  alternatives_differ: {
    hits: [
      { html: LURE, text: 'Thank you for your order.' },
      { html: LURE, text: '.' },
      { html: LURE, text: 'Your mail program cannot show this message.' },
      { html: `<p>${JAPANESE}</p>`, text: 'こんにちは。' },
    ],
    misses: [
      { html: LURE, text: LURE.replaceAll(/<[^>]*>/g, '') },
      { html: LURE, text: 'View this message in your browser: https://sender.test/view' },
      { html: `${LURE}<p>${'Terms and conditions of this offer. '.repeat(9)}</p>`, text: LURE.slice(3, 90) },
      { html: LURE },
      { html: LURE, text: ' ' },
      { html: '<img src="https://sender.test/1.png"><p>Sale ends today</p>', text: 'Hello' },
      { html: `<p>${JAPANESE}</p>`, text: JAPANESE.replaceAll(/(.{7})/g, '$1\n') },
    ],
  },
  has_urls_with_ip_host: {
    hits: [{ text: 'http://203.0.113.9/login' }, { html: '<a href="http://3405803785/">x</a>' }],
    misses: [{ text: 'version 203.0.113.9 of https://sender.test/203.0.113.9' }],
  },
  is_body_text_empty: {
    hits: [{}, { text: ' \r\n\t' }, { html: '<img src="https://sender.test/1.png">' }],
    misses: [{ text: '.' }, { html: '<p>a' }],
  },
  sent_outside_business_hours: {
    hits: [fields({ Date: 'Tue, 17 Nov 2026 18:00:00 +0100' }), fields({ Date: 'Sat, 21 Nov 2026 12:00:00 +0100' })],
    misses: [
      fields({ Date: 'Tue, 17 Nov 2026 17:59:59 +0100' }),
      fields({ Date: 'Tue, 17 Nov 2026 08:00:00 -0800' }),
      fields({ Date: 'Sat, 21 Nov 2026 12:00:00 -0000' }),
      fields({ Date: 'yesterday' }),
      fields({ Date: [] }),
    ],
  },
  sent_on_night_hours: {
    hits: [fields({ Date: 'Tue, 17 Nov 2026 22:00:00 +0100' }), fields({ Date: 'Tue, 17 Nov 2026 05:59:00 +0900' })],
    misses: [
      fields({ Date: 'Tue, 17 Nov 2026 21:59:00 +0100' }),
      fields({ Date: 'Tue, 17 Nov 2026 06:00:00 +0900' }),
      fields({ Date: 'Tue, 17 Nov 2026 23:00:00' }),
    ],
  },
  has_risky_file_extensions: {
    hits: [file('invoice.pdf.exe'), file('a.js'), file('program.txt', Buffer.from('7f454c46020101000000000000000000', 'hex'))],
    misses: [file('exe.txt'), file('a.json', '{}'), { text: 'run setup.exe' }],
  },
  has_document_files: {
    hits: [file('a.pdf', '%PDF-1.7\n'), file('a.docx')],
    misses: [file('pdf'), file('a.png', Buffer.from('89504e470d0a1a0a', 'hex'))],
  },
  has_archive_files: {
    hits: [file('a.zip', emptyZip()), file('a.gz', gzipSync('x'))],
    misses: [file('zip.txt'), file('a.pdf', '%PDF-1.7\n')],
  },
  has_encrypted_archive_files: {
    hits: [file('a.zip', zipOf({ encrypted: true }))],
    misses: [file('a.zip', zipOf({ encrypted: false })), file('encrypted.txt')],
  },
};

/** An archive without entries: the end of its directory alone. */
function emptyZip(): Buffer {
  return Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
}

/** One stored entry of one byte; bit 0 of its flags says that it is encrypted (APPNOTE §4.4.4). */
function zipOf({ encrypted }: { encrypted: boolean }): Buffer {
  const name = Buffer.from('a.txt');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(encrypted ? 1 : 0, 2);
  common.writeUInt32LE(encrypted ? 13 : 1, 14);
  common.writeUInt32LE(1, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, name, Buffer.alloc(encrypted ? 13 : 1, 'x')]);
  const central = Buffer.concat([Buffer.from('504b01021400', 'hex'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

describe.each(Object.entries(CASES))('%s', (name, { hits, misses }) => {
  const flag = name as keyof typeof CASES;

  it.each(hits.map((what, at) => [at, what] as const))('is raised by hit %i', async (_at, what) => {
    expect((await securityOf(what))[flag]).toBe(true);
  });

  it.each(misses.map((what, at) => [at, what] as const))('is not raised by near miss %i', async (_at, what) => {
    expect((await securityOf(what))[flag]).toBe(false);
  });
});

it.each([
  ['unknown [203.0.113.9]', { noted: 'none', hostname: '' }],
  ['mail.sender.test [203.0.113.9]', { noted: 'named', hostname: 'mail.sender.test' }],
  ['[203.0.113.9]', { noted: 'unsaid', hostname: '' }],
])('the server says of the name of the sending address: %s', async (noted, sender_rdns) => {
  const facts = await readMessage(mail(fields({ Received: RECEIVED(`mail.sender.test (${noted})`) })));
  expect(facts.sender_rdns).toEqual(sender_rdns);
});

it('is silent about a plain letter', async () => {
  const security = await securityOf({ text: 'Hello Ben, these are the minutes.' });
  expect(Object.entries(security).filter(([, value]) => value === true)).toEqual([]);
  expect(security.urgency).toBe('low');
});

it('counts what there is', async () => {
  const security = await securityOf({
    text: 'Hello',
    fields: {
      To: 'a@receiver.test, b@receiver.test',
      Cc: 'friends: c@receiver.test, d@receiver.test;, e@receiver.test',
      Bcc: 'f@receiver.test',
    },
    attach: [
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b' },
    ],
  });
  expect(security).toMatchObject({
    total_to_emails: 2,
    total_cc_emails: 3,
    total_bcc_emails: 1,
    total_attachments: 2,
    sent_at_time: '10:15',
  });
});
