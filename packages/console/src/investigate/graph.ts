import { type Asked, factsOf } from '../export/facts.ts';
import { headlineOf } from '../report/headline.ts';
import type { Tone } from '../look/tone.ts';
import type { Indicator } from '../subject/index.ts';

/** A subject or an indicator, and its place in the picture. */
export interface GraphNode {
  /** Undefined for a file that was asked about. */
  indicator: Indicator | undefined;
  label: string;
  column: number;
  row: number;
  /** Keys of the questions about it, the oldest first. */
  asked: string[];
  operations: string[];
  tone: Tone;
}

export interface GraphEdge {
  from: GraphNode;
  to: GraphNode;
  operation: string;
}

export interface Graph {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  columns: number;
  rows: number;
  /** The number of indicators that are not drawn. */
  hidden: number;
}

/** More of them are a picture of nothing. */
const MAX_FOUND = 8;
const MAX_NODES = 60;
const MAX_COLUMNS = 5;
/** Tones, the worst first: it is that of a subject with several answers. */
const TONES: readonly Tone[] = ['bad', 'warn', 'good', 'none'];

const idOf = ({ kind, value }: Indicator): string => `${kind} ${value}`;

/**
 * Returns questions and the indicators of their answers as a graph. An indicator stands right of the subject whose answer named it first, so a chain of questions leads from left to
 * right. Indicators that were asked about, or that two answers name, come before others. `answers`: the oldest first.
 */
export function graphOf(answers: readonly Asked[]): Graph {
  const all = answers.map((asked) => ({ asked, facts: factsOf(asked, { mentions: true }) }));
  const subjects = new Set(all.flatMap(({ facts }) => (facts.subject ? [idOf(facts.subject)] : [])));
  const named = new Map<string, number>();
  for (const { facts } of all) for (const one of facts.indicators) named.set(idOf(one), (named.get(idOf(one)) ?? 0) + 1);
  const nodes = new Map<string, GraphNode>();
  const rows: number[] = [];
  const node = (id: string, indicator: Indicator | undefined, label: string, wanted: number): GraphNode => {
    const known = nodes.get(id);
    if (known) return known;
    const column = Math.min(wanted, MAX_COLUMNS - 1);
    const made: GraphNode = { indicator, label, column, row: (rows[column] ??= 0), asked: [], operations: [], tone: 'none' };
    rows[column] += 1;
    nodes.set(id, made);
    return made;
  };
  const rank = (one: Indicator): number => (subjects.has(idOf(one)) ? 2 : named.get(idOf(one))! > 1 ? 1 : 0);
  const edges = new Map<string, GraphEdge>();
  const hidden = new Set<string>();
  for (const { asked, facts } of all) {
    const { subject } = facts;
    const from = node(subject ? idOf(subject) : asked.key, subject, subject?.value ?? `a file, by ${asked.operation}`, 0);
    from.asked.push(asked.key);
    if (!from.operations.includes(asked.operation)) from.operations.push(asked.operation);
    const tone = headlineOf(asked.report)?.tone ?? 'none';
    if (TONES.indexOf(tone) < TONES.indexOf(from.tone)) from.tone = tone;
    const others = facts.indicators.filter((one) => subject === undefined || idOf(one) !== idOf(subject));
    const sorted = others.toSorted((a, b) => rank(b) - rank(a));
    for (const [i, one] of sorted.entries()) {
      const id = idOf(one);
      // Subjects that are asked about later have their places all the same.
      if (!nodes.has(id) && (i >= MAX_FOUND || nodes.size >= MAX_NODES)) {
        hidden.add(id);
        continue;
      }
      const to = node(id, one, one.value, from.column + 1);
      edges.set(`${asked.operation} ${subject ? idOf(subject) : asked.key} ${id}`, { from, to, operation: asked.operation });
    }
  }
  const drawn = [...nodes.values()];
  const left = [...hidden].filter((id) => !nodes.has(id)).length;
  return { nodes: drawn, edges: [...edges.values()], columns: rows.length, rows: Math.max(0, ...rows), hidden: left };
}
