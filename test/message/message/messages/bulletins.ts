import type { Letter } from './letter.ts';
import { button, link, newsletterHtml } from './newsletter-html.ts';

const DATE = 'Tue, 14 Oct 2025 13:12:00 +0000';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FONTS = 'fonts.googleapis.com';
const PICTURE = 'https%3A%2F%2Fsubstack-post-media.s3.amazonaws.com%2Fpublic%2Fimages%2Fbridge_1456x816.png';

/** The platforms that `newsletters.ts` leaves. */
export const BULLETINS: readonly Letter[] = [
  {
    // Of a customer who has no DKIM of his own: sent from a shared domain, answered by the customer.
    name: 'Constant Contact',
    origin: {
      ip: '208.75.123.180',
      helo: 'ccm180.constantcontact.com',
      rdns: 'ccm180.constantcontact.com',
      mailFrom: 'AbCdEfGhIjKlMnOpQrStUv@in.constantcontact.com',
      signers: [
        { domain: 'shared1.ccsend.com', selector: '1000073432' },
        { domain: 'auth.ccsend.com', selector: '1000073432' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'reject', sp: 'reject' },
    },
    mail: {
      fields: {
        From: 'Riverbend Library <riverbend-library@shared1.ccsend.com>',
        'Reply-To': 'events@riverbend-library.example',
        To: 'anna@example.org',
        Subject: 'October events: book club, story time, tax workshop',
        Date: 'Tue, 14 Oct 2025 09:12:00 -0400 (EDT)',
        'Message-ID': '<1140123456789.1101234567890.1234567890.0.451027JL.2002@synd.ccsend.com>',
        'X-Mailer': 'Roving Constant Contact 2012 (http://www.constantcontact.com)',
        'X-Return-Path-Hint': 'AbCdEfGhIjKlMnOpQrStUv@in.constantcontact.com',
        'X-Roving-ID': '1101234567890.1140123456789',
        'X-Roving-CampaignId': '0a1b2c3d-4e5f-6789-abcd-ef0123456789',
        'List-Unsubscribe': '<https://visitor.constantcontact.com/do?p=un&m=001AbC&ch=22dd&ca=0a1b>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      text: 'Riverbend Library\n\nBook club, Tuesday 7 pm. Call (207) 872-0541 to save your seat.\n\nhttps://lwk8xn5ab.cc.rs6.net/tn.jsp?f=001xYz&c=AbC==&ch=DeF==\n\nRiverbend Library | 5 Mill Road | Riverbend, ME 04901\nUnsubscribe anna@example.org: https://visitor.constantcontact.com/do?p=un&m=001AbC&ch=22dd&ca=0a1b\n',
      html: newsletterHtml({
        title: 'October events',
        preheader: 'Book club, story time, tax workshop',
        rows: [
          '<h2>October events</h2><p>Book club, Tuesday 7 pm. Call (207) 872-0541 to save your seat.</p>',
          button('https://lwk8xn5ab.cc.rs6.net/tn.jsp?f=001xYz&amp;c=AbC==&amp;ch=DeF==', 'All events'),
          link('https://visitor.constantcontact.com/do?p=un&amp;m=001AbC&amp;ch=22dd&amp;ca=0a1b', 'Unsubscribe anna@example.org'),
        ],
        pixel: 'https://lwk8xn5ab.cc.rs6.net/on.jsp?ca=0a1b&amp;a=1101234567890&amp;c=22dd',
      }),
    },
    says: {
      // What it says is so, and the reader wants to know it: the answer goes elsewhere.
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email', 'sender_and_reply_to_different_domain'],
      hosts: ['lwk8xn5ab.cc.rs6.net', 'visitor.constantcontact.com', FONTS],
      phones: ['+12078720541'],
    },
  },
  {
    name: 'Substack',
    origin: {
      ip: '143.55.232.2',
      helo: 'mg-232-2.substack.com',
      rdns: 'mg-232-2.substack.com',
      mailFrom: 'bounce+b1c2d3.9a8b7c-anna=example.org@mg1.substack.com',
      signers: [
        { domain: 'substack.com', selector: 'mailo' },
        { domain: 'mg1.substack.com', selector: 'mailo' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'reject', sp: 'reject' },
    },
    mail: {
      fields: {
        From: 'Margin Notes <marginnotes@substack.com>',
        'Reply-To': 'Margin Notes <reply+2abcde&1x2y3z&&6f0b1d2a7b9d4c3e8a@mg1.substack.com>',
        To: 'anna@example.org',
        Subject: 'What the bridge knows',
        Date: 'Tue, 14 Oct 2025 11:12:00 +0000',
        'Message-ID': '<20251014111200.3.9a8b7c6d5e4f3a2b@mg1.substack.com>',
        Sender: 'Margin Notes <marginnotes@substack.com>',
        'X-Mailgun-Sid': 'WyJhYmNkZSIsImFubmFAZXhhbXBsZS5vcmciLCI5YThiN2MiXQ==',
        'X-Mailgun-Sending-Ip': '143.55.232.2',
        'X-Mailgun-Variables': '{"category": "post", "email_generated_at": "1760440320", "is_freemail": "false", "post_id": "175000000"}',
        'List-URL': '<https://marginnotes.substack.com/>',
        'List-Id': '<marginnotes.substack.com>',
        'List-Owner': '<mailto:marginnotes@substack.com>',
        'List-Unsubscribe': '<https://marginnotes.substack.com/action/disable_email/disable?token=eyJ1c2VyX2lkIjoxMjN9>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      text: 'View this post on the web at https://marginnotes.substack.com/p/what-the-bridge-knows\n\nA bridge of 1893 has cost $2,300 to paint. And then:\n\nUnsubscribe https://substack.com/redirect/2/eyJlIjoiaHR0cHM6Ly9tYXJnaW5ub3RlcyJ9.sIgn\n',
      html: newsletterHtml({
        title: 'What the bridge knows',
        preheader: 'A bridge of 1893',
        rows: [
          link(
            'https://substack.com/app-link/post?publication_id=99&amp;post_id=175000000&amp;utm_source=post-email-title',
            'What the bridge knows',
          ),
          // Commas are part of these URLs, and a URL within is where a picture comes from, not where anybody goes.
          `<img alt="" src="https://substackcdn.com/image/fetch/$s_!aBcD!,w_1100,c_limit,f_auto,q_auto:good/${PICTURE}" srcset="https://substackcdn.com/image/fetch/$s_!aBcD!,w_424,c_limit,f_auto,q_auto:good/${PICTURE} 424w, https://substackcdn.com/image/fetch/$s_!aBcD!,w_848,c_limit,f_auto,q_auto:good/${PICTURE} 848w">`,
          '<p>A bridge of 1893 has cost $2,300 to paint. And then:</p>',
          link('https://substack.com/redirect/2/eyJlIjoiaHR0cHM6Ly9tYXJnaW5ub3RlcyJ9.sIgn', 'Unsubscribe'),
        ],
        pixel: 'https://eotrx.substackcdn.com/open?token=eyJtIjoiPDIwMjUxMDE0',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email'],
      hosts: ['marginnotes.substack.com', 'substack.com', 'substackcdn.com', 'eotrx.substackcdn.com', FONTS],
    },
  },
  {
    name: 'Amazon SES',
    origin: {
      ip: '69.169.224.5',
      helo: 'b224-5.smtp-out.eu-west-1.amazonses.com',
      rdns: 'b224-5.smtp-out.eu-west-1.amazonses.com',
      mailFrom: '0102019a1b2c3d4e-5f6a7b8c-9d0e-1f2a-3b4c-5d6e7f8a9b0c-000000@bounces.gravel-weekly.example',
      signers: [
        { domain: 'gravel-weekly.example', selector: 'xv7t2hq4n3kcbm6w' },
        { domain: 'amazonses.com', selector: 'ihchhvubuqgjsxyuhssfvqohv7z3u4hn' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'quarantine' },
    },
    mail: {
      fields: {
        From: 'Gravel Weekly <editors@gravel-weekly.example>',
        To: 'anna@example.org',
        Subject: 'Gravel Weekly 88: tyres, towns, two long climbs',
        Date: DATE,
        'Message-ID': '<0102019a1b2c3d4e-5f6a7b8c-9d0e-1f2a-3b4c-5d6e7f8a9b0c-000000@eu-west-1.amazonses.com>',
        'Feedback-ID': '::1.eu-west-1.QmFzZTY0IG9mIG5vYm9keQ==:AmazonSES',
        'X-SES-Outgoing': '2025.10.14-69.169.224.5',
        'List-Unsubscribe': '<https://gravel-weekly.example/unsubscribe/7f8a9b0c>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      html: newsletterHtml({
        title: 'Gravel Weekly 88',
        preheader: 'Tyres, towns, two long climbs',
        rows: [
          link(
            'https://x7k2m.r.eu-west-1.awstrack.me/L0/https:%2F%2Fgravel-weekly.example%2Fissues%2F88%3Futm_source=mail/1/0102019a1b2c3d4e-000000/sIg_n=456',
            'Read issue 88',
          ),
          link('https://gravel-weekly.example/unsubscribe/7f8a9b0c', 'Unsubscribe'),
        ],
        pixel: 'https://x7k2m.r.eu-west-1.awstrack.me/I0/0102019a1b2c3d4e-000000/pIx=456',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'is_mime_html_only'],
      hosts: ['x7k2m.r.eu-west-1.awstrack.me', 'gravel-weekly.example', FONTS],
      redirects: ['https://gravel-weekly.example/issues/88?utm_source=mail'],
    },
  },
  {
    name: 'Salesforce Marketing Cloud',
    origin: {
      ip: '13.111.40.12',
      helo: 'mta.email.harbour-air.example',
      rdns: 'mta.email.harbour-air.example',
      mailFrom: 'bounce-1234_HTML-56781234-789012-100012345-9012@bounce.email.harbour-air.example',
      signers: [
        { domain: 'email.harbour-air.example', selector: '10dkim1' },
        { domain: 's10.y.mc.salesforce.com', selector: 'fbldkim10' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'reject', sp: 'reject' },
    },
    mail: {
      fields: {
        From: '"Harbour Air" <offers@email.harbour-air.example>',
        'Reply-To': '"Harbour Air" <reply-fec1157674670c74-1234_HTML-56781234-100012345-9012@email.harbour-air.example>',
        To: '<anna@example.org>',
        Subject: 'Anna, 10,000 bonus miles are waiting',
        Date: 'Tue, 14 Oct 2025 07:12:00 -0600',
        'Message-ID': '<3f2a1b0c-9d8e-7f6a-5b4c-3d2e1f0a9b8c@ind1s06mta1234.xt.local>',
        'X-SFMC-Stack': '10',
        'x-job': '100012345_7654321',
        'Feedback-ID': '100012345:7654321:13.111.40.12:sfmktgcld',
        'X-CSA-Complaints': 'csa-complaints@eco.de',
        'List-Unsubscribe':
          '<https://click.email.harbour-air.example/subscription_center.aspx?jwt=eyJhbGciOiJIUzI1NiJ9.eyJtaWQiOiIxIn0.sIg>, <mailto:leave-fd5f1574-fe2b@leave.email.harbour-air.example>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      text: 'Anna, 10,000 bonus miles are waiting.\n\nBook until 30 November.\nhttps://click.email.harbour-air.example/?qs=4be1f0a9\n\nIf you no longer wish to receive these emails: https://click.email.harbour-air.example/u/?qs=9b8c\n',
      html: newsletterHtml({
        title: '',
        preheader: 'Book until 30 November',
        rows: [
          link('https://view.email.harbour-air.example/?qs=77aa', 'View in browser'),
          '<h1>10,000 bonus miles</h1><p>Book until 30 November. Fares from $ 1,249.00 return.</p>',
          button('https://click.email.harbour-air.example/?qs=4be1f0a9', 'Book now'),
          link('https://click.email.harbour-air.example/u/?qs=9b8c', 'Unsubscribe'),
        ],
        pixel: 'https://click.email.harbour-air.example/open.aspx?ffcb10-fec1&amp;bmt=0',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email', 'sent_outside_business_hours'],
      hosts: ['click.email.harbour-air.example', 'view.email.harbour-air.example', FONTS],
    },
  },
  {
    name: 'Mandrill',
    origin: {
      ip: '198.2.186.41',
      helo: 'mail186-41.suw21.mandrillapp.com',
      rdns: 'mail186-41.suw21.mandrillapp.com',
      mailFrom: 'bounce-md_30123456.68ee4c18.v1-3a2b1c4d@mandrillapp.com',
      signers: [
        { domain: 'papierhaus.example', selector: 'mte1' },
        { domain: 'mandrillapp.com', selector: 'mte1' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        From: 'Papierhaus <post@papierhaus.example>',
        To: 'anna@example.org',
        Subject: 'Neu: Hefte aus Restpapier',
        Date: 'Tue, 14 Oct 2025 15:12:00 +0200',
        'Message-Id': '<30123456.20251014131200.68ee4c18a1b2c3.45678901@mail186-41.suw21.mandrillapp.com>',
        'X-Report-Abuse':
          'Please forward a copy of this message, including all headers, to abuse@mandrill.com. You can also report abuse here: https://mandrillapp.com/contact/abuse?id=30123456.3a2b1c4d',
        'X-Mandrill-User': 'md_30123456',
        'Feedback-ID': '30123456:30123456.20251014:md',
        'List-Unsubscribe': '<mailto:unsubscribe-md_30123456.3a2b1c4d@mandrillapp.com?subject=unsub>',
      },
      text: 'Neu: Hefte aus Restpapier, ab 4,50 €.\r\n\r\nNewsletter abbestellen: https://papierhaus.example/abmelden\r\n',
      html: newsletterHtml({
        title: 'Neu',
        preheader: 'Hefte aus Restpapier',
        rows: [
          '<p>Hefte aus Restpapier, ab 4,50&nbsp;€.</p>',
          link(
            `https://mandrillapp.com/track/click/30123456/papierhaus.example?p=${mandrill('https://papierhaus.example/hefte')}`,
            'Ansehen',
          ),
          link('https://papierhaus.example/abmelden', 'Newsletter abbestellen'),
        ],
        pixel: 'https://mandrillapp.com/track/open.php?u=30123456&amp;id=3a2b1c4d',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link'],
      hosts: ['mandrillapp.com', 'papierhaus.example', FONTS],
      redirects: ['https://papierhaus.example/hefte'],
    },
  },
  {
    name: 'ActiveCampaign',
    origin: {
      ip: '192.92.97.112',
      helo: 's10.csa1.acemsd3.com',
      rdns: 's10.csa1.acemsd3.com',
      mailFrom: 'bounce-123-45-678-anna=example.org@s10.csa1.acemsd3.com',
      signers: [
        { domain: 'yoga-loft.example', selector: 'acdkim1' },
        { domain: 'csa1.acemsd3.com', selector: 'dk' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        From: 'Yoga Loft <hola@yoga-loft.example>',
        'Reply-To': 'hola@yoga-loft.example',
        To: 'Anna <anna@example.org>',
        Subject: 'Nuevas clases de otoño',
        Date: 'Tue, 14 Oct 2025 15:12:00 +0200',
        'Message-ID': '<20251014131200.123.678@s10.csa1.acemsd3.com>',
        'X-Mailer': 'ActiveCampaign Mailer',
        'X-mid': 'YW5uYUBleGFtcGxlLm9yZw==',
        'Feedback-ID': 'yogaloft.activehosted.com:c123:m45:activecampaign',
        'List-Unsubscribe': '<https://yogaloft.activehosted.com/box.php?nl=1&c=123&m=45&s=9b8c&funcml=unsub2>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      html: newsletterHtml({
        title: '',
        preheader: 'Lunes a jueves',
        rows: [
          '<p>Clases de lunes a jueves, 12,00&nbsp;€. Plazas limitadas.</p>',
          button(
            'https://yogaloft.lt.acemlnb.com/Prod/link-tracker?redirectUrl=aHR0cHMlM0ElMkYlMkZ5b2dhLWxvZnQuZXhhbXBsZSUyRmNsYXNlcw==&amp;sig=7nVT&amp;iat=1760447520',
            'Reservar',
          ),
          link('https://yogaloft.activehosted.com/box.php?nl=1&amp;c=123&amp;m=45&amp;s=9b8c&amp;funcml=unsub2', 'Darse de baja'),
        ],
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'is_mime_html_only'],
      hosts: ['yogaloft.lt.acemlnb.com', 'yogaloft.activehosted.com', 'yoga-loft.example', FONTS],
      redirects: ['https://yoga-loft.example/clases'],
    },
  },
];

/** JSON within JSON in base64, as Mandrill writes where a link leads. */
function mandrill(url: string): string {
  const inner = JSON.stringify({ u: 30_123_456, v: 1, url, id: '3a2b1c4d', url_ids: ['5f6a'] });
  return Buffer.from(JSON.stringify({ s: 'sIgnAtUrE', v: 1, p: inner })).toString('base64url');
}
