const SHOWN_MAX = 5;
const ITEM_MAX_CHARS = 120;

/** A stranger's text for a message, cut short. */
export const shown = (text: string): string => (text.length > ITEM_MAX_CHARS ? `${text.slice(0, ITEM_MAX_CHARS)}…` : text);

/** A list for a message: the first few different items, and how many more there are. */
export function listing(items: Iterable<string>): string {
  const all = [...new Set(items)];
  const first = all.slice(0, SHOWN_MAX).map(shown).join(', ');
  return all.length > SHOWN_MAX ? `${first} and ${all.length - SHOWN_MAX} more` : first;
}
