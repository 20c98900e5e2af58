import { describe, expect, it } from 'vitest';
import { readTrace } from '@vedette/message/mail-trace';
import { header } from './header.ts';

const OUTSIDE =
  'Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net (Postfix) with ESMTPS id Q1; Sun, 22 Nov 2026 10:00:00 +0000';
const FORGED = `Received: from good.example.com (good.example.com [203.0.113.50]) by relay.example.org with ESMTPS id F1; Sun, 22 Nov 2026 09:00:00 +0000`;
const INTO_MAILBOX = 'Received: from mx.example.net by store.example.net with LMTP id L1; Sun, 22 Nov 2026 10:00:01 +0000';

const senderOf = (...fields: string[]) => readTrace(header(fields.join('\n'))).sender;
const statusesOf = (...fields: string[]) => {
  const { spf_status, dkim_status, dmarc_status } = readTrace(header(fields.join('\n'))).authentication;
  return [spf_status, dkim_status, dmarc_status];
};
const SENDER = { ip_address: '192.0.2.1', helo: 'mail.example.org', rdns: 'named', hostname: 'mail.example.org' };

describe('where the message came in', () => {
  it('is the first hop from outside, whatever the sender wrote below', () => {
    expect(senderOf(INTO_MAILBOX, OUTSIDE, FORGED)).toEqual(SENDER);
  });

  it.each([
    ['a filter on the same machine', 'Received: from localhost (localhost [127.0.0.1]) by mx.example.net (Postfix) with ESMTP id 1'],
    [
      'amavis',
      'Received: from mx.example.net ([127.0.0.1]) by localhost (mx.example.net [127.0.0.1]) (amavisd-new, port 10024) with ESMTP id 1',
    ],
    [
      'servers with inner addresses',
      'Received: from mx.example.net (mx.example.net [10.1.2.3]) by hub.example.net (Postfix) with ESMTP id 1',
    ],
    ['shared address space', 'Received: from mx.example.net (mx.example.net [100.90.174.1]) by hub.example.net (Postfix) with ESMTP id 1'],
    ['a server without an address', 'Received: from mx.example.net by hub.example.net (Postfix) with ESMTP id 1'],
    ['qmail within itself', 'Received: (qmail 12345 invoked by uid 89); 22 Nov 2026 10:00:00 -0000'],
    [
      'a mailbox that was fetched',
      'Received: from pop.example.com [203.0.113.7] by laptop with POP3 (fetchmail-6.4.37) for <ada@localhost> (single-drop)',
    ],
    [
      'a server of the same domain by a public address',
      'Received: from mx.example.net (mx.example.net [198.51.100.25]) by store.example.net (Postfix) with ESMTPS id 1',
    ],
    [
      'an Exchange server beside it',
      'Received: from mx.example.net (198.51.100.25) by ex2.example.net (198.51.100.26) with Microsoft SMTP Server (TLS) id 15.1',
    ],
    ['a server with a name of its own network', 'Received: from mx-03.internal ([10.2.2.2]) by store-05.internal (LMTPProxy)'],
  ])('is below %s', (_what, field) => {
    expect(senderOf(field, OUTSIDE, FORGED)).toEqual(SENDER);
  });

  it('is below servers whose names tell nobody that they belong together', () => {
    const inside = [
      'Received: from compute-05.internal (compute-05.internal [10.2.2.45]) by sloti37 (Cyrus 3.13) with LMTPA',
      'Received: from mx-03.internal by compute-05.internal (LMTPProxy) with ESMTP',
      'Received: from mx.example.net (localhost [127.0.0.1]) by mailmx.west.internal (Postfix) with ESMTP id 11',
    ];
    expect(senderOf(...inside, OUTSIDE, FORGED)).toEqual(SENDER);
  });

  it.each([
    [
      'calls itself a server of the receiver',
      'Received: from mx.example.net (unknown [198.51.100.66]) by store.example.net (Postfix) with ESMTPS id 1',
      'none',
    ],
    [
      'stands in another network',
      'Received: from mx.example.net (198.51.100.66) by ex2.example.net (203.0.113.26) with Microsoft SMTP Server (TLS) id 15.1',
      'unsaid',
    ],
  ])('is where a stranger %s, and wrote what is below', (_what, field, rdns) => {
    const below = 'Received: from good.example.com (good.example.com [203.0.113.50]) by mx.example.net (Postfix) with ESMTPS id 1';
    expect(senderOf(field, below)).toEqual({ ip_address: '198.51.100.66', helo: 'mx.example.net', rdns, hostname: '' });
  });

  it('is not beyond a server that has nothing to do with those above', () => {
    const proxied = 'Received: from evil (unknown [172.17.0.1]) by mx.example.net (Postfix) with ESMTP id 1';
    expect(senderOf(proxied, FORGED)).toEqual({ ip_address: '', helo: '', rdns: 'unsaid', hostname: '' });
  });

  it('is not beyond a server behind a proxy, whatever the client calls itself', () => {
    const proxied = 'Received: from relay.example.org (unknown [172.17.0.1]) by mx.example.net (Postfix) with ESMTP id 1';
    expect(senderOf(proxied, FORGED)).toEqual({ ip_address: '', helo: '', rdns: 'unsaid', hostname: '' });
  });

  it('is where somebody else handed it over, though the address is not told', () => {
    const untold = 'Received: from mail.example.org by mx.example.net (MDaemon PRO v23) with ESMTPS id 1';
    const below = 'Received: from good.example.com (good.example.com [203.0.113.50]) by mail.example.org with ESMTPS id F1';
    expect(senderOf(untold, below)).toEqual({ ip_address: '', helo: 'mail.example.org', rdns: 'unsaid', hostname: '' });
    expect(senderOf('Received-SPF: pass (x) client-ip=192.0.2.1; helo=x', untold, below)).toMatchObject({
      ip_address: '192.0.2.1',
      helo: 'mail.example.org',
    });
  });

  it('is below a server of the house that has another domain, by the name that its address has there', () => {
    const inner = 'Received: from mx.example.net (mx.example.net [10.0.0.1]) by store.example.com (Postfix) with ESMTP id 1';
    expect(senderOf(inner, OUTSIDE)).toEqual(SENDER);
  });

  it('is the hop of Gmail where one of its customers writes to another', () => {
    expect(
      senderOf(
        'Received: by 2002:a05:6a10:1 with SMTP id 1',
        'Received: from mail-sor-f41.google.com (mail-sor-f41.google.com. [209.85.220.41]) by mx.google.com with SMTPS id 1',
        'Received: by mail-sor-f41.google.com with SMTP id 2',
        'Received: from [10.0.0.5] (dsl.example.com. [198.51.100.9]) by smtp.gmail.com with ESMTPSA id 3',
      ),
    ).toMatchObject({ ip_address: '209.85.220.41', hostname: 'mail-sor-f41.google.com' });
  });

  it('is where somebody logged in, of a message within one house', () => {
    expect(
      senderOf(
        'Received: from mail.example.net (mail.example.net [198.51.100.25]) by store.example.net (Postfix) with ESMTPS id 1',
        'Received: from [10.0.0.5] (dsl.example.com [203.0.113.9]) (Authenticated sender: ada) by mail.example.net (Postfix) with ESMTPSA id 2',
      ),
    ).toMatchObject({ ip_address: '198.51.100.25' });
  });

  it('is at Exchange Online, by whichever of its names', () => {
    expect(
      senderOf(
        'Received: from A.eurprd01.prod.outlook.com (2603:10a6:20b:1::1) by B.eurprd01.prod.outlook.com with HTTPS',
        'Received: from F.eop-EUR01.prod.protection.outlook.com (2a01:111:e400:fc0f::42) by A.outlook.office365.com (2603:10a6:20b:2::2) with Microsoft SMTP Server (version=TLS1_2) id 1 via Frontend Transport',
        'Received: from NAM02-BN1-obe.outbound.protection.outlook.com (40.107.212.1) by F.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server (version=TLS1_2) id 1 via Frontend Transport',
        'Received: from X.namprd12.prod.outlook.com (2603:10b6:5:1::1) by Y.namprd12.prod.outlook.com (2603:10b6:5:2::1) with Microsoft SMTP Server (version=TLS1_2) id 1',
      ),
    ).toMatchObject({ ip_address: '40.107.212.1', helo: 'nam02-bn1-obe.outbound.protection.outlook.com' });
  });

  it('is before the filter of the receiver, where Exchange Online knows it', () => {
    const cloud =
      'Received: from mx0a-00000000.pphosted.com (148.163.156.1) by F.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server (version=TLS1_2) id 1 via Frontend Transport';
    const known = 'X-MS-Exchange-SkipListedInternetSender: ip=[192.0.2.1];\n domain=mail.example.org';
    expect(senderOf(cloud, known)).toEqual({ ip_address: '192.0.2.1', helo: 'mail.example.org', rdns: 'unsaid', hostname: '' });
    expect(
      senderOf(cloud, 'X-MS-Exchange-SkipListedInternetSender: ip=[2603:10a6:10:4b5::21];domain=D.eurprd01.prod.exchangelabs.com'),
    ).toMatchObject({ ip_address: '148.163.156.1' });
    expect(senderOf(OUTSIDE, 'X-MS-Exchange-SkipListedInternetSender: ip=[203.0.113.50];domain=good.example.com')).toEqual(SENDER);
  });

  it.each([
    [
      'Received-SPF',
      'Received-SPF: pass (mx.example.net: domain of a@example.org) client-ip=192.0.2.1; helo=mail.example.org;',
      'mail.example.org',
    ],
    ['Authentication-Results', 'Authentication-Results: mx.example.net; spf=pass smtp.remote-ip=192.0.2.1 smtp.mailfrom=a@example.org', ''],
    ['what Microsoft says there', 'Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.org', ''],
    ['X-Originating-IP', 'X-Originating-IP: [192.0.2.1]', ''],
  ])('may be told by %s alone', (_what, field, helo) => {
    const proxied = 'Received: from lb (unknown [172.17.0.1]) by mx.example.net (Postfix) with ESMTP id 1';
    expect(senderOf(field, proxied)).toEqual({ ip_address: '192.0.2.1', helo, rdns: 'unsaid', hostname: '' });
    expect(senderOf(proxied, 'Subject: x', field).ip_address).toBe(''); // there the sender may have put it
  });

  describe('behind the front end of Microsoft 365', () => {
    const handedOn = (helo: string, address: string, by = 'PH3PEPF00004099.outlook.office365.com') =>
      `Received: from ${helo} (${address}) by ${by} (2603:1036:903:49::3) with Microsoft SMTP Server (version=TLS1_3) id 15.20 via Frontend Transport; Sun, 22 Nov 2026 10:00:01 +0000`;
    const RESULTS =
      'Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.org; dkim=pass header.d=example.org; dmarc=pass';
    const taken = (by: string) =>
      `Received: from mail.example.org (192.0.2.1) by ${by} (10.167.242.102) with Microsoft SMTP Server (version=TLS1_3) id 15.20 via Frontend Transport; Sun, 22 Nov 2026 10:00:00 +0000`;
    const WITHIN =
      'Received: from DB1.eurprd03.prod.outlook.com (2603:10a6:10:1::5) by GV1.EURPRD10.PROD.OUTLOOK.COM (2603:10a6:150:94::15) with Microsoft SMTP Server id 15.20; Sun, 22 Nov 2026 10:00:00 +0000';

    it.each([
      [
        'by its name at the border',
        [
          handedOn('CY4.eop-nam12.prod.protection.outlook.com', '2a01:111:f400:7e0d::200'),
          RESULTS,
          taken('CY4.mail.protection.outlook.com'),
        ],
      ],
      [
        'by a pod of today',
        [handedOn('CY4.namprd03.prod.outlook.com', '2a01:111:f403:f910::1'), RESULTS, taken('CY4.mail.protection.outlook.com')],
      ],
      [
        'by two of them',
        [handedOn('GV1.EURPRD10.PROD.OUTLOOK.COM', '2603:1026:c11:832::5'), WITHIN, RESULTS, taken('DB1.mail.protection.outlook.com')],
      ],
    ])('is below it, known %s', (_how, fields) => {
      expect(senderOf(...fields, FORGED)).toMatchObject({ ip_address: '192.0.2.1', helo: 'mail.example.org' });
      expect(statusesOf(...fields, FORGED)).toEqual(['pass', 'pass', 'pass']);
    });

    it.each([
      [
        'by an address of somebody else',
        handedOn('CY4.namprd03.prod.outlook.com', '198.51.100.9'),
        taken('CY4.mail.protection.outlook.com'),
      ],
      ['by an address of Azure', handedOn('CY4.namprd03.prod.outlook.com', '2603:1030:20e::5'), taken('CY4.mail.protection.outlook.com')],
      [
        'by another server below',
        handedOn('CY4.namprd03.prod.outlook.com', '2a01:111:f403:f910::1'),
        taken('AB1.mail.protection.outlook.com'),
      ],
      [
        'by a server below that is not theirs',
        handedOn('CY4.namprd03.prod.outlook.com', '2a01:111:f403:f910::1'),
        taken('CY4.example.com'),
      ],
      [
        'to another receiver',
        handedOn('CY4.namprd03.prod.outlook.com', '2a01:111:f403:f910::1', 'mx.example.net'),
        taken('CY4.mail.protection.outlook.com'),
      ],
      [
        'by the servers that mail of customers leaves by',
        handedOn('CY4.outbound.protection.outlook.com', '2a01:111:f403:c801::5'),
        taken('CY4.mail.protection.outlook.com'),
      ],
    ])('is not below what is forged %s', (_how, hop, below) => {
      expect(senderOf(hop, below).ip_address).not.toBe('192.0.2.1');
      expect(statusesOf(hop, RESULTS, below)).toEqual(['', '', '']);
    });
  });

  it('tells the name that Exchange Online found', () => {
    const cloud =
      'Received: from mail.example.org (192.0.2.1) by F.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server (version=TLS1_2) id 1 via Frontend Transport';
    const report = (ptr: string, cip = '192.0.2.1', direction = 'INB') =>
      `X-Forefront-Antispam-Report: CIP:${cip};CTRY:DE;SFV:NSPM;H:mail.example.org;PTR:${ptr};DIR:${direction};`;
    expect(senderOf(cloud, report('mail.example.org'))).toEqual(SENDER);
    expect(senderOf(cloud, report('InfoNoRecords'))).toMatchObject({ rdns: 'none', hostname: '' });
    expect(senderOf(cloud, report(''))).toMatchObject({ rdns: 'unsaid' });
    expect(senderOf(cloud, report('mail.example.org', '255.255.255.255'))).toMatchObject({ rdns: 'unsaid' });
    expect(senderOf(cloud, report('mail.example.org', '192.0.2.1', 'OUT'))).toMatchObject({ rdns: 'unsaid' });
  });
});

