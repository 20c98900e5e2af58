import { STOP, wordsOf } from './words.ts';

/** The words that one token of a phrase matches. */
type Token = { words: ReadonlySet<string> } | { atMost: number } | 'gap';

/** Words that `*` passes over at most. */
const GAP_WORDS = 4;

const NEGATIONS: ReadonlySet<string> = new Set(
  'not no non never nicht kein keine keinen keiner pas ni nem nao niet geen isn wasn without ohne sans sin senza sem zonder'.split(' '),
);

/**
 * Phrases to look for in a text, one per line of their source. A word stands for itself, `a|b` for either, `*` for up to four words
 * whatever they are, of the same sentence, `#72` for a figure up to 72. A phrase right after a negation ("not urgent") does not match.
 */
export class Phrases {
  /** They stand by their first words, so that most words of a text cost one look into a map. */
  readonly #byFirst = new Map<string, Token[][]>();

  constructor(source: string) {
    for (const line of source.split('\n')) {
      const [first, ...rest] = line.split(' ').filter((piece) => piece !== '');
      if (first === undefined) continue;
      for (const word of first.split('|')) {
        const others = this.#byFirst.get(word) ?? [];
        others.push(rest.map(tokenOf));
        this.#byFirst.set(word, others);
      }
    }
  }

  /** Whether any of them is in the words of a text (`wordsOf`). */
  in(words: readonly string[]): boolean {
    return words.some(
      (word, at) =>
        this.#byFirst.get(word)?.some((rest) => follows(rest, 0, words, at + 1)) === true && !NEGATIONS.has(words[at - 1] ?? ''),
    );
  }

  /** Whether any of them is in the text. */
  inText(text: string): boolean {
    return this.in(wordsOf(text));
  }
}

function tokenOf(piece: string): Token {
  if (piece === '*') return 'gap';
  return piece.startsWith('#') ? { atMost: Number(piece.slice(1)) } : { words: new Set(piece.split('|')) };
}

/** Phrases are short and gaps narrow, so the steps for one word of a text are bounded. */
function follows(tokens: readonly Token[], from: number, words: readonly string[], at: number): boolean {
  const token = tokens[from];
  if (token === undefined) return true;
  if (token === 'gap') {
    for (let skipped = 0; skipped <= GAP_WORDS; skipped++) {
      if (follows(tokens, from + 1, words, at + skipped)) return true;
      if (words[at + skipped] === STOP) return false;
    }
    return false;
  }
  const word = words[at];
  if (word === undefined) return false;
  const fits = 'words' in token ? token.words.has(word) : /^\d{1,3}$/.test(word) && Number(word) <= token.atMost;
  return fits && follows(tokens, from + 1, words, at + 1);
}
