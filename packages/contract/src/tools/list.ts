/** Splits a list written with commas; empty pieces are dropped. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