describe('hosts that Received fields name', () => {
  it('are those that sent, each once, without addresses and inner names', () => {
    const { received_from } = readTrace(
      header(
        [
          'Received: from localhost (localhost [127.0.0.1]) by mx.example.net',
          'Received: from web7 (Mail.Example.ORG. [192.0.2.1]) by mx.example.net',
          'Received: from [10.0.0.5] (pc.lan [10.0.0.5]) by mail.example.org',
          'Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net',
          'Received: from app.example.com by pc.lan',
        ].join('\n'),
      ),
    );
    expect(received_from).toEqual(['mail.example.org', 'app.example.com']);
  });
});

const PASS = 'spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org';
const FAIL = 'spf=fail smtp.mailfrom=example.org; dkim=none; dmarc=fail header.from=example.org';
const results = (server: string, text: string) => `Authentication-Results: ${server}; ${text}`;
const FAILED = ['fail', 'none', 'fail'];
const PASSED = ['pass', 'pass', 'pass'];
const SILENT = ['', '', ''];

describe('Authentication-Results are believed', () => {
  it('above the border, whatever they are signed with', () => {
    expect(statusesOf(INTO_MAILBOX, results('filter', FAIL), OUTSIDE, results('mx.example.net', PASS))).toEqual(FAILED);
  });

  it('directly below it, where the server of the border signs them', () => {
    expect(statusesOf(OUTSIDE, results('mx.example.net', PASS), 'From: a@example.org')).toEqual(PASSED);
    expect(
      statusesOf(
        OUTSIDE,
        'DKIM-Filter: OpenDKIM Filter v2.11.0 mx.example.net Q1',
        results('auth.example.net', PASS),
        'From: a@example.org',
      ),
    ).toEqual(PASSED);
  });

  it('of Amazon SES, which signs with another domain', () => {
    const ses =
      'Received: from mail.example.org (mail.example.org [192.0.2.1]) by inbound-smtp.us-east-1.amazonaws.com with SMTP id 1 for ada@example.net;';
    expect(statusesOf(ses, 'X-SES-Spam-Verdict: PASS', results('amazonses.com', PASS), 'X-SES-RECEIPT: x', 'From: a@example.org')).toEqual(
      PASSED,
    );
  });

  it('of several fields together: OpenDKIM, OpenDMARC and a policy service each write their own', () => {
    expect(
      statusesOf(
        OUTSIDE,
        results('mx.example.net', 'dmarc=fail header.from=example.org'),
        results('mx.example.net', 'dkim=none'),
        results('mx.example.net', 'spf=fail smtp.mailfrom=a'),
        FORGED,
      ),
    ).toEqual(FAILED);
    expect(
      statusesOf(
        INTO_MAILBOX,
        results('mx.example.net', 'dkim=pass header.d=a'),
        OUTSIDE,
        results('mx.example.net', 'dmarc=pass header.from=a'),
        results('mx.example.net', 'spf=pass smtp.mailfrom=a'),
      ),
    ).toEqual(PASSED);
  });

  it('of iCloud, which writes one for each method and each signature below its own Received', () => {
    const icloud = (by: string, ...more: string[]) => [
      `Received: from mail.example.org (mail.example.org [192.0.2.1]) by ${by} (Postfix) with ESMTPS id 1 for <ada@icloud.com>`,
      'X-ICL-SCORE: 3.33',
      results('bimi.icloud.com', 'bimi=none'),
      results('dmarc.icloud.com', 'dmarc=pass header.from=example.org'),
      results('dkim-verifier.icloud.com', 'dkim=fail header.d=example.org'),
      results('dkim-verifier.icloud.com', 'dkim=pass header.d=lists.example.org'),
      results('spf.icloud.com', 'spf=softfail smtp.mailfrom=example.org'),
      'Received-SPF: softfail (spf.icloud.com: x) receiver=spf.icloud.com; client-ip=192.0.2.1',
      ...more,
    ];
    const expected = ['softfail', 'pass', 'pass'];
    expect(statusesOf(...icloud('ci74p00im-qukt09072702.me.com'))).toEqual(expected);
    expect(
      statusesOf(...icloud('p00-icloudmta-smtpin-us-central-1k-100-percent-0', results('spf.icloud.com', 'spf=pass smtp.mailfrom=a'))),
    ).toEqual(expected);
  });

  it('by ARC, where nothing else is there: the last instance that the receiver added', () => {
    const arc = (instance: number, text: string) => `ARC-Authentication-Results: i=${instance}; mx.example.net; ${text}`;
    expect(statusesOf(arc(1, PASS), arc(2, FAIL), OUTSIDE)).toEqual(FAILED);
    expect(statusesOf(results('mx.example.net', PASS), arc(2, FAIL), OUTSIDE)).toEqual(PASSED);
    expect(statusesOf(OUTSIDE, arc(1, PASS))).toEqual(PASSED);
    expect(statusesOf(OUTSIDE, `ARC-Authentication-Results: i=1; lists.example.com; ${PASS}`)).toEqual(SILENT);
  });

  it('of a message without a trace: the topmost, and those of the same organization', () => {
    expect(
      statusesOf(
        'From: a@example.org',
        results('bimi.icloud.com', 'bimi=none'),
        results('dmarc.icloud.com', 'dmarc=pass header.from=example.org'),
        results('dkim-verifier.icloud.com', 'dkim=pass header.d=example.org'),
        results('spf.icloud.com', 'spf=pass smtp.mailfrom=example.org'),
        results('mx.example.net', FAIL),
      ),
    ).toEqual(PASSED);
  });
});

