import { createHash } from 'node:crypto';
import { readMessage } from '@vedette/message/message';
import { expect, it } from 'vitest';
import { mail } from './messages/builder.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Says something for every field of a report. */
const EML = mail({
  fields: {
    'Return-Path': '<bounce@mail.sender.co.uk>',
    'Delivered-To': 'ben@receiver.test',
    'Received-SPF': 'Pass (mx.receiver.test: domain of mail.sender.co.uk designates 193.0.6.139) client-ip=193.0.6.139;',
    'Authentication-Results':
      'mx.receiver.test; dkim=pass header.d=mail.sender.co.uk; spf=softfail smtp.mailfrom=bounce@mail.sender.co.uk; dmarc=pass (p=reject sp=quarantine dis=none) header.from=sender.co.uk; compauth=softpass reason=101; dara=pass',
    Received: [
      'from out.sender.co.uk (mx7.sender.co.uk [193.0.6.139]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) by mx.receiver.test (Postfix) with ESMTPS id 4B1 for <ben@receiver.test>; Tue, 17 Nov 2026 22:15:03 +0100',
      'from desk.office.sender.co.uk (desk.office.sender.co.uk [10.0.0.7]) by out.sender.co.uk with ESMTPA id 7; Tue, 17 Nov 2026 22:15:01 +0100',
    ],
    'DKIM-Signature':
      'v=1; a=rsa-sha256; c=relaxed/simple; d=Mail.Sender.co.uk; s=s7; h=from:to; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=dGhp cyBp',
    From: 'Änne Example <Anna@mail.sender.co.uk>, second@sender.co.uk',
    'Reply-To': 'Answers <answers@reply.test>, more@reply.test',
    To: 'Ben <ben@receiver.test>, team: cy@receiver.test, di@receiver.test;',
    Cc: 'ed@receiver.test',
    Bcc: 'flo@receiver.test, gus@receiver.test',
    Subject: 'Grüße aus Köln',
    Date: 'Tue, 17 Nov 2026 22:15:00 +0100',
    'Message-ID': '<20261117.1@mail.sender.co.uk>',
    'User-Agent': 'Mozilla Thunderbird',
    'X-Mailer': 'Mailer 2.0',
    'X-Library': 'Indy 9.0.10',
    'List-Unsubscribe': '<mailto:leave@sender.co.uk?subject=leave>,\r\n <https://sender.co.uk/leave?id=1>',
  },
  text: 'See https://www.brand.co.uk/a and http://203.0.113.9/tool.exe or https://go.example.org/?url=https%3A%2F%2Fevil.example.net%2Fx\nwrite to Help@Desk.example.com, call +44 20 7946 0958, pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT\n',
  attach: [
    { name: 'letter.txt', type: 'text/plain; charset=utf-8', content: 'Dear Ben' },
    { name: 'again.txt', type: 'text/plain; charset=utf-8', content: 'Dear Ben', disposition: 'inline', contentId: 'again@sender' },
  ],
});

const NOTHING_SAID = { is_risky_extension: false, is_document: false, is_archive: false, is_archive_encrypted: false, extracted_files: [] };
const LETTER = { extension: 'txt', content_type: 'text/plain', md5_hash: md5('Dear Ben'), sha256_hash: sha256('Dear Ben'), size: 8 };

