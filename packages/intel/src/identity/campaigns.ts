/**
 * Campaigns that send links by text message and know one sort of victim: people who want a loan, have lost a telephone, or owe a toll. Their names are put together
 * from a few words of the trade, with doubled and changed letters, and mean no firm.
 */
export const CAMPAIGNS = ['loans', 'lost_device', 'toll', 'service_desk', 'prizes', 'viewer'] as const;
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

/** Letters as they are read: figures for letters, each letter once. */
const folded = (text: string): string =>
  text.replaceAll(/[013457]/g, (figure) => ({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' })[figure]!).replaceAll(/([a-z])\1+/g, '$1');

/** Whether a label is made of these words and nothing else, but for figures and a stray letter or two at either end. */
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
  return undefined;
}

/** Indonesian second-level names that are sold for a dollar. */
const CHEAP_IN_INDONESIA = /^(?:my|biz|web)\.id$/;
/** Loans and an app for payments, as they are written there, doubled letters folded: paylater, pinjaman, cicilan, DANA. */
const LOANS = /pa?y-?la?te?r|pi?nja?ma?n?|cici?l|dn?ana?-?(?:id|x|indo)|danax?-?pay|kredivo|akula?ku/;
const WALLET = /(?<!per|war|se|yu)dana|dn(?:a|x|s)|saldo/;
/** Activate, claim, take, register, recover, waiting, cancel a payment, refund, money back. */
const ASKS =
  /akti[fv]|klaim|claim|ambil|pemulihan|pendaftar|daftar|pending|batalkan|pembayaran|re?f+und|pengembalian|cos?tu?me|cstme|layana|resmi|undian|hadiah|formulir|pencairan|konfirmasi|konfirm/;
function isOfLoans({ label, subdomain, suffix, isTenant }: CampaignName): boolean {
  const inIndonesia = CHEAP_IN_INDONESIA.test(suffix);
  if (!isTenant && !(inIndonesia && subdomain !== '')) return false;
  const text = folded(inIndonesia ? subdomain : label);
  const asks = (text.match(new RegExp(ASKS, 'g')) ?? []).length;
  if (LOANS.test(text) && asks > 0) return true;
  if (!inIndonesia) return false;
  // Letters doubled, or figures for them: `danaa-iindonesiaa`, `konf1rmasi-hadi4h`.
  const isDisguised = folded(subdomain) !== subdomain;
  if (isDisguised && ((WALLET.test(text) && /indo|layan|resmi|web|new|news/.test(text)) || (/hadiah/.test(text) && asks > 1))) return true;
  return (
    (WALLET.test(text) && /akti[fv]|klaim|claim|pemulihan|pending|cos?tu?me|cstme/.test(text)) ||
    /batalkan-?pembayaran|formulir-?re?fund|claim-?hadiah/.test(text)
  );
}

const FIND =
  'findmy find finds located locate locates location locations lost localizar localizado localiza rastreio rastrear rastreavel buscar busca encontrar encontra serch';
const DEVICE = 'iphone icloud iapple applei apple devices deviced device phones phone ios cloud';
const MARKS =
  'support suport suporte supported getsupport alert help offline reportar report id view live map maps recover recovery my in oficial';
const OF_DEVICES = madeOf(`${FIND} ${DEVICE} ${MARKS} i com us mx br`);
const FINDS = new RegExp(`(?:${FIND.replaceAll(' ', '|')})`);
const APPLES = /icloud|iphone|iapple|applei|apple/;
function isOfLostDevice({ label, suffix, isTenant, isCheap }: CampaignName): boolean {
  if (isTenant || !OF_DEVICES.test(label)) return false;
  if (/(?:^|[-_])(?:iapple|icloud)/.test(label) && label.replaceAll(/iapple|icloud|[-_\d]/g, '').length > 1) return true;
  if (!FINDS.test(label)) return false;
  if (APPLES.test(label)) return true;
  if (!/device|phone|ios/.test(label)) return false;
  if (/^i-?find|^id-?(?:locate|myfind)|ios|getsupport|support/.test(label)) return true;
  return /my|alert|help|id/.test(label) && (isCheap || /^(?:us|site|help|life|click|info|live|online)$/.test(suffix));
}

const OF_TOLLS = madeOf(
  'pedagio pedagios pedagioeletronico rodovia freeflow flow free brasil br digital eletronico online oficial pagamento pagar consultar consulta acesso gov portal nacional auto on ww seguro regularize debitos multa placa com',
);
const TOLLS = /pedagio|rodovia/;
function isOfToll({ label, suffix, isTenant, isCheap }: CampaignName): boolean {
  if (/(?:^|\.)br$/.test(suffix) || !TOLLS.test(label) || !OF_TOLLS.test(label)) return false;
  const rest = label.replace(TOLLS, '').replaceAll(/[-_\d]/g, '');
  if (rest.length < 2) return false;
  return isTenant || isCheap || /^(?:online|site|info|email|live|digital|store|com)$/.test(suffix);
}

const OF_DESKS = madeOf(
  'iniciar comecar consultar portal seu meu atendimento atendimenton atualizado online hoje aqui brasil br do no lp ps rs',
);
function isOfDesk({ label, isTenant, isCheap }: CampaignName): boolean {
  return (
    (isTenant || isCheap) && OF_DESKS.test(label) && label.includes('atendimento') && /iniciar|comecar|consultar|portal|online/.test(label)
  );
}

/** "Official", and a number, beside what is to be told or won: a series at Blogger. */
const PRIZES = /^(?:info|program|promo|event|hadiah|bantuan|layanan|undian|pusat)-?resmi[-\d]*$/;
const isOfPrizes = ({ label, isTenant }: CampaignName): boolean => isTenant && PRIZES.test(label) && /\d/.test(label);

/** A document that only its reader can open, by a number in front. */
const VIEWER = /(?:^|-)[\da-f]*\d[\da-f]*-(?:[\da-f]{4,}-)*(?:docviewer|documentviewer|pdfviewer|sharepoint|voicemail)\d*$/;
const isOfViewer = ({ label, subdomain, isTenant }: CampaignName): boolean =>
  isTenant && (VIEWER.test(label) || subdomain.split('.').some((one) => VIEWER.test(one)));
