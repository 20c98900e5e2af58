import { readTrace, type Trace } from '@vedette/message/mail-trace';
import { describe, expect, it } from 'vitest';
import { header } from './header.ts';

const SAYS_NOTHING: Trace['authentication'] = {
  spf_status: '',
  dkim_status: '',
  dmarc_status: '',
  compauth_status: '',
  dara_status: '',
  dmarc_policy: '',
  dmarc_subdomain_policy: '',
  dmarc_disposition: '',
  is_detected_by_server_antispam: false,
  authentication_results: '',
  received_spf: '',
};

describe('the trace of a message, by who received it', () => {
  it('Gmail: its results stand below its own Received', () => {
    const trace = readTrace(
      header(`
Delivered-To: ada@gmail.com
Received: by 2002:a05:6a10:3c8d:b0:4a6:1:2 with SMTP id x13csp1; Sun, 22 Nov 2026 02:00:05 -0800 (PST)
X-Received: by 2002:a17:902:d4c4:b0:1 with SMTP id o4mr1; Sun, 22 Nov 2026 02:00:04 -0800 (PST)
ARC-Authentication-Results: i=1; mx.google.com;
       dkim=pass header.i=@example.org header.s=s1 header.b=AbCdEfGh;
       spf=pass (google.com: domain of bounce@example.org designates 192.0.2.10 as permitted sender) smtp.mailfrom=bounce@example.org;
       dmarc=pass (p=REJECT sp=QUARANTINE dis=NONE) header.from=example.org
Return-Path: <bounce@example.org>
Received: from mail.example.org (mail.example.org. [192.0.2.10])
        by mx.google.com with ESMTPS id d9443c01a7336-1si1 for <ada@gmail.com>
        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);
        Sun, 22 Nov 2026 02:00:04 -0800 (PST)
Received-SPF: pass (google.com: domain of bounce@example.org designates 192.0.2.10 as permitted sender) client-ip=192.0.2.10;
Authentication-Results: mx.google.com;
       dkim=pass header.i=@example.org header.s=s1 header.b=AbCdEfGh;
       spf=pass (google.com: domain of bounce@example.org designates 192.0.2.10 as permitted sender) smtp.mailfrom=bounce@example.org;
       dmarc=pass (p=REJECT sp=QUARANTINE dis=NONE) header.from=example.org;
       dara=pass header.i=@example.org
DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; bh=x; b=y
Received: from app ([10.0.0.5]) by mail.example.org with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000
From: Example <news@example.org>
`),
    );
    expect(trace).toEqual({
      sender: { ip_address: '192.0.2.10', helo: 'mail.example.org', rdns: 'named', hostname: 'mail.example.org' },
      received_from: ['mail.example.org'],
      authentication: {
        ...SAYS_NOTHING,
        spf_status: 'pass',
        dkim_status: 'pass',
        dmarc_status: 'pass',
        dara_status: 'pass',
        dmarc_policy: 'reject',
        dmarc_subdomain_policy: 'quarantine',
        dmarc_disposition: 'none',
        authentication_results: expect.stringMatching(/^mx\.google\.com; dkim=pass .* dara=pass header\.i=@example\.org$/),
        received_spf: expect.stringMatching(/^pass \(google\.com: .* client-ip=192\.0\.2\.10;$/),
      },
      tls_status: 'TLS1.3',
      hops: [
        {
          helo: 'app',
          hostname: '',
          ip_address: '10.0.0.5',
          by: 'mail.example.org',
          protocol: 'esmtp',
          tls: 'none',
          date_time_normalized: '2026-11-22T10:00:00+00:00',
          delay_s: 0,
          is_of_recipient: false,
        },
        {
          helo: 'mail.example.org',
          hostname: 'mail.example.org',
          ip_address: '192.0.2.10',
          by: 'mx.google.com',
          protocol: 'esmtps',
          tls: 'TLS1.3',
          date_time_normalized: '2026-11-22T02:00:04-08:00',
          delay_s: 4,
          is_of_recipient: true,
        },
        {
          helo: '',
          hostname: '',
          ip_address: '',
          by: '2002:a05:6a10:3c8d:b0:4a6:1:2',
          protocol: 'smtp',
          tls: 'none',
          date_time_normalized: '2026-11-22T02:00:05-08:00',
          delay_s: 1,
          is_of_recipient: true,
        },
      ],
      has_more_hops: false,
    });
  });

  it.each([
    ['Sun, 22 Nov 2026 09:59:58 +0000', '2026-11-22T09:59:58+00:00', -2],
    ['Sun, 22 Nov 2026 10:00:09 -0000', '2026-11-22T10:00:09-00:00', 0],
    ['soon', '', 0],
    ['Sun, 22 Nov 2026 10:00:09 +0000 (envelope-from <a@example.org>)', '2026-11-22T10:00:09+00:00', 9],
  ])('a hop at %s is dated %s, %d seconds after the one before', (date, date_time_normalized, delay_s) => {
    const { hops } = readTrace(
      header(`
Received: from b.example (b.example [192.0.2.1]) by mx.example.org with ESMTP id 2; ${date}
Received: from a.example by b.example with ESMTP id 1; Sun, 22 Nov 2026 10:00:00 +0000
From: a@example.org
`),
    );
    expect(hops.at(-1)).toMatchObject({ by: 'mx.example.org', date_time_normalized, delay_s });
  });

  it('of more Received fields than servers write, has the newest', () => {
    const fields = Array.from({ length: 140 }, (_, i) => `Received: from a.example by b${140 - i}.example with ESMTP id ${i}`);
    const { hops, has_more_hops } = readTrace(header(`\n${fields.join('\n')}\nFrom: a@example.org\n`));
    expect([hops.length, hops[0]!.by, hops.at(-1)!.by, has_more_hops]).toEqual([100, 'b41.example', 'b140.example', true]);
  });

  it('Microsoft 365: its results have no name and stand above its border, what it thinks of spam at the end', () => {
    const trace = readTrace(
      header(`
Received: from AM9PR01MB1.eurprd01.prod.outlook.com (2603:10a6:20b:1::1) by
 DB8PR01MB2.eurprd01.prod.outlook.com with HTTPS; Sun, 22 Nov 2026 10:00:06 +0000
Received: from AM9PR01CA1.eurprd01.prod.outlook.com (2603:10a6:20b:2::2) by
 AM9PR01MB1.eurprd01.prod.outlook.com (2603:10a6:20b:1::1) with Microsoft SMTP
 Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id
 15.20.1.1; Sun, 22 Nov 2026 10:00:05 +0000
Received: from AM1EUR01FT1.eop-EUR01.prod.protection.outlook.com
 (2603:10a6:20b:2:cafe::1) by AM9PR01CA1.outlook.office365.com
 (2603:10a6:20b:2::2) with Microsoft SMTP Server (version=TLS1_2,
 cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.1.2 via Frontend
 Transport; Sun, 22 Nov 2026 10:00:05 +0000
Authentication-Results: spf=softfail (sender IP is 198.51.100.7)
 smtp.mailfrom=example.org; contoso.test; dkim=none (message not signed)
 header.d=none;contoso.test; dmarc=fail action=oreject
 header.from=example.org;compauth=fail reason=000
Received-SPF: SoftFail (protection.outlook.com: domain of transitioning
 example.org discourages use of 198.51.100.7 as permitted sender)
 receiver=protection.outlook.com; client-ip=198.51.100.7; helo=pc7.example.net;
Received: from pc7.example.net (198.51.100.7) by
 AM1EUR01FT1.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server
 (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.1.3
 via Frontend Transport; Sun, 22 Nov 2026 10:00:04 +0000
Authentication-Results: mx.contoso.test; spf=pass; dkim=pass; dmarc=pass
From: Chief <chief@example.org>
Subject: invoice
X-MS-Exchange-Organization-SCL: 9
X-Forefront-Antispam-Report: CIP:198.51.100.7;CTRY:NL;LANG:en;SCL:9;SRV:;IPV:NLI;SFV:SPM;H:pc7.example.net;PTR:InfoDomainNonexistent;CAT:PHSH;SFS:(1);DIR:INB;
`),
    );
    expect(trace.sender).toEqual({ ip_address: '198.51.100.7', helo: 'pc7.example.net', rdns: 'none', hostname: '' });
    expect(trace.authentication).toMatchObject({
      spf_status: 'softfail',
      dkim_status: 'none',
      dmarc_status: 'fail',
      compauth_status: 'fail',
      dmarc_policy: 'reject',
      dmarc_disposition: 'quarantine',
      is_detected_by_server_antispam: true,
    });
    expect(trace.tls_status).toBe('TLS1.2');
  });

  it('says nothing of a message that says nothing', () => {
    expect(readTrace(header('From: a@example.org'))).toEqual({
      sender: { ip_address: '', helo: '', rdns: 'unsaid', hostname: '' },
      received_from: [],
      hops: [],
      has_more_hops: false,
      authentication: SAYS_NOTHING,
      tls_status: '',
    });
  });
});
