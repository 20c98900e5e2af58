import { hasPublicSuffix, hostParts } from '@vedette/intel/registrable';
import { hostOfMailbox } from './mailbox.ts';

/**
 * Providers with several registrable domains: mail that one of them creates, signs and sends counts as one organization. Mail of their
 * customers' own domains has the provider's Message-ID too.
 */
const PROVIDERS: readonly ReadonlySet<string>[] = `
gmail.com google.com googlemail.com gappssmtp.com googlegroups.com youtube.com
outlook.com exchangelabs.com hotmail.com live.com msn.com microsoft.com office365.com onmicrosoft.com microsoftonline.com
yahoo.com yahoodns.net ymail.com rocketmail.com aol.com
icloud.com me.com mac.com apple.com
proton.me protonmail.com protonmail.ch pm.me
amazonses.com amazonaws.com amazon.com
mcsv.net mcdlv.net rsgsv.net mailchimp.com mailchimpapp.net mandrillapp.com
sendgrid.net sendgrid.com
brevo.com sendinblue.com mailin.fr sender-sib.com
hubspotemail.net hubspot.com hubspotservers.com
exacttarget.com salesforce.com
ccsend.com constantcontact.com roving.com
createsend.com cmail19.com cmail20.com createsend1.com
klaviyomail.com klaviyo.com
substack.com mailgun.net mailgun.org mailgun.info
fastmail.com messagingengine.com
zoho.com zohomail.com zoho.eu zohomail.eu
gmx.net gmx.de gmx.com web.de mail.com
ionos.com ionos.de kundenserver.de perfora.net
github.com githubusercontent.com
atlassian.net atlassian.com
facebookmail.com facebook.com instagram.com
linkedin.com linkedin.email
`
  .trim()
  .split('\n')
  .map((line) => new Set(line.split(' ')));

/** Programs on people's own devices that make all Message-IDs under one name, whatever account they send for. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['email.android.com', 'getmailspring.com']);

/** The hosts and mailboxes that handled a message. */
export interface Hands {
  messageId: string;
  from: string;
  /** Hosts and mailboxes of who signed, sent or handed it on. */
  others: readonly string[];
  /** The receiving server found that no domain aligned with From signed or sent it. */
  othersDenied: boolean;
}

/**
 * Whether the Message-ID was made under another domain than From's, and than those of who signed and sent it; those do not count where
 * DMARC failed. An ID without a public domain (`<1@localhost>`, `<2@geopod-7>`, `<3@mail.corp.local>`, `<4@Atlassian.JIRA>`), or with the
 * domain of a program (`<5@email.android.com>`), is not a mismatch.
 */
export function isMessageIdForeign({ messageId, from, others, othersDenied }: Hands): boolean {
  const host = hostOf(messageId);
  const maker = hasPublicSuffix(host) && !OF_PROGRAMS.has(host) ? rootOf(messageId) : '';
  const sender = rootOf(from);
  if (maker === '' || sender === '' || maker === sender) return false;
  if (PROVIDERS.some((provider) => provider.has(maker) && provider.has(sender))) return false;
  if (othersDenied) return true;
  const hands = new Set(others.map(rootOf));
  return !hands.has(maker) && !PROVIDERS.some((provider) => provider.has(maker) && provider.values().some((domain) => hands.has(domain)));
}

/** The registrable domain of a host or mailbox; empty without. */
const rootOf = (name: string): string => hostParts(hostOf(name)).root_domain;
const hostOf = (name: string): string => hostOfMailbox(name.includes('@') ? name : `@${name}`);
