import type { AsType } from '../ports/index.ts';
import { WELL_KNOWN_SYSTEMS } from './well-known-systems.ts';

/** ipverse's categories in the contract's words. */
const CATEGORIES: Record<string, AsType> = {
  isp: 'isp',
  hosting: 'hosting',
  business: 'business',
  education_research: 'education',
  government_admin: 'government',
};

/**
 * The kind of an autonomous system. A dataset's category decides, except that none has banks, which are told by name; without a category
 * the best known go by number and all others by words of the holder's name, `business` where none says anything.
 */
export function asTypeOf({ asn, org, category }: { asn: number; org: string; category: string }): AsType {
  const known = Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : undefined;
  const byNumber = WELL_KNOWN_SYSTEMS.get(asn);
  if ((known ?? 'business') === 'business' && !byNumber && isBank(org)) return 'banking';
  return known ?? byNumber ?? BY_NAME.find(([, words]) => words.test(org))?.[0] ?? 'business';
}

/** Whole words in any language's letters. */
const wholeWords = (...words: string[]): RegExp => new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu');

const BANK_WORDS = wholeWords(
  '\\p{L}*bank',
  'banks|banka|banky|bankas|bankasi|bankası|banken|bankers|bancorp|bancshares|bankshares',
  'banco|banca|bancaire|bancaria|banque|\\p{L}+banco',
  '\\p{L}*sparkasse|raiffeisen',
  'credit union|caixa economica|building society',
);
/** Banks that do not say so. */
const BANK_NAMES = wholeWords(
  'jpmorgan|jp ?morgan chase|goldman sachs|morgan stanley|wells fargo|capital one|hsbc|barclays|bnp paribas|societe generale',
  'credit agricole|credit suisse|ubs ag|bbva|unicredit|intesa sanpaolo|nordea|lloyds|natwest|citigroup|charles schwab',
);
/**
 * Names with a bank's word that are not banks: found by reading all two thousand such names of the installed table. Carriers and data
 * centres (SoftBank, DataBank), places (Burbank), stores of other things (food banks), and companies beside a bank that sell insurance or
 * lines.
 */
const NO_BANK = wholeWords(
  'softbank|databank|data bank|gigabitbank|rackbank|nardatabank|newsbank|honeybank|viewbank|knowledge bank|power ?bank|image bank',
  'burbank|fairbank|fairbanks|millbank|southbank|south bank|west bank|left bank|outer banks|bankstown|eubank|hubank',
  '(?:food|blood|gene|seed|time|eye|milk|tissue)[ -]?banks?|stikubank|universit\\p{L}*',
  'insurance|versicherung|telecom\\p{L}*|teleport|kazteleport',
);

const isBank = (org: string): boolean => (BANK_WORDS.test(org) || BANK_NAMES.test(org)) && !NO_BANK.test(org);

const BY_NAME: readonly (readonly [AsType, RegExp])[] = [
  [
    'education',
    wholeWords(
      'universit\\p{L}*|universidad\\p{L}*|universidade|université|university|college|colleges|polytechnic|politecnico',
      'hochschule|fachhochschule|technische hochschule|institute of technology|school district|school of|schools|k-?12',
      'academy of sciences|research and education|research network|national laboratory|forschungsnetz\\p{L}*',
    ),
  ],
  [
    'government',
    wholeWords(
      'government|governor|ministry|ministerio|ministère|ministerium|ministerstvo|bundesministerium|parliament|u\\.?s\\.? department of \\p{L}+',
      'department of (?:defense|state|justice|energy|commerce|homeland security|the treasury|transportation|veterans affairs)',
      'dod network information center|city of|county of|state of|commonwealth of|municipality|municipality of|prefeitura',
      'national aeronautics and space administration|internal revenue service|house of representatives|senate',
    ),
  ],
  [
    'hosting',
    wholeWords(
      'hosting|web ?hosting|hoster|hosters|webhost\\p{L}*|vps|data ?cent(?:er|re)s?|datacenters?|colocation|colo|dedicated servers?',
      '\\p{L}*hosting|cloud|cloud services|cloud computing|clouds',
    ),
  ],
  [
    'isp',
    wholeWords(
      '\\p{L}*telecom\\p{L}*|\\p{L}*telekom\\p{L}*|telecommunications?|telecomunica\\p{L}*|télécom\\p{L}*|telefonica|telefónica|telefon\\p{L}*|telephone',
      'broadband|cable|cablevision|\\p{L}*fib(?:er|re)|wireless|wifi|isp|internet service|internet services|internet provider|provedor\\p{L}*',
      'comunicaciones|comunicaç\\p{L}+|comunicac\\p{L}+|communications|telia|vodafone|verizon|comcast|orange s\\.?a|t-mobile|at&t|mobile',
      'internet|net|online|networks? ltda',
    ),
  ],
];
