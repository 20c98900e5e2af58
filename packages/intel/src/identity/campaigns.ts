import { lettersOf, runsOnce } from './letters.ts';
import { TENANT_CAMPAIGNS, tenantCampaignOf } from './tenants/index.ts';

/**
 * Campaigns that send links by text message and know one sort of victim: people who want a loan, have lost a telephone, or owe a toll. Their names are put together
 * from a few words of the trade, with doubled and changed letters, and mean no firm.
 */
export const CAMPAIGNS = ['loans', 'lost_device', 'toll', 'service_desk', 'prizes', 'viewer', ...TENANT_CAMPAIGNS] as const;
export type Campaign = (typeof CAMPAIGNS)[number];

/** The name of a host, as its maker chose it. */
export interface CampaignName {
  label: string;
  subdomain: string;
  /** The public suffix, or the host that gave the label. */
  suffix: string;
  isTenant: boolean;
  /** Such names cost next to nothing. */
  isCheap: boolean;
}

/** A text as it is read: figures for letters, each letter once. */
const folded = (text: string): string => runsOnce(lettersOf(text));

/**
 * Tells labels that are made of these words and nothing else, but for figures and a stray letter or two at either end. Plurals count, and no word is made
 * of others: two ways to read each of many words would make a hostile label slow to judge.
 */
const madeOf = (words: string): RegExp =>
  new RegExp(`^(?:[a-z]{1,2}[-_]?)?(?:(?:${words.replaceAll(' ', '|')})s?|[-_\\d])+(?:[-_]?[a-z]{1,2})?$`);

/** The campaign that a name is one of; undefined for all others. */
export function campaignOf(name: CampaignName): Campaign | undefined {
  if (isOfLoans(name)) return 'loans';
  if (isOfLostDevice(name)) return 'lost_device';
  if (isOfToll(name)) return 'toll';
  if (isOfDesk(name)) return 'service_desk';
  if (isOfPrizes(name)) return 'prizes';
  if (isOfViewer(name)) return 'viewer';
  return name.isTenant ? tenantCampaignOf(name) : undefined;
}

/** Indonesian second-level names that are sold for a dollar. */
const CHEAP_IN_INDONESIA = /^(?:my|biz|web)\.id$/;
/** Loans and an app for payments, as they are written there, doubled letters folded: paylater, pinjaman, cicilan, DANA. */
const LOANS = /pa?y-?la?te?r|pi?nja?ma?n?|cici?l|dn?ana?-?(?:id|x|indo)|danax?-?pay|kredivo|akula?ku/;
const WALLET = /(?<!per|pen|pra|war|ban|ma|se|yu)dana|dn[ax]|saldo-?(?:dana|gratis)/;
/** Funds, a lake and laboratories, of which villages and schools write, and what people borrow of libraries and cooperatives. */
const OF_VILLAGES =
  /dana-?(?:desa|bos|sosial|pensiun|hibah|pendidikan|haji|darurat|umkm|pemuda)|danau|dna-?lab|buku|perpus|koperasi|simpan|ruang|alat|arsip/;
/** Activate, claim, take, register, recover, waiting, cancel a payment, refund, money back. */
const ASKS =
  /akti[fv]|klaim|claim|ambil|pemulihan|daftar|pending|batalkan|pembayaran|refund|pengembalian|cos?tu?me|cstme|layana|resmi|undian|hadiah|formulir|pencairan|konfirm/g;
/** Letters doubled, or figures for them: `danaa-iindonesiaa`, `konf1rmasi-hadi4h`. A year is not one: `web-dana2024`. */
const DISGUISED = /([a-z])\1|[a-z][013457][a-z]/;
function isOfLoans({ label, subdomain, suffix }: CampaignName): boolean {
  if (subdomain === '' || !CHEAP_IN_INDONESIA.test(suffix)) return false;
  const text = folded(subdomain);
  if (OF_VILLAGES.test(text) || OF_VILLAGES.test(label)) return false;
  const asks = text.match(ASKS)?.length ?? 0;
  if (LOANS.test(text) && asks > 0) return true;
  const isDisguised = DISGUISED.test(subdomain);
  if (isDisguised && ((WALLET.test(text) && /indo|layan|resmi|web|new|news/.test(text)) || (/hadiah/.test(text) && asks > 1))) return true;
  return (
    (WALLET.test(text) && /akti[fv]|klaim|claim|pemulihan|pending|cos?tu?me|cstme/.test(text)) ||
    /batalkan-?pembayaran|formulir-?refund|claim-?hadiah/.test(text)
  );
}

