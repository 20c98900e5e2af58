import { isObject, type Members, objectsOf, plainText } from '../report/shape.ts';

/** A hop of one location's path. */
export interface Hop {
  /** The address that answered most; empty where none did, or where it belongs to the location's own network. */
  address: string;
  isSilent: boolean;
  ms: number;
  loss: number;
}

export interface Path {
  id: string;
  hops: readonly Hop[];
  isReached: boolean;
  stoppedBy: string;
}

/** A hop in the picture: several paths share one if they pass the same address at the same distance from the target. */
export interface Node {
  column: number;
  /** About the mean of the rows that pass it. */
  row: number;
  hop: Hop;
  paths: readonly number[];
}

const MAX_HOPS = 64;
/** The least distance of two nodes in a column, in rows. */
const GAP = 0.9;

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

function hopOf(hop: Members): Hop {
  const [first] = objectsOf(hop['answers']).sort((a, b) => number(b['packets_received']) - number(a['packets_received']));
  const rtt = isObject(hop['rtt']) ? hop['rtt'] : {};
  return {
    address: first === undefined || first['is_inner'] === true ? '' : plainText(first['ip_address']),
    isSilent: first === undefined,
    ms: number(rtt['avg']),
    loss: number(hop['percent_packet_loss']),
  };
}

export const pathOf = (id: string, output: Members): Path => ({
  id,
  hops: objectsOf(output['hops']).slice(0, MAX_HOPS).map(hopOf),
  isReached: output['reached'] === true,
  stoppedBy: plainText(output['stopped_by']),
});

/** Where each path's hops stand. Paths that reach the target end in one column; others begin where a hop of theirs is known, or at the left. */
export function layOut(paths: readonly Path[]): { columns: number; nodes: Node[]; lines: Node[][] } {
  const columns = Math.max(1, ...paths.map(({ hops }) => hops.length));
  const known = new Map<string, number>();
  for (const { hops, isReached } of paths)
    if (isReached) hops.forEach(({ address }, i) => address !== '' && known.set(address, columns - hops.length + i));
  const drafts = new Map<string, { column: number; hop: Hop; paths: number[] }>();
  const keys = paths.map((path, row) => {
    const first = firstColumn(path, columns, known);
    return path.hops.map((hop, i) => {
      const column = first + i;
      const key = hop.address === '' ? `${column}/${row}` : `${column} ${hop.address}`;
      const draft = drafts.get(key);
      if (draft) draft.paths.push(row);
      else drafts.set(key, { column, hop, paths: [row] });
      return key;
    });
  });
  const nodes = new Map(
    [...drafts].map(([key, draft]): [string, Node] => [
      key,
      { ...draft, row: draft.paths.reduce((sum, row) => sum + row, 0) / draft.paths.length },
    ]),
  );
  for (const column of Map.groupBy(nodes.values(), (node) => node.column).values()) spread(column, paths.length);
  return { columns, nodes: [...nodes.values()], lines: keys.map((of) => of.map((key) => nodes.get(key)!)) };
}

/** Moves the nodes of a column apart, within the rows that there are. */
function spread(nodes: Node[], rows: number): void {
  nodes.sort((a, b) => a.row - b.row);
  nodes.forEach((node, i) => {
    if (i > 0) node.row = Math.max(node.row, nodes[i - 1]!.row + GAP);
  });
  let limit = rows - 1;
  for (const node of nodes.toReversed()) {
    node.row = Math.min(node.row, limit);
    limit = node.row - GAP;
  }
}

function firstColumn({ hops, isReached }: Path, columns: number, known: ReadonlyMap<string, number>): number {
  const latest = columns - hops.length;
  if (isReached) return latest;
  const at = hops.findLastIndex(({ address }) => known.has(address));
  return at < 0 ? 0 : Math.min(latest, Math.max(0, known.get(hops[at]!.address)! - at));
}

const ENDS: Readonly<Record<string, string>> = {
  target: 'reached the target',
  unreachable: 'a router passes nothing on',
  loop: 'routers pass packets in a circle',
  max_hops: 'the limit of hops came first',
  silence: 'no later hop answered',
  deadline: 'the time was over',
};

/** How a path ends, in words. */
export const endInWords = ({ isReached, stoppedBy }: Path): string =>
  isReached ? ENDS['target']! : ((Object.hasOwn(ENDS, stoppedBy) ? ENDS[stoppedBy] : stoppedBy) ?? '') || 'nothing was measured';
