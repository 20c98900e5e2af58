import { multipart, part } from './builder.ts';
import { PNG } from './files.ts';
import type { Letter, Origin } from './letter.ts';

/** What people write to each other, as the programs of the time send it. */
export const PEOPLE: readonly Letter[] = [
  {
    // Google makes the Message-ID under mail.gmail.com whatever the domain, and signs for the domain alone.
    name: 'a mail from Google Workspace',
    origin: google('brightpath.example'),
    mail: {
      fields: {
        'X-Google-DKIM-Signature': 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=1e100.net; s=20230601; bh=Ktd4Yk0=; b=YWxs',
        'X-Gm-Message-State': 'AOJu0Yx1nVt7b2mKq0Zs9hJc',
        From: 'Priya Nair <priya@brightpath.example>',
        To: 'anna@example.org',
        Cc: 'Tom Albers <tom@brightpath.example>, Chen <chen@example.org>',
        Subject: 'Re: Thursday',
        Date: 'Tue, 14 Oct 2025 15:11:58 +0200',
        'Message-ID': '<CAHk-=wj3Yx9Qe7u2nB1mP8sTgV5rLzXc0dKfA6hEiJoWqNbMyA@mail.gmail.com>',
        'In-Reply-To': '<8a1b2c3d@example.org>',
        References: '<8a1b2c3d@example.org>',
      },
      text: 'Thursday works, 2pm? See you at https://meet.google.com/abc-defg-hij\r\n\r\nOn Tue, Oct 14, 2025 at 2:40 PM Anna <anna@example.org> wrote:\r\n\r\n> Can we meet on Thursday?\r\n> Anna\r\n',
      html: '<div dir="ltr">Thursday works, 2pm? See you at <a href="https://meet.google.com/abc-defg-hij">https://meet.google.com/abc-defg-hij</a></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Tue, Oct 14, 2025 at 2:40 PM Anna &lt;<a href="mailto:anna@example.org">anna@example.org</a>&gt; wrote:<br></div><blockquote class="gmail_quote">Can we meet on Thursday?<br>Anna</blockquote></div>',
    },
    says: { hosts: ['meet.google.com'] },
  },
  {
    name: 'an answer from Outlook, with the picture of a signature and Safe Links',
    origin: outlook('contoso.example'),
    mail: {
      fields: {
        From: 'Jonas Becker <jonas.becker@contoso.example>',
        To: 'Anna <anna@example.org>',
        Subject: 'AW: Angebot Messebau',
        'Thread-Topic': 'Angebot Messebau',
        'Thread-Index': 'AQHcPQz1x9Qe7u2nB1mP8sTgV5rLzQ==',
        Date: 'Tue, 14 Oct 2025 13:11:58 +0000',
        'Message-ID': '<AS8PR04MB8234F1E2D3C4B5A69788EBA@AS8PR04MB8234.eurprd04.prod.outlook.com>',
        'X-MS-Has-Attach': 'yes',
        'x-ms-publictraffictype': 'Email',
        'x-forefront-antispam-report':
          'CIP:255.255.255.255;CTRY:;LANG:de;SCL:1;SRV:;IPV:NLI;SFV:NSPM;H:AS8PR04MB8234.eurprd04.prod.outlook.com;PTR:;CAT:NONE;SFS:(13230040)(366016);DIR:OUT;SFP:1101;',
        'X-MS-Exchange-CrossTenant-AuthAs': 'Internal',
        'X-OriginatorOrg': 'contoso.example',
      },
      html: '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40"><head><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style>p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; mso-fareast-language:EN-US;} @page WordSection1 {size:612.0pt 792.0pt; margin:70.85pt 70.85pt 2.0cm 70.85pt;}</style></head><body lang="DE" link="#0563C1"><p class="MsoNormal">Hallo Anna,<o:p></o:p></p><p class="MsoNormal">die Zahlen stehen <a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcontoso.sharepoint.com%2Fsites%2Fmesse%2FAngebot.aspx&amp;data=05%7C02%7Canna%40example.org%7Cc1a1c8d2&amp;sdata=sIg%3D&amp;reserved=0" originalsrc="https://contoso.sharepoint.com/sites/messe/Angebot.aspx">hier</a>.</p><p class="MsoNormal">Viele Grüße<br>Jonas Becker | Contoso | T +49 30 12345678<br><img width="120" id="Bild_x0020_1" src="cid:image001.png@01DC3D1A.5F2E7B40"></p></body></html>',
      text: 'Hallo Anna,\r\n\r\ndie Zahlen stehen hier<https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcontoso.sharepoint.com%2Fsites%2Fmesse%2FAngebot.aspx&data=05%7C02%7Canna%40example.org%7Cc1a1c8d2&sdata=sIg%3D&reserved=0>.\r\n\r\nViele Grüße\r\nJonas Becker | Contoso | T +49 30 12345678\r\n[cid:image001.png@01DC3D1A.5F2E7B40]\r\n\r\nVon: Anna <anna@example.org>\r\nGesendet: Dienstag, 14. Oktober 2025 14:40\r\nAn: Jonas Becker <jonas.becker@contoso.example>\r\nBetreff: Angebot Messebau\r\n',
      related: [{ content: PNG, type: 'image/png', name: 'image001.png', contentId: 'image001.png@01DC3D1A.5F2E7B40' }],
    },
    says: {
      hosts: ['eur01.safelinks.protection.outlook.com', 'contoso.sharepoint.com'],
      redirects: ['https://contoso.sharepoint.com/sites/messe/Angebot.aspx'],
      phones: ['+493012345678'],
      files: ['image001.png'],
    },
  },
  {
    name: 'an out-of-office answer of Exchange',
    origin: { ...outlook('contoso.example'), mailFrom: '' },
    mail: {
      fields: {
        From: 'Jonas Becker <jonas.becker@contoso.example>',
        To: 'Anna <anna@example.org>',
        Subject: 'Automatische Antwort: Angebot Messebau',
        Date: 'Tue, 14 Oct 2025 13:12:04 +0000',
        'Message-ID': '<7c1d2e3f4a5b@AS8PR04MB8234.eurprd04.prod.outlook.com>',
        'In-Reply-To': '<8a1b2c3d@example.org>',
        'X-MS-Has-Attach': '',
        'X-Auto-Response-Suppress': 'All',
        'auto-submitted': 'auto-generated',
        'x-ms-exchange-parent-message-id': '<8a1b2c3d@example.org>',
        'x-ms-exchange-generated-message-source': 'Mailbox Rules Agent',
      },
      html: '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body><p>Guten Tag,</p><p>ich bin bis zum 20.10.2025 nicht im Büro. In dringenden Fällen wenden Sie sich bitte an empfang@contoso.example.</p></body></html>',
    },
    says: { flags: ['is_mime_html_only'] },
  },
  {
    name: 'a mail from an iPhone with a photograph',
    origin: {
      ip: '17.58.38.50',
      helo: 'st43p00im-ztdg10073201.me.com',
      rdns: 'st43p00im-ztdg10073201.me.com',
      mailFrom: 'lea.morel@icloud.com',
      signers: [{ domain: 'icloud.com', selector: '1a1hai' }],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'quarantine' },
    },
    mail: {
      fields: {
        From: 'Léa Morel <lea.morel@icloud.com>',
        To: 'Anna <anna@example.org>',
        Subject: 'La clé',
        Date: 'Tue, 14 Oct 2025 15:11:51 +0200',
        'Message-Id': '<5B0C1D2E-3F4A-5B6C-7D8E-9F0A1B2C3D4E@icloud.com>',
        'X-Mailer': 'iPhone Mail (22G100)',
      },
      text: 'Voilà la photo. À ce soir !\r\n\r\nEnvoyé de mon iPhone',
      attach: [{ name: 'IMG_2041.png', type: 'image/png', disposition: 'inline', content: PNG }],
    },
    says: { files: ['IMG_2041.png'] },
  },
  {
    name: 'a message that its author has signed with S/MIME',
    origin: outlook('contoso.example'),
    mail: {
      fields: {
        From: 'Jonas Becker <jonas.becker@contoso.example>',
        To: 'anna@example.org',
        Subject: 'Vertrag',
        Date: 'Tue, 14 Oct 2025 13:11:58 +0000',
        'Message-ID': '<000001dc3d0c$f5c7de90$e1579bb0$@contoso.example>',
      },
      body: multipart('signed; protocol="application/pkcs7-signature"; micalg=SHA-256', [
        part('text/plain; charset=utf-8', 'Der Vertrag gilt ab 1.11.2025.\r\n'),
        part('application/pkcs7-signature; name="smime.p7s"', Buffer.from('308006092a864886f70d010702a080', 'hex'), 'base64', {
          'Content-Disposition': 'attachment; filename="smime.p7s"',
        }),
      ]),
    },
    says: { files: ['smime.p7s'] },
  },
  {
    name: 'a message that is encrypted with PGP',
    origin: google('brightpath.example'),
    mail: {
      fields: {
        From: 'Tom Albers <tom@brightpath.example>',
        To: 'anna@example.org',
        Subject: '...',
        Date: 'Tue, 14 Oct 2025 15:11:58 +0200',
        'Message-ID': '<0b6f2a1c-4d3e-2f1a-0b9c-8d7e6f5a4b3c@brightpath.example>',
        'User-Agent': 'Mozilla Thunderbird',
      },
      body: multipart('encrypted; protocol="application/pgp-encrypted"', [
        part('application/pgp-encrypted', 'Version: 1\r\n', '', { 'Content-Description': 'PGP/MIME version identification' }),
        part(
          'application/octet-stream; name="encrypted.asc"',
          '-----BEGIN PGP MESSAGE-----\r\n\r\nhQIMA5nlRr2Jw0yDAQ/+Kq0Zs9hJc1nVt7b2m\r\n=x9Qe\r\n-----END PGP MESSAGE-----\r\n',
          '',
          { 'Content-Description': 'OpenPGP encrypted message', 'Content-Disposition': 'inline; filename="encrypted.asc"' },
        ),
      ]),
    },
    // It has a text, and nobody but the reader can have it.
    says: { flags: ['is_body_text_empty'], files: ['(application/pgp-encrypted)', 'encrypted.asc'] },
  },
];

/** A domain whose mail is with Google. */
export function google(domain: string): Origin {
  return {
    ip: '209.85.208.41',
    helo: 'mail-ed1-f41.google.com',
    rdns: 'mail-ed1-f41.google.com',
    mailFrom: `priya@${domain}`,
    signers: [{ domain, selector: 'google' }],
    spf: 'pass',
    dmarc: { result: 'pass', p: 'none', sp: 'none' },
  };
}

/** A domain whose mail is with Microsoft. */
export function outlook(domain: string): Origin {
  return {
    ip: '52.101.69.85',
    helo: 'DB3PR0202CU003.outbound.protection.outlook.com',
    rdns: 'mail-northeuropeazon11010085.outbound.protection.outlook.com',
    mailFrom: `jonas.becker@${domain}`,
    signers: [{ domain, selector: 'selector2' }],
    spf: 'pass',
    dmarc: { result: 'pass', p: 'quarantine', sp: 'quarantine' },
  };
}
