import { lines, multipart, part } from './builder.ts';
import type { Letter, Origin } from './letter.ts';
import { google, outlook } from './people.ts';

/** What machines write because of other mail or on somebody's behalf: bounces, invitations, lists, trackers. */
export const MACHINES: readonly Letter[] = [
  {
    name: 'a bounce of Postfix',
    origin: server('mx1.brightpath.example', { mailFrom: '', signers: [] }),
    mail: {
      fields: {
        Date: 'Tue, 14 Oct 2025 15:12:01 +0200 (CEST)',
        From: 'MAILER-DAEMON@mx1.brightpath.example (Mail Delivery System)',
        Subject: 'Undelivered Mail Returned to Sender',
        To: 'anna@example.org',
        'Auto-Submitted': 'auto-replied',
        'Message-Id': '<20251014131201.4cmF5S1p2Wz3v@mx1.brightpath.example>',
      },
      body: multipart('report; report-type=delivery-status', [
        part(
          'text/plain; charset=us-ascii',
          "This is the mail system at host mx1.brightpath.example.\r\n\r\nI'm sorry to have to inform you that your message could not\r\nbe delivered to one or more recipients. It's attached below.\r\n\r\nFor further assistance, please send mail to postmaster.\r\n\r\n                   The mail system\r\n\r\n<bob@brightpath.example>: host mx1.brightpath.example[private/dovecot-lmtp] said: 550 5.1.1\r\n    <bob@brightpath.example> User doesn't exist (in reply to RCPT TO command)\r\n",
          '',
          { 'Content-Description': 'Notification' },
        ),
        part(
          'message/delivery-status',
          lines([
            'Reporting-MTA: dns; mx1.brightpath.example',
            'X-Postfix-Queue-ID: 4cmF5S1p2Wz3v',
            'X-Postfix-Sender: rfc822; anna@example.org',
            'Arrival-Date: Tue, 14 Oct 2025 15:12:00 +0200 (CEST)',
            '',
            'Final-Recipient: rfc822; bob@brightpath.example',
            'Original-Recipient: rfc822;bob@brightpath.example',
            'Action: failed',
            'Status: 5.1.1',
            'Remote-MTA: dns; mx1.brightpath.example',
            "Diagnostic-Code: smtp; 550 5.1.1 <bob@brightpath.example> User doesn't exist",
          ]),
          '',
          { 'Content-Description': 'Delivery report' },
        ),
        part(
          'message/rfc822',
          lines([
            'Return-Path: <anna@example.org>',
            'From: Anna <anna@example.org>',
            'To: bob@brightpath.example',
            'Subject: Minutes',
            'Date: Tue, 14 Oct 2025 15:11:59 +0200',
            'Message-ID: <8a1b2c3d@example.org>',
            '',
            'Hello Bob, the minutes are at https://wiki.example.org/minutes',
          ]),
          '',
          { 'Content-Description': 'Undelivered Message' },
        ),
      ]),
    },
    says: { hosts: ['wiki.example.org'], files: ['(message/delivery-status)', '(message/rfc822)'] },
  },
  {
    name: 'a bounce of Gmail',
    origin: {
      ...google('googlemail.com'),
      mailFrom: '',
      signers: [{ domain: 'googlemail.com', selector: '20230601' }],
      dmarc: { result: 'pass', p: 'none', sp: 'quarantine' },
    },
    mail: {
      fields: {
        From: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
        To: 'anna@example.org',
        'Auto-Submitted': 'auto-replied',
        Subject: 'Delivery Status Notification (Failure)',
        'Message-ID': '<68ee4c19.050a0220.91a22.0d1f.GMR@mx.google.com>',
        Date: 'Tue, 14 Oct 2025 06:12:09 -0700 (PDT)',
        'X-Failed-Recipients': 'bob@brightpath.example',
      },
      body: multipart('report; report-type=delivery-status', [
        part(
          'text/plain; charset="UTF-8"',
          "\r\n** Address not found **\r\n\r\nYour message wasn't delivered to bob@brightpath.example because the address couldn't be found, or is unable to receive mail.\r\n\r\nLearn more here: https://support.google.com/mail/?p=NoSuchUser\r\n\r\nThe response was:\r\n\r\n550 5.1.1 The email account that you tried to reach does not exist. For more information, go to https://support.google.com/mail/?p=NoSuchUser 4fb4d7f45d1cf-63b616c2d4fsor12.1 - gsmtp\r\n",
        ),
        part('message/delivery-status', 'Reporting-MTA: dns; googlemail.com\r\nAction: failed\r\nStatus: 5.1.1\r\n', ''),
        part('text/rfc822-headers', 'From: Anna <anna@example.org>\r\nTo: bob@brightpath.example\r\nSubject: Minutes\r\n', ''),
      ]),
    },
    says: {
      flags: ['sent_outside_business_hours'],
      hosts: ['support.google.com'],
      files: ['(message/delivery-status)', '(text/rfc822-headers)'],
    },
  },
  {
    name: 'an invitation of Google Calendar',
    origin: {
      ...google('google.com'),
      mailFrom: '3kL9uaAcKBl0wzmf0yfpnotuqbuo@calendar-server.bounces.google.com',
      signers: [
        { domain: 'google.com', selector: '20230601' },
        { domain: 'brightpath.example', selector: 'google' },
      ],
    },
    mail: {
      fields: {
        'Reply-To': 'Priya Nair <priya@brightpath.example>',
        Sender: 'Google Calendar <calendar-notification@google.com>',
        'Message-ID': '<calendar-3f2a1b0c-9d8e-7f6a-5b4c-3d2e1f0a9b8c@google.com>',
        Date: 'Tue, 14 Oct 2025 13:11:58 +0000',
        Subject: 'Invitation: Budget 2026 @ Thu 16 Oct 2025 14:00 - 15:00 (CEST) (anna@example.org)',
        From: 'Priya Nair <priya@brightpath.example>',
        To: 'anna@example.org',
      },
      text: 'Budget 2026\r\nThursday 16 Oct 2025 ⋅ 14:00 – 15:00\r\nCentral European Time - Berlin\r\n\r\nJoin with Google Meet\r\nhttps://meet.google.com/xyz-abcd-efg?hs=224\r\n\r\nJoin by phone\r\n(DE) +49 40 8081619343\r\nPIN: 224851973\r\n\r\nView all guest info https://calendar.google.com/calendar/event?action=VIEW&eid=N2E4\r\n',
      html: '<span itemscope itemtype="http://schema.org/InformAction"><p>Budget 2026</p><a href="https://meet.google.com/xyz-abcd-efg?hs=224">Join with Google Meet</a><a href="https://calendar.google.com/calendar/event?action=RESPOND&amp;eid=N2E4&amp;rst=1">Yes</a> <a href="tel:+49-40-8081619343">+49 40 8081619343</a></span>',
      calendar:
        'BEGIN:VCALENDAR\r\nPRODID:-//Google Inc//Google Calendar 70.9054//EN\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nDTSTART:20251016T120000Z\r\nUID:7a8b9c@google.com\r\nORGANIZER;CN=Priya Nair:mailto:priya@brightpath.example\r\nATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;CN=anna@example.org:mailto:\r\n anna@example.org\r\nX-GOOGLE-CONFERENCE:https://meet.google.com/xyz-abcd-efg\r\nDESCRIPTION:Join: https://meet.google.com/xyz-abcd-efg\\nOr dial: (DE) +49 \r\n 40 8081619343\\n\\nPlease do not edit this section.\r\nSUMMARY:Budget 2026\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    },
    says: { hosts: ['meet.google.com', 'calendar.google.com'], phones: ['+49408081619343'] },
  },
  {
    name: 'an invitation to Teams, from Outlook',
    origin: outlook('contoso.example'),
    mail: {
      fields: {
        From: 'Jonas Becker <jonas.becker@contoso.example>',
        To: 'Anna <anna@example.org>',
        Subject: 'Messebau',
        Date: 'Tue, 14 Oct 2025 13:11:58 +0000',
        'Message-ID': '<AS8PR04MB823400112233445566778899AABB@AS8PR04MB8234.eurprd04.prod.outlook.com>',
        Importance: 'normal',
        'X-Priority': '3',
      },
      text: '________________________________________________________________________________\r\nMicrosoft Teams Need help?<https://aka.ms/JoinTeamsMeeting?omkt=de-DE>\r\nJoin the meeting now<https://teams.microsoft.com/l/meetup-join/19%3ameeting_Yw%40thread.v2/0?context=%7b%22Tid%22%3a%22c1a1%22%7d>\r\nMeeting ID: 312 456 789 012\r\nPasscode: Ab3Cd9\r\n________________________________\r\nDial in by phone\r\n+49 69 365057644,,918273645#<tel:+4969365057644,,918273645#> Germany, Frankfurt am Main\r\n',
      calendar:
        'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nPRODID:Microsoft Exchange Server 2010\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nORGANIZER;CN=Jonas Becker:mailto:jonas.becker@contoso.example\r\nUID:040000008200E00074C5B7101A82E008000000003F2A1B0C\r\nX-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/meetup-join/\r\n 19%3ameeting_Yw%40thread.v2/0?context=%7b%22Tid%22%3a%22c1a1%22%7d\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    },
    says: { hosts: ['aka.ms', 'teams.microsoft.com'], phones: ['+4969365057644'] },
  },
  {
    name: 'a digest of Mailman',
    origin: server('lists.freeform.example', { mailFrom: 'gardeners-bounces+anna=example.org@lists.freeform.example' }),
    mail: {
      fields: {
        From: 'gardeners-request@lists.freeform.example',
        To: 'gardeners@lists.freeform.example',
        'Reply-To': 'gardeners@lists.freeform.example',
        Subject: 'Gardeners Digest, Vol 88, Issue 14',
        Date: 'Tue, 14 Oct 2025 12:00:02 +0000',
        'Message-ID': '<mailman.1.1760443201.31337.gardeners@lists.freeform.example>',
        Precedence: 'list',
        'List-Id': 'Gardeners <gardeners.lists.freeform.example>',
        'List-Unsubscribe':
          '<https://lists.freeform.example/mailman/options/gardeners>,\r\n\t<mailto:gardeners-request@lists.freeform.example?subject=unsubscribe>',
        'List-Post': '<mailto:gardeners@lists.freeform.example>',
        Errors: '',
        Sender: 'Gardeners <gardeners-bounces@lists.freeform.example>',
      },
      body: multipart('mixed', [
        part(
          'text/plain; charset="us-ascii"',
          "Send Gardeners mailing list submissions to\r\n\tgardeners@lists.freeform.example\r\n\r\nToday's Topics:\r\n\r\n   1. Leek moth (Ines)\r\n   2. Re: Leek moth (Per)\r\n",
          '',
        ),
        multipart('digest', [
          digested('Ines <ines@gmx.example>', 'Leek moth', 'Has anyone tried nets? See https://rhs.example/leek-moth'),
          digested('Per <per@runbox.example>', 'Re: [Gardeners] Leek moth', 'Yes, 0.8 mm mesh works.'),
        ]),
        part(
          'text/plain; charset="us-ascii"',
          '_______________________________________________\r\nGardeners mailing list\r\nhttps://lists.freeform.example/mailman/listinfo/gardeners\r\n',
          '',
        ),
      ]),
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email'],
      hosts: ['rhs.example', 'lists.freeform.example'],
      files: ['(message/rfc822)', '(message/rfc822)'],
    },
  },
  {
    // The list stands in From for the author, whose domain forbids others to write in its name.
    name: 'a post of Google Groups',
    origin: {
      ...google('googlegroups.com'),
      mailFrom: 'rust-readers+bncBDXKLPNEUEDRBA5N3LBQMGQE@googlegroups.com',
      signers: [{ domain: 'googlegroups.com', selector: '20230601' }],
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        Sender: 'rust-readers@googlegroups.com',
        Date: 'Tue, 14 Oct 2025 06:11:50 -0700 (PDT)',
        From: "'Ines Duarte' via Rust readers <rust-readers@googlegroups.com>",
        'Reply-To': 'Ines Duarte <ines.duarte@yahoo.com>',
        To: 'Rust readers <rust-readers@googlegroups.com>',
        'Message-Id': '<1a2b3c4d-5e6f-7a8b-9c0d-1e2f3a4b5c6dn@googlegroups.com>',
        Subject: 'Chapter 10',
        'X-Original-Sender': 'ines.duarte@yahoo.com',
        'X-Original-From': 'Ines Duarte <ines.duarte@yahoo.com>',
        Precedence: 'list',
        'Mailing-list': 'list rust-readers@googlegroups.com; contact rust-readers+owners@googlegroups.com',
        'List-ID': '<rust-readers.googlegroups.com>',
        'List-Archive': '<https://groups.google.com/group/rust-readers>',
        'List-Unsubscribe':
          '<mailto:googlegroups-manage+987654321+unsubscribe@googlegroups.com>, <https://groups.google.com/group/rust-readers/subscribe>',
      },
      text: 'What does `impl Trait` in argument position mean, e.g. fn f(x: impl Fn(u32) -> u32)? std::fmt::Display works.\n\n-- \nYou received this message because you are subscribed to the Google Groups "Rust readers" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to rust-readers+unsubscribe@googlegroups.com.\nTo view this discussion visit https://groups.google.com/d/msgid/rust-readers/1a2b3c4d-5e6f-7a8b-9c0d-1e2f3a4b5c6dn%40googlegroups.com.\n',
    },
    says: {
      // All of it is so: an answer goes to a free mailbox that is not the list, and the list writes to itself.
      flags: [
        'has_unsubscribe_link',
        'sender_and_reply_to_different_email',
        'sender_and_reply_to_different_domain',
        'reply_to_free_email',
        'sender_is_recipient',
        'sent_outside_business_hours',
      ],
      hosts: ['groups.google.com'],
    },
  },
  {
    name: 'a notice of GitHub',
    origin: {
      ip: '192.30.252.201',
      helo: 'out-18.smtp.github.com',
      rdns: 'out-18.smtp.github.com',
      mailFrom: 'noreply@github.com',
      signers: [{ domain: 'github.com', selector: 'pf2023' }],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'quarantine' },
    },
    mail: {
      fields: {
        Date: 'Tue, 14 Oct 2025 06:11:52 -0700',
        From: 'Mira Sol <notifications@github.com>',
        'Reply-To': 'vedette/vedette <reply+AAAAB3NzaC1yc2EAAAAD@reply.github.com>',
        To: 'vedette/vedette <vedette@noreply.github.com>',
        Cc: 'Anna <anna@example.org>, Mention <mention@noreply.github.com>',
        'Message-ID': '<vedette/vedette/issues/1204/3399887766@github.com>',
        'In-Reply-To': '<vedette/vedette/issues/1204@github.com>',
        Subject: 'Re: [vedette/vedette] Crash in v2.10.3 when config.json is empty (Issue #1204)',
        'List-ID': 'vedette/vedette <vedette.vedette.github.com>',
        'List-Archive': 'https://github.com/vedette/vedette',
        'List-Unsubscribe': '<mailto:unsub+AAAAB3NzaC1yc2EAAAAD@reply.github.com>, <https://github.com/notifications/unsubscribe/AAAAB3>',
        'X-GitHub-Sender': 'mirasol',
        'X-GitHub-Reason': 'mention',
        'X-Auto-Response-Suppress': 'All',
      },
      text: 'mirasol left a comment (vedette/vedette#1204)\n\n@anna `npm run build` fails in main.py, index.html and README.md, but 10.0.22631.4317 works; see setup.sh and foo.rs.\n\n-- \nReply to this email directly or view it on GitHub:\nhttps://github.com/vedette/vedette/issues/1204#issuecomment-3399887766\nYou are receiving this because you were mentioned.\n\nMessage ID: <vedette/vedette/issues/1204/3399887766@github.com>',
      html: '<p></p><p dir="auto"><code class="notranslate">npm run build</code> fails</p><p style="font-size:small">—<br>Reply to this email directly, <a href="https://github.com/vedette/vedette/issues/1204#issuecomment-3399887766">view it on GitHub</a>, or <a href="https://github.com/notifications/unsubscribe/AAAAB3">unsubscribe</a>.<img src="https://github.com/notifications/beacon/AAAAB3.gif" height="1" width="1" alt=""></p><script type="application/ld+json">[{"@context": "http://schema.org", "@type": "EmailMessage", "potentialAction": {"@type": "ViewAction", "target": "https://github.com/vedette/vedette/issues/1204#issuecomment-3399887766"}}]</script>',
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email', 'sent_outside_business_hours'],
      hosts: ['github.com'],
    },
  },
  {
    name: 'a notice of Jira',
    origin: {
      ip: '54.240.27.188',
      helo: 'a27-188.smtp-out.us-west-2.amazonses.com',
      rdns: 'a27-188.smtp-out.us-west-2.amazonses.com',
      mailFrom: '0101019a1b2c-0f1e-000000@bounces.brightpath.atlassian.net',
      signers: [
        { domain: 'brightpath.atlassian.net', selector: 'x2q' },
        { domain: 'amazonses.com', selector: 'hsbnp7p3ensaochzwyq5wwmceodymuwv' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'none' },
    },
    mail: {
      fields: {
        Date: 'Tue, 14 Oct 2025 13:11:58 +0000 (UTC)',
        From: '"Tom Albers (Jira)" <jira@brightpath.atlassian.net>',
        To: 'anna@example.org',
        'Message-ID': '<JIRA.20481.1760447400000.3121.1760447518000@Atlassian.JIRA>',
        Subject: '[JIRA] (VED-204) Urgent: login page is down',
        'X-JIRA-FingerPrint': '5f8e2b1c',
        'Auto-Submitted': 'auto-generated',
        Precedence: 'bulk',
      },
      html: '<div id="email-page"><a href="https://brightpath.atlassian.net/browse/VED-204?atlOrigin=eyJpIjoi">VED-204</a> Login page is down. Priority: <b>Highest</b></div><a href="https://brightpath.atlassian.net/jira/settings/personal/notifications">Manage notifications</a>',
      text: 'Tom Albers created an issue\n\nVED-204 Login page is down\nPriority: Highest\nAffects version: 4.12.0.1\n',
    },
    // Its subject says so, of an outage, to whom it concerns.
    says: { urgency: 'medium', hosts: ['brightpath.atlassian.net'] },
  },
];

/** A message within a digest. */
function digested(from: string, subject: string, text: string): Buffer {
  const fields = [`From: ${from}`, `Subject: ${subject}`, 'Date: Tue, 14 Oct 2025 09:00:00 +0200', 'Content-Type: text/plain'];
  return part('message/rfc822', lines([...fields, '', text]), '');
}

/** A server of its own, in its own name. */
function server(host: string, other: Partial<Origin>): Origin {
  return {
    ip: '192.0.2.25',
    helo: host,
    rdns: host,
    mailFrom: `postmaster@${host}`,
    signers: [{ domain: host, selector: 'dkim' }],
    spf: 'pass',
    ...other,
  };
}
