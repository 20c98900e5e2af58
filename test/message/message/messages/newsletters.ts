import type { Letter } from './letter.ts';
import { button, link, newsletterHtml } from './newsletter-html.ts';

const DATE = 'Tue, 14 Oct 2025 13:12:00 +0000';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FONTS = 'fonts.googleapis.com';

/** What ten and more mailing platforms make of a newsletter: their fields, wrapped links, pixels and addresses for bounces, as they wrote them in 2025. */
export const NEWSLETTERS: readonly Letter[] = [
  {
    name: 'Mailchimp',
    origin: {
      ip: '198.2.139.12',
      helo: 'mail12.atl111.rsgsv.net',
      rdns: 'mail12.atl111.rsgsv.net',
      mailFrom: 'bounce-mc.us12_31337642.8472915-anna=example.org@mail12.atl111.rsgsv.net',
      signers: [
        { domain: 'nordwind-tea.example', selector: 'k2' },
        { domain: 'mailchimpapp.net', selector: 'k3' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        From: 'Nordwind Tea <hello@nordwind-tea.example>',
        'Reply-To': 'Nordwind Tea <hello@nordwind-tea.example>',
        To: 'Anna <anna@example.org>',
        Subject: '🍂 Autumn blends are here – free shipping until Sunday',
        Date: DATE,
        'Message-ID': '<5f1c0e2a7b9d4c3e8a6f0b1d2.a1b2c3d4e5.20251014131155.8f3a2b1c4d.0e9d8c7b@mail12.atl111.rsgsv.net>',
        'X-Mailer': 'Mailchimp Mailer - **CID8f3a2b1c4da1b2c3d4e5**',
        'X-Campaign': 'mailchimp5f1c0e2a7b9d4c3e8a6f0b1d2.8f3a2b1c4d',
        'X-Report-Abuse':
          'Please report abuse for this campaign here: https://mailchimp.com/contact/abuse/?u=5f1c0e2a7b9d4c3e8a6f0b1d2&id=8f3a2b1c4d',
        'X-MC-User': '5f1c0e2a7b9d4c3e8a6f0b1d2',
        'Feedback-ID': '31337642:31337642.8472915:us12:mc',
        'List-ID': '5f1c0e2a7b9d4c3e8a6f0b1d2mc list <5f1c0e2a7b9d4c3e8a6f0b1d2.1194822.list-id.mcsv.net>',
        'List-Unsubscribe':
          '<https://nordwind-tea.us12.list-manage.com/unsubscribe?u=5f1c0e2a7b9d4c3e8a6f0b1d2&id=8f3a2b1c4d&t=b&e=a1b2c3d4e5&c=0e9d8c7b>, <mailto:unsubscribe-mc.us12_5f1c0e2a7b9d4c3e8a6f0b1d2.8f3a2b1c4d-a1b2c3d4e5@unsubscribe.mailchimpapp.net?subject=unsubscribe>',
        'List-Unsubscribe-Post': ONE_CLICK,
        Sender: 'Nordwind Tea <hello=nordwind-tea.example@mail12.atl111.rsgsv.net>',
      },
      text: 'Autumn blends are here\r\n\r\nChai, rooibos and smoky Assam from 7,90 €. Free shipping until Sunday.\r\nhttps://nordwind-tea.us12.list-manage.com/track/click?u=5f1c&id=22aa&e=a1b2c3d4e5\r\n\r\n==============================================\r\nOur address: Nordwind Tea, 12 Harbour Street, 20457 Hamburg\r\nUnsubscribe anna@example.org from this list:\r\nhttps://nordwind-tea.us12.list-manage.com/unsubscribe?u=5f1c&id=8f3a&e=a1b2c3d4e5&c=0e9d8c7b\r\n',
      html: newsletterHtml({
        title: 'Autumn blends',
        preheader: 'Chai, rooibos and smoky Assam',
        rows: [
          link('https://us12.campaign-archive.com/?e=a1b2c3d4e5&u=5f1c&id=8f3a', 'View this email in your browser'),
          '<img alt="Tea" width="564" src="https://mcusercontent.com/5f1c0e2a7b9d4c3e8a6f0b1d2/images/6b1f.jpg"><h1>Autumn blends are here</h1><p>From 7,90&nbsp;€. Free shipping until Sunday.</p>',
          button('https://nordwind-tea.us12.list-manage.com/track/click?u=5f1c&amp;id=22aa&amp;e=a1b2c3d4e5', 'Shop the collection'),
          `<em>Copyright © 2025 Nordwind Tea</em><br>${link('https://nordwind-tea.us12.list-manage.com/unsubscribe?u=5f1c&amp;id=8f3a&amp;e=a1b2c3d4e5&amp;c=0e9d8c7b', 'unsubscribe from this list')}`,
        ],
        pixel: 'https://nordwind-tea.us12.list-manage.com/track/open.php?u=5f1c&amp;id=8f3a&amp;e=a1b2c3d4e5',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link'],
      hosts: ['nordwind-tea.us12.list-manage.com', 'us12.campaign-archive.com', 'mcusercontent.com', FONTS],
    },
  },
  {
    name: 'SendGrid',
    origin: {
      ip: '149.72.126.143',
      helo: 'o1.email.alpine-gear.example',
      rdns: 'o1.email.alpine-gear.example',
      mailFrom: 'bounces+1234567-ab12-anna=example.org@em7781.alpine-gear.example',
      signers: [
        { domain: 'alpine-gear.example', selector: 's1' },
        { domain: 'sendgrid.info', selector: 'smtpapi' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'quarantine' },
    },
    mail: {
      fields: {
        From: 'Alpine Gear <news@alpine-gear.example>',
        To: 'anna@example.org',
        Subject: 'Members save 20% this week',
        Date: DATE,
        // The name of a container: no domain that anybody could compare.
        'Message-ID': '<aBcDeFg-R1mXn2_o3PqRsT@geopod-ismtpd-8>',
        'List-Unsubscribe':
          '<mailto:unsubscribe@em7781.alpine-gear.example?subject=https://u1234567.ct.sendgrid.net/wf/unsubscribe?upn=u001.Zx2>, <https://u1234567.ct.sendgrid.net/asm/unsubscribe/?user_id=1234567&data=Zx2>',
        'List-Unsubscribe-Post': ONE_CLICK,
        'X-SG-EID': 'u001.4wfIGFcYaNqIkAe7CMrr5Q7bT1sPZn2m',
        'X-SG-ID': 'u001.SdBcvi+Evd/bQef8eZF3BqTJRlOL',
        'X-Entity-ID': 'u001.G9BJaQ1e3xkX7mHnY2aJtw==',
      },
      text: 'Members save 20% this week.\n\nShop now ( https://u1234567.ct.sendgrid.net/ls/click?upn=u001.Aq-2Bx4 )\n\nTerms: code ALPINE20, until 19.10.2025, order value of at least $50.00.\n\nUnsubscribe ( https://u1234567.ct.sendgrid.net/asm/unsubscribe/?user_id=1234567&data=Zx2 )\n',
      html: newsletterHtml({
        title: '',
        preheader: 'Use code ALPINE20',
        rows: [
          '<p>Members save <b>20%</b> this week. Over 250,000 hikers trust Alpine Gear.</p>',
          button('https://u1234567.ct.sendgrid.net/ls/click?upn=u001.Aq-2Bx4_fHkL-2F', 'Shop now'),
          link('https://u1234567.ct.sendgrid.net/asm/unsubscribe/?user_id=1234567&amp;data=Zx2', 'Unsubscribe'),
        ],
        pixel: 'https://u1234567.ct.sendgrid.net/wf/open?upn=u001.Op-2B',
      }),
    },
    says: { flags: ['has_unsubscribe_link'], hosts: ['u1234567.ct.sendgrid.net', FONTS] },
  },
  {
    name: 'HubSpot',
    origin: {
      ip: '158.247.23.8',
      helo: 'bid-23-8.hubspotemail.net',
      rdns: 'bid-23-8.hubspotemail.net',
      mailFrom: '1axbk2v04fjordsoft-anna=example.org@bf04x.eu1.hubspotemail.net',
      signers: [
        { domain: 'fjordsoft.example', selector: 'hs1-8812345' },
        { domain: 'bf04x.eu1.hubspotemail.net', selector: 'hs1' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        From: 'Maja at Fjordsoft <maja@fjordsoft.example>',
        'Reply-To': 'maja@fjordsoft.example',
        To: 'anna@example.org',
        Subject: 'Your guide to faster audits (PDF inside)',
        Date: DATE,
        'Message-ID': '<1760447520123.0a1b2c3d-4e5f-6789-abcd-ef0123456789@bf04x.eu1.hubspotemail.net>',
        'List-Unsubscribe':
          '<mailto:1axbk2v04fjordsoft@bf04x.eu1.hubspotemail.net?subject=unsubscribe>, <https://hs-8812345.s.hubspotemail.net/email-unsubscribe/email?product=emailUnsubscribe&d=VnKk>',
        'List-Unsubscribe-Post': ONE_CLICK,
        'Feedback-ID': '1axbk2v04:8812345:bf04x:HubSpot',
        'X-HS-Cid': '8812345',
        'X-Report-Abuse-To': 'abuse@hubspot.com (see https://policy.hubspot.com/abuse-complaints)',
      },
      html: newsletterHtml({
        title: 'Faster audits',
        preheader: 'Five steps, twelve pages',
        rows: [
          '<p>Hi Anna,</p><p>here is your guide. Version 2.4.1 adds ISO 27001:2022 and section 3.2.1.</p>',
          button('https://d2v8rk04.eu1.hubspotlinks.com/Ctc/RG+113/d2v8rk04/VWnBf62NN4sW8wLKSR6lZ3p4W1', 'Download the guide'),
          'Fjordsoft AS, Kaigaten 3, 5015 Bergen, +47 22 86 44 00<br>' +
            link('https://hs-8812345.s.hubspotemail.net/email-unsubscribe/email?product=emailUnsubscribe&amp;d=VnKk', 'Manage preferences'),
        ],
        pixel: 'https://d2v8rk04.eu1.hubspotlinks.com/Cto/RG+113/d2v8rk04/R5R8b4',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'is_mime_html_only'],
      hosts: ['d2v8rk04.eu1.hubspotlinks.com', 'hs-8812345.s.hubspotemail.net', FONTS],
      phones: ['+4722864400'],
    },
  },
  {
    name: 'Klaviyo',
    origin: {
      ip: '167.89.101.194',
      helo: 'o194.ptr101.klaviyomail.com',
      rdns: 'o194.ptr101.klaviyomail.com',
      mailFrom: 'bounces+21998877-3c4d-anna=example.org@send.lumen-skin.example',
      signers: [{ domain: 'send.lumen-skin.example', selector: 'kl' }],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'reject', sp: 'reject' },
    },
    mail: {
      fields: {
        From: 'Lumen <hello@send.lumen-skin.example>',
        'Reply-To': 'care@lumen-skin.example',
        To: '"anna@example.org" <anna@example.org>',
        Subject: '⏰ Last chance: 30% off ends at midnight',
        Date: 'Sun, 12 Oct 2025 19:30:00 -0400',
        'Message-ID': '<M5ZkQx9rTn-8vYb2Lw@geopod-ismtpd-13>',
        'X-Kmail-Account': 'TkL9qP',
        'X-Kmail-Message': '01K7D3C2V5ZB0W',
        'Feedback-ID': 'klaviyo:TkL9qP:01K7D3C2V5ZB0W:Klaviyo',
        'List-ID': 'Lumen <TkL9qP.klaviyomail.com>',
        'List-Unsubscribe': '<https://manage.kmail-lists.com/subscriptions/unsubscribe?a=TkL9qP&c=01HX&k=5f&m=01K7&r=a1>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      text: 'LAST CHANCE! 30% off sitewide ends at midnight.\n\nShop: https://trk.klclick.com/ls/click?upn=u001.Rm\n\nNo longer want to receive these emails? Unsubscribe: https://manage.kmail-lists.com/subscriptions/unsubscribe?a=TkL9qP&c=01HX\n',
      html: newsletterHtml({
        title: 'Last chance',
        preheader: 'Hurry, only hours left',
        rows: [
          '<h1>LAST CHANCE</h1><p>30% off sitewide ends at midnight.</p>',
          button('https://trk.klclick.com/ls/click?upn=u001.Rm-2F', 'Shop before it’s gone'),
          `<img srcset="https://d3k81ch9hvuctc.cloudfront.net/company/TkL9qP/images/a.jpeg 1x, https://d3k81ch9hvuctc.cloudfront.net/company/TkL9qP/images/a2.jpeg 2x" src="https://d3k81ch9hvuctc.cloudfront.net/company/TkL9qP/images/a.jpeg" alt="">`,
          `No longer want to receive these emails? ${link('https://manage.kmail-lists.com/subscriptions/unsubscribe?a=TkL9qP&amp;c=01HX', 'Unsubscribe')}.`,
        ],
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email', 'sent_outside_business_hours'],
      hosts: ['trk.klclick.com', 'manage.kmail-lists.com', 'd3k81ch9hvuctc.cloudfront.net', FONTS],
    },
  },
  {
    name: 'Brevo',
    origin: {
      ip: '77.32.148.27',
      helo: 'gx.d.sender-sib.com',
      rdns: 'gx.d.sender-sib.com',
      mailFrom: 'bounces-77812345-anna=example.org@gx.d.sender-sib.com',
      signers: [
        { domain: 'saveurs-du-marche.example', selector: 'mail' },
        { domain: 'sender-sib.com', selector: 'mail' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'none', sp: 'none' },
    },
    mail: {
      fields: {
        From: 'Saveurs du Marché <bonjour@saveurs-du-marche.example>',
        To: '<anna@example.org>',
        Subject: 'Les paniers d’octobre sont arrivés',
        Date: 'Tue, 14 Oct 2025 15:12:00 +0200',
        'Message-ID': '<202510141312.77812345@smtp-relay.mailin.fr>',
        'Origin-messageId': '<202510141312.77812345@smtp-relay.mailin.fr>',
        'X-Mailin-EID': 'MTIzNDU2Nzg5MH5hbm5hQGV4YW1wbGUub3Jn',
        'X-Mailin-Client': '2345678',
        'X-sib-id': 'Vt3n0cGxqQ2h4',
        'Feedback-ID': '77.32.148.27:2345678_-1:2345678:Sendinblue',
        'List-Unsubscribe':
          '<mailto:unsubscribe-77812345@gx.d.sender-sib.com?subject=unsubscribe>, <https://sh1z5.r.ag.d.sendibm3.com/mk/un/v2/qPw8>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      html: newsletterHtml({
        title: 'Les paniers d’octobre',
        preheader: 'Courges, raisins et noix',
        rows: [
          link('https://sh1z5.r.ag.d.sendibm3.com/mk/mr/sh/7nVTPdZCTJDXPA', 'Voir la version en ligne'),
          '<p>Courges, raisins et noix de nos producteurs. Le panier à 24,90&nbsp;€, livré chez vous. Tél.&nbsp;: <a href="tel:+33123456789">01 23 45 67 89</a></p>',
          button('https://sh1z5.r.ag.d.sendibm3.com/mk/cl/f/sh/SK2t6p1/aB3', 'Composer mon panier'),
          `Vous recevez cet e-mail car vous êtes inscrit. ${link('https://sh1z5.r.ag.d.sendibm3.com/mk/un/v2/qPw8', 'Se désinscrire')}`,
        ],
        pixel: 'https://sh1z5.r.ag.d.sendibm3.com/mk/op/sh/OycZ',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'is_mime_html_only'],
      hosts: ['sh1z5.r.ag.d.sendibm3.com', FONTS],
      // As the link dials it, and as it is written.
      phones: ['+33123456789', '0123456789'],
    },
  },
  {
    name: 'Campaign Monitor',
    origin: {
      ip: '203.55.21.141',
      helo: 'mo141.mail-a.cmail20.com',
      rdns: 'mo141.mail-a.cmail20.com',
      mailFrom: 'studio-jhykitttdiuuhjhdiki1@cmail20.com',
      signers: [
        { domain: 'studio-lark.example', selector: 'cm' },
        { domain: 'cmail20.com', selector: 'cs2013' },
      ],
      spf: 'pass',
      dmarc: { result: 'pass', p: 'quarantine', sp: 'none' },
    },
    mail: {
      fields: {
        From: '"Studio Lark" <studio@studio-lark.example>',
        'Reply-To': 'hello@studio-lark.example',
        To: '"Anna" <anna@example.org>',
        Subject: 'Issue #42: Type, grids and one good chair',
        Date: 'Tue, 14 Oct 2025 23:12:00 +1000',
        'Message-ID': '<cm.0123456789012.jhykit.ttdiuuhj.d@cmail20.com>',
        'X-Complaints-To': 'abuse@cmail20.com',
        'Feedback-ID': 'r:tydlull:j-l:CampaignMonitor',
        'List-ID': '<ttdiuuhj.jhykit.cmail20.com>',
        'List-Unsubscribe':
          '<mailto:unsubscribe-ttdiuuhj@cmail20.com?subject=Unsubscribe>, <https://studiolark.cmail20.com/t/d-u-ttdiuuhj-jhykit-d/>',
        'List-Unsubscribe-Post': ONE_CLICK,
      },
      text: 'Issue #42\r\n\r\nRead it: https://studiolark.cmail20.com/t/d-l-ttdiuuhj-jhykit-r/\r\nPhotographs by M. Okafor, e.g. page 7. Set in Inter 4.0.\r\n\r\nUnsubscribe https://studiolark.cmail20.com/t/d-u-ttdiuuhj-jhykit-d/\r\n',
      html: newsletterHtml({
        title: 'Issue #42',
        preheader: 'Type, grids and one good chair',
        rows: [
          '<h2>Type, grids and one good chair</h2>',
          link('https://studiolark.cmail20.com/t/d-l-ttdiuuhj-jhykit-r/', 'Read online'),
          `<unsubscribe>${link('https://studiolark.cmail20.com/t/d-u-ttdiuuhj-jhykit-d/', 'Unsubscribe')}</unsubscribe>`,
        ],
        pixel: 'https://studiolark.cmail20.com/t/d-o-ttdiuuhj-jhykit/o.gif',
      }),
    },
    says: {
      flags: ['has_unsubscribe_link', 'sender_and_reply_to_different_email', 'sent_outside_business_hours', 'sent_on_night_hours'],
      hosts: ['studiolark.cmail20.com', FONTS],
    },
  },
];
