import { lettersOf } from '../letters.ts';
import { isOfBuilder } from './builders.ts';

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
  if (isOfBuilder(suffix) && START_PAGE.test(label) && !OF_START_IO.test(label)) return 'start_page';
  return REACTIVATION.test(lettersOf(label)) && !OF_ADVICE.test(label) ? 'reactivation' : undefined;
}

/** Providers of mailboxes with invented names that do not abbreviate another firm. */
const PROVIDERS = /sbcglob|bellsouth|netzero|telkomsa|btinternet|btconnect|earthlink/;
/** Others beside what their customers do: the names alone are of firms, families and schools, too, which have sites and networks (`cox-webdesign`). */
const OF_PROVIDERS =
  /^(?:my|id-?|currently-?|www-?)?(?:att+|sbc|junos?|shaws?|charter|spectrum|gmx|bell|cox|bigpond)-?(?:com-?)?(?:mail(?!boxes)|(?<!bell)e-?mail|(?:web|update)-?(?:m?ai+l|mal)|verif|sign-?in|log-?in|kunden|konto|voicemail|(?:web|net|update|up-?grade|onlines?|services?)-?\d)|^(?:att+|sbc)-?net(?:$|-?\d)|(?:mail|verif\w*|sign-?in|webmail|currently)-?(?:online|on)?-?(?:att|sbc|juno|shaw|charter|spectrum|gmx)(?:-|\d|$)/;
/** A threat to a mailbox, or a proof of it: `emailaccountterminationclose`, `confirmationofmailupdate`. */
const OF_THREATS =
  /mail(?:box)?-?(?:account|access|storage|policy|quota|server)*-?(?:terminat|clos(?:ure|ing)|suspen|deactivat|revalidat)|(?:terminat|suspen|deactivat)[a-z]{0,5}-?(?:of|your|my|account|notice|total)*-?e?mail|(?:clos(?:ure|ing)|confirm|validat|upgrad)[a-z]{0,5}-?(?:of|your|my|account|notice|total)+-?e?mail|storageupgrade/;
/** The same of Outlook and mailboxes in Spanish, in words that English has not: `reactivar365`, `iniciosesion2026msn`. */
const IN_SPANISH =
  /verifica(?!ti)|valida(?!t[eio])|reactiva(?!t)|confirma(?!t[io]|bl)|actualiza(?!ti|bl)|ingres[aeo](?!s)|inici[ao]-?(?:de-?)?(?:ses|inus|msn|out|hot|o\d)|autentic[ao]/;
const OF_OUTLOOK = /365|msn|out-?look|hotmail|inusual/;
const OF_MAIL = /outl(?![aeiou])|correo|mail/;
/** Words that English has, too: beside Outlook's names at a builder they are of the same series. */
const ALERT = /alert|verific|confirm/;
function isOfMailbox(label: string, suffix: string): boolean {
  if (isOfBuilder(suffix) && (PROVIDERS.test(label) || OF_PROVIDERS.test(label) || OF_THREATS.test(label))) return true;
  const isPages = isOfBuilder(suffix) || suffix === 'fwh.is';
  const text = lettersOf(label).replaceAll('e6s', '365');
  const isOutlooks = OF_OUTLOOK.test(text);
  if (IN_SPANISH.test(text))
    return isPages ? isOutlooks || OF_MAIL.test(text) : OF_PROGRAMS.test(suffix) && isOutlooks && !/(?:^|-)365/.test(text);
  return isPages && ALERT.test(text) && (isOutlooks || /outl(?![aeiou])/.test(text));
}
/** Hosts of small programs that ask nothing of their tenants. */
const OF_PROGRAMS = /(?:^|\.)(?:vercel\.app|netlify\.app|duckdns\.org|replit\.app)$/;

/** Words of the desks that write to advertisers: each is an office's, and a name of nothing else is one of a series. */
const OF_DESKS: ReadonlySet<string> = new Set(
  'account accounts ad ads advertiser advertisers advertising business policy privacy enforcement compliance standards audit review integrity trust safety discipline block detection inspection security protocol monetization demonetization operations violation support feedback reporting customer client system hub center centre desk unit lab office team dashboard control scan check log status core data services service appeal activity request alert help complaint claim case contact response faq aid care station ticket tracking'.split(
    ' ',
  ),
);
const OF_ADVERTISERS = /^(?:ads?|accounts?|advertis(?:ers?|ing))$/;
const OF_ENFORCEMENT =
  /^(?:enforcement|compliance|discipline|block|detection|inspection|standards|policy|violation|appeal|scan|demonetization|monetization|integrity|trust|security|safety|alert)$/;
