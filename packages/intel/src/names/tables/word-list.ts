/** The words of a list that is written as text. */
export const wordList = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