describe('Authentication-Results are not believed', () => {
  it('below the border, of anybody else', () => {
    expect(statusesOf(OUTSIDE, results('mx.example.org', PASS))).toEqual(SILENT);
    expect(statusesOf(OUTSIDE, results('mx.google.com', PASS))).toEqual(SILENT);
    expect(statusesOf(OUTSIDE, `Authentication-Results: ${PASS}`)).toEqual(SILENT); // as Microsoft writes them, above its own
  });

  it('below them, of DKIM: what the sender adds to one that tells of all', () => {
    expect(statusesOf(OUTSIDE, results('mx.example.net', FAIL), results('mx.example.net', 'dkim=pass header.d=example.org'))).toEqual(
      FAILED,
    );
    expect(
      statusesOf(
        OUTSIDE,
        results('mx.example.net', 'dkim=none'),
        results('mx.example.net', 'spf=fail smtp.mailfrom=a'),
        results('mx.example.net', 'dkim=pass'),
      ),
    ).toEqual(['fail', 'none', '']);
  });

  it('below a Received of the sender, though they are signed with the name of the receiver', () => {
    expect(statusesOf(OUTSIDE, FORGED, results('mx.example.net', PASS))).toEqual(SILENT);
  });

  it('between the fields of the sender', () => {
    expect(statusesOf(OUTSIDE, 'From: a@example.org', results('mx.example.net', PASS))).toEqual(SILENT);
    expect(statusesOf(OUTSIDE, 'DKIM-Signature: v=1', results('mx.example.net', PASS))).toEqual(SILENT);
  });

  it('where the real ones say otherwise, or stand elsewhere', () => {
    expect(statusesOf(OUTSIDE, results('mx.example.net', FAIL), results('mx.example.net', PASS))).toEqual(FAILED);
    expect(
      statusesOf(INTO_MAILBOX, results('filter.example.net', 'spf=fail smtp.mailfrom=a'), OUTSIDE, results('mx.example.net', PASS)),
    ).toEqual(['fail', '', '']);
  });

  it('of who had the message before a forwarder', () => {
    const forwarder = 'Received: from fwd.example.com (fwd.example.com [203.0.113.8]) by mx.google.com with ESMTPS id 1';
    expect(statusesOf(forwarder, results('mx.google.com', FAIL), OUTSIDE, results('mx.example.net', PASS))).toEqual(FAILED);
  });

  it('and yet the topmost is shown', () => {
    const { authentication } = readTrace(header(`${OUTSIDE}\nAuthentication-Results: mx.example.org;\n ${PASS}\nReceived-SPF: pass (x)`));
    expect([authentication.authentication_results, authentication.received_spf]).toEqual([`mx.example.org; ${PASS}`, 'pass (x)']);
  });
});

