/**
 * Selectors that mail providers and administrators use, the most popular first. Providers publish theirs in their set-up
 * guides; the numbered and dated ones follow the forms that key rotation leaves behind.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);
const numbered = (stem: string, from: number, to: number, digits = 1): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => stem + String(from + i).padStart(digits, '0'));
const each = (stems: readonly string[], make: (stem: string) => string[]): string[] => stems.flatMap(make);

/** One round trip is spent on these before all others: together they cover most domains that sign at all. */
const POPULAR = words(`
  google selector1 selector2 default k1 s1 s2 dkim mail k2 k3 mandrill zoho protonmail smtp pm sig1
`);

// Google, Microsoft, Mailchimp, SendGrid, Proton, Fastmail, Zoho, Apple, Yandex, Mail.ru, HubSpot, Klaviyo, Zendesk …
const PROVIDERS = words(`
  protonmail2 protonmail3 fm1 fm2 fm3 fm4 mesmtp sig2 mailru yandex zmail zoho1 zoho2 zohocorp zohomail onezoho zm zmail1 pmta
  mailjet mailgun mg mg1 mg2 mx mta mailo pic krs smtpapi sendgrid m1 m2 em em1 em2 emd s2048 s1024 hs1 hs2 hubspot kl kl1 kl2
  klaviyo dkim1 dkim2 dkim3 dkim4 zendesk1 zendesk2 zendesk freshdesk fd fd2 fdm freshemail intercom intercom1 helpscout strong1
  strong2 front amazonses ses aws sparkpost scph0316 scph0617 scph0817 scph1017 scph1117 scph0118 scph0218 scph0418 scph0618
  scph0818 scph1018 scph0119 scph0219 scph0419 scph0619 scph0819 scph1019 scph0120 scph0220 scph0420 scph0620 scph0820 scph1020
  scph0121 scph0321 postmark postmarkapp 20pm turbo-smtp turbosmtp smtp2go s1-smtp2go elasticemail elastic sendinblue brevo brevo1
  brevo2 sib mailerlite ml litesrv mailersend mlsend mlsend2 cm cmail campaignmonitor constantcontact ctct1 ctct2 activecampaign
  aweber_key_a aweber_key_b aweber_key_c getresponse convertkit ckespa drip moosend omnisend onesignal customerio cio iterable
  braze sailthru marketo mkto eloqua pardot salesforce sf1 sfmc exacttarget responsys rsys emarsys dotmailer dotdigital listrak
  icontact benchmark mailpoet newsletter2go n2g rapidmail cleverreach crsend inxmail mimecast mimecast20170802 mimecast20190124
  mimecast20201103 mimecast20210104 mimi pp pphosted pp1 pp2 ppk1 ppk2 ppdkim proofpoint barracuda bmx mxvault messagelabs
  symantec cisco ironport iport esa fortimail fml sophos sophos1 trendmicro tmes hornet hse1 hornetsecurity antispameurope
  nospamproxy nsp retarus mailchannels mcdkim everlytic everlytickey1 everlytickey2 eversrv transactional marketing newsletter
  ionos s1-ionos s2-ionos s42582890 kundenserver strato strato-dkim-0001 strato-dkim-0002 strato-dkim-0003 hetzner dkim-hetzner
  ovh ovhmo-selector-1 ovhmo-selector-2 ovhex ovhemp gandi gm1 gm2 gm3 infomaniak ik mailbox mbo0001 mbo0002 mbo0003 mbo0004
  posteo tutanota rbox migadu key1 key2 key3 purelymail1 purelymail2 purelymail3 namecheap privateemail titan titan1 titan2
  hostinger hostingermail-a hostingermail-b hostingermail-c hostingermail1 godaddy secureserver bluehost hostgator siteground
  dreamhost rackspace mailenable zimbra exchange outlook office365 o365 m365 microsoft gsuite gmail gapps workspace
  googleworkspace yahoo aol icloud qq qqmail exmail netease feishu1 lark naver
`);

// What people type when a set-up guide asks for a name, and what mail servers make by themselves.
const CUSTOMARY = words(`
  mail1 mail2 mail3 mail4 email email1 email2 e-mail mailer mailserver mailout mailin mx1 mx2 mx3 mta1 mta2 relay relay1 relay2
  smtp1 smtp2 smtp3 smtpout outbound server server1 backup staging test test1 testing dev demo beta temp tmp key keys k key0 key01
  key02 rsa rsa1 rsa2 rsa1024 rsa2048 rsa4096 1024 2048 4096 ed ed1 ed2 ed25519 dkim-ed25519 dkim-rsa dkimkey dkimmail dkimpal dk
  dk1 dk2 dkim256 dkim1024 dkim2048 dkim01 dkim-1 mydkim mykey myselector selector sel sel1 sel2 s sig signature sign sender auth
  domain domainkey a b m m3 cloud plesk cpanel iredmail postfix exim opendkim rspamd amavis mailcow mailu stalwart powermta
  mailman ecm1
`);

const NUMBERED = [
  ...each(words('s k m'), (stem) => numbered(stem, 3, 10)),
  ...each(words('dkim selector key'), (stem) => numbered(stem, 3, 8)),
  ...each(words('default mail google'), (stem) => numbered(stem, 1, 3)),
];

const YEARS = numbered('', 2012, 2026, 4);
const DATED = [
  // Google's own domains
  ...words('20230601 20221208 20210112 20161025 20120113 20251104 20240605 arc-20160816 arc-20240605'),
  ...YEARS.toReversed(),
  ...each(YEARS.slice(-8).toReversed(), (year) =>
    words(`s${year} dkim${year} k${year} mail${year} ${year}01 ${year}06 ${year}0101 ${year}q1`),
  ),
];

/** Every selector once, most popular first. */
export const DKIM_SELECTORS: readonly string[] = [...new Set([...POPULAR, ...PROVIDERS, ...DATED, ...NUMBERED, ...CUSTOMARY])];
export const POPULAR_SELECTORS: readonly string[] = POPULAR;