/** Marks of another kind: permits for parking, guides through towns, dogs. */
const OF_OTHER_MARKS = /park|permit|disab|guide|tour|holder|scheme|renew|hound|coon|beagle|pup|dog|ticking/;
/** Programs against advertising. */
const OF_BLOCKERS = /^ads?-?block/;
/** Names of such offices. Programs have systems, logs and dashboards. */
const A_DESK = /^(?:center|centre|desk|hub|office|unit|appeal|enforcement|support|help|case|claim|request|inspection)$/;
/** The blue mark of an account that was verified, which is given away: `business-blue-tick-confirmed-000052026`. */
const OF_MARKS =
  /^(?=.*(?:blue-?(?:tick|badge)|(?:tick|badge)-?blue))(?=.*(?:verif|confirm|authori[sz]|lifetime|permanent|free|invit|meta|insta|face|\d{6}))/;
const OF_BADGES = /^(?:verif\w*|safe|free|bus+ines+)-badge-(?:vip|start|welcome|support|help|reward)|verif[a-z]*-badge-vip/;
function isOfAdvertisers(label: string): boolean {
  if (OF_BLOCKERS.test(label)) return false;
  if (OF_BADGES.test(label)) return true;
  if (OF_MARKS.test(label)) return !OF_OTHER_MARKS.test(label);
  const words = label.split('-');
  // Some hosts add letters and figures of their own.
  const own = words.length > 3 && /^[a-z0-9]{2,3}$|^\d+$/.test(words.at(-1)!) && !OF_DESKS.has(words.at(-1)!) ? words.slice(0, -1) : words;
  if (own.length < 3 || !own.every((word) => OF_DESKS.has(word))) return false;
  if (own.length >= 6) return true;
  return [OF_ADVERTISERS, OF_ENFORCEMENT, A_DESK].every((kind) => own.some((word) => kind.test(word)));
}

/** Three or four groups of four letters and figures: a code of a document that a mail tells. */
const A_CODE = /^[a-z0-9]{4,5}-[a-z0-9]{4}-[a-z0-9]{4}$/;
/** Accounts of one maker: `c-0zsklfju`. */
const OF_MAKER = /^[cp]-(?=[a-z]*\d)[a-z0-9]{8}$/;
/** Pages in the words of pages: `secure-page-builder--smith`, and not anyone's `secure-server--smith`. */
const SECURE_PAGE =
  /^(?:simple-)?secure-(?:index|page|static|(?:server|site|documents?)-(?:index|page|site|builder|editor?|creator|manager))(?:-(?:index|page|site|builder|editor?|creator|manager|\d))*--/;
/** Years, protocols and formats, in names of programs: `ipv4-ipv6-test`. */
const OF_TECHNIQUES =
  /^(?:(?:19|20)\d\d|https?|html\d?|xhtml|grpc|mqtt|smtp|ipv[46]|web[23]|xmpp|json|rss2|http[123]|mp[34]s?|oauth2?|utf8|cors|wasm|crud|pgsql|mysql|mssql|k8s|sha\d{1,3}|css\d|test\d|demo\d|api\d|form\d|blog\d)$/;
const isOdd = (group: string): boolean => !OF_TECHNIQUES.test(group) && (/\d/.test(group) || !/[aeiouy]/.test(group));
function isOfDocuments(label: string, subdomain: string, suffix: string): boolean {
  if (suffix === 'replit.app') return SECURE_PAGE.test(label);
  if (suffix !== 'workers.dev') return false;
  const script = subdomain.split('.').at(-1)!;
  return (script !== '' && OF_MAKER.test(label)) || (A_CODE.test(script) && script.split('-').filter(isOdd).length >= 2);
}

/** The path at which a maker of hardware wallets has one begin, in a name: `begin-iostart`, `en-leddgeercomstart`, `startio-trzr-en-us`. */
const START_PAGE =
  /^(?=.*-)(?:.*-)?(?:io-?start[a-z]{0,2}|start(?:ed|s)?-?io)(?:-|$)|(?:^|-)com-?start-|(?<!dot)-com-?start(?:-|$)|(?:^|-)iostr?art.|l[a-z]{1,4}g[a-z]{0,3}-?com-?st[aeo]{0,2}r?i{0,2}t/;
/** A firm for advertising in programs is called Start.io. */
const OF_START_IO = /^(?:start-?io|io-?start|com-start)$|(?:^|-)(?:guide|docs?|kit|sdk|ads?|dot)(?:-|$)/;

/** Activation, recovery and cancellation in Indonesian, of a wallet's or a bank's application. Pupils and owners of telephones activate accounts and cards, too. */
const REACTIVATION =
  /(?:aktivasi|akti[vf]kan|pemul[iu]han|pembatalan|pembata?ln).*(?:bima|(?<!per)dana(?!-?desa|u)|brimo|akun-?anda|paylater|pyltr)|aktivasi-?pemul[iu]han|(?:bima-?mobile|danaid|dana-id).*(?:aktivasi|pemul[iu]han|pembat)/;
const OF_ADVICE = /(?:^|-)(?:cara|tutorial|panduan|tips|cek)(?:-|$)/;
