import fc from 'fast-check';
import { getClientAddress, parseReceived } from 'mailauth/lib/parse-received.js';
import { describe, expect, it } from 'vitest';
import { type Hop, readHop } from '../../../packages/message/src/mail-trace/hop.ts';

const NAMED = { name: 'mail.example.org', rdns: 'named' } as const;
const NAMELESS = { name: '', rdns: 'none' } as const;
const UNSAID = { name: '', rdns: 'unsaid' } as const;

/** Received fields as servers write them, and who they say sent. */
const FORMATS: [who: string, raw: string, hop: Partial<Hop>][] = [
  [
    'Postfix',
    `from mail.example.org (mail.example.org [192.0.2.1])
	(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)
	 key-exchange X25519 server-signature RSA-PSS (2048 bits) server-digest SHA256)
	(No client certificate requested)
	by mx.example.net (Postfix) with ESMTPS id 4XyZ12abcd
	for <ada@example.net>; Sun, 22 Nov 2026 10:00:00 +0000 (UTC)`,
    {
      helo: 'mail.example.org',
      ...NAMED,
      address: '192.0.2.1',
      by: 'mx.example.net',
      protocol: 'esmtps',
      id: '4XyZ12abcd',
      tls: 'TLS1.3',
      authenticated: false,
    },
  ],
  [
    'Postfix, of an address without a name',
    `from [192.168.1.5] (unknown [IPv6:2001:db8::25]) by mx.example.net (Postfix) with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: '192.168.1.5', ...NAMELESS, address: '2001:db8::25', tls: 'none' },
  ],
  [
    'Postfix, of somebody who logged in',
    `from [10.0.0.7] (dsl.example.com [198.51.100.9]) (Authenticated sender: ada@example.net) by mx.example.net (Postfix) with ESMTPSA id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { address: '198.51.100.9', authenticated: true, tls: 'tls' },
  ],
  [
    'Exim, where the greeting is the name',
    `from mail.example.org ([192.0.2.1]) by mx.example.net with esmtps  (TLS1.3) tls TLS_AES_256_GCM_SHA384 (Exim 4.96) (envelope-from <a@example.org>) id 1pabcd-0001-Ab for ada@example.net; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', ...NAMED, address: '192.0.2.1', by: 'mx.example.net', tls: 'TLS1.3' },
  ],
  [
    'Exim, with another greeting and a port',
    `from mail.example.org ([192.0.2.1]:41234 helo=web7) by mx.example.net with esmtps (TLSv1.2:ECDHE-RSA-AES256-GCM-SHA384:256) (Exim 4.92) id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'web7', ...NAMED, address: '192.0.2.1', tls: 'TLS1.2' },
  ],
  [
    'Exim, of old, with the port behind a dot',
    `from mail.example.org [192.0.2.1.41234] by mx.example.net with smtp (Exim 3.36) id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', address: '192.0.2.1', by: 'mx.example.net' },
  ],
  [
    'Momentum, with a port',
    `from [192.0.2.1] ([192.0.2.1:41234] helo=mail.example.org) by mx.example.net (envelope-from <a@example.org>) (ecelerity 4.3) with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', ...UNSAID, address: '192.0.2.1', by: 'mx.example.net' },
  ],
  [
    'XMail, with a port',
    `from mail.example.org (192.0.2.1:41234) by mx.example.net with [XMail 1.27 ESMTP Server] id <S1> for <ada@example.net> from <a@example.org>; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', address: '192.0.2.1', by: 'mx.example.net' },
  ],
  [
    'one with the address behind the greeting',
    `from mail.example.org (EHLO web7.example.org) [192.0.2.1] by mx.example.net with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'web7.example.org', ...NAMED, address: '192.0.2.1', by: 'mx.example.net' },
  ],
  [
    'one with a word that is no address',
    `from mail.example.org (mail.example.org) [evil by mx.example.net with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', address: '' },
  ],
  [
    'Exim, of an address without a name, which calls itself by another',
    `from [192.0.2.1] (helo=[203.0.113.99]) by mx.example.net with esmtp (Exim 4.96) id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: '203.0.113.99', ...NAMELESS, address: '192.0.2.1', tls: 'none' },
  ],
  [
    'Sendmail',
    `from mail.example.org (IDENT:root@mail.example.org [192.0.2.1] (may be forged)) by mx.example.net (8.17.1/8.17.1) with ESMTPS id 4AM1 (version=TLSv1.3 cipher=TLS_AES_256_GCM_SHA384 bits=256 verify=NO) for <ada@example.net>; Sun, 22 Nov 2026 10:00:00 GMT`,
    { helo: 'mail.example.org', ...NAMED, address: '192.0.2.1', tls: 'TLS1.3' },
  ],
  [
    'Sendmail, of an address without a name; OpenSSL calls every version by one name',
    `from mail.example.org ([192.0.2.1]) by mx.example.net (8.14.9/8.14.9) with ESMTP id 1 (version=TLSv1/SSLv3 cipher=DHE-RSA-AES256-GCM-SHA384 bits=256 verify=OK); Sun, 22 Nov 2026 10:00:00 GMT`,
    { helo: 'mail.example.org', ...NAMELESS, address: '192.0.2.1', tls: 'tls' },
  ],
  [
    'qmail',
    `from unknown (HELO mail.example.org) (192.0.2.1) by mx.example.net with (ECDHE-RSA-AES256-GCM-SHA384 encrypted) SMTP; 22 Nov 2026 10:00:00 -0000`,
    { helo: 'mail.example.org', ...NAMELESS, address: '192.0.2.1', tls: 'tls' },
  ],
  [
    'IronPort, which names the suite of TLS 1.3 alone',
    `from mail.example.org ([192.0.2.1]) by esa1.example.net with ESMTP/TLS/TLS_AES_256_GCM_SHA384; 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', address: '192.0.2.1', tls: 'TLS1.3' },
  ],
  [
    'IronPort, of a suite that TLS 1.2 has',
    `from mail.example.org ([192.0.2.1]) by esa1.example.net with ESMTP/TLS/ECDHE-RSA-AES256-GCM-SHA384; 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', address: '192.0.2.1', tls: 'tls' },
  ],
  [
    'qmail, within itself',
    `(qmail 12345 invoked by uid 89); 22 Nov 2026 10:00:00 -0000`,
    { helo: '', ...UNSAID, address: '', by: '', tls: '' },
  ],
  [
    'qpsmtpd',
    `from mail.example.org (HELO web7) (ident@192.0.2.1) by mx.example.net (qpsmtpd/0.94) with ESMTP; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'web7', ...NAMED, address: '192.0.2.1' },
  ],
  [
    'Exchange',
    `from mail.example.org (192.0.2.1) by EX01.example.net (10.1.2.3) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.1.2507.39 via Frontend Transport; Sun, 22 Nov 2026 10:00:00 +0000`,
    {
      helo: 'mail.example.org',
      ...UNSAID,
      address: '192.0.2.1',
      by: 'ex01.example.net',
      byAddress: '10.1.2.3',
      protocol: 'microsoft smtp server',
      tls: 'TLS1.2',
    },
  ],
  [
    'Exchange, older',
    `from mail.example.org (192.0.2.1) by EX01.example.net (10.1.2.3) with Microsoft SMTP Server (TLS) id 14.3.1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { tls: 'tls' },
  ],
  [
    'Exchange, in the clear',
    `from mail.example.org (192.0.2.1) by EX01.example.net (10.1.2.3) with Microsoft SMTP Server id 14.3.1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { tls: 'none' },
  ],
  [
    'Exchange, within itself',
    `from EX01.example.net ([fe80::1d2:3%12]) by EX02.example.net ([::1]) with mapi id 14.03; Sun, 22 Nov 2026 10:00:00 +0000`,
    { address: 'fe80::1d2:3', byAddress: '::1', protocol: 'mapi', tls: '' },
  ],
  [
    'Gmail',
    `from mail.example.org (mail.example.org. [2001:db8::1]) by mx.google.com with ESMTPS id a1si2.3 for <ada@gmail.com> (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256); Sun, 22 Nov 2026 02:00:00 -0800 (PST)`,
    { helo: 'mail.example.org', ...NAMED, address: '2001:db8::1', by: 'mx.google.com', tls: 'TLS1.3' },
  ],
  [
    'Gmail, of an address without a name',
    `from web7 ([192.0.2.1]) by mx.google.com with ESMTP id 1; Sun, 22 Nov 2026 02:00:00 -0800 (PST)`,
    { helo: 'web7', ...NAMELESS, tls: 'none' },
  ],
  [
    'Gmail, from Google',
    `from mail-sor-f41.google.com (mail-sor-f41.google.com. [209.85.220.41]) by mx.google.com with SMTPS id 1 for <ada@gmail.com> (Google Transport Security); Sun, 22 Nov 2026 02:00:00 -0800 (PST)`,
    { address: '209.85.220.41', tls: 'tls' },
  ],
  [
    'Gmail, within itself',
    `by 2002:a05:6a10:3c8d:b0:4a6:1:2 with SMTP id x13csp1; Sun, 22 Nov 2026 02:00:00 -0800 (PST)`,
    { helo: '', address: '', by: '2002:a05:6a10:3c8d:b0:4a6:1:2' },
  ],
  [
    'Yahoo',
    `from 192.0.2.1 (EHLO mail.example.org) by 10.197.41.140 with SMTPs (version=TLS1_2 cipher=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256); Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', ...UNSAID, address: '192.0.2.1', byAddress: '10.197.41.140', tls: 'TLS1.2' },
  ],
  [
    'Amazon SES, which does not tell of TLS',
    `from mail.example.org (mail.example.org [192.0.2.1]) by inbound-smtp.us-east-1.amazonaws.com with SMTP id djl for ada@example.net; Sun, 22 Nov 2026 10:00:00 +0000 (UTC)`,
    { ...NAMED, address: '192.0.2.1', tls: '' },
  ],
  [
    'Proofpoint',
    `from mail.example.org (mail.example.org [192.0.2.1]) by mx0a-00000000.pphosted.com (PPS) with ESMTPS id 4emb95j4n5-1 (version=TLSv1.2 cipher=ECDHE-RSA-AES256-GCM-SHA384 bits=256 verify=NOT); Sun, 22 Nov 2026 10:00:00 +0000 (GMT)`,
    { ...NAMED, address: '192.0.2.1', tls: 'TLS1.2' },
  ],
  [
    'Mimecast',
    `from mail.example.org (mail.example.org [192.0.2.1]) by relay.mimecast.com with ESMTP with STARTTLS (version=TLSv1.3, cipher=TLS_AES_256_GCM_SHA384) id us-mta-1; Sun, 22 Nov 2026 10:00:00 -0500`,
    { ...NAMED, address: '192.0.2.1', by: 'relay.mimecast.com', tls: 'TLS1.3' },
  ],
  [
    'Cisco',
    `from mail.example.org ([192.0.2.1]) by mx.example.net with ESMTP/TLS/ECDHE-RSA-AES256-GCM-SHA384; 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', ...UNSAID, tls: 'tls' },
  ],
  [
    'Cisco, with another greeting',
    `from mail.example.org (HELO web7) ([192.0.2.1]) by mx.example.net with ESMTP; 22 Nov 2026 10:00:00 +0000`,
    { helo: 'web7', ...NAMED, tls: 'none' },
  ],
  [
    'Symantec',
    `from [192.0.2.1] (using TLSv1.2 with cipher DHE-RSA-AES256-GCM-SHA384 (256 bits)) by server-3.bemta.symcld.net id 1A/2B; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: '', ...UNSAID, address: '192.0.2.1', tls: 'TLS1.2' },
  ],
  [
    'Proton',
    `from mail.example.org (mail.example.org [192.0.2.1]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) (No client certificate requested) by mailin033.protonmail.ch (Postfix) with ESMTPS id 1 for <ada@proton.me>; Sun, 22 Nov 2026 10:00:00 +0000 (UTC)`,
    { ...NAMED, address: '192.0.2.1', by: 'mailin033.protonmail.ch', tls: 'TLS1.3' },
  ],
  [
    'iCloud',
    `from mail.example.org (mail.example.org [192.0.2.1]) by p00-icloudmta-smtpin-us-central-1k-100-percent-0 (Postfix) with ESMTPS id 1 for <ada@icloud.com>; Sun, 22 Nov 2026 10:00:00 +0000 (UTC)`,
    { ...NAMED, address: '192.0.2.1', by: 'p00-icloudmta-smtpin-us-central-1k-100-percent-0', tls: 'tls' },
  ],
  [
    'Yandex, which tells of TLS behind the date',
    `from mail.example.org (mail.example.org [192.0.2.1])
	by mxfront10c.mail.yandex.net (mxfront/Yandex) with ESMTPS id abc;
	Sun, 22 Nov 2026 13:00:00 +0300
	(using TLSv1.2 with cipher ECDHE-RSA-AES256-GCM-SHA384 (256/256 bits))
	(Client certificate not present)`,
    { ...NAMED, address: '192.0.2.1', tls: 'TLS1.2' },
  ],
  [
    'mail.ru',
    `from [192.0.2.1] (port=38288 helo=mail.example.org) by mx.mail.ru with esmtp (envelope-from <a@example.org>) id 1; Sun, 22 Nov 2026 13:00:00 +0300`,
    { helo: 'mail.example.org', address: '192.0.2.1' },
  ],
  [
    'Courier',
    `from mail.example.org (mail.example.org [::ffff:192.0.2.1]) (TLS: TLSv1/SSLv3,256bits,AES256-SHA) by mx.example.net with ESMTPS; Sun, 22 Nov 2026 10:00:00 +0000`,
    { ...NAMED, address: '192.0.2.1', tls: 'tls' },
  ],
  [
    'OpenSMTPD',
    `from mail.example.org (<unknown> [192.0.2.1]) by mx.example.net (OpenSMTPD) with ESMTPS id 1 (TLSv1.3:TLS_AES_256_GCM_SHA384:256:NO) for <ada@example.net>; Sun, 22 Nov 2026 10:00:00 +0000 (UTC)`,
    { ...NAMELESS, address: '192.0.2.1', tls: 'TLS1.3' },
  ],
  [
    'CommuniGate',
    `from [192.0.2.1] (account a@example.org HELO pc7) by mx.example.net (CommuniGate Pro SMTP 6.1) with ESMTPSA id 1; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'pc7', address: '192.0.2.1', authenticated: true },
  ],
  [
    'Cloudflare',
    `from mail.example.org (192.0.2.1) by cloudflare-email.net (unknown) id 1 for <ada@example.net>; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mail.example.org', ...UNSAID, address: '192.0.2.1', tls: '' },
  ],
  [
    'Dovecot, into the mailbox',
    `from mx.example.net by store1.example.net with LMTP id AbC (envelope-from <a@example.org>) for <ada@example.net>; Sun, 22 Nov 2026 10:00:00 +0000`,
    { helo: 'mx.example.net', address: '', by: 'store1.example.net', protocol: 'lmtp' },
  ],
  [
    'fetchmail',
    `from pop.example.com [203.0.113.7] by laptop with POP3 (fetchmail-6.4.37) for <ada@localhost> (single-drop); Sun, 22 Nov 2026 10:00:00 +0000`,
    { protocol: 'pop3' },
  ],
  ['somebody who stops in the middle', 'from mail.example.org (mail.example.org [192.0.2.1', { helo: 'mail.example.org', address: '' }],
  ['nobody', '', { helo: '', name: '', address: '', by: '', protocol: '', tls: '' }],
];

