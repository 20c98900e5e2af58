/**
 * Selectors that platforms and administrators use. Each stands once, at the platform most likely to be meant, and the order is that in which a
 * search prefers them. To add some: a line with the platform, where it says so, and its selectors; what is random for every customer (Amazon
 * SES, Shopify, Stripe) or dated by the day (SparkPost, Postmark) cannot be guessed and does not belong here.
 */
export interface SelectorSource {
  platform: string;
  /**
   * Where the platform says so: its set-up guide, its template in github.com/Domain-Connect/Templates, or mail that it signed and that is
   * published, with `s=` and `d=`. Else that it is not confirmed.
   */
  source: string;
  selectors: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const from = (platform: string, source: string, selectors: string | readonly string[]): SelectorSource => ({
  platform,
  source,
  selectors: typeof selectors === 'string' ? words(selectors) : selectors,
});
const numbered = (stem: string, first: number, last: number, digits = 1): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => stem + String(first + i).padStart(digits, '0'));
const each = (stems: readonly string[], make: (stem: string) => string[]): string[] => stems.flatMap(make);

const signed = (domains: string): string => `DKIM signatures of ${domains}`;
const UNCONFIRMED = 'unconfirmed: no statement of the platform and no signature of its own is known';

const MAILBOXES: readonly SelectorSource[] = [
  from('Google Workspace', 'support.google.com/a/answer/174124', 'google google2048'),
  from('Microsoft 365', 'learn.microsoft.com/defender-office-365/email-authentication-dkim-configure', 'selector1 selector2'),
  from('Zoho Mail', 'zoho.com/mail/help/adminconsole/dkim-configuration.html', 'zoho zmail zoho1 zoho2 zohomail'),
  from('Proton Mail', 'proton.me/support/custom-domain', 'protonmail protonmail2 protonmail3'),
  from('iCloud Mail', 'support.apple.com/102374', 'sig1'),
  from('Fastmail', 'fastmail.help/hc/en-us/articles/360060591153', 'fm1 fm2 fm3 fm4 mesmtp'),
  from('Yandex 360', 'yandex.com/support/business/domains/dkim.html', 'yandex'),
  from('VK WorkSpace, Mail.ru', 'biz.mail.ru/docs', 'mailru'),
  from('Cloudflare Email Routing', 'developers.cloudflare.com/email-routing', 'cf2024-1'),
  from('Cloudflare Email Sending', 'developers.cloudflare.com/email-service', 'cf-bounce'),
  from('ImprovMX', 'improvmx.com/guides', 'dkimprovmx1 dkimprovmx2'),
  from('SimpleLogin', 'simplelogin.io/docs', 'dkim02 dkim03'),
  from('addy.io', 'addy.io/help', 'dk1 dk2'),
  from('Migadu', 'migadu.com/guides', 'key1 key2 key3'),
  from('Purelymail', 'purelymail.com/docs', 'purelymail1 purelymail2 purelymail3'),
  from('mailbox.org', 'kb.mailbox.org', 'mbo0001 mbo0002 mbo0003 mbo0004'),
  from('Hostinger', 'support.hostinger.com', 'hostingermail-a hostingermail-b hostingermail-c hostingermail1 hostingermail2'),
  from('Titan', 'support.titan.email', 'titan1 titan2'),
  from('Gandi', 'docs.gandi.net', 'gm1 gm2 gm3'),
  from('OVHcloud', 'help.ovhcloud.com', 'ovhmo-selector-1 ovhmo-selector-2 ovhex-selector-1 ovhex-selector-2 ovhemp-selector-1'),
  from('IONOS', 'ionos.com/help', 's1-ionos s2-ionos s42582890'),
  from('STRATO', 'strato.de/faq', 'strato-dkim-0001 strato-dkim-0002 strato-dkim-0003'),
  from('one.com', 'help.one.com', 'rsa1 rsa2'),
  from('Simply.com', 'CNAMEs of its customers to dkim1.simply.com and dkim2.simply.com', 'simplycom1 simplycom2'),
  from('Feishu, Lark', 'feishu.cn/hc', 'feishu feishu1 lark'),
  from('Alibaba Mail, DirectMail', 'alibabacloud.com/help/direct-mail', 'aliyun-cn-hangzhou aliyun-ap-southeast-1 aliyun-ap-southeast-2'),
  from('GMX', signed('gmx.de, gmx.net, gmx.com'), 's31663417'),
  from('WEB.DE', signed('web.de'), 's29768273'),
  from('Yahoo', signed('yahoo.com'), 's2048 s1024'),
  from('AOL', signed('aol.com, netscape.net'), 'a2048'),
  from('Apple', signed('icloud.com, me.com'), '1a1hai'),
  from(
    'Gmail',
    signed('gmail.com, and ARC seals of google.com'),
    '20251104 20230601 20221208 20210112 20161025 20120113 arc-20240605 arc-20160816',
  ),
  from('QQ Mail', signed('qq.com, foxmail.com'), 's201512'),
  from('NetEase', signed('163.com, 126.com, yeah.net'), 's110527'),
  from('NAVER', signed('naver.com'), 's20171208'),
  from('Comcast', signed('comcast.net'), '20190202a'),
  from('X', signed('twitter.com'), 'dkim-201406'),
  from('GitHub', signed('github.com'), 'pf2023 pf2014'),
  from('PayPal', signed('paypal.com'), 'pp-dkim1'),
];

