import { ApiError } from '@vedette/contract';
import type { Parsers } from '@vedette/message/report';
import { readMessage } from '@vedette/message/message';
import { readPicture } from '@vedette/message/qr';
import { describe, expect, it } from 'vitest';
import { emlInsights } from '../../../packages/operations/src/eml-insights/index.ts';
import { KEYS } from '../../mail/dkim/keys.ts';
import { mail } from '../../message/message/messages/builder.ts';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { mailContext } from '../../intel/mail-context.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { answer, read } from '../answer.ts';

const MAILBOXES = createMailboxes();

const parsers: Parsers = { message: (eml) => readMessage(eml), picture: readPicture };
const request = (eml: Uint8Array) => ({ eml_base64: Buffer.from(eml).toString('base64') });

/** Answers for a message, with the whole DNS as an object. */
async function insights(eml: Uint8Array, zone: FakeZone = {}) {
  const { context, dns } = mailContext(zone);
  return { report: await answer(emlInsights, request(eml), { ...context, parsers, mailboxes: MAILBOXES }), queries: dns.queries };
}

it('says that there are more hosts than are held against brands', async () => {
  const text = Array.from({ length: 120 }, (_, at) => `https://host${at}.example/`).join(' ');
  expect((await insights(mail({ text }))).report.limits_reached).toEqual(['lookalikes']);
  expect((await insights(mail({ text: text.slice(0, 1_000) }))).report.limits_reached).toEqual([]);
});

describe('the message', () => {
  const eml = mail({ text: 'Hello' });

  it('is what was sent, to the byte', async () => {
    expect(Buffer.from(read(emlInsights, request(eml)).eml)).toEqual(eml);
  });

  it.each([
    ['a data URL', `data:message/rfc822;base64,${eml.toString('base64')}`],
    ['lines', eml.toString('base64').replace(/(.{76})/g, '$1\r\n')],
    ['white space', `  ${eml.toString('base64').replace(/(.{8})/g, '$1 \t')}\n`],
    ['white space in its padding', `${eml.toString('base64').replace(/==$/, '= =')} \n`],
  ])('may come as %s', (_what, eml_base64) => {
    expect(Buffer.from(read(emlInsights, { eml_base64 }).eml)).toEqual(eml);
  });

  it.each([
    ['the alphabet for URLs', 'RnJvbTog-_8='],
    ['what is no base64', 'From: a@example.org'],
    ['base64 without its padding', 'SGVsbG8'],
    ['base64 without its padding, and white space there', 'SGVsbG8 \n'],
    ['base64 with more padding than there is room for', 'SGVsbG8=='],
    ['base64 with padding inside', 'SGU=bG8='],
    ['nothing', ' \r\n'],
    ['an empty data URL', 'data:;base64,'],
  ])('is not %s', (_what, eml_base64) => {
    expect(() => read(emlInsights, { eml_base64 })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'eml_base64', status: 400 }),
    );
  });

  it('has at most 5 MB decoded', () => {
    const most = Buffer.alloc(5 * 1024 * 1024, 'a');
    expect(read(emlInsights, request(most)).eml.length).toBe(most.length);
    expect(() => read(emlInsights, request(Buffer.concat([most, Buffer.from('a')])))).toThrow(
      expect.objectContaining({ code: 'body_too_large', param: 'eml_base64', status: 413 }),
    );
  });
});

it('asks nobody about a message without signatures and without a way', async () => {
  const { report, queries } = await insights(
    mail({ text: 'See https://example.org/ and mail to a@example.org', html: '<img src="https://track.example.net/1.gif">' }),
  );
  expect(queries).toEqual([]);
  expect(report.ioc.urls.domains).toEqual(['example.org', 'track.example.net']);
});

