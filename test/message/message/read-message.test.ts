import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { MessageFacts } from '@vedette/message/report';
import { readMessage } from '@vedette/message/message';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { endlessRar } from '../files/endless-rar.ts';
import { attachment, mail, message, multipart, part, raw } from './messages/builder.ts';

/** `hello`, packed. */
const HELLO_BZ2 = 'QlpoOTFBWSZTWRkxZT0AAACBAAJEoAAhmmgzTQczi7kinChIDJiynoA=';

it('gives every fact, whatever the bytes are', async () => {
  for (const eml of [raw(''), raw('\0\xff'), raw('\r\n\r\n'), mail({ text: 'Hello' }), raw('Subject: only a header')]) {
    const facts = await readMessage(eml);
    expect([...Value.Errors(MessageFacts, facts)]).toEqual([]);
    expect(Value.Clean(MessageFacts, structuredClone(facts))).toEqual(facts);
  }
});

it('hashes the bytes as they were sent', async () => {
  const eml = mail({ text: 'Hello' });
  const { metadata } = await readMessage(eml);
  expect(metadata).toEqual({
    message_id: '1@sender.test',
    message_sha256_hash: createHash('sha256').update(eml).digest('hex'),
    date_time: 'Tue, 17 Nov 2026 10:15:00 +0100',
    date_time_normalized: '2026-11-17T10:15:00+01:00',
  });
});

it('takes the first of fields that are there twice', async () => {
  const eml = raw(
    'From: a@sender.test\r\nFrom: b@sender.test\r\nSubject: one\r\nSubject: two\r\nTo: c@sender.test\r\nTo: d@sender.test\r\n\r\n',
  );
  const { headers } = await readMessage(eml);
  expect([headers.from_email, headers.subject, headers.to]).toEqual(['a@sender.test', 'one', ['c@sender.test']]);
});

it.each([
  ['Parcel, Parcel, <x@sender.test>', 'Parcel', 'x@sender.test'],
  ['Parcel,(<x@sender.test>)', 'Parcel', 'x@sender.test'],
  ['"pay@brand.test" (<x@sender.test>)', 'pay@brand.test', 'x@sender.test'],
  ['"Play Now" <><x@sender.test>', 'Play Now', 'x@sender.test'],
  ['"pay@brand.test", <x@sender.test>', 'pay@brand.test', 'x@sender.test'],
  ['<Brand>, Brand <x@sender.test>', 'Brand', 'x@sender.test'],
  ['x @ sender . test', '', 'x@sender.test'],
  ['"pay@brand.test"', 'pay@brand.test', ''],
])('the sender of From: %s', async (From, name, address) => {
  const { headers, sender_details, ioc } = await readMessage(mail({ text: 'Hello', fields: { From } }));
  expect([headers.from_name, headers.from_email, sender_details.email]).toEqual([name, address, address]);
  expect(headers.from_all).toEqual(address === '' ? [] : [address]);
  expect(ioc.emails.emails.includes('x@sender.test')).toBe(address !== '');
});

it('tells every address of From, each once', async () => {
  const From = ['"A" <a@sender.test> <b@other.test>', 'A@SENDER.test, c@third.test'];
  const { headers, ioc } = await readMessage(mail({ text: 'Hello', fields: { From } }));
  expect([headers.from_email, headers.from_all]).toEqual(['a@sender.test', ['a@sender.test', 'b@other.test', 'c@third.test']]);
  expect(ioc.emails.emails).toEqual(['a@sender.test', 'b@other.test', 'c@third.test', 'ben@receiver.test']);
});

it('an archive that takes for ever costs itself, and neither the report nor what else is attached', async () => {
  const { body, attachments, ioc, limits_reached } = await readMessage(
    mail({
      text: 'See https://sender.test/login',
      attach: [
        { name: 'endless.rar', content: endlessRar('a.txt') },
        { name: 'a.txt.gz', content: gzipSync('https://sender.test/packed') },
      ],
    }),
  );
  expect([body.body_text, ioc.urls.urls]).toEqual([
    'See https://sender.test/login',
    ['https://sender.test/login', 'https://sender.test/packed'],
  ]);
  expect(
    attachments.files.map(({ extracted_files }) => extracted_files.map(({ name, size, md5_hash }) => [name, size, md5_hash !== ''])),
  ).toEqual([[['a.txt', 1_000, false]], [['a.txt', 26, true]]]);
  expect(limits_reached).toEqual(['archive_time']);
  // What it worked with is in no state to be used again.
  const tar = await readMessage(mail({ attach: [{ name: 'a.bz2', content: Buffer.from(HELLO_BZ2, 'base64') }] }));
  expect(tar.attachments.files[0]!.extracted_files[0]).toMatchObject({
    size: 5,
    md5_hash: createHash('md5').update('hello').digest('hex'),
  });
});

