import { type Campaign, campaignOf } from './campaigns.ts';
import { LURE_WORDS, OFFICE_WORDS, STRONG_LURES } from './lures.ts';
import { tenantLures } from './tenants/index.ts';
import { meanBits, strangeness } from './letters.ts';

/** How a name is made, whatever it means. */
export interface Making {
  /** Whether a forger put the words of a tenant's name together, or one of his is beside another; empty without. */
  lures: 'sure' | 'word' | '';
  /** A name of its own has three words or more, all of offices, and asks for something: `ask` if a label is in front, `bare` otherwise; empty without. */
  offices: 'ask' | 'bare' | '';
  /** The campaign of text messages whose words it is made of; empty without. */
  campaign: Campaign | '';
  /** A name of its own that cost next to nothing has only words of forgers and abbreviations. */
  bare: boolean;
  /** A machine made it: as campaigns do (`campaign`), one of a series (`series`), or as malware and others do (`random`); empty without. */
  machine: 'campaign' | 'series' | 'random' | '';
}

/** The names of a host that its making is judged by. */
export interface MadeName {
  /** The label that a tenant or an owner chose. */
  label: string;
  /** The labels in front of it. */
  subdomain: string;
  /** The public suffix, or the host that gave the label. */
  suffix: string;
  /** It was free of charge. */
  isTenant: boolean;
  /** Its top-level domain is one that abuse reports name far more often than its size explains. */
  isAbused: boolean;
  /** Names under it cost next to nothing. */
  isCheap: boolean;
}

/** Mean bits of letter triples beyond which hardly a name is. */
const STRANGE = 5.2;
/** The same of a word of twenty letters: Dutch has `geefvoorzorgverleners`. */
const UNSPEAKABLE = 5.9;
/** The same of all words of a name together, where one has letters and figures by one turn, or by more: Welsh and Polish names have strange letters alone. */
const STRANGE_WORDS = [Number.POSITIVE_INFINITY, 4.6, 3.8] as const;
/** Letters in words without which there is no mean. */
const WORD_LETTERS = [0, 8, 4] as const;
/** Names that platforms give by themselves. */
const NUMBERED =
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^(?:[a-z0-9]{5}-){4}cai$|-projects(?:-[0-9a-f]+)?$|-\d{9,}$/;
const HEX_LABEL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{6}$/;
/** One of a series, where names cost next to nothing: `j77y.vip`, `g29t.top`. */
const SERIAL = /^(?!p90x|b52s|a11y|a16z|c14n|g11n|i18n|l10n|o11y|p13n)[a-z][1-9]\d{1,2}[a-z]$/;
/** Marks that platforms add to names of deployments: `-boc1oz5nk-someone`, `-xfpj5ny19b`; and copies of pages at GitHub. */
const DEPLOYMENT = /-(?=[a-z]*\d)[a-z0-9]{9,10}(?:-.*)?$|-github-(?:io|com)(?:-.*)?$/;

/** Judges the label that a tenant or an owner chose, and the labels in front of it. */
export function judgeMaking(name: MadeName): Making {
  const { label, subdomain, isTenant, isAbused } = name;
  const words = label.split(/[-_]/).filter((word) => word !== '');
  const isCampaign = isTenant ? isOfCampaign(label, name.suffix) : HEX_LABEL.test(subdomain);
  const isOfSeries = !isTenant && isAbused && SERIAL.test(label);
  const isDrawnAtTop = isOfSeries && name.suffix === 'top' && label.length === 4;
  return {
    lures: isTenant ? tenantLures(label, name.suffix) : '',
    offices: isTenant ? '' : officesOf(words, subdomain),
    campaign: campaignOf(name) ?? '',
    bare: !isTenant && (isAbused || (name.isCheap && words.length >= 3)) && isOfForgersAlone(words),
    machine: isCampaign || isDrawnAtTop ? 'campaign' : isOfSeries ? 'series' : !isTenant && isRandom(label) ? 'random' : '',
  };
}

/** Words for a secret or a threat, of which one is enough among others of forgers. */
const ASKS =
  /^(?:verif\w*|validat\w*|auth\w*|login|logon|signin|unlock\w*|suspen\w*|unusual|airdrops?|claims?|kyc|otp|2fa|mfa|walletconnect|secured?)$/;
