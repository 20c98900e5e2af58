import { lettersOf } from '../letters.ts';
import { isOfBuilder } from '../lures.ts';

/** Campaigns whose pages are on free hosts: for mailboxes, for accounts of advertisers, for codes that sign documents, and for a bank's application. */
export const TENANT_CAMPAIGNS = ['mailbox', 'advertisers', 'documents', 'reactivation', 'start_page'] as const;
export type TenantCampaign = (typeof TENANT_CAMPAIGNS)[number];

interface TenantName {
  label: string;
  subdomain: string;
  /** The host that gave the label. */
  suffix: string;
}

/** The campaign that a tenant's name is one of. */
export function tenantCampaignOf({ label, subdomain, suffix }: TenantName): TenantCampaign | undefined {
  if (isOfMailbox(label, suffix)) return 'mailbox';
  if (isOfAdvertisers(label)) return 'advertisers';
  if (isOfDocuments(label, subdomain, suffix)) return 'documents';
  if (isOfBuilder(suffix) && START_PAGE.test(label)) return 'start_page';
  return REACTIVATION.test(lettersOf(label)) ? 'reactivation' : undefined;
}

/** Providers of mailboxes with invented names that do not abbreviate another firm. */
const PROVIDERS = /sbcglob|bellsouth|netzero|telkomsa|btinternet|btconnect|earthlink/;
/** Others beside what their customers do: the names alone are of firms, people and schools, too. */
const OF_PROVIDERS =
  /^(?:my|id-?|currently-?|www-?)?(?:att|sbc|juno|shaw|charter|spectrum|gmx|bell|cox|bigpond)[a-z]?-?(?:com-?)?(?:mail|webmail|e-?mail|web(?!er|ster)|net(?:work|-?\d|$)|verif|sign-?in|log-?in|kunden|konto|update|up-?grade|voicemail|onlines?\d|services?-?\d)|(?:mail|verif\w*|sign-?in|webmail|currently)-?(?:online|on)?-?(?:att|sbc|juno|shaw|charter|spectrum|gmx)(?:-|\d|$)/;
/** A threat to a mailbox, or a proof of it: `emailaccountterminationclose`, `confirmationofmailupdate`. */
const OF_THREATS =
  /mail(?:box)?-?(?:account|access|storage|policy|quota|server)*-?(?:terminat|clos(?:ure|ing)|suspen|deactivat|revalidat)|(?:terminat|clos(?:ure|ing)|suspen|deactivat|confirm|validat|upgrad)[a-z]{0,5}-?(?:of|your|my|account|notice|total)*-?e?mail|storageupgrade/;
/** The same of Outlook and mailboxes in Spanish: `reactivar365`, `iniciosesion2026msn`. */
const IN_SPANISH =
  /^(?=.*(?:verific|valid[aeo]|reactiv|confirm|actualiz|ingres|inici|autentic|alert))(?=.*(?:365|msn|outl|out-?look|hotmail|correo|inusual|mail)).{9,}$/;
const NOT_SPANISH = /validator|email-?(?:valid|verif|confirm)|(?:valid|verif|confirm)[a-z]*-?emails?$|mailchimp/;
function isOfMailbox(label: string, suffix: string): boolean {
  if (isOfBuilder(suffix) && (PROVIDERS.test(label) || OF_PROVIDERS.test(label) || OF_THREATS.test(label))) return true;
  return (
    (isOfBuilder(suffix) || OF_PLAIN_HOSTS.test(suffix)) &&
    IN_SPANISH.test(lettersOf(label).replaceAll('eas', '365')) &&
    !NOT_SPANISH.test(label)
  );
}
/** Hosts of pages and small programs that ask nothing of their tenants. */
const OF_PLAIN_HOSTS = /(?:^|\.)(?:webcindario\.com|fwh\.is|vercel\.app|netlify\.app|duckdns\.org|replit\.app)$/;

