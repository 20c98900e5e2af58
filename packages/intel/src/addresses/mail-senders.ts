/** A company that sends mail for many clients, by the SPF record that they include. */
export interface MailSender {
  name: string;
  domain: string;
  type: 'SaaS' | 'Marketing';
  /** The name that customers include in their own SPF records. */
  spf: string;
  /** The ranges of the record at the time of writing, as far as they were stable for years: used until the record is read. */
  shipped: readonly string[];
}

const sender = (name: string, domain: string, type: MailSender['type'], spf: string, shipped = ''): MailSender => ({
  name,
  domain,
  type,
  spf,
  shipped: shipped === '' ? [] : shipped.split(' '),
});

/** Name of the list of addresses that these records come to; its labels are the `spf` names below. */
export const MAIL_SENDERS_LIST = 'spf-majors';

/** Taken from the help pages of each on setting SPF up. */
export const MAIL_SENDERS: readonly MailSender[] = [
  sender(
    'Google Workspace',
    'google.com',
    'SaaS',
    '_spf.google.com',
    '35.190.247.0/24 64.233.160.0/19 66.102.0.0/20 66.249.80.0/20 72.14.192.0/18 74.125.0.0/16 108.177.8.0/21 173.194.0.0/16 209.85.128.0/17 216.58.192.0/19 216.239.32.0/19 2001:4860:4000::/36 2404:6800:4000::/36 2607:f8b0:4000::/36 2800:3f0:4000::/36 2a00:1450:4000::/36 2c0f:fb50:4000::/36',
  ),
  sender(
    'Microsoft 365',
    'microsoft.com',
    'SaaS',
    'spf.protection.outlook.com',
    '40.92.0.0/15 40.107.0.0/16 52.100.0.0/15 52.102.0.0/16 52.103.0.0/17 104.47.0.0/17 2a01:111:f400::/48 2a01:111:f403::/49',
  ),
  sender(
    'Amazon SES',
    'aws.amazon.com',
    'SaaS',
    'amazonses.com',
    '199.255.192.0/22 199.127.232.0/22 54.240.0.0/18 69.169.224.0/20 23.249.208.0/20 23.251.224.0/19 76.223.176.0/20 54.240.64.0/18 76.223.128.0/19 216.221.160.0/19 206.55.144.0/20',
  ),
  sender('Apple iCloud Mail', 'icloud.com', 'SaaS', 'icloud.com', '17.41.0.0/16 17.56.9.0/24 17.57.155.0/24 17.57.156.0/24 17.58.0.0/16'),
  sender(
    'Zoho Mail',
    'zoho.com',
    'SaaS',
    'zoho.com',
    '136.143.160.0/24 136.143.161.0/24 136.143.178.49/32 136.143.182.0/23 136.143.184.0/24 136.143.188.0/24',
  ),
  sender('Fastmail', 'fastmail.com', 'SaaS', 'spf.messagingengine.com', '103.168.172.128/27 202.12.124.128/27'),
  sender(
    'Proton Mail',
    'proton.me',
    'SaaS',
    '_spf.protonmail.ch',
    '185.70.40.0/24 185.70.41.0/24 185.70.43.0/24 79.135.106.0/24 109.224.244.0/24',
  ),
  sender('Yandex 360', 'yandex.com', 'SaaS', '_spf.yandex.net'),
  sender('Salesforce', 'salesforce.com', 'SaaS', '_spf.salesforce.com'),
  sender(
    'Zendesk',
    'zendesk.com',
    'SaaS',
    'mail.zendesk.com',
    '192.161.144.0/20 185.12.80.0/22 96.46.150.192/27 174.137.46.0/24 188.172.128.0/20 216.198.0.0/18',
  ),
  sender('Mimecast', 'mimecast.com', 'SaaS', '_netblocks.mimecast.com'),
  sender(
    'Mailgun',
    'mailgun.com',
    'SaaS',
    'mailgun.org',
    '159.135.224.0/20 69.72.32.0/20 161.38.192.0/20 143.55.224.0/21 143.55.232.0/22 159.112.240.0/20',
  ),
  sender('Postmark', 'postmarkapp.com', 'SaaS', 'spf.mtasv.net', '50.31.156.96/27 50.31.205.0/24 104.245.209.192/26'),
  sender('SparkPost', 'sparkpost.com', 'SaaS', '_spf.sparkpostmail.com'),
  sender(
    'SendGrid',
    'sendgrid.com',
    'Marketing',
    'sendgrid.net',
    '167.89.0.0/17 208.117.48.0/20 50.31.32.0/19 198.37.144.0/20 198.21.0.0/21 192.254.112.0/20 168.245.0.0/17 149.72.0.0/16 159.183.0.0/16 223.165.113.0/24 223.165.115.0/24 223.165.118.0/23 223.165.120.0/23',
  ),
  sender('Mailchimp', 'mailchimp.com', 'Marketing', 'servers.mcsv.net', '205.201.128.0/20 198.2.128.0/18 148.105.8.0/21'),
  sender('Mailjet', 'mailjet.com', 'Marketing', 'spf.mailjet.com', '87.253.232.0/21 185.189.236.0/22 185.211.120.0/22 185.250.236.0/22'),
  sender(
    'Brevo',
    'brevo.com',
    'Marketing',
    'spf.brevo.com',
    '185.41.28.0/22 94.143.16.0/21 185.24.144.0/22 153.92.224.0/19 213.32.128.0/18 185.107.232.0/24 77.32.128.0/18 77.32.192.0/19 212.146.192.0/18',
  ),
  sender('HubSpot', 'hubspot.com', 'Marketing', '_spf.hubspotemail.net'),
  sender('Constant Contact', 'constantcontact.com', 'Marketing', 'spf.constantcontact.com', '208.75.120.0/22 205.207.104.0/22'),
  sender('Campaign Monitor', 'campaignmonitor.com', 'Marketing', '_spf.createsend.com'),
  sender('Salesforce Marketing Cloud', 'salesforce.com', 'Marketing', 'cust-spf.exacttarget.com'),
];

const bySpf = new Map(MAIL_SENDERS.map((one) => [one.spf, one]));

/** Returns the sender that a label of the list stands for. */
export const mailSenderOf = (label: string): MailSender | undefined => bySpf.get(label);
