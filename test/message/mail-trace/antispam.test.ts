import { readTrace } from '@vedette/message/mail-trace';
import { describe, expect, it } from 'vitest';
import { header } from './header.ts';

const BORDER =
  'Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net (Postfix) with ESMTPS id 4Q1z; Sun, 22 Nov 2026 10:00:00 +0000';
const CLOUD =
  'Received: from mail.example.org (192.0.2.1) by F.mail.protection.outlook.com (10.152.0.1) with Microsoft SMTP Server (version=TLS1_2) id 1 via Frontend Transport';
const EXCHANGE = 'Received: from mail.example.org (192.0.2.1) by EX01.example.net (10.1.2.3) with Microsoft SMTP Server (TLS) id 15.1';

const isDetected = (...fields: string[]) => readTrace(header(fields.join('\n'))).authentication.is_detected_by_server_antispam;

describe('a filter of the receiver says spam, or does not', () => {
  it.each([
    ['SpamAssassin', 'X-Spam-Flag: YES', 'X-Spam-Flag: NO'],
    [
      'SpamAssassin, with its score',
      'X-Spam-Status: Yes, score=12.3 required=5.0 tests=BAYES_99',
      'X-Spam-Status: No, score=-1.2 required=5.0 tests=yes',
    ],
    [
      'rspamd',
      'X-Spamd-Result: default: True [15.50 / 15.00]; BAYES_SPAM(5.10)[100.00%]',
      'X-Spamd-Result: default: False [14.50 / 15.00]; BAYES_SPAM(5.10)[100.00%]',
    ],
    ['rspamd, what it does', 'X-Rspamd-Action: add header', 'X-Rspamd-Action: no action'],
    ['rspamd, for mail clients', 'X-Spam: Yes', 'X-Spam: No'],
    [
      'Proofpoint',
      'X-Proofpoint-Spam-Details: rule=spam policy=default score=99 spamscore=99',
      'X-Proofpoint-Spam-Details: rule=inbound_notspam policy=inbound score=0 spamscore=0',
    ],
    [
      'Proofpoint, of phishing',
      'X-Proofpoint-Spam-Details: rule=phish_definite policy=default score=100',
      'X-Proofpoint-Spam-Details: rule=notspam policy=default score=0 phishscore=0',
    ],
    [
      'Barracuda',
      'X-Barracuda-Spam-Status: Yes, SCORE=4.10 using global scores of TAG_LEVEL=1000.0',
      'X-Barracuda-Spam-Status: No, SCORE=0.00 using global scores of TAG_LEVEL=3.5',
    ],
    ['Google Workspace', 'X-Gm-Spam: 1', 'X-Gm-Spam: 0'],
    ['Google Workspace, of phishing', 'X-Gm-Phishy: 1', 'X-Gm-Phishy: 0'],
    ['Google Takeout', 'X-Gmail-Labels: Spam,Unread', 'X-Gmail-Labels: Inbox,Anti Spam Working Group'],
    ['Amazon SES', 'X-SES-Spam-Verdict: FAIL', 'X-SES-Spam-Verdict: GRAY'],
    ['Amazon SES, of malware', 'X-SES-Virus-Verdict: FAIL', 'X-SES-Virus-Verdict: PASS'],
    ['iCloud', 'X-Apple-MoveToFolder: Junk', 'X-Apple-MoveToFolder: INBOX'],
    ['Yahoo', 'X-YahooFilteredBulk: 192.0.2.1', 'X-YahooFilteredBulk:'],
    ['GMX', 'X-UI-Filterresults: junk:10;V03:K0:abc', 'X-UI-Filterresults: notjunk:1;V03:K0:junk'],
    ['Vade', 'X-VADE-SPAMSTATE: phishing', 'X-VADE-SPAMSTATE: clean'],
    ['eXpurgate', 'X-purgate-type: spam', 'X-purgate-type: clean'],
  ])('%s', (_who, spam, ham) => {
    expect(isDetected(spam, BORDER)).toBe(true);
    expect(isDetected(ham, BORDER)).toBe(false);
  });
});

