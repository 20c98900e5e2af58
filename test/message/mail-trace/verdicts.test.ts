import { readTrace } from '@vedette/message/mail-trace';
import { describe, expect, it } from 'vitest';
import { header } from './header.ts';

/** What the results of a receiver come to; those of several fields where there are several. */
const verdicts = (...results: string[]) =>
  readTrace(
    header(
      [
        ...results.map((text) => `Authentication-Results: mx.example.net; ${text}`),
        'Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net (Postfix) with ESMTPS id Q1; Sun, 22 Nov 2026 10:00:00 +0000',
      ].join('\n'),
    ),
  ).authentication;

describe('SPF', () => {
  it.each([
    ...['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror', 'policy'].map((word) => [word, word]),
    ['hardfail', 'fail'],
    ['Pass', 'pass'],
    ['terrific', ''],
  ])('%s is %j', (word, status) => {
    expect(verdicts(`spf=${word} smtp.mailfrom=a@example.org`).spf_status).toBe(status);
  });

  it('is that of the sender, not of the greeting, where both are told', () => {
    expect(verdicts('spf=pass smtp.helo=mail.example.org; spf=softfail smtp.mailfrom=a@example.org').spf_status).toBe('softfail');
    expect(verdicts('spf=none smtp.helo=mail.example.org').spf_status).toBe('none');
  });
});

describe('DKIM', () => {
  it.each([
    ['one of several passed', 'dkim=fail header.d=a.test; dkim=pass header.d=b.test', 'pass'],
    ['one failed, of one nothing is known', 'dkim=temperror header.d=a.test; dkim=fail header.d=b.test', 'fail'],
    ['nothing is signed', 'dkim=none', 'none'],
    ['a signature was not accepted', 'dkim=none; dkim=policy header.d=a.test', 'policy'],
    ['Yahoo wrote it', 'dkim=permfail header.d=a.test', 'permerror'],
    ['nobody looked', 'spf=pass smtp.mailfrom=a', ''],
  ])('where %s', (_what, results, status) => {
    expect(verdicts(results).dkim_status).toBe(status);
  });

  it('is of all fields above the border, as iCloud writes one for each signature', () => {
    expect(verdicts('dkim=fail header.d=a.test', 'dkim=pass header.d=b.test').dkim_status).toBe('pass');
  });
});

it('DMARC, composite authentication and dara are what the first field says', () => {
  expect(
    verdicts(
      'dmarc=bestguesspass action=none header.from=a.test;compauth=softpass reason=202;dara=fail header.i=@a.test',
      'dmarc=fail; compauth=fail; dara=pass',
    ),
  ).toMatchObject({
    dmarc_status: 'bestguesspass',
    compauth_status: 'softpass',
    dara_status: 'fail',
  });
  expect(verdicts('dmarc=unknown header.from=a.test').dmarc_status).toBe('none'); // Yahoo, of a domain without a policy
  expect(verdicts('dmarc=success(p=REJECT) header.from=a.test')).toMatchObject({ dmarc_status: 'pass', dmarc_policy: 'reject' });
  expect(verdicts('compauth=other reason=001; dara=maybe')).toMatchObject({ compauth_status: '', dara_status: '' });
  // Of most messages it is this.
  expect(verdicts('dmarc=pass header.from=a.test; dara=neutral header.i=@b.test')).toMatchObject({ dara_status: 'neutral' });
});

describe('DMARC policies', () => {
  it.each<[string, string, [policy: string, subdomains: string, disposition: string]]>([
    ['Google', 'dmarc=fail (p=REJECT sp=QUARANTINE dis=NONE) header.from=a.test', ['reject', 'quarantine', 'none']],
    ['OpenDMARC', 'dmarc=fail (p=quarantine dis=quarantine) header.from=a.test', ['quarantine', '', 'quarantine']],
    ['Yahoo', 'dmarc=pass(p=NONE,sp=QUARANTINE) header.from=a.test', ['none', 'quarantine', '']],
    ['rspamd', 'dmarc=pass (policy=reject) header.from=a.test', ['reject', '', '']],
    [
      'rspamd of a failure',
      'dmarc=fail reason="SPF not aligned (relaxed), No valid DKIM" header.from=a.test (policy=reject)',
      ['reject', '', ''],
    ],
    [
      'Fastmail',
      'dmarc=pass policy.published-domain-policy=none policy.published-subdomain-policy=reject policy.applied-disposition=none policy.evaluated-disposition=none (p=none,sp=reject,d=none) header.from=a.test',
      ['none', 'reject', 'none'],
    ],
    ['mailauth', 'dmarc=none header.from=a.test policy.dmarc=quarantine', ['quarantine', '', '']],
    ['Microsoft, which does nothing', 'dmarc=pass action=none header.from=a.test', ['', '', 'none']],
    ['Microsoft, which does not reject', 'dmarc=fail action=oreject header.from=a.test', ['reject', '', 'quarantine']],
    ['Microsoft, of a share', 'dmarc=fail action=pct.quarantine header.from=a.test', ['quarantine', '', 'none']],
    ['Microsoft in ARC', 'dmarc=fail (p=reject sp=none pct=100) action=oreject header.from=a.test', ['reject', 'none', 'quarantine']],
    ['nonsense', 'dmarc=fail (p=maybe sp= dis=later) header.from=a.test', ['', '', '']],
  ])('%s', (_who, results, policies) => {
    const { dmarc_policy, dmarc_subdomain_policy, dmarc_disposition } = verdicts(results);
    expect([dmarc_policy, dmarc_subdomain_policy, dmarc_disposition]).toEqual(policies);
  });

  it('come of ARC where Microsoft tells them there alone', () => {
    const { authentication } = readTrace(
      header(`ARC-Authentication-Results: i=1; mx.microsoft.com 1; spf=fail; dmarc=fail (p=quarantine sp=reject pct=100) action=quarantine header.from=a.test
Authentication-Results: spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=a.test; dmarc=fail action=quarantine header.from=a.test;compauth=fail reason=000
Received: from mail.example.org (192.0.2.1) by F.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server id 1 via Frontend Transport`),
    );
    expect(authentication).toMatchObject({
      dmarc_status: 'fail',
      dmarc_policy: 'quarantine',
      dmarc_subdomain_policy: 'reject',
      dmarc_disposition: 'quarantine',
    });
  });
});