describe('the body', () => {
  const textOf = async (eml: Uint8Array) => (await readMessage(eml)).body.body_text;

  it.each([
    ['is its plain text', mail({ text: 'plain', html: '<p>rich</p>' }), 'plain'],
    ['is what its HTML says where it has no other', mail({ html: '<style>p{}</style><p>rich &amp; famous</p>' }), 'rich & famous'],
    ['is its HTML where the plain text is empty', mail({ text: ' \r\n', html: '<p>rich</p>' }), 'rich'],
    ['is all that is said', message({}, multipart('mixed', [part('text/plain', 'one'), part('text/html', '<p>two</p>')])), 'one\n\ntwo'],
    ['is not a file of text', mail({ text: 'body', attach: [{ content: 'file', type: 'text/plain', name: 'a.txt' }] }), 'body'],
    [
      'is not an attached text without a name',
      message({}, multipart('mixed', [part('text/plain', 'one'), attachment({ content: 'two', type: 'text/plain' })])),
      'one',
    ],
    [
      'is not an attached message',
      message({}, multipart('mixed', [part('text/plain', 'one'), part('message/rfc822', mail({ text: 'two' }), '')])),
      'one',
    ],
    ['is a text with a name where that is all', message({}, part('text/plain; name="a.txt"', 'all')), 'all'],
    ['is empty where there is none', mail({ attach: [{ content: 'file', name: 'a.bin' }] }), ''],
  ])('%s', async (_case, eml, text) => {
    expect(await textOf(eml)).toBe(text);
  });

  it('is judged in both forms, and the worse counts', async () => {
    const lure = '<p>URGENT: your account has been suspended. Verify within 24 hours, or your access is lost.</p>';
    const decoy = await readMessage(mail({ text: 'Thank you for your order.', html: lure }));
    expect(decoy.body).toEqual({ body_text: 'Thank you for your order.', html_text: lure.replaceAll(/<[^>]*>/g, '') });
    expect(decoy.security_details).toMatchObject({ urgency: 'high', alternatives_differ: true });
    const turned = await readMessage(mail({ text: decoy.body.html_text, html: '<p>Thank you for your order.</p>' }));
    expect(turned.security_details.urgency).toBe('high');
    const alone = await readMessage(mail({ html: lure }));
    expect([alone.body.html_text, alone.security_details.urgency]).toEqual(['', 'high']);
  });

  it('does not press more for being said twice', async () => {
    const half = { text: 'Act now, and see https://sender.test/view', html: '<p>Your account has been suspended.</p>' };
    const { security_details } = await readMessage(mail(half));
    expect(security_details).toMatchObject({ urgency: 'low', alternatives_differ: false });
  });

  it('ends where more than 1 MB of text would be read', async () => {
    const { body, limits_reached } = await readMessage(message({}, part('text/plain', 'xyz '.repeat(300_000), '')));
    expect([body.body_text.length, limits_reached]).toEqual([1024 * 1024 - 1, ['text']]);
  });

  it('is what Outlook says in a winmail.dat, whatever that is called', async () => {
    const said = Buffer.from('Dear Ben https://a.test/x', 'latin1');
    const head = Buffer.from('789f3e220100010c800200', 'hex'); // the signature, a key; of the message: its body (MS-OXTNEF 2.1.3)
    const length = Buffer.from(Uint32Array.of(said.length).buffer);
    const content = Buffer.concat([head, length, said, Buffer.alloc(2)]);
    const { body, ioc } = await readMessage(mail({ attach: [{ content, name: 'ATT00001.bin' }] }));
    expect([body.body_text, ioc.urls.urls]).toEqual(['Dear Ben https://a.test/x', ['https://a.test/x']]);
  });

  it('says so where its parts have more together', async () => {
    const parts = [part('text/plain', 'xyz '.repeat(200_000)), part('text/html', `<p>${'xyz '.repeat(200_000)}</p>`)];
    const { body, limits_reached } = await readMessage(message({}, multipart('mixed', parts)));
    expect([body.body_text.length, limits_reached]).toEqual([1024 * 1024, ['text']]);
  });
});