describe('Exchange says spam, or does not', () => {
  const report = (text: string) => `X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:NL;LANG:en;${text};H:a;PTR:;SFS:(1);DIR:INB;`;

  it.each([
    ['the confidence level', report('SCL:5;SFV:NSPM;CAT:NONE'), report('SCL:1;SFV:NSPM;CAT:NONE')],
    ['a message that is let through', report('SCL:9;SFV:SPM;CAT:HSPM'), report('SCL:-1;SFV:SKN;CAT:NONE')],
    ['phishing', report('SCL:1;SFV:NSPM;CAT:PHSH'), report('SCL:1;SFV:NSPM;CAT:')],
    ['a blocked sender', report('SCL:4;SFV:BLK;CAT:NONE'), report('SCL:-1;SFV:SFE;CAT:NONE')],
    ['advertising', report('SCL:6;SFV:SPM;CAT:BULK'), report('SCL:1;SFV:NSPM;CAT:BULK')],
    [
      'the folder',
      'X-Microsoft-Antispam-Mailbox-Delivery: ucf:0;jmr:0;auth:0;dest:J;ENG:(1);',
      'X-Microsoft-Antispam-Mailbox-Delivery: ucf:0;jmr:0;auth:0;dest:I;ENG:(1);',
    ],
    ['the level for Exchange itself', 'X-MS-Exchange-Organization-SCL: 6', 'X-MS-Exchange-Organization-SCL: 0'],
  ])('by %s', (_what, spam, ham) => {
    expect(isDetected(CLOUD, 'From: a@example.org', spam)).toBe(true);
    expect(isDetected(CLOUD, 'From: a@example.org', ham)).toBe(false);
    expect(isDetected(BORDER, 'From: a@example.org', spam)).toBe(false); // Exchange had no part in it
  });

  it('of its own house, by the fields that it takes from others', () => {
    expect(isDetected(EXCHANGE, 'From: a@example.org', 'X-MS-Exchange-Organization-SCL: 6')).toBe(true);
    expect(isDetected(EXCHANGE, 'From: a@example.org', report('SCL:9;SFV:SPM'))).toBe(false); // which only the cloud takes away
  });

  it('not of what it sent', () => {
    expect(isDetected(CLOUD, 'X-Forefront-Antispam-Report: CIP:255.255.255.255;SCL:9;SFV:SPM;DIR:OUT;')).toBe(false);
    expect(isDetected(CLOUD, 'X-Forefront-Antispam-Report-Untrusted: CIP:192.0.2.1;SCL:9;SFV:SPM;DIR:INB;')).toBe(false);
  });
});

describe('where a verdict stands', () => {
  const SPAM = 'X-Spam-Flag: YES';

  it('above the border, and directly below where something of the receiver stands below it', () => {
    expect(isDetected(SPAM, BORDER)).toBe(true);
    expect(isDetected(BORDER, SPAM, 'Authentication-Results: mx.example.net; spf=pass', 'From: a@example.org')).toBe(true);
  });

  it.each([
    ['directly below the border, where the sender may have put it', [BORDER, SPAM, 'From: a@example.org']],
    ['below results of others', [BORDER, SPAM, 'Authentication-Results: mx.example.org; spf=pass']],
    ['below the last field of the receiver', [BORDER, 'Authentication-Results: mx.example.net; spf=pass', SPAM]],
    ['between the fields of the sender', [BORDER, 'From: a@example.org', SPAM]],
    ['below a hop of the sender', [BORDER, 'Received: from x by mail.example.org', SPAM]],
  ])('%s, it is nobody’s', (_where, fields) => {
    expect(isDetected(...fields)).toBe(false);
  });

  it('at the end, where rspamd puts it with the id that the message has in the queue', () => {
    const rspamd = (id: string, action: string) => [`X-Rspamd-Queue-Id: ${id}`, `X-Rspamd-Action: ${action}`, 'X-Rspamd-Server: mx'];
    expect(isDetected(BORDER, 'From: a@example.org', ...rspamd('4Q1z', 'add header'))).toBe(true);
    expect(isDetected(BORDER, 'From: a@example.org', ...rspamd('4Q1z', 'no action'))).toBe(false);
    expect(isDetected(BORDER, 'From: a@example.org', ...rspamd('other', 'add header'))).toBe(false);
    expect(isDetected(BORDER, 'From: a@example.org', ...rspamd('other', 'add header'), ...rspamd('4Q1z', 'no action'))).toBe(false); // the server before had one, too
    expect(isDetected(BORDER, 'X-Rspamd-Action: add header', 'From: a@example.org', ...rspamd('4Q1z', 'no action'))).toBe(false);
  });

  it('anywhere in a message that has no trace', () => {
    expect(isDetected('From: a@example.org', SPAM)).toBe(true);
  });
});