describe('what the DNS says', () => {
  const eml = mail({
    fields: {
      Received: 'from mail.sender.test ([203.0.113.9]) by mx.receiver.test with ESMTP id 1; Tue, 17 Nov 2026 10:15:01 +0100',
      'DKIM-Signature': 'v=1; a=ed25519-sha256; d=sender.test; s=a; h=from; bh=eA==; b=eA==',
    },
    text: 'Hello',
  });

  it('of the key and of the name of the sending address is in the report', async () => {
    const { report, queries } = await insights(eml, {
      'a._domainkey.sender.test': { TXT: ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='] },
      '9.113.0.203.in-addr.arpa': { PTR: ['out.sender.test'] },
    });
    expect(report.headers.dkim_signatures).toMatchObject([{ key_type: 'ed25519', key_bits: 256, dns_error: '' }]);
    expect(report.sender_details).toMatchObject({
      ip_address: '203.0.113.9',
      hostname: 'out.sender.test',
      hostname_root_domain: 'sender.test',
    });
    expect(report.security_details.sender_rdns_empty).toBe(false);
    expect(queries.toSorted()).toEqual(['9.113.0.203.in-addr.arpa PTR', 'a._domainkey.sender.test TXT']);
  });

  it('is that there is neither', async () => {
    const { report } = await insights(eml);
    expect(report.headers.dkim_signatures).toMatchObject([{ key_type: '', key_bits: 0 }]);
    expect([report.sender_details.hostname, report.security_details.sender_rdns_empty]).toEqual(['', true]);
  });

  it('is not taken from its silence', async () => {
    const { report } = await insights(eml, { 'a._domainkey.sender.test': 'TIMEOUT', '9.113.0.203.in-addr.arpa': 'TIMEOUT' });
    expect(report.headers.dkim_signatures).toMatchObject([{ key_bits: 0, dns_error: expect.stringContaining('did not answer') }]);
    expect(report.security_details.sender_rdns_empty).toBe(false);
  });

  it('is told of hosts that look like a brand', async () => {
    const { report } = await insights(mail({ text: 'https://paypa1.com/' }));
    expect(report.ioc.lookalike_domains).toEqual(['paypa1.com']);
  });
});

it('passes on what a parser refuses', async () => {
  const { context } = mailContext({});
  const refused = new ApiError('overloaded', 'no parser is free');
  const asked = answer(emlInsights, request(mail()), { ...context, parsers: { ...parsers, message: () => Promise.reject(refused) } });
  await expect(asked).rejects.toBe(refused);
});

describe('reply_to_free_email', () => {
  const flagOf = async (replyTo: string, from = 'anna@sender.test') =>
    (await insights(mail({ fields: { From: from, 'Reply-To': replyTo } }))).report.security_details.reply_to_free_email;

  it.each([
    ['a free mailbox', 'anna.sender@gmail.com', true],
    ['a mailbox for minutes', 'anna@mailinator.com', true],
    ['one of several', 'anna@sender.test, anna@outlook.com', true],
    ['a mailbox of a firm', 'anna@other.test', false],
  ])('%s', async (_case, replyTo, expected) => {
    expect(await flagOf(replyTo)).toBe(expected);
  });

  it('is not about who writes from such a mailbox', async () => {
    expect(await flagOf('Anna@gmail.com', 'anna@gmail.com')).toBe(false);
  });
});

it('has its time for the DNS left when a message took long to read', async () => {
  const { context, dns } = mailContext({ 's._domainkey.a.test': { TXT: [`v=DKIM1; p=${KEYS.rsa2048}`] } });
  let now = 0;
  const sleepers: { until: number; wake(): void }[] = [];
  const clock = { now: () => now, sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ until: now + ms, wake })) };
  const slow: Parsers = {
    picture: readPicture,
    async message(eml) {
      now += 30_000;
      for (const { until, wake } of sleepers) if (until <= now) wake();
      return await readMessage(eml);
    },
  };
  const signed = mail({ fields: { 'DKIM-Signature': 'v=1; a=rsa-sha256; d=a.test; s=s; bh=a; b=b' } });
  const { headers } = await answer(emlInsights, request(signed), { ...context, clock, parsers: slow });
  expect(headers.dkim_signatures).toMatchObject([{ key_bits: 2048, dns_error: '' }]);
  expect(dns.queries).toEqual(['s._domainkey.a.test TXT']);
});