const TRANSACTIONAL: readonly SelectorSource[] = [
  from('SendGrid', 'docs.sendgrid.com/ui/account-and-settings/how-to-set-up-domain-authentication', 's1 s2 smtpapi m1 m2 em'),
  from('Resend', 'github.com/Domain-Connect/Templates resend.com.mail.json', 'resend'),
  from('Mailgun', 'documentation.mailgun.com', 'pdk1 pdk2 mx smtp pic krs mailo email mg mailgun'),
  from('Mandrill', 'mailchimp.com/developer/transactional', 'mte1 mte2 mandrill'),
  from('Postmark', 'postmarkapp.com/support', 'pm postmark'),
  from('Mailtrap', 'docs.mailtrap.io', 'rwmt1 rwmt2'),
  from(
    'Azure Communication Services',
    'learn.microsoft.com/azure/communication-services',
    'selector1-azurecomm-prod-net selector2-azurecomm-prod-net',
  ),
  from('Brevo', 'help.brevo.com', 'mail brevo1 brevo2 brevo'),
  from('Mailjet', 'documentation.mailjet.com', 'mailjet'),
  from('MailerSend', 'mailersend.com/help', 'mlsend mlsend2'),
  from('Elastic Email', 'help.elasticemail.com', 'api'),
  from('Firebase Authentication', 'firebase.google.com/docs/auth', 'firebase1 firebase2'),
  from('Clerk', 'clerk.com/docs', 'clk clk2'),
  from('Everlytic', 'help.everlytic.com', 'everlytickey1 everlytickey2 eversrv'),
  from('MailChannels', 'support.mailchannels.com', 'mailchannels mcdkim mcdkim2'),
  from('turboSMTP', 'serversmtp.com', 'turbo-smtp turbosmtp'),
  from('SMTP2GO', 'support.smtp2go.com', 's1-smtp2go smtp2go'),
  from('SocketLabs', 'help.socketlabs.com', 'socketlabs'),
];