it('of a thousand fields the first fifty are read', () => {
  const many = (at: number) => Array.from({ length: 1000 }, (_, i) => results('mx', i === at ? 'spf=pass smtp.mailfrom=a' : 'auth=none'));
  expect(statusesOf(...many(49), OUTSIDE)[0]).toBe('pass');
  expect(statusesOf(...many(50), OUTSIDE)[0]).toBe('');
});

describe('Received-SPF stands in for SPF of Authentication-Results', () => {
  it.each([
    ['above the border', ['Received-SPF: softfail (x) client-ip=192.0.2.1', OUTSIDE], 'softfail'],
    [
      'below it, signed',
      [OUTSIDE, 'Received-SPF: Fail (mailfrom) identity=mailfrom; client-ip=192.0.2.1; receiver=mx.example.net'],
      'fail',
    ],
    [
      'below it, signed in the comment',
      [OUTSIDE, 'Received-SPF: neutral (mx.example.net: 192.0.2.1 is neither permitted nor denied)'],
      'neutral',
    ],
    ['below it, of anybody', [OUTSIDE, 'Received-SPF: pass (x) client-ip=192.0.2.1'], ''],
    ['below it, of another', [OUTSIDE, 'Received-SPF: pass (google.com: domain of a) client-ip=192.0.2.1'], ''],
    ['beside results', [results('mx', 'spf=fail smtp.mailfrom=a'), 'Received-SPF: pass (x)', OUTSIDE], 'fail'],
  ])('%s', (_where, fields, status) => {
    expect(statusesOf(...fields)[0]).toBe(status);
  });
});
