import { pdf, PNG } from './files.ts';
import type { Letter, Origin } from './letter.ts';
import { button, link, newsletterHtml } from './newsletter-html.ts';

const DATE = 'Tue, 14 Oct 2025 13:12:00 +0000';
const FONTS = 'fonts.googleapis.com';

/** What programs write because of something that the reader did: each of it ordinary, most of it imitated. */
export const TRANSACTIONAL: readonly Letter[] = [
  {
    name: 'an invoice as a PDF',
    origin: own('druckerei-wolf.example', { mailFrom: 'rechnung@druckerei-wolf.example' }),
    mail: {
      fields: {
        From: '"Druckerei Wolf GmbH" <rechnung@druckerei-wolf.example>',
        To: '"anna@example.org" <anna@example.org>',
        Subject: 'Rechnung RE-2025-10482',
        Date: 'Tue, 14 Oct 2025 15:12:00 +0200',
        'Message-ID': '<DATEV.20251014.151200.10482@druckerei-wolf.example>',
        'X-Mailer': 'JTL-Wawi 1.9.6.5',
      },
      text: 'Sehr geehrte Damen und Herren,\n\nim Anhang finden Sie Ihre Rechnung RE-2025-10482 über 9.876,50 EUR, zahlbar innerhalb von 14 Tagen ohne Abzug.\n\nKundennummer: 4711002, Auftrag 2025-0099871\n\nMit freundlichen Grüßen\nDruckerei Wolf GmbH\nTel.: +49 40 4288 31 0\nIBAN: DE89 3704 0044 0532 0130 00 · BIC: COBADEFFXXX\nwww.example.com\nAmtsgericht Hamburg HRB 123456 · USt-IdNr. DE123456789\n',
      attach: [{ name: 'Rechnung RE-2025-10482.pdf', type: 'application/pdf', content: pdf('Rechnung RE-2025-10482') }],
    },
    says: { flags: ['has_document_files'], hosts: ['www.example.com'], files: ['Rechnung RE-2025-10482.pdf'], phones: ['+49404288310'] },
  },
  {
    name: 'a password reset',
    origin: own('cloudnotes.example', {
      ip: '159.183.2.70',
      helo: 'pm-b70.mtasv.net',
      rdns: 'pm-b70.mtasv.net',
      mailFrom: 'pm_bounces@pm-bounces.cloudnotes.example',
      signers: [
        { domain: 'cloudnotes.example', selector: '20250101pm' },
        { domain: 'pm.mtasv.net', selector: 'pm' },
      ],
    }),
    mail: {
      fields: {
        From: 'Cloudnotes <no-reply@cloudnotes.example>',
        To: 'anna@example.org',
        Subject: 'Reset your Cloudnotes password',
        Date: DATE,
        'Message-ID': '<6b2f1f0a-7c1d-4e0b-9b0c-2d1e3f4a5b6c@mtasv.net>',
        'X-PM-Message-Id': '6b2f1f0a-7c1d-4e0b-9b0c-2d1e3f4a5b6c',
        'X-PM-Tag': 'password-reset',
        'X-PM-RCPT': '|bTB8MTIzNDU2fDEyMzQ1NjcyfGFubmFAZXhhbXBsZS5vcmc=|',
        'Feedback-ID': 's1234567-_:s1234567:a12345:postmark',
        'X-Complaints-To': 'abuse@postmarkapp.com',
      },
      text: 'Hi Anna,\n\nYou asked to reset your password. Use this link within 24 hours:\n\nhttps://app.cloudnotes.example/reset?token=9f86d081884c7d659a2feaa0c55ad015\n\nFor security, this request was received from a Mac OS X device using Firefox 131.0.2. If you did not ask for it, ignore this email or contact support.\n\nThe Cloudnotes Team\n',
      html: `<!doctype html><html><head><meta name="x-apple-disable-message-reformatting"><style>.body-action{margin:30px auto}</style></head><body><span class="preheader">This link is valid for 24 hours.</span><p>Hi Anna,</p><p>You asked to reset your password.</p>${button('https://app.cloudnotes.example/reset?token=9f86d081884c7d659a2feaa0c55ad015', 'Reset your password')}<p class="sub">If you’re having trouble with the button above, copy and paste the URL below into your web browser.</p><p class="sub">https://app.cloudnotes.example/reset?token=9f86d081884c7d659a2feaa0c55ad015</p></body></html>`,
    },
    says: { hosts: ['app.cloudnotes.example'] },
  },
  {
    name: 'a code to sign in with',
    origin: own('harbour-bank.example', {}),
    mail: {
      fields: {
        From: 'Harbour Bank <no-reply@harbour-bank.example>',
        To: 'anna@example.org',
        Subject: '482915 is your verification code',
        Date: DATE,
        'Message-ID': '<0f3a9c1e7b@mail.harbour-bank.example>',
        'Auto-Submitted': 'auto-generated',
      },
      text: 'Your verification code is 482915. It expires in 10 minutes. Never share it with anyone; our staff will never ask for it.\n',
    },
    says: {},
  },
  {
    name: 'a notice of a new sign-in',
    origin: own('mailhaven.example', {}),
    mail: {
      fields: {
        From: 'Mailhaven <security-noreply@mailhaven.example>',
        To: 'anna@example.org',
        Subject: 'Security alert',
        Date: DATE,
        'Message-ID': '<Rk9PQkFS0123456789@notifications.mailhaven.example>',
        'X-Notifications': 'GAMMA:<Rk9PQkFS0123456789@notifications.mailhaven.example>',
        'Feedback-ID': 'account-notifier:mailhaven',
      },
      text: '[image: Mailhaven]\nA new sign-in on Windows\n\nanna@example.org\n\nWe noticed a new sign-in to your account on a Windows device. If this was you, you don’t need to do anything. If not, we’ll help you secure your account.\n\nCheck activity\n<https://accounts.mailhaven.example/AccountChooser?Email=anna@example.org&continue=https://accounts.mailhaven.example/alert/nt/1760447520000?rfn%3D325>\n\nYou can also see security activity at\nhttps://accounts.mailhaven.example/notifications\n',
    },
    // It leads from one page of the same host to another: nobody is led away.
    says: { hosts: ['accounts.mailhaven.example'] },
  },
  {
    name: 'a receipt',
    origin: own('brewlane.example', {
      ip: '54.240.8.76',
      helo: 'a8-76.smtp-out.amazonses.com',
      rdns: 'a8-76.smtp-out.amazonses.com',
      mailFrom: '01000199e2b3c4d5-11112222-3333-4444-5555-666677778888-000000@amazonses.com',
      signers: [
        { domain: 'brewlane.example', selector: 'm5w2' },
        { domain: 'amazonses.com', selector: 'ug7nbtf4gccmlpwj322ax3p6ow6yfsug' },
      ],
    }),
    mail: {
      fields: {
        From: '"Brew Lane via Tillpay" <receipts@brewlane.example>',
        To: 'anna@example.org',
        Subject: 'Receipt from Brew Lane #1204-8834',
        Date: 'Tue, 14 Oct 2025 06:12:00 -0700',
        'Message-ID': '<01000199e2b3c4d5-11112222-3333-4444-5555-666677778888-000000@email.amazonses.com>',
        'Feedback-ID': '::1.us-east-1.c2lnbg==:AmazonSES',
        'X-SES-Outgoing': '2025.10.14-54.240.8.76',
      },
      html: newsletterHtml({
        title: 'Receipt',
        preheader: 'You paid $14.50',
        rows: [
          '<h1>$14.50</h1><table><tr><td>Flat white x 2</td><td>$9.00</td></tr><tr><td>Banana bread</td><td>$5.50</td></tr></table>',
          '<p>Visa •••• 4242, 14/10/2025, 06:11, Auth 083412, AID A0000000031010</p><p>Brew Lane, 88 Grand Avenue, Suite 1200</p>',
          link('https://tillpay.example/r/k2Lp9', 'View receipt'),
        ],
      }),
    },
    says: {
      flags: ['is_mime_html_only', 'sent_outside_business_hours'],
      hosts: ['tillpay.example', FONTS],
    },
  },
  {
    name: 'a parcel on its way',
    origin: own('paketblitz.example', {}),
    mail: {
      fields: {
        From: 'Paketblitz <noreply@paketblitz.example>',
        To: 'anna@example.org',
        Subject: 'Ihr Paket 00340434161094027318 kommt morgen',
        Date: 'Tue, 14 Oct 2025 15:12:00 +0200',
        'Message-ID': '<1823746500.12.1760447520000.JavaMail.app@prd-notify-7>',
      },
      text: 'Guten Tag,\n\nIhr Paket kommt am 15.10.2025 zwischen 10:30 und 12:30 Uhr.\nSendungsnummer: 00340434161094027318\nhttps://www.paketblitz.example/verfolgen?piececode=00340434161094027318\n\nBitte antworten Sie nicht auf diese E-Mail.\n',
    },
    says: { hosts: ['www.paketblitz.example'] },
  },
  {
    name: 'a monthly statement',
    origin: own('harbour-bank.example', {}),
    mail: {
      fields: {
        From: 'Harbour Bank <statements@harbour-bank.example>',
        'Reply-To': 'Harbour Bank <service@harbour-bank.example>',
        To: 'anna@example.org',
        Subject: 'Your September statement is ready',
        Date: 'Tue, 14 Oct 2025 09:12:00 -0400',
        'Message-ID': '<STMT.20251014.771200@mail.harbour-bank.example>',
      },
      text: 'Your statement for the account ending in 8812 is ready. Sign in at https://www.harbour-bank.example to read it.\n\nQuestions? Call 1-800-662-2274, Monday to Friday. We never ask for passwords by email.\n\nMember FDIC. Deposits are insured up to $250,000.\n',
      html: '<p>Your statement for the account ending in <b>8812</b> is ready.</p><p><a href="https://www.harbour-bank.example/">Sign in</a> to read it.</p><p>Questions? Call <a href="tel:1-800-662-2274">1-800-662-2274</a>.</p><p>Member FDIC. Deposits are insured up to $250,000.</p><img src="cid:logo@harbour-bank.example" alt="Harbour Bank" width="120">',
      related: [{ content: PNG, type: 'image/png', name: 'logo.png', contentId: 'logo@harbour-bank.example' }],
    },
    says: {
      // The insured amount is one that the message speaks of: the flag says no more than that.
      flags: ['sender_and_reply_to_different_email', 'high_value_money_found'],
      hosts: ['www.harbour-bank.example'],
      phones: ['+18006622274'],
      files: ['logo.png'],
    },
  },
];

/** A company's own server, which signs for it. */
function own(domain: string, other: Partial<Origin>): Origin {
  return {
    ip: '192.0.2.44',
    helo: `mail.${domain}`,
    rdns: `mail.${domain}`,
    mailFrom: `bounces@${domain}`,
    signers: [{ domain, selector: 'mail2025' }],
    spf: 'pass',
    dmarc: { result: 'pass', p: 'reject', sp: 'reject' },
    ...other,
  };
}
