import { isOrIsBelow } from './domain-list.ts';

/** Lets others work. */
export type Pause = () => Promise<void>;

/** How many names are worked on between two pauses: a millisecond or two. */
export const NAMES_AT_ONCE = 256;

/**
 * The lines of a `DomainList`: each domain once, without what another entry covers, in the order of their bytes. A long list takes a second,
 * which is why it pauses.
 */
export async function compileList(names: ReadonlySet<string>, pause: Pause): Promise<Buffer> {
  // Sorted in parts: two characters make no part of more than a few thousand names.
  const parts = new Map<string, string[]>();
  let count = 0;
  for (const name of names) {
    if (++count % NAMES_AT_ONCE === 0) await pause();
    if (isOrIsBelow(name.slice(name.indexOf('.') + 1), names)) continue;
    const key = name.slice(0, 2);
    const part = parts.get(key);
    if (part) part.push(name);
    else parts.set(key, [name]);
  }
  const lines: Buffer[] = [];
  // Names are ASCII: the order of their characters is the order of their bytes.
  for (const key of [...parts.keys()].sort()) {
    const part = parts.get(key)!;
    lines.push(Buffer.from(`${part.sort().join('\n')}\n`));
    await pause();
  }
  return Buffer.concat(lines);
}