describe('files', () => {
  const filesOf = async (eml: Uint8Array) => (await readMessage(eml)).attachments.files;

  it('say how the message shows them', async () => {
    const eml = mail({
      html: '<img src="cid:logo@a"><img src="pictures/b.png"><p style="background:url(cid:back@a)">',
      related: [
        { content: 'a', type: 'image/png', contentId: 'logo@a', name: 'logo.png' },
        { content: 'b', type: 'image/png', disposition: '', fields: { 'Content-Location': 'pictures/b.png' } },
        { content: 'c', type: 'image/png', disposition: '', contentId: 'back@a' },
        { content: 'd', type: 'image/png', disposition: 'attachment', contentId: 'unused@a' },
      ],
      attach: [{ content: 'e', name: 'e.pdf', type: 'application/pdf' }],
    });
    const files = await filesOf(eml);
    expect(
      files.map(({ content_id, disposition, is_inline, cid_referenced }) => [content_id, disposition, is_inline, cid_referenced]),
    ).toEqual([
      ['logo@a', 'inline', true, true],
      ['', '', true, true],
      ['back@a', '', true, true],
      ['unused@a', 'attachment', false, false],
      ['', 'attachment', false, false],
    ]);
  });

  it('are also what is attached to attached messages', async () => {
    const fields = { From: 'Bank <bank@phish.test>', 'Reply-To': 'bank@elsewhere.test' };
    const inner = mail({ fields, text: 'see https://inner.example.org/x', attach: [{ content: 'deep', name: 'deep.exe' }] });
    const eml = message({}, multipart('mixed', [part('text/plain', 'see'), part('message/rfc822; name="original.eml"', inner, '')]));
    const { attachments, ioc, security_details } = await readMessage(eml);
    expect(attachments.files).toHaveLength(1);
    expect(attachments.files[0]).toMatchObject({ name: 'original.eml', extension: 'eml', content_type: 'message/rfc822' });
    expect(attachments.files[0]!.extracted_files).toMatchObject([{ name: 'deep.exe', is_risky_extension: true, size: 4 }]);
    expect(attachments.file_extensions).toEqual(['eml', 'exe']);
    expect(attachments.md5_hashes).toHaveLength(2);
    expect(ioc.urls.urls).toEqual(['https://inner.example.org/x']);
    expect(ioc.emails.domains).toEqual(['sender.test', 'receiver.test', 'phish.test', 'elsewhere.test']);
    expect([security_details.total_attachments, security_details.has_risky_file_extensions]).toEqual([1, true]);
  });

  it('are read the same where a message is attached as any bytes', async () => {
    const inner = mail({ text: 'see https://inner.example.org/x', attach: [{ content: 'deep', name: 'deep.exe' }] });
    const { attachments, ioc } = await readMessage(mail({ text: 'see', attach: [{ content: inner, name: 'original.eml' }] }));
    expect(attachments.files[0]).toMatchObject({ name: 'original.eml', extracted_files: [{ name: 'deep.exe' }] });
    expect(ioc.urls.urls).toEqual(['https://inner.example.org/x']);
  });

  it.each(['message/rfc822', 'application/octet-stream'])('are messages, whose people are indicators: %s', async (type) => {
    const inner = mail({
      text: 'x',
      fields: {
        From: 'Bank <bank@inner.example.org>',
        'Reply-To': 'Thief@reply.example.org',
        To: 'ben@receiver.test',
        Cc: [],
        'Return-Path': '<b@bounce.example.org>',
      },
    });
    const eml = mail({ text: 'see', attach: [{ content: inner, name: 'original.eml', type }] });
    const { headers, ioc, security_details } = await readMessage(eml);
    expect(ioc.emails.emails).toEqual([
      'anna@sender.test',
      'ben@receiver.test',
      'bank@inner.example.org',
      'thief@reply.example.org',
      'b@bounce.example.org',
    ]);
    expect([headers.reply_to, security_details.sender_and_reply_to_different_email]).toEqual(['', false]);
  });

  it.each([
    ['pay.url', '[InternetShortcut]\r\nURL=https://inner.example.org/x\r\n'],
    ['pay.vcf', 'BEGIN:VCARD\r\nURL:https://inner.example.org/x\r\nEND:VCARD\r\n'],
    ['pay.sh', '#!/bin/sh\ncurl https://inner.example.org/x'],
    ['pay.reg', 'REGEDIT4\r\n"Run"="https://inner.example.org/x"'],
    ['pay.js', 'location = "https://inner.example.org/x"'],
  ])('are read for indicators as far as they are text, whatever they are sent as: %s', async (name, content) => {
    const { ioc } = await readMessage(mail({ text: 'see', attach: [{ content, name }] }));
    expect(ioc.urls.urls).toEqual(['https://inner.example.org/x']);
  });

  it('are read ten messages deep', async () => {
    const nested = (depth: number): Buffer =>
      mail({ text: `https://h${depth}.example.org/`, attach: depth === 0 ? [] : [{ content: nested(depth - 1), name: `${depth}.eml` }] });
    const { attachments, ioc, limits_reached } = await readMessage(nested(12));
    expect([attachments.files[0]!.extracted_files.length, ioc.urls.urls.length, limits_reached]).toEqual([10, 11, ['depth']]);
    expect(attachments.files[0]!.extracted_files.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('have limits that are told of the whole', async () => {
    const inner = message(
      {},
      multipart(
        'mixed',
        Array.from({ length: 1_100 }, () => part('text/plain', 'x', '')),
      ),
    );
    expect((await readMessage(mail({ attach: [{ content: inner, name: 'many.eml' }] }))).limits_reached).toContain('parts');
  });

  it('are no forms of what is said, nor what signs it', async () => {
    const calendar = 'BEGIN:VCALENDAR\r\nURL:https://meet.example.org/1\r\nEND:VCALENDAR\r\n';
    const invite = await readMessage(mail({ text: 'Invitation', html: '<p>Invitation', calendar }));
    expect([invite.attachments.files, invite.ioc.urls.urls]).toEqual([[], ['https://meet.example.org/1']]);
    const signed = message(
      {},
      multipart('signed; micalg=sha-256', [
        part('text/plain', 'signed'),
        attachment({ content: 'x', type: 'application/pkcs7-signature', name: 'smime.p7s' }),
      ]),
    );
    const { body, attachments } = await readMessage(signed);
    expect([body.body_text, attachments.files.map(({ name }) => name)]).toEqual(['signed', ['smime.p7s']]);
  });

  it('are what is encrypted, which says nothing', async () => {
    const pgp = message(
      {},
      multipart('encrypted; protocol="application/pgp-encrypted"', [
        part('application/pgp-encrypted', 'Version: 1', ''),
        part('application/octet-stream; name="encrypted.asc"', '-----BEGIN PGP MESSAGE-----', ''),
      ]),
    );
    const { body, attachments, security_details } = await readMessage(pgp);
    expect([body.body_text, attachments.files.length, security_details.is_body_text_empty]).toEqual(['', 2, true]);
  });

  it('are the parts of a bounce beside its text', async () => {
    const original = mail({ fields: { Subject: 'Offer' }, text: 'https://inner.example.org/offer' });
    const bounce = message(
      { From: 'Mail Delivery System <MAILER-DAEMON@receiver.test>', 'Return-Path': '<>' },
      multipart('report; report-type=delivery-status', [
        part('text/plain', 'It could not be delivered.'),
        part('message/delivery-status', 'Action: failed', ''),
        part('message/rfc822', original, ''),
      ]),
    );
    const { body, headers, attachments } = await readMessage(bounce);
    expect([body.body_text, headers.return_path]).toEqual(['It could not be delivered.', '']);
    expect(attachments.files.map(({ content_type }) => content_type)).toEqual(['message/delivery-status', 'message/rfc822']);
  });
});
