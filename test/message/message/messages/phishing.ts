import { encryptedZip, pdf, qrCode } from './files.ts';
import type { Letter, Origin } from './letter.ts';
import { button, newsletterHtml } from './newsletter-html.ts';

const DATE = 'Tue, 14 Oct 2025 13:12:00 +0000';
const FROM_FREE_MAIL: Partial<Origin> = {
  ip: '209.85.208.177',
  helo: 'mail-lj1-f177.google.com',
  rdns: 'mail-lj1-f177.google.com',
  dmarc: { result: 'pass', p: 'none', sp: 'quarantine' },
};

/** The shapes of fraud by mail, and what the report must say of each. */
export const PHISHING: readonly Letter[] = [
  {
    name: 'a display name that is an address of somebody else',
    origin: rented('kq7-mailer.example'),
    mail: {
      fields: {
        From: '"Harbour Bank <service@harbour-bank.example>" <x91@kq7-mailer.example>',
        To: 'anna@example.org',
        Subject: 'Action required: your account has been suspended',
        Date: DATE,
        'Message-ID': '<20251014131200.77@kq7-mailer.example>',
      },
      html: `<p>Dear customer,</p><p>Your account has been suspended. Verify your identity within 24 hours or it will be permanently closed.</p>${button('http://203.0.113.77/harbour-bank/login.php', 'Verify now')}`,
    },
    says: {
      flags: ['is_mime_html_only', 'has_urls_with_ip_host', 'from_name_has_other_email'],
      urgency: 'high',
      withIpHost: ['http://203.0.113.77/harbour-bank/login.php'],
    },
  },
  {
    name: 'domains that look like others',
    origin: rented('rnicrosoft-support.com'),
    mail: {
      fields: {
        From: 'Microsoft 365 <no-reply@rnicrosoft-support.com>',
        To: 'anna@example.org',
        Subject: 'Unusual sign-in activity',
        Date: DATE,
        'Message-ID': '<77@rnicrosoft-support.com>',
      },
      text: 'We detected something unusual. Review at https://login.microsoftonline.com.secure-auth.example/x or https://аррӏе.com/id and hxxps://paypa1[.]com/signin\n',
    },
    says: {
      urgency: 'medium',
      hosts: ['login.microsoftonline.com.secure-auth.example', 'xn--80ak6aa92e.com', 'paypa1.com'],
      lookalikes: ['rnicrosoft-support.com', 'xn--80ak6aa92e.com', 'paypa1.com'],
      impersonations: ['Microsoft: from_name', 'Microsoft: host', 'Apple: host', 'PayPal: host'],
    },
  },
  {
    name: 'a QR code in a picture',
    origin: rented('hr-portal-mail.example'),
    mail: {
      fields: {
        From: 'HR Department <hr@hr-portal-mail.example>',
        To: 'anna@example.org',
        Subject: 'Salary adjustment 2026: please review',
        Date: DATE,
        'Message-ID': '<qr1@hr-portal-mail.example>',
      },
      html: '<p>Scan the code with the camera of your phone to review your new salary.</p><img src="cid:qr1" width="200">',
      related: [
        {
          content: await qrCode('https://hr-portal-login.example/s/?e=YW5uYUBleGFtcGxlLm9yZw=='),
          type: 'image/png',
          name: 'code.png',
          contentId: 'qr1',
        },
      ],
    },
    says: { flags: ['is_mime_html_only'], hosts: ['hr-portal-login.example'], files: ['code.png'] },
  },
  {
    name: 'HTML smuggling',
    origin: rented('billing-desk.example'),
    mail: {
      fields: {
        From: 'Accounts <accounts@billing-desk.example>',
        To: 'anna@example.org',
        Subject: 'Remittance advice',
        Date: DATE,
        'Message-ID': '<hs@billing-desk.example>',
      },
      text: 'Please find the remittance advice attached.\n',
      attach: [
        {
          name: 'Remittance_88213.pdf.html',
          type: 'text/html',
          content: `<html><body><script>var f="${Buffer.from('MZ, and so on').toString('base64')}";var b=new Blob([Uint8Array.from(atob(f),c=>c.charCodeAt(0))]);var a=document.createElement("a");a.href=URL.createObjectURL(b);a.download="Remittance.iso";a.click();location.href="https://drop-zone.example/next"</script></body></html>`,
        },
        { name: 'chart.svg', type: 'image/svg+xml', content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' },
      ],
    },
    says: {
      flags: ['has_risky_file_extensions'],
      files: ['Remittance_88213.pdf.html', 'chart.svg'],
      hosts: ['drop-zone.example'],
    },
  },
  {
    name: 'links through the open redirects of honest sites',
    origin: rented('docs-share.example'),
    mail: {
      fields: {
        From: 'Document Share <share@docs-share.example>',
        To: 'anna@example.org',
        Subject: 'A document was shared with you',
        Date: DATE,
        'Message-ID': '<or@docs-share.example>',
      },
      html: [
        'https://www.google.com/url?q=https%3A%2F%2Fone.trap.example%2Fa&amp;sa=D',
        'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.youtube.com%2Fredirect%3Fq%3Dhttps%253A%252F%252Ftwo.trap.example%252F&amp;data=05',
        'https://shop.example/login?next=https://three.trap.example/x',
        'https://www.bing.com/ck/a?!&amp;&amp;p=1&amp;u=a1aHR0cHM6Ly9mb3VyLnRyYXAuZXhhbXBsZS8&amp;ntb=1',
      ]
        .map((url) => `<a href="${url}">Open</a>`)
        .join(' '),
    },
    says: {
      flags: ['is_mime_html_only'],
      hosts: [
        'www.google.com',
        'one.trap.example',
        'eur01.safelinks.protection.outlook.com',
        'www.youtube.com',
        'two.trap.example',
        'shop.example',
        'three.trap.example',
        'www.bing.com',
        'four.trap.example',
      ],
      redirects: [
        'https://one.trap.example/a',
        'https://www.youtube.com/redirect?q=https%3A%2F%2Ftwo.trap.example%2F',
        'https://two.trap.example/',
        'https://three.trap.example/x',
        'https://four.trap.example/',
      ],
    },
  },
  {
    name: 'a number to call back, in an invoice for what nobody has bought',
    origin: rented('gmail.com', { ...FROM_FREE_MAIL, mailFrom: 'billing.dept.88213@gmail.com' }),
    mail: {
      fields: {
        From: 'Geek Protect Billing <billing.dept.88213@gmail.com>',
        To: 'undisclosed-recipients:;',
        Subject: 'Invoice #GS-88213 paid',
        Date: DATE,
        'Message-ID': '<CAKx7Qe9@mail.gmail.com>',
      },
      text: 'Thank you for your order. $499.99 will be charged to your account today.\nIf you did not authorize this payment, call us immediately: +1 (８００) 662 – 2274\nor 1.888.555.0142\n',
      attach: [{ name: 'INV-88213.pdf', type: 'application/pdf', content: pdf('Call 1-800-662-2274') }],
    },
    says: {
      flags: ['has_undisclosed_recipients', 'has_document_files'],
      urgency: 'medium',
      phones: ['+18006622274', '+18885550142'],
      files: ['INV-88213.pdf'],
    },
  },
  {
    name: 'an encrypted archive, with its password in the text',
    origin: rented('freight-desk.example'),
    mail: {
      fields: {
        From: 'Freight <docs@freight-desk.example>',
        To: 'anna@example.org',
        Subject: 'RE: shipping documents',
        Date: DATE,
        'Message-ID': '<za@freight-desk.example>',
      },
      text: 'As discussed, see the attached documents.\nArchive password: 7731\n',
      attach: [{ name: 'documents.zip', type: 'application/zip', content: encryptedZip('Invoice_7731.js', 'WScript.Echo(1)', '7731') }],
    },
    says: {
      flags: ['has_archive_files', 'has_encrypted_archive_files', 'has_risky_file_extensions'],
      files: ['documents.zip: Invoice_7731.js'],
    },
  },
  {
    name: 'the head of the company, who is busy and answers elsewhere',
    origin: rented('example.org', { spf: 'softfail', signers: [], dmarc: { result: 'fail', p: 'none', sp: 'none' } }),
    mail: {
      fields: {
        From: 'Clara Vogt <clara.vogt@example.org>',
        'Reply-To': 'Clara Vogt <clara.vogt.office@gmail.com>',
        To: 'anna@example.org',
        Subject: 'Urgent wire transfer',
        Date: DATE,
        'Message-ID': '<20251014131200.88@vps-2231.example.net>',
        Importance: 'high',
      },
      text: 'Anna,\n\nare you at your desk? I need you to process a wire transfer of USD 48,250.00 immediately, today before close of business. Keep this confidential, I am in a meeting and cannot talk.\n\nClara\n',
    },
    says: {
      flags: [
        'sender_and_reply_to_different_email',
        'sender_and_reply_to_different_domain',
        'reply_to_free_email',
        'sender_and_message_id_mismatch',
        'high_value_money_found',
      ],
      urgency: 'high',
    },
  },
  {
    name: 'an answer within a conversation, led elsewhere by one letter',
    origin: rented('contoso.example', { spf: 'fail', signers: [], dmarc: { result: 'fail', p: 'quarantine', sp: 'quarantine' } }),
    mail: {
      fields: {
        From: 'Jonas Becker <jonas.becker@contoso.example>',
        'Reply-To': 'jonas.becker@c0ntoso.example',
        To: 'anna@example.org',
        Subject: 'AW: Angebot Messebau – neue Bankverbindung',
        Date: DATE,
        'Message-ID': '<77aa@mail.example.net>',
      },
      text: 'Hallo Anna,\n\nunsere Bankverbindung hat sich geändert, bitte überweisen Sie die 12.400,00 € noch heute auf das neue Konto.\n\nJonas\n',
    },
    says: {
      flags: [
        'sender_and_reply_to_different_email',
        'sender_and_reply_to_different_domain',
        'sender_and_message_id_mismatch',
        'high_value_money_found',
      ],
      urgency: 'medium',
    },
  },
  {
    name: 'extortion in the name of the reader',
    origin: rented('example.org', {
      ip: '203.0.113.9',
      helo: '[203.0.113.9]',
      rdns: '',
      spf: 'fail',
      signers: [],
      dmarc: { result: 'fail', p: 'reject', sp: 'reject' },
      plain: true,
    }),
    mail: {
      fields: {
        From: 'anna@example.org',
        To: 'anna@example.org',
        Subject: 'I have your password',
        Date: 'Tue, 14 Oct 2025 02:12:00 +0000',
        'Message-ID': '<r4nd0m@203.0.113.9>',
      },
      text: 'I rec\u200borded you through your camera. Send 1400 $ in Bitc\u200boin to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa within 48 hours, or everybody will see it. The clock is ticking.\n',
    },
    says: {
      flags: ['sender_is_recipient', 'sender_rdns_empty', 'sent_outside_business_hours', 'sent_on_night_hours'],
      urgency: 'high',
      bitcoin: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    },
  },
  {
    name: 'a program that calls itself a document, and one that is called one',
    origin: rented('scans.example'),
    mail: {
      fields: {
        From: 'Scanner <scan@scans.example>',
        To: 'anna@example.org',
        Subject: 'Scan',
        Date: DATE,
        'Message-ID': '<scan@scans.example>',
      },
      text: '',
      attach: [
        { name: 'scan\u202efdp.exe', content: 'MZ' },
        { name: 'report.pdf.lnk', content: 'L' },
      ],
    },
    says: { flags: ['is_body_text_empty', 'has_risky_file_extensions'], files: ['scanfdp.exe', 'report.pdf.lnk'] },
  },
  {
    // Not fraud: somebody tells of it, so that nobody clicks by mistake.
    name: 'an analyst who writes of fraud',
    origin: rented('cert.example'),
    mail: {
      fields: {
        From: 'CERT <alerts@cert.example>',
        To: 'anna@example.org',
        Subject: 'IOCs 2025-41',
        Date: DATE,
        'Message-ID': '<iocs@cert.example>',
      },
      text: 'C2: hxxps://panel[.]bad-host[.]example/gate.php, hxxp://198[.]51[.]100[.]7:8080/a.exe\nPhisher: drop(at)bad-host[dot]example\nFile: 44d88612fea8a8f36de82e1278abb02f\n',
    },
    says: {
      flags: ['has_urls_with_ip_host'],
      hosts: ['panel.bad-host.example'],
      withIpHost: ['http://198.51.100.7:8080/a.exe'],
      directDownloads: ['http://198.51.100.7:8080/a.exe'],
    },
  },
  {
    name: 'a copy of a newsletter, whose button leads to a program',
    origin: rented('parcel-center.example'),
    mail: {
      fields: {
        From: 'Parcel Center <track@parcel-center.example>',
        To: 'anna@example.org',
        Subject: 'Your parcel could not be delivered',
        Date: DATE,
        'Message-ID': '<pc@parcel-center.example>',
      },
      html: newsletterHtml({
        title: 'Parcel',
        preheader: 'Final notice',
        rows: [
          '<p>Final notice: pay the fee of 1.99 € within 24 hours or your parcel will be returned.</p>',
          button('https://files.parcel-center.example/label/Label_8812.exe', 'Print label'),
        ],
      }),
    },
    says: {
      flags: ['is_mime_html_only'],
      urgency: 'medium',
      hosts: ['files.parcel-center.example', 'fonts.googleapis.com'],
      directDownloads: ['https://files.parcel-center.example/label/Label_8812.exe'],
    },
  },
];

/** A machine that somebody has rented, in a name that he registered last week: all that can be checked is right. */
function rented(domain: string, other: Partial<Origin> = {}): Origin {
  return {
    ip: '203.0.113.66',
    helo: 'vps-2231.rented.example',
    rdns: 'vps-2231.rented.example',
    mailFrom: `bounce@${domain}`,
    signers: [{ domain, selector: 'x' }],
    spf: 'pass',
    dmarc: { result: 'pass', p: 'none', sp: 'none' },
    ...other,
  };
}
