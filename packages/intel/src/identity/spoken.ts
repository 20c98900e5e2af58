import type { Brand, Brands, Token } from './brands.ts';
import { basicLetters, homographOf } from './imitation.ts';
import { LURE_WORDS, STRONG_LURES } from './lures.ts';

/** A brand in whose name a text speaks. */
export interface Speaker {
  brand: Brand;
  /** The brand as it stands there. */
  text: string;
  /** Nothing stands there but the brand, words of senders, and a strong word of forgers: `Log in to your PayPal account`. */
  isLure: boolean;
}

/** The most words of a text that are read; subjects and names of senders have fewer. */
const WORDS_MAX = 40;
/** Bank of America Support. */
const PARTS_MAX = 4;
const CHARS_MAX = 400;

/** Words of senders that stand beside a brand in names of its own, in addition to those of forgers. */
const OF_SENDERS: ReadonlySet<string> = new Set(
  'a al and at by con da de dear das dein deine dem den der des die do dr du e el en fr for from fuer für i ihr ihre il im in inc it ja konzern la le les ltd llc gmbh ag sa se spa mr my na no noreply not o of on or our para por pour reply su te the to tu um und us von votre vous with y you your yours zu global group international bank banking automated system systems administrator admin department dept division care deal deals news newsletter via intern gutschein guthaben karte card rewards premium app live konto log sign is has been was are be ist wurde wird'.split(
    ' ',
  ),
);

/** Words that a bank calls itself, and a person called Chase does not. */
const BANKS: ReadonlySet<string> = new Set('bank banco banque banca'.split(' '));

/** Programs that anyone runs, whose messages have the program's name and their owner's address. */
export const SELF_HOSTED: ReadonlySet<string> = new Set('wordpress roundcube zimbra cpanel gitlab github electrum'.split(' '));

const isLure = (word: string, { brand }: Token): boolean => STRONG_LURES.has(word) || BANKS.has(word) || brand.words.has(word);

const wordsOf = (written: string): string[] =>
  written
    .slice(0, CHARS_MAX)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{So}\p{Sk}]/gu, ' ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);

/**
 * The brand in whose name a text speaks: a display name, a subject, the text of a link. A text that mentions a brand among other words does not. A
 * name that is also a word, a family's or a small firm's needs a strong word of forgers, and nothing else beside it.
 */
export function speakerOf(written: string, brands: Brands): Speaker | undefined {
  const words = wordsOf(written);
  const plain = words.map((word) => basicLetters(basicLetters(word).toLowerCase()));
  for (let at = 0; at < words.length; at++) {
    const { token, length, isDisguised } = tokenAt(words, plain, at, brands) ?? {};
    if (!token || length === undefined || SELF_HOSTED.has(token.text)) continue;
    const rest = plain.filter((_, i) => i < at || i >= at + length);
    const isLured = rest.some((word) => isLure(word, token));
    const isBare = rest.every((word) => isOfSenders(word, token));
    const isSure = token.isOften && !token.isWord;
    const isLureAlone = isLured && isBare;
    if (isDisguised || (isSure ? isBare || isLured : isLureAlone && (token.isOften || !token.isWord)))
      return { brand: token.brand, text: words.slice(at, at + length).join(' '), isLure: isLureAlone };
  }
  return undefined;
}

/** Names of so few letters are also words, devices and schools. */
const SHORT_LETTERS = 4;

const PARCELS: ReadonlySet<string> = new Set('ups usps dhl dpd gls tnt ctt evri'.split(' '));
/** Words of parcels. Words for orders are also words of commands: `Order of battery replacement`, `Commande d'arrêt`. */
const OF_PARCELS =
  /^(?:(?:parcel|package|shipment|redeliver|paket|pakket|sendung|lieferung|zustell|bestell|bezorg|livraison|paquete|spedizion|consegna|encomenda|paczk|przesylk)|(?:packet|delivery|shipping|tracking|customs|refund|zoll|levering|colis|douane|envio|entrega|pedido|pacco|dostawa)s?$)/;
const OF_ACCOUNTS =
  /^(?:accounts?|kontos?|konten|comptes?|cuentas?|contas?|rekening(?:en)?|refunds?|customs|rimborso|reembolso|impuestos?)$/;

/**
 * The short brand, in capital letters, that a sender is called by (`DHL Paket`, `UPS`), where the subject is of a parcel for those that bring them, and of an
 * account for others. Monitors of a power supply are called UPS, too, and write of alerts.
 */
export function shortSpeakerOf(name: string, subject: string, brands: Brands): Speaker | undefined {
  const [first = '', ...rest] = wordsOf(name);
  const token = /^[A-Z]{2,4}$/.test(first) ? brands.token(first.toLowerCase()) : undefined;
  if (!token?.isOften || token.text.length > SHORT_LETTERS) return undefined;
  if (!rest.every((word) => isOfSenders(basicLetters(word).toLowerCase(), token))) return undefined;
  const isToCustomers = wordsOf(subject).some((word) =>
    (PARCELS.has(token.text) ? OF_PARCELS : OF_ACCOUNTS).test(basicLetters(word).toLowerCase()),
  );
  return isToCustomers ? { brand: token.brand, text: first, isLure: false } : undefined;
}

const isOfSenders = (word: string, { brand }: Token): boolean =>
  LURE_WORDS.has(word) || BANKS.has(word) || OF_SENDERS.has(word) || brand.words.has(word) || /^\d+$/.test(word);

interface At {
  token: Token;
  length: number;
  /** It is written in letters that look like the brand's. */
  isDisguised: boolean;
}

function tokenAt(words: readonly string[], plain: readonly string[], at: number, brands: Brands): At | undefined {
  for (let length = Math.min(PARTS_MAX, words.length - at); length > 0; length--) {
    const token = brands.token(plain.slice(at, at + length).join(''));
    if (token) return { token, length, isDisguised: length === 1 && token.isOften && isMixed(words[at]!) };
  }
  const token = /[a-z]I/.test(words[at]!) ? brands.token(homographOf(words[at]!, 'com', brands) ?? '') : undefined;
  return token?.isOften ? { token, length: 1, isDisguised: true } : undefined;
}

/** Latin letters beside those of a script that has the same forms. */
const isMixed = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u.test(word);