const MARKETING: readonly SelectorSource[] = [
  from('Mailchimp', 'mailchimp.com/help/set-up-email-domain-authentication', 'k1 k2 k3'),
  from('Klaviyo', 'help.klaviyo.com', 'kl kl2'),
  from('HubSpot', 'knowledge.hubspot.com', 'hs1 hs2'),
  from('ActiveCampaign', 'developers.activecampaign.com/reference/retrieve-dkim-status', 'acdkim1 acdkim2 dk'),
  from('Constant Contact', 'knowledgebase.constantcontact.com', 'ctct1 ctct2'),
  from('MailerLite', 'mailerlite.com/help', 'litesrv ml'),
  from('Kit (ConvertKit)', 'help.kit.com', 'cka cka2 ckespa'),
  from('Salesforce', 'help.salesforce.com', 'sf2 sf1 sf salesforce sfdc'),
  from('Salesforce Account Engagement (Pardot)', 'help.salesforce.com', '200608 pardot'),
  from('Salesforce Marketing Cloud', UNCONFIRMED, '10dkim1 11dkim1 12dkim1 13dkim1 50dkim1 51dkim1'),
  from('EmailOctopus', 'help.emailoctopus.com', 'eo'),
  from('Campaign Monitor', 'help.campaignmonitor.com', 'cm'),
  from('AWeber', 'help.aweber.com', 'aweber_key_a aweber_key_b aweber_key_c'),
  from('Moda', 'github.com/Domain-Connect/Templates getmoda.io.domain.json', 'md md2'),
  from('MailPoet', 'kb.mailpoet.com', 'mailpoet1 mailpoet2'),
  from('Emma', 'support.e2ma.net', 'e2ma-k1 e2ma-k2 e2ma-k3'),
  from('Benchmark', UNCONFIRMED, 'bmdeda benchmark'),
  from('Acoustic', UNCONFIRMED, 'spop1024'),
  from('Blackbaud', UNCONFIRMED, 'sm'),
  from('CleverReach', 'support.cleverreach.de', 'crsend cleverreach'),
  from('rapidmail', 'rapidmail.de/hilfe', 'rapidmail'),
  from('Newsletter2Go', UNCONFIRMED, 'n2g newsletter2go'),
];

const SUPPORT_AND_SECURITY: readonly SelectorSource[] = [
  from('Zendesk', 'support.zendesk.com', 'zendesk1 zendesk2'),
  from('Freshdesk', 'support.freshdesk.com', 'fd fd2 fdm freshdesk'),
  from('Intercom', 'intercom.com/help', 'intercom'),
  from('Help Scout', 'docs.helpscout.com', 'strong1 strong2'),
  from(
    'Mimecast',
    'community.mimecast.com',
    'mimecast mimecast20170802 mimecast20190104 mimecast20190124 mimecast20201103 mimecast20210104',
  ),
  from('Proofpoint', UNCONFIRMED, 'pps1 ppk1 ppk2 pp pp1 pp2 pphosted ppdkim proofpoint'),
  from('Hornetsecurity', 'support.hornetsecurity.com', 'hse1 hse2 hornet'),
  from('Cisco', UNCONFIRMED, 'iport ironport esa cisco'),
  from('Barracuda', UNCONFIRMED, 'barracuda bmx'),
  from('Fortinet', UNCONFIRMED, 'fortimail fml'),
  from('Sophos', UNCONFIRMED, 'sophos sophos1'),
  from('Trend Micro', UNCONFIRMED, 'trendmicro tmes'),
  from('Broadcom (MessageLabs)', UNCONFIRMED, 'messagelabs symantec'),
  from('NoSpamProxy', UNCONFIRMED, 'nospamproxy nsp'),
  from('Retarus', UNCONFIRMED, 'retarus'),
];

/** Years and months in which keys that are still published were made. */
const YEARS = numbered('', 2020, 2026, 4).toReversed();
const MONTHS = each(numbered('', 2024, 2026, 4).toReversed(), (year) => numbered(year, 1, 12, 2).toReversed());