/** Words of the desks that write to advertisers: each is an office's, and a name of nothing else is one of a series. */
const OF_DESKS: ReadonlySet<string> = new Set(
  'account accounts ad ads advertiser advertisers advertising business policy privacy enforcement compliance standards audit review integrity trust safety discipline block detection inspection security protocol monetization demonetization operations violation support feedback reporting customer client system hub center centre desk unit lab office team dashboard control scan check log status core data services service appeal activity request alert help complaint claim case contact response faq aid care station ticket tracking'.split(
    ' ',
  ),
);
const OF_ADVERTISERS = /^(?:ads?|accounts?|advertis(?:ers?|ing))$/;
const OF_ENFORCEMENT =
  /^(?:enforcement|compliance|discipline|block|detection|inspection|standards|policy|violation|appeal|scan|demonetization|monetization|integrity|trust|security|safety|alert)$/;
/** The blue mark of an account that was verified, which is given away: `business-blue-tick-confirmed-000052026`. */
const OF_MARKS =
  /^(?=.*(?:blue-?(?:tick|badge)|(?:tick|badge)-?blue))(?=.*(?:verif|confirm|authori[sz]|lifetime|permanent|free|regist|invit|business|meta|insta|face|\d{4}))|^(?:verif\w*|safe|free|bus+ines+)-badge-(?:vip|start|welcome|support|help|reward)|verif[a-z]*-badge-vip/;
function isOfAdvertisers(label: string): boolean {
  if (OF_MARKS.test(label)) return true;
  const words = label.split('-');
  // Some hosts add letters and figures of their own.
  const own = words.length > 3 && /^[a-z0-9]{2,3}$|^\d+$/.test(words.at(-1)!) && !OF_DESKS.has(words.at(-1)!) ? words.slice(0, -1) : words;
  if (own.length < 3 || !own.every((word) => OF_DESKS.has(word))) return false;
  return own.length >= 6 || (own.some((word) => OF_ADVERTISERS.test(word)) && own.some((word) => OF_ENFORCEMENT.test(word)));
}

/** Three or four groups of four letters and figures: a code of a document that a mail tells. */
const A_CODE = /^[a-z0-9]{4,5}-[a-z0-9]{4}-[a-z0-9]{4}$/;
/** Accounts of one maker: `c-0zsklfju`. */
const OF_MAKER = /^[cp]-(?=[a-z]*\d)[a-z0-9]{8}$/;
/** Pages in the words of pages: `secure-page-builder--smith`. */
const SECURE_PAGE =
  /^(?:simple-)?secure-(?:index|page|server|site|static|documents?|server)(?:-(?:index|page|site|builder|editor?|creator|manager|\d))*--/;
const isOdd = (group: string): boolean => /\d/.test(group) || !/[aeiouy]/.test(group);
function isOfDocuments(label: string, subdomain: string, suffix: string): boolean {
  if (suffix === 'replit.app') return SECURE_PAGE.test(label);
  if (suffix !== 'workers.dev') return false;
  const script = subdomain.split('.').at(-1)!;
  return (script !== '' && OF_MAKER.test(label)) || (A_CODE.test(script) && script.split('-').filter(isOdd).length >= 2);
}

/** The path at which a maker of hardware wallets has one begin, in a name: `begin-iostart`, `en-leddgeercomstart`, `startio-trzr-en-us`. */
const START_PAGE =
  /(?:^|-)(?:io-?start|start(?:ed|s)?-?io)(?:-|$|[a-z]{0,2}(?:-|$))|(?:^|-)com-?start(?:-|$)|(?:^|-)iostr?art|[dg]g?[e]{1,2}r?-?com-?str?t?/;

/** Activation, recovery and cancellation in Indonesian, of a wallet's or a bank's application. */
const REACTIVATION =
  /(?:aktivasi|akti[vf]kan|pemul[iu]han|pembatalan|pembat[a]?ln)(?:.*)(?:bima|dana|brimo|mobile|akun|paylater|pyltr|kartu)|(?:bima-?mobile|danaid|dana-id).*(?:aktivasi|pemul[iu]han|pembat)/;
