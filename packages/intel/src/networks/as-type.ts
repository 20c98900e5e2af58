import type { AsType } from '@vedette/contract';

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
 * the best known hosters go by number and all others by words of the holder's name, `business` where none says anything.
 */
export function asTypeOf({ asn, org, category }: { asn: number; org: string; category: string }): AsType {
  const known = Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : undefined;
  if ((known ?? 'business') === 'business' && !HOSTERS.has(asn) && isBank(org)) return 'banking';
  if (known) return known;
  if (HOSTERS.has(asn)) return 'hosting';
  return BY_NAME.find(([, words]) => words.test(org))?.[0] ?? 'business';
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
 * What has a bank's word in it and is none: found by reading all two thousand names of the installed table that have one. Carriers and data
 * centres (SoftBank, DataBank), places (Burbank), stores of other things (food banks), and companies beside a bank that sell
 * insurance or lines.
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

/** The best known hosters, clouds and content networks: what they announce are servers. Numbers as the registries have them. */
const HOSTERS: ReadonlySet<number> = new Set([
  16_509,
  14_618,
  7224, // Amazon
  8075,
  8068,
  8069, // Microsoft
  396_982, // Google Cloud
  13_335,
  209_242, // Cloudflare
  54_113, // Fastly
  20_940,
  16_625,
  63_949, // Akamai, and Linode of it
  14_061, // DigitalOcean
  24_940,
  213_230,
  212_317, // Hetzner
  16_276, // OVH
  12_876, // Scaleway
  20_473, // Vultr
  51_167,
  40_021,
  141_995, // Contabo
  60_781,
  28_753,
  30_633, // Leaseweb
  36_352, // ColoCrossing
  45_102,
  37_963, // Alibaba
  132_203,
  45_090, // Tencent
  136_907,
  55_990, // Huawei Cloud
  31_898, // Oracle Cloud
  36_351, // IBM Cloud
  19_994,
  33_070,
  27_357, // Rackspace
  9009, // M247
  60_068,
  212_238, // Datacamp
  46_606, // Unified Layer
  26_496, // GoDaddy
  47_583, // Hostinger
  8560, // IONOS
  197_540, // netcup
  62_240, // Clouvider
  29_802, // Hivelocity
  49_981, // WorldStream
  53_667, // FranTech
  8100, // QuadraNet
  199_524, // Gcore
  40_676, // Psychz
  62_567, // DigitalOcean, its former one
]);