describe('Received as servers write it', () => {
  it.each(FORMATS)('%s', (_who, raw, hop) => {
    expect(readHop(raw)).toMatchObject(hop);
    expect(readHop(raw.replaceAll('\n', '\r\n'))).toEqual(readHop(raw)); // folds are folds
  });

  it('finds the address that mailauth finds', () => {
    const written = FORMATS.filter(([, raw]) => /\[[\d.a-f:]+\]\)/i.test(raw) && !/::ffff:|%/.test(raw));
    expect(written.length).toBeGreaterThan(12);
    for (const [, raw] of written) expect(readHop(raw).address).toBe(getClientAddress(parseReceived(`Received: ${raw}`).from));
  });

  it.each([
    ['in a comment of the greeting', 'from x (203.0.113.1) (unknown [192.0.2.1]) by mx.example.net (Postfix) with ESMTP id 1'],
    ['in brackets of the greeting', 'from x([203.0.113.1]) (unknown [192.0.2.1]) by mx.example.net (Postfix) with ESMTP id 1'],
    ['as the greeting', 'from [203.0.113.1] (unknown [192.0.2.1]) by mx.example.net (Postfix) with ESMTP id 1'],
    [
      'as the greeting behind the address',
      'from mail.example.org ([192.0.2.1] helo=[203.0.113.1]) by mx.example.net with esmtp (Exim 4.96) id 1',
    ],
  ])('does not take the address that a client gives itself for its own: %s', (_where, raw) => {
    expect(readHop(raw).address).toBe('192.0.2.1');
  });

  it('does not take words of the client for TLS', () => {
    expect(
      readHop(
        'from tls1.3.example.org (tls1.3.example.org [192.0.2.1]) by mx.example.net (Postfix) with ESMTP id 1 for <TLSv1.3@example.net>',
      ).tls,
    ).toBe('none');
  });

  it.each([
    ['TLSv1.1', 'TLS1.1'],
    ['TLS1_0', 'TLS1.0'],
    ['TLSv1', 'TLS1.0'],
    ['SSLv3', 'SSL3.0'],
  ])('knows %s as %s', (written, version) => {
    expect(
      readHop(`from a.example.org (a.example.org [192.0.2.1]) by mx.example.net with ESMTPS id 1 (version=${written} cipher=AES256-SHA)`)
        .tls,
    ).toBe(version);
  });

  it('reads whatever it is given', () => {
    const piece = fc.oneof(
      fc.constantFrom('from', 'by', 'with', ' ', '(', ')', '[', ']', '"', '\\', ';', '192.0.2.1', 'helo=', 'a.example.org', '\r\n\t'),
      fc.string(),
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => typeof readHop(pieces.join('')).address === 'string'));
  });
});
