import { isOrIsBelow } from './domain-list.ts';

/** Lets others work. */
export type Pause = () => Promise<void>;

/** How much is worked on between two pauses: a millisecond or two. A name of many labels takes as long as many names of two. */
const NAMES_AT_ONCE = 256;
const CHARACTERS_AT_ONCE = 4096;

/**
 * The lines of a `DomainList`: each domain once, without what another entry covers, in the order of their bytes. A long list takes a second,
 * which is why it pauses.
 */
export async function compileList(names: ReadonlySet<string>, pause: Pause): Promise<Buffer> {
  const kept: string[] = [];
  let characters = 0;
  for (const name of names) {
    characters += name.length;
    if (characters >= CHARACTERS_AT_ONCE) {
      characters = 0;
      await pause();
    }
    if (!isOrIsBelow(name.slice(name.indexOf('.') + 1), names)) kept.push(name);
  }
  return compileLines(kept, pause);
}

/** The lines of a `DomainList` that covers nothing up: each is a domain, with or without a tab and what is said of it. */
export async function compileLines(names: readonly string[], pause: Pause): Promise<Buffer> {
  // Names are ASCII: the order of their characters is the order of their bytes.
  const inOrder = await sorted(names, pause);
  const lines: Buffer[] = [];
  for (let from = 0; from < inOrder.length; from += NAMES_AT_ONCE) {
    lines.push(Buffer.from(`${inOrder.slice(from, from + NAMES_AT_ONCE).join('\n')}\n`));
    await pause();
  }
  return Buffer.concat(lines);
}

/** Sorts in short runs, which are merged two by two: all names may begin alike, so that parts by their beginnings would not help. */
async function sorted(names: readonly string[], pause: Pause): Promise<string[]> {
  let runs: string[][] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    runs.push(names.slice(from, from + NAMES_AT_ONCE).sort());
    await pause();
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(await merged(runs[at]!, runs[at + 1] ?? [], pause));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged(one: readonly string[], other: readonly string[], pause: Pause): Promise<string[]> {
  const all: string[] = [];
  for (let [a, b] = [0, 0]; a < one.length || b < other.length;) {
    const isFirst = b === other.length || (a < one.length && one[a]! < other[b]!);
    all.push(isFirst ? one[a++]! : other[b++]!);
    if (all.length % NAMES_AT_ONCE === 0) await pause();
  }
  return all;
}
