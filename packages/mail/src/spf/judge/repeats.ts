import type { SpfTree } from '../tree.ts';

/** A domain that more than one include names. */
export interface Duplicate {
  target: string;
  /** The domain of the including record, of each include. */
  origins: string[];
}

/** Links of the tree that lead where another link already leads, or back to where they come from. */
export interface Repeats {
  duplicates: Duplicate[];
  /** Links back to a record that leads to them, as `origin → target`. */
  loops: string[];
}

export function findRepeats({ host, nodes }: SpfTree): Repeats {
  const includes = nodes.flatMap(({ origin, links }) =>
    links.filter(({ kind }) => kind === 'include').map(({ target }) => ({ origin, target })),
  );
  const duplicates = [...Map.groupBy(includes, ({ target }) => target)]
    .filter(([, { length }]) => length > 1)
    .map(([target, found]) => ({ target, origins: found.map(({ origin }) => origin) }));
  return { duplicates, loops: findLoops(host, nodes) };
}

function findLoops(host: string, nodes: SpfTree['nodes']): string[] {
  const byOrigin = Map.groupBy(nodes, ({ origin }) => origin);
  const loops: string[] = [];
  const path = new Set<string>();
  const done = new Set<string>();
  const visit = (domain: string) => {
    path.add(domain);
    for (const { target } of (byOrigin.get(domain) ?? []).flatMap(({ links }) => links))
      if (path.has(target)) loops.push(`${domain} → ${target}`);
      else if (!done.has(target)) visit(target);
    path.delete(domain);
    done.add(domain);
  };
  visit(host);
  return loops;
}
