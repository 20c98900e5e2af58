/** An id that an operator or one of our processes gives to a location, an agent, a gateway or a job. It is one token of a bus subject. */
export const ID_PATTERN = '^[A-Za-z0-9_-]{1,64}$';
const ID = new RegExp(ID_PATTERN);

export const isId = (text: string): boolean => ID.test(text);

/**
 * Whether a name is the domain or stands below it. Both are in lower case and without the root's dot; the root itself belongs to no domain
 * here.
 */
export const isAtOrUnder = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Whether something holds of a name, or of one above it, up to its top-level domain. */
export function someAtOrAbove(name: string, holds: (each: string) => boolean): boolean {
  for (let at = 0; ;) {
    if (holds(name.slice(at))) return true;
    const dot = name.indexOf('.', at);
    if (dot < 0) return false;
    at = dot + 1;
  }
}
