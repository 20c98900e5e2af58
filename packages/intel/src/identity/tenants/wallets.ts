import { lettersOf, meanBits } from '../letters.ts';

/**
 * Wallets and exchanges in names of pages that a builder of sites gives for nothing. Forgers make thousands of them and change any letter, so that only the order of the
 * consonants stays: `kkiuqunlogwn` (KuCoin), `mettumuskkkvlogue` (MetaMask). Beside it stands a log-in, a wallet or a number to call, as much in disguise.
 */
const SOUNDS: readonly (readonly [brand: string, ...sounds: string[]])[] = [
  ['metamask', 'mtmsk', 'mtmks', 'mtmxk', 'mtmzk', 'mtmk', 'mtmxs', 'mtmsx', 'mtmsmsk', 'mttmsk', 'mtmzsk'],
  ['kucoin', 'kkm', 'kkkm', 'kxkm', 'kkmm'],
  ['coinbase', 'kmbs', 'kmbz', 'kbspr', 'kmbspr', 'kmzbs', 'kmmbs'],
  ['gemini', 'gmm', 'jmm', 'gmgm', 'gbmm', 'gjmm', 'gmxm'],
  ['kraken', 'krkm', 'kkrkm', 'krks', 'krkd'],
  ['bitmart', 'btmrt', 'btrtmrt', 'bmrt', 'btmrmr', 'btrmrt'],
  ['robinhood', 'rbmd', 'rbmxd', 'rbmsd', 'rmd'],
  ['uphold', 'pld', 'ppld', 'plxd', 'pmld'],
  ['itrustcapital', 'trstkptl', 'trskptl', 'trstktl'],
  ['swissborg', 'sbrg', 'ssbrg'],
  ['coinsquare', 'kmskr'],
  ['netcoins', 'mtkm'],
  ['blockfi', 'blkf'],
  ['exodus', 'xds', 'ksds'],
  ['trezor', 'trzr', 'trsr', 'trxr', 'trzrr', 'trzm'],
  ['ledger', 'ldgr', 'lgdr', 'ldjr', 'ldzr', 'ldgrk'],
  ['atomicwallet', 'tmklt'],
  ['trustwallet', 'trstlt'],
  ['blockchaincom', 'blkxm', 'blkhm'],
];

const SAME: Readonly<Record<string, string>> = { q: 'k', c: 'k', n: 'm', v: 'b' };

/** The consonants of a text, each run once, figures read as letters. */
function soundOf(text: string): string {
  let sound = '';
  let before = '';
  for (const letter of lettersOf(text)) {
    const one = /[aeiouywh\d]/.test(letter) ? '' : (SAME[letter] ?? letter);
    if (one !== before) sound += one;
    before = one;
  }
  return sound;
}

/** Mean bits of letter triples below which a text is of words. */
const SPOKEN = 3.8;
const isDisguised = (text: string): boolean => meanBits([text.replaceAll(/\d/g, '')]) >= SPOKEN || /([a-z])\1.*([a-z])\2/.test(text);

/** Consonants of words behind the brand: extension, support, start, desktop, download. */
const BEHIND = /^.?(?:xt?(?:ms|sm)|x?tmsm|sprt|strt|st?rt[mr]?$|dsktp|dmld|dml)/;
/** A wallet behind it, in letters. */
const A_WALLET = /w+[aeiouyx]{0,4}l+[aeiouyx]{0,3}t/;
/** Consonants of words in front: us, usa, en, io, app, log, sign, page, get. */
const BEFORE = /^(?:s|m|mg|p|t|s?l[gkj][mj]?|sgm|pg|gt|b)?$/;
/** A log-in at the end, in letters, whatever its vowels. */
const LOG_AT_END = /l[aeiouy]{0,4}j?[gq]{1,3}j?[a-z]{0,6}\d{0,2}$/;
/** Blogs, catalogs and sciences, villages and colleges. */
const NOT_LOG =
  /l+[ae]ge(?![gn])|ledge|lg(?:roup|reen|r[ao]|old|ym|ar)|lagos|llag|logi(?:st|a$)|(?:b|ata|ia|chno|cho|eo|io|o|l)log|legal|lagoon|lg(?:ar|ium)|logic?$|logo?$|league|language|legacy|lig(?:ht|hts|a|ue)/;

/** The brand that a label has in its consonants; undefined without. */
export function copiedWallet(label: string): string | undefined {
  const text = lettersOf(label.replaceAll(/[-_]/g, ''));
  if (text.length < 8 || text.length > 30 || !isDisguised(text)) return undefined;
  const sound = soundOf(text);
  const isLog = LOG_AT_END.test(text) && !NOT_LOG.test(text);
  for (const [brand, ...sounds] of SOUNDS)
    for (const of of sounds) {
      const at = sound.indexOf(of);
      if (at < 0 || !BEFORE.test(sound.slice(0, at))) continue;
      const rest = sound.slice(at + of.length);
      if ((isLog && /^[a-z]{0,3}[gkj]/.test(rest)) || (of.length > 3 && (BEHIND.test(rest) || A_WALLET.test(text)))) return brand;
    }
  return undefined;
}