const SERVERS: readonly SelectorSource[] = [
  from('cPanel, Plesk, ISPConfig, Maddy, OpenDKIM', 'docs.cpanel.net, docs.plesk.com', 'default'),
  from('Rspamd, mailcow, Mailu, iRedMail', 'rspamd.com/doc/modules/dkim_signing.html', 'dkim'),
  from('DirectAdmin, Exim', 'docs.directadmin.com', 'x'),
  from('Modoboa', 'modoboa.readthedocs.io', 'modoboa'),
  from('MDaemon', 'help.mdaemon.com', 'mdaemon'),
  from(
    'mox',
    'xmox.nl/config',
    each(YEARS.slice(0, 4), (year) => words(`${year}a ${year}b ${year}c ${year}d`)),
  ),
  from(
    'Stalwart',
    'stalw.art/docs',
    each(MONTHS.slice(0, 24), (month) => [`${month}e`, `${month}r`]),
  ),
  from('OpenDKIM, Exim, Virtualmin: rotated by date', 'RFC 6376 §3.1', [
    ...YEARS,
    ...MONTHS,
    ...each(YEARS, (year) => words(`${year}0101 s${year} dkim${year} k${year} mail${year}`)),
  ]),
];

const CUSTOM = 'what administrators type where a guide asks for a name';
const CUSTOMARY: readonly SelectorSource[] = [
  from('any: numbered', CUSTOM, [
    ...each(words('dkim selector'), (stem) => numbered(stem, 1, 6)).filter((name) => name !== 'selector1' && name !== 'selector2'),
    ...each(words('s k'), (stem) => numbered(stem, 3, 9)).filter((name) => name !== 'k3'),
    ...each(words('key sig mail email smtp mta mx'), (stem) => numbered(stem, 1, 4)).filter((name) => !/^(?:key[1-3]|sig1)$/.test(name)),
    ...words(
      'm3 default1 default2 google1 dkim01 dkim-1 key01 key02 sel1 sel2 rsa2048 rsa1024 rsa4096 1024 2048 4096 dkim1024 dkim2048 dkim256',
    ),
  ]),
  from('any: words', CUSTOM, [
    ...words('selector sel key keys mydkim mykey myselector s k a b m dkimkey dkimmail domain domainkey sig signature sign sender auth'),
    ...words(
      'e-mail mailer mailserver mailout mta relay smtpout outbound server server1 main prod cloud newsletter marketing transactional',
    ),
    ...words('test test1 testing dev demo staging temp rsa ed ed25519 dkim-ed25519 dkim-rsa ed1 ed2'),
  ]),
  from(
    'any: named after the software',
    CUSTOM,
    'plesk cpanel postfix exim opendkim rspamd amavis mailcow mailu stalwart powermta pmta zimbra',
  ),
  from('any: named after the platform', CUSTOM, [
    ...words('sendgrid amazonses ses aws sparkpost sendinblue sib klaviyo hubspot mailchimp mailerlite mailersend elasticemail mailtrap'),
    ...words(
      'activecampaign constantcontact campaignmonitor getresponse convertkit drip moosend omnisend onesignal customerio iterable braze',
    ),
    ...words(
      'sailthru marketo mkto eloqua sfmc exacttarget responsys emarsys dotdigital listrak icontact mailpoet loops beehiiv zeptomail',
    ),
    ...words(
      'outlook office365 o365 m365 microsoft exchange gsuite gmail gapps workspace yahoo icloud fastmail infomaniak hetzner ovh gandi',
    ),
    ...words('ionos strato godaddy namecheap privateemail hostinger titan bluehost siteground dreamhost rackspace zendesk helpscout front'),
  ]),
];

/** The whole list, those that name a platform first. */
export const SELECTOR_SOURCES: readonly SelectorSource[] = [
  ...MAILBOXES,
  ...TRANSACTIONAL,
  ...MARKETING,
  ...SUPPORT_AND_SECURITY,
  ...SERVERS,
  ...CUSTOMARY,
];

/** One round trip is spent on these before all others: together they cover most domains that sign at all. */
export const POPULAR_SELECTORS: readonly string[] = words(`
  google selector1 selector2 default k1 s1 s2 dkim mail k2 k3 mte1 resend zoho protonmail fm1 sig1 smtp pm cf2024-1
`);

/** Every selector once, most popular first. */
export const DKIM_SELECTORS: readonly string[] = [
  ...new Set([...POPULAR_SELECTORS, ...SELECTOR_SOURCES.flatMap(({ selectors }) => selectors)]),
];
