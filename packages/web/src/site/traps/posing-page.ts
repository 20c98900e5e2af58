import type { Brands } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import type { Landing } from '../visit/main-visit.ts';
import { isOwn, isShort, LINKED_BY_OTHERS, onlyName, wordsIn } from './claims.ts';
import { threatIn } from './pretexts.ts';
import { WALLETS } from './wallet-phrase.ts';

/** Further firms that keep money in digital coins, beside the wallets. */
const EXCHANGES = 'binance kucoin kraken gemini bitstamp bitfinex pancakeswap debank rabby cryptocom'.split(' ');
/** Letters of mathematics, in a word with ordinary ones. */
const STYLED = /[A-Za-z][\u{1D400}-\u{1D7FF}]|[\u{1D400}-\u{1D7FF}][A-Za-z]/u;
const OFFICIAL = /[®™]|\bofficial (?:site|website|web|page|app|account|wallet)\b|\((?:official)\)/i;
/** Words of pages that say that they are not the brand's. */
const UNOFFICIAL = /\b(?:clones?|replica|copy|unofficial|fan|demo|templates?|scam|phishing|fake|warning|beware)\b/i;
const NAMES_MAX = 4;

/**
 * Returns the evidence that a page poses as a brand, whether or not it asks for anything: it writes the brand's name in letters that look like it, calls itself the
 * official page of a wallet or an exchange on a host of strangers, or threatens to close an account in the brand's name. Empty without it.
 */
export function posingPage(landing: Landing, evidence: SiteEvidence): string {
  const domain = registrableOf(new URL(landing.url).hostname);
  const { brands } = evidence;
  if (evidence.isWellKnown(domain) || brands.ownerOf(domain) !== undefined) return '';
  const names = [landing.page.info.title, ...landing.page.headings.slice(0, NAMES_MAX)];
  if (UNOFFICIAL.test(names.join('\n'))) return '';
  const disguised = disguisedIn(names, brands);
  if (disguised) return `it writes the name of ${disguised.brand} in other letters: ${disguised.written}`;
  const wallet = evidence.isFreeHost ? officialWallet(landing, names, brands) : undefined;
  if (wallet && !isOwn(wallet.brand, domain, brands))
    return `it calls itself the official page of ${wallet.brand}, on a host of strangers: ${wallet.name}`;
  const only = isShort(landing) ? onlyName(landing, evidence) : undefined;
  const threat = only === undefined || brands.token(only)?.isOften !== true || isOwn(only, domain, brands) ? '' : threatIn(landing);
  return threat === '' ? '' : `it threatens to close an account in the name of ${only} ("${threat}")`;
}

/** Accents. Vowels of Indian scripts, by which `Facebook` gets its case, are marks too, and have a script. */
const MARK = /(?=\p{Script=Inherited})\p{M}/gu;

/** A brand whose name is never written so: in letters of mathematics, or with accents that it does not have. */
function disguisedIn(names: readonly string[], brands: Brands): { brand: string; written: string } | undefined {
  for (const shown of names.flatMap((name) => name.split(/[^\p{L}\p{N}\p{M}]+/u))) {
    // Turkish keyboards write İnstagram.
    const written = shown
      .normalize('NFD')
      .replaceAll(/(?<=[Ii])\u0307/g, '')
      .normalize('NFC');
    const plain = written.normalize('NFKD').replaceAll(MARK, '').toLowerCase();
    const token = written.length < 3 || plain === written.toLowerCase() ? undefined : brands.token(plain);
    if (token?.isOften !== true) continue;
    const isUnaccented = LINKED_BY_OTHERS.has(plain) || WALLETS.includes(plain) || EXCHANGES.includes(plain);
    if (STYLED.test(written) || (isUnaccented && !token.isWord && written.normalize('NFD').search(MARK) > 0))
      return { brand: token.text, written };
  }
  return undefined;
}

/** Bands, papers and stars are called Exodus, Ledger and Gemini. */
const OF_COINS = /\b(?:wallets?|crypto\w{0,9}|bitcoins?|coins?|tokens?|blockchain|hardware|devices?|defi|web3|trading)\b/i;
/** Pages of others about a wallet. */
const ABOUT_IT = /\b(?:reviews?|reviewed|wiki|encyclopa?edia|news|blog|vs|compared)\b/i;

/** The wallet or exchange by which a title or heading begins that says of itself that it is official. */
function officialWallet({ page }: Landing, names: readonly string[], brands: Brands): { brand: string; name: string } | undefined {
  if (ABOUT_IT.test(names.join('\n'))) return undefined;
  const name = names.find((each) => OFFICIAL.test(each)) ?? '';
  const [first = ''] = wordsIn(name);
  const brand = [...WALLETS, ...EXCHANGES].find((each) => first === each);
  if (brand === undefined) return undefined;
  const isSure = brands.token(brand)?.isWord === false || OF_COINS.test(`${names.join('\n')}\n${page.text}`);
  return isSure ? { brand, name } : undefined;
}