it('says in every field what the message says', async () => {
  expect(await readMessage(EML)).toEqual({
    metadata: {
      message_id: '20261117.1@mail.sender.co.uk',
      message_sha256_hash: sha256(EML),
      date_time: 'Tue, 17 Nov 2026 22:15:00 +0100',
      date_time_normalized: '2026-11-17T22:15:00+01:00',
    },
    headers: {
      subject: 'Grüße aus Köln',
      from_name: 'Änne Example',
      from_email: 'Anna@mail.sender.co.uk',
      from_all: ['Anna@mail.sender.co.uk', 'second@sender.co.uk'],
      return_path: 'bounce@mail.sender.co.uk',
      reply_to: 'answers@reply.test',
      delivered_to: 'ben@receiver.test',
      content_type: expect.stringMatching(/^multipart\/mixed; boundary="/),
      user_agent: 'Mozilla Thunderbird',
      x_mailer: 'Mailer 2.0',
      x_library: 'Indy 9.0.10',
      received_spf: 'Pass (mx.receiver.test: domain of mail.sender.co.uk designates 193.0.6.139) client-ip=193.0.6.139;',
      authentication_results:
        'mx.receiver.test; dkim=pass header.d=mail.sender.co.uk; spf=softfail smtp.mailfrom=bounce@mail.sender.co.uk; dmarc=pass (p=reject sp=quarantine dis=none) header.from=sender.co.uk; compauth=softpass reason=101; dara=pass',
      to: ['ben@receiver.test', 'cy@receiver.test', 'di@receiver.test'],
      cc: ['ed@receiver.test'],
      bcc: ['flo@receiver.test', 'gus@receiver.test'],
      list_unsubscribe: ['mailto:leave@sender.co.uk?subject=leave', 'https://sender.co.uk/leave?id=1'],
      dkim_signatures: [
        {
          signature: 'dGhpcyBp',
          selector: 's7',
          domain: 'mail.sender.co.uk',
          algo: 'rsa-sha256',
          canon: 'relaxed/simple',
          hash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
        },
      ],
    },
    body: {
      body_text:
        'See https://www.brand.co.uk/a and http://203.0.113.9/tool.exe or https://go.example.org/?url=https%3A%2F%2Fevil.example.net%2Fx\nwrite to Help@Desk.example.com, call +44 20 7946 0958, pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      html_text: '',
    },
    attachments: {
      files: [
        {
          ...NOTHING_SAID,
          ...LETTER,
          name: 'letter.txt',
          content_id: '',
          disposition: 'attachment',
          is_inline: false,
          cid_referenced: false,
        },
        {
          ...NOTHING_SAID,
          ...LETTER,
          name: 'again.txt',
          content_id: 'again@sender',
          disposition: 'inline',
          is_inline: true,
          cid_referenced: false,
        },
      ],
      file_extensions: ['txt'],
      md5_hashes: [md5('Dear Ben')],
    },
    ioc: {
      urls: {
        urls: [
          'https://www.brand.co.uk/a',
          'http://203.0.113.9/tool.exe',
          'https://go.example.org/?url=https%3A%2F%2Fevil.example.net%2Fx',
        ],
        redirects: ['https://evil.example.net/x'],
        direct_downloads: ['http://203.0.113.9/tool.exe'],
        with_ip_host: ['http://203.0.113.9/tool.exe'],
        domains: ['www.brand.co.uk', 'go.example.org', 'evil.example.net'],
        root_domains: ['brand.co.uk', 'example.org', 'example.net'],
        tlds: ['co.uk', 'org', 'net'],
      },
      emails: {
        emails: [
          'anna@mail.sender.co.uk',
          'second@sender.co.uk',
          'answers@reply.test',
          'more@reply.test',
          'ben@receiver.test',
          'cy@receiver.test',
          'di@receiver.test',
          'ed@receiver.test',
          'flo@receiver.test',
          'gus@receiver.test',
          'bounce@mail.sender.co.uk',
          'help@desk.example.com',
        ],
        domains: ['mail.sender.co.uk', 'sender.co.uk', 'reply.test', 'receiver.test', 'desk.example.com'],
        root_domains: ['sender.co.uk', 'reply.test', 'receiver.test', 'example.com'],
        tlds: ['co.uk', 'test', 'com'],
      },
      received_from: {
        domains: ['out.sender.co.uk', 'mx7.sender.co.uk', 'desk.office.sender.co.uk'],
        root_domains: ['sender.co.uk'],
        tlds: ['co.uk'],
      },
      dkim_domains: { domains: ['mail.sender.co.uk'], root_domains: ['sender.co.uk'], tlds: ['co.uk'] },
      bitcoin_addresses: ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
      phone_numbers: ['+442079460958'],
    },
    sender_details: {
      email: 'Anna@mail.sender.co.uk',
      domain: 'mail.sender.co.uk',
      root_domain: 'sender.co.uk',
      tld: 'co.uk',
      ip_address: '193.0.6.139',
      helo: 'out.sender.co.uk',
      helo_root_domain: 'sender.co.uk',
      helo_tld: 'co.uk',
    },
    sender_rdns: { noted: 'named', hostname: 'mx7.sender.co.uk' },
    replies_to: ['answers@reply.test', 'more@reply.test'],
    security_details: {
      spf_status: 'softfail',
      dkim_status: 'pass',
      dmarc_status: 'pass',
      compauth_status: 'softpass',
      dara_status: 'pass',
      tls_status: 'TLS1.3',
      dmarc_policy: 'reject',
      dmarc_subdomain_policy: 'quarantine',
      dmarc_disposition: 'none',
      sent_at_time: '22:15',
      urgency: 'low',
      total_to_emails: 3,
      total_cc_emails: 1,
      total_bcc_emails: 2,
      total_attachments: 2,
      is_mime_html_only: false,
      has_undisclosed_recipients: false,
      is_detected_by_server_antispam: false,
      from_name_has_other_email: false,
      from_is_malformed: false,
      has_several_from: true,
      sender_is_recipient: false,
      sender_and_reply_to_different_domain: true,
      sender_and_reply_to_different_email: true,
      sender_and_message_id_mismatch: false,
      has_unsubscribe_link: true,
      high_value_money_found: false,
      alternatives_differ: false,
      has_urls_with_ip_host: true,
      is_body_text_empty: false,
      sent_outside_business_hours: true,
      sent_on_night_hours: true,
      has_risky_file_extensions: false,
      has_document_files: false,
      has_archive_files: false,
      has_encrypted_archive_files: false,
    },
    links: [],
    from_list: false,
    hops: [
      {
        helo: 'desk.office.sender.co.uk',
        hostname: 'desk.office.sender.co.uk',
        ip_address: '10.0.0.7',
        by: 'out.sender.co.uk',
        protocol: 'esmtpa',
        tls: 'none',
        date_time_normalized: '2026-11-17T22:15:01+01:00',
        delay_s: 0,
        is_of_recipient: false,
      },
      {
        helo: 'out.sender.co.uk',
        hostname: 'mx7.sender.co.uk',
        ip_address: '193.0.6.139',
        by: 'mx.receiver.test',
        protocol: 'esmtps',
        tls: 'TLS1.3',
        date_time_normalized: '2026-11-17T22:15:03+01:00',
        delay_s: 2,
        is_of_recipient: true,
      },
    ],
    limits_reached: [],
  });
});