const FIND =
  'find located locate location lost localizar localizado localiza rastreio rastrear rastreavel buscar busca encontrar encontra serch';
const DEVICE = 'apple deviced device phone ios cloud';
const MARKS =
  'support suport suporte supported getsupport alert help offline reportar report id view live map recover recovery my in oficial';
const OF_DEVICES = madeOf(`${FIND} ${DEVICE} ${MARKS} i com us mx br`);
const FINDS = new RegExp(`(?:${FIND.replaceAll(' ', '|')})`);
/** Apple's own, and what a seller of telephones or an orchard has in its name, too: `lost-apples`, `location-iphone` (French for hire). */
const OF_APPLE = /icloud|iapple/;
const APPLES = /iphone|apple(?!s)/;
/** Top-level domains of such names that are dear enough for firms. */
const OF_FINDERS = /^(?:us|site|help|life|click|info|live|online|ink|co)$/;
/** Names that anyone gives a finder of telephones, or a list of a firm's shops. */
const OF_ANYONE = /^(?:find|locate)-?my-?phones?$|^apple-?locations?$/;
function isOfLostDevice({ label, suffix, isTenant, isCheap }: CampaignName): boolean {
  if (isTenant || OF_ANYONE.test(label) || !OF_DEVICES.test(label)) return false;
  if (/(?:^|[-_])(?:iapple|icloud)/.test(label) && label.replaceAll(/iapple|icloud|[-_\d]/g, '').length > 1) return true;
  if (!FINDS.test(label)) return false;
  if (OF_APPLE.test(label) || (APPLES.test(label) && /localiza|rastre|offline|device/.test(label))) return true;
  if (!isCheap && !OF_FINDERS.test(suffix)) return false;
  if (APPLES.test(label)) return true;
  // Helpers write of lost telephones, too: `lost-phone-help`.
  return /device|phone|ios/.test(label) && /find|locat/.test(label) && /my|alert|help|id|ios|^i-?find|support/.test(label);
}

const OF_TOLLS = madeOf(
  'pedagio rodovia flow free brasil br digital eletronico online oficial pagamento pagar consultar consulta acesso gov portal nacional auto on ww seguro regularize debitos multa placa com',
);
const TOLLS = /pedagio|rodovia/;
/** What is paid, and by which office. Guides and newspapers have tolls and roads in their names without. */
const OF_PAYMENT = /digital|eletronico|gov|free-?flow|oficial|pag|debito|multa|regulari/;
function isOfToll({ label, suffix, isTenant, isCheap }: CampaignName): boolean {
  if (/(?:^|\.)br$/.test(suffix) || !TOLLS.test(label) || !OF_TOLLS.test(label)) return false;
  const rest = label.replace(TOLLS, '').replaceAll(/[-_\d]/g, '');
  if (rest.length < 2) return false;
  if (isCheap) return true;
  if (suffix === 'com') return /oficial|digital.|.digital/.test(rest);
  if (!/pedagio|free-?flow/.test(label)) return false;
  return isTenant ? OF_PAYMENT.test(label) : /^(?:online|site|info|email|live|digital|store)$/.test(suffix);
}

const OF_DESKS = madeOf(
  'iniciar comecar consultar portal seu meu atendimento atendimenton atualizado online hoje aqui brasil br do no lp ps rs',
);
function isOfDesk({ label, isTenant, isCheap }: CampaignName): boolean {
  return (
    (isTenant || isCheap) &&
    OF_DESKS.test(label) &&
    /^[a-z]{1,2}-.*atendimento/.test(label) &&
    /iniciar|comecar|consultar|portal|online/.test(label)
  );
}

/** "Official", and a number that is not a year, beside what is to be told or won: a series at Blogger. */
const PRIZES = /^(?:info|program|promo|event|hadiah|bantuan|layanan|undian|pusat)-?resmi-?(?!20\d\d$)\d[-\d]+$/;
const isOfPrizes = ({ label, suffix }: CampaignName): boolean => suffix.startsWith('blogspot.') && PRIZES.test(label);

/** A document that only its reader can open, by two numbers in front: `react-18-pdfviewer` is a program. */
const VIEWER = /(?:^|-)(?=[a-f-]*\d)(?:[\da-f]{4,}-){2,}(?:docviewer|documentviewer|pdfviewer|sharepoint|voicemail)\d*$/;
const isOfViewer = ({ label, subdomain, isTenant }: CampaignName): boolean =>
  isTenant && (VIEWER.test(label) || subdomain.split('.').some((one) => VIEWER.test(one)));
