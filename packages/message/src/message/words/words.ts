/**
 * Combining marks. It goes before NFKD too, which splits more off: to bring a row of many into their order takes ICU the square of their
 * number (minutes for a megabyte of them).
 */
const MARKS = /\p{M}+/gu;
/** Invisible characters, which split words for a search but not for a reader: zero-width characters, soft hyphens, directions. */
const UNSEEN = /\p{Cf}+/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const LETTERS_OF_THEIR_OWN: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', ı: 'i' };

/** Text as it is searched for phrases: lower case, letters without their marks, compatibility forms such as 𝗯𝗼𝗹𝗱 as plain ones. */
function folded(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return text
    .replace(UNSEEN, '')
    .replace(MARKS, '')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[ßœæøłı]/g, (letter) => LETTERS_OF_THEIR_OWN[letter] ?? letter);
}

/** The token among words for the end of a sentence or a paragraph. */
export const STOP = '.';

/** Ends of sentences and of paragraphs are found beside the words. */
const WORD = /e-mails?(?![a-z0-9])|[a-z0-9]+|[.!?](?=\s)|\n[ \t]*(?=\n)/g;

/** Words and figures of a text in Latin letters, folded, with a `STOP` behind each sentence. */
export const wordsOf = (text: string): string[] => (folded(text).match(WORD) ?? []).map(plainWord);

function plainWord(word: string): string {
  if (word < '0') return STOP;
  return word.startsWith('e-') ? word.replace('-', '') : word === '?' ? STOP : word;
}