/** Words of a bank's messages, lures only beside others. */
const OF_BANKS = /^(?:frauds?|texts?|transactions?|bank)$/;
/** An abbreviation, which is not spoken: `esl`, `msg`, and not `car`, `the` or one that programs have in their names: `verified-vpn-app`. */
const ABBREVIATION =
  /^(?!the|and|art|arm|old|all|any|own|out|off|app|add|ask|act|ink|ice|inn|egg|elf|end|fly|dry|sky|spa|spy|try|shy|pro|gym|pdf|vpn|sms|gps|gsm|usb|sdk|jwt|mcp|rpc|dns|css|crm|cms)(?=.*[^aeiouy\d]{2})[a-z\d]{2,3}$/;
/** `id-validate-service-d2.cyou`, `msg-secure-esl.top`: nothing else stands there but abbreviations and figures. */
function isOfForgersAlone(words: readonly string[]): boolean {
  const plain = words.map((word) => word.replace(/(?<=[a-z]{3})\d+$/, ''));
  if (
    words.length < 2 ||
    !plain.every((word) => LURE_WORDS.has(word) || OF_BANKS.test(word) || ABBREVIATION.test(word) || /^[a-z]?\d+[a-z]?$/.test(word))
  )
    return false;
  const strong = plain.filter((word) => STRONG_LURES.has(word));
  // An adjective of shops and programs by itself: `secure-home-shop`.
  const isSecureAlone = strong.length === 1 && /^secured?$/.test(strong[0]!) && !plain.some((word) => ABBREVIATION.test(word));
  // A tool for files: `unlock-pdf-free`.
  const isOfFiles =
    strong.length === 1 &&
    strong[0]!.startsWith('unlock') &&
    plain.some((word) => /^(?:pdf|docs?|documents?|files?|phone|sim)$/.test(word));
  return strong.some((word) => ASKS.test(word)) && (words.length >= 3 || strong.length >= 2) && !isSecureAlone && !isOfFiles;
}

/** Wallet, download, official site, install, newest, edition, address and entrance, in Chinese by Latin letters. */
const OF_DOWNLOADS = /qianbao|xiazai|guanwang|guanfang|anzhuang|zuixin|banben|dizhi|rukou/g;

/** Words of offices for advertising, without which such a name is that of any firm: `community-support-services`. */
const OF_ADVERTISING: ReadonlySet<string> = new Set('agency agencies partner partners ad ads meta program programs'.split(' '));
/** Words beside which Meta is the firm that owns Facebook: another may be called Meta Media. */
const OF_META = /^(?:credit|partners?|bus+ines|business|center|support|ads|invite|platform)$/;
/** Labels that campaigns make by the hundred: `support015`. */
const NUMBERED_LABEL = /^[a-z]+\d{2,}$/;

/** A number of an advertiser, as in no host of Meta's own: `meta-id358.example.org`. */
const META_ID = /^meta-id-?\d{2,}$/;
/** Business, misspelt as the makers of such names have it. */
const MISSPELT = /^bus+ines$/;

/** `agency-manager-support`, `support015.media-agency-manage`, `tpqianbaoappguanfangxiazaigw`. */
function officesOf(words: readonly string[], subdomain: string): Making['offices'] {
  if (words.some((word) => (word.match(OF_DOWNLOADS)?.length ?? 0) >= 2)) return 'ask';
  if (subdomain.split('.').some((label) => META_ID.test(label))) return 'ask';
  const areOffices = words.length >= 3 && words.every((word) => OFFICE_WORDS.has(word)) && words.some((word) => OF_ADVERTISING.has(word));
  if (!areOffices) return '';
  if (subdomain !== '' && words.some((word) => MISSPELT.test(word))) return 'ask';
  if (subdomain.split(/[.-]/).some((label) => NUMBERED_LABEL.test(label))) return 'ask';
  // `partner-access.credit-agency-meta.com`: an office of an office. A firm's own label in front is one word.
  if (subdomain !== '' && words.includes('meta') && words.some((word) => OF_META.test(word))) return 'ask';
  // An agency for anything else has a `client-portal`, too.
  const isOfAds = [...words, ...subdomain.split(/[.-]/)].some((word) => /^(?:ads?|meta)$/.test(word));
  if (isOfAds && subdomain.split('.').some((label) => label.includes('-') && label.split('-').every((word) => OFFICE_WORDS.has(word))))
    return 'ask';
  if (!words.some((word) => STRONG_LURES.has(word))) return '';
  return subdomain === '' ? 'bare' : 'ask';
}

/** Hosts that draw the names of their tenants or put marks into them, or where these are accounts of persons. */
const DRAWS =
  /(?:^|\.)(?:replit\.dev|laravel\.cloud|cleverapps\.io|run\.app|azurewebsites\.net|base44\.app|github\.io|gitlab\.io|is-a\.dev|js\.org|wordpress\.com|tumblr\.com)$/;
