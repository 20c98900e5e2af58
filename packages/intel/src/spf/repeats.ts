import type { SpfTree } from './tree.ts';

/** Links of the tree that lead where another link already leads, or back to where they come from. */
export interface Repeats {
  /** Domains that more than one include names. */
  duplicates: string[];
  /** Links back to a record that leads to them, as `origin → target`. */
  loops: string[];
}

export function findRepeats({ host, nodes }: SpfTree): Repeats {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  for (const { kind, target } of nodes.flatMap(({ links }) => links)) {
    if (kind === 'include' && seen.has(target)) duplicates.add(target);
    if (kind === 'include') seen.add(target);
  }
  return { duplicates: [...duplicates], loops: findLoops(host, nodes) };
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