/** The mark of a deployment at Netlify, in front, and of one at EdgeOne, behind. */
const MARKED = /^[0-9a-f]{24}--|(?:-[a-z0-9]{8})?-dp[a-z0-9]{10}$/;

/** Words by which one maker of campaigns tells them apart, in the middle of words that no language has: `araxo-biz-kerqix-12260`. */
const A_MARK = /^(?:biz\d{0,2}|gld)$/;
const A_BATCH = /^(?:sp|nd|hd)[a-z]?\d+(?:ct|kt)?\d*[a-z]*$|^(?:[a-z]\d){2}[a-z]{2}\d{2,3}$|^[a-z]{2,4}\d{5}[a-z]$/;
const A_NUMBER = /^(?!(?:19|20)\d\d$)\d{4,6}$/;
/** Mean bits of the words beside the mark from which no language has them: `joes-auto-biz-30301` has the code of a town. */
const OF_NO_LANGUAGE = 4;
const areOfNoLanguage = (words: readonly string[]): boolean =>
  meanBits(words.filter((word) => /^[a-z]+$/.test(word) && !A_MARK.test(word))) > OF_NO_LANGUAGE;
const isOfBatch = (words: readonly string[]): boolean =>
  words.length >= 4 &&
  words.some((word) => A_MARK.test(word)) &&
  (words.some((word) => A_BATCH.test(word)) || (words.some((word) => A_NUMBER.test(word)) && areOfNoLanguage(words))) &&
  !words.some((word) => OFFICE_WORDS.has(word));

/** A tenant's name of words that no language has, or of many that mix letters and figures. */
function isOfCampaign(made: string, suffix: string): boolean {
  if (DRAWS.test(suffix)) return false;
  const isChosen = CHOSEN.test(suffix);
  const label = made.replace(MARKED, '');
  if (isChosen && !label.includes('--') && label.split(/[-_]/).some(isDrawn)) return true;
  if (NUMBERED.test(label)) return false;
  const all = label.split(/[-_]/);
  if (isOfBatch(all)) return true;
  const undeployed = label.replace(DEPLOYMENT, '');
  if (all.length >= 3 && (undeployed === label || suffix !== 'vercel.app') && all.filter(isOdd).length >= 2) return true;
  const words = undeployed.split(/[-_]/).filter((word) => word !== '');
  if (words.length < 4) return false;
  const letters = words.filter((word) => /^[a-z]{4,}$/.test(word));
  const mixed = Math.max(...words.map((word) => (word.length < 4 ? 0 : Math.min(2, turnsOf(word)))));
  return letters.join('').length >= WORD_LETTERS[mixed]! && meanBits(letters) > STRANGE_WORDS[mixed]!;
}

/** Hosts whose tenants choose their names. Others draw them: `lambda-url.sa-east-1.on.aws`. */
const CHOSEN =
  /^(?:vercel\.app|pages\.dev|netlify\.app|web\.app|firebaseapp\.com|weebly\.com|webflow\.io|surge\.sh|blogspot\.com|github\.io|godaddysites\.com)$/;
/** The alphabet, a row of keys, and a village in Wales. */
const TYPED = /abcdefg|qwertyuiop|llanfair/;
/** Twenty letters and figures or more by many turns, which people do not type; hashes, which platforms add, have no letter beyond f, and addresses of IPFS begin in one way. */
const isDrawn = (word: string): boolean =>
  word.length >= 20 &&
  (turnsOf(word) >= 5 || strangeness(word) > UNSPEAKABLE) &&
  !/^[\da-f]+$/.test(word) &&
  !/^(?:baf[ky]|k[25]1?|zd)/.test(word) &&
  !TYPED.test(word) &&
  !hasWords(word);
/** Mean bits of letters between figures up to which they are words. */
const SPOKEN = 4;
/** The letters between the figures are of a language: `kelompok3kelas7b2024semester1` is a class of a school. */
const hasWords = (word: string): boolean => {
  const spoken = word.match(/[a-z]{3,}/g) ?? [];
  return spoken.join('').length >= WORD_LETTERS[1] && meanBits(spoken) <= SPOKEN;
};

/** A whole label that cannot be spoken. */
const isRandom = (label: string): boolean =>
  !label.includes('-') && ((label.length >= 8 && turnsOf(label) >= 4) || strangeness(label) > STRANGE);

/** How often letters and figures change. */
const turnsOf = (word: string): number => word.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;

/** Letters and figures by turns, or letters in an order that no name has. */
const isOdd = (word: string): boolean => (word.length >= 4 && turnsOf(word) >= 2) || strangeness(word) > STRANGE;
